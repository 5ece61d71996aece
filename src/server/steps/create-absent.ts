import { type Awaitable, settle } from '../../convention/awaitable.ts'
import { isProblem, ProblemError, problem } from '../../convention/problem.ts'
import { fieldOf } from '../../convention/value.ts'
import { noConditions } from '../../wire/conditions.ts'
import { breach } from '../checks/outcome.ts'
import type { FlowStep } from '../flow.ts'
import { operationOf } from '../operations.ts'
import type { Plan } from '../plan.ts'
import type { Task } from '../task.ts'

// A middleware can throw `not_found`, too. Only the absence of the item makes a new one.
const absences = new WeakSet<ProblemError>()

/** Notes the problem of an item that a step does not find. */
export function notingAbsence(step: FlowStep<Task>): FlowStep<Task> {
  const note = <Result>(result: Result): Result => {
    if (isProblem(result) && result.code === 'not_found') absences.add(result)
    return result
  }
  return (task) =>
    // A text that is no id names no item to create.
    task.operation.id === undefined
      ? step(task)
      : settle(
          () => step(task),
          note,
          (error) => {
            throw note(error)
          },
        )
}

function isAbsence(result: unknown): boolean {
  return result instanceof ProblemError && absences.has(result)
}

/** The ways of a PUT that may create its item. */
interface Ways {
  readonly replace: Task['way']
  /** Without the caller and the body, which the first try has found. */
  readonly replaceAgain: Task['way']
  readonly create: Task['way']
}

/**
 * Composes the way of a PUT that creates an absent item. Another request may create the item
 * meanwhile: then the way replaces it, once.
 *
 * @throws {ProblemError} `precondition_failed` for a condition that no absent item meets.
 * @see docs/requests.md, C3.6
 */
export function orCreate({ replace, replaceAgain, create }: Ways): Task['way'] {
  const createAbsent = (task: Task): Way => {
    const creation = creationOf(task)
    return settle(
      () => create(begun(creation)),
      (result) => withId(result, task),
      (error) => {
        if (!isProblem(error) || error.code !== 'conflict') throw error
        const { operation } = task
        const retry = { ...task, operation: operationOf(operation.kind, operation, operation) }
        return unlessAbsent(
          () => replaceAgain(begun(retry)),
          () => {
            throw error
          },
        )
      },
    )
  }
  return (task) =>
    unlessAbsent(
      () => replace(task),
      () => createAbsent(task),
    ) as ReturnType<Task['way']>
}

type Way = Awaitable<Task | ProblemError>

function unlessAbsent(start: () => Way, absent: () => Way): Way {
  return settle<Task | ProblemError, Task | ProblemError>(
    start,
    (result) => (isAbsence(result) ? absent() : result),
    (error) => {
      if (isAbsence(error)) return absent()
      throw error
    },
  )
}

// Observers and `onError` learn which operation runs.
function begun(task: Task): Task {
  const { lifetime, operation, target } = task
  lifetime.operation = operation
  lifetime.named = { kind: operation.kind, collection: target.collection }
  return task
}

function creationOf(task: Task): Task {
  const { plan, operation, target, conditions, drafts } = task
  const { revision } = plan.resource
  const isExpected = revision !== undefined && Object.hasOwn(Object(drafts[0]?.body), revision)
  if (conditions.ifMatch !== undefined || isExpected)
    throw problem('precondition_failed', 'The item does not exist, and the request names its ETag.')
  return {
    ...task,
    plan: plan.creation as Plan,
    target: { ...target, kind: 'collection', id: undefined },
    operation: operationOf('create', operation, operation),
    conditions: noConditions,
  }
}

function withId(result: Task | ProblemError, { operation: { id } }: Task): Task | ProblemError {
  if (result instanceof ProblemError) return result
  const { outcome, operation } = result
  if (outcome.gives === 'item' && fieldOf(outcome.item, 'id') === id) return result
  throw breach(operation, 'an item with another id: keep the id of operation.item')
}
