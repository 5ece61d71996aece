import type { ProblemError } from '../../model/problem.ts'
import type { Task } from '../task.ts'

/**
 * Returns the problem of the parameters and the conditions. `understand` has read them already, but
 * authorization comes before their problem.
 */
export function judgeQuery(task: Task): Task | ProblemError {
  return task.fault ?? task
}
