import { type Awaitable, inTurn, whenReady } from '../../model/awaitable.ts'
import { type Draft, hasOtherIds } from '../checks/draft.ts'
import { findItem } from '../checks/outcome.ts'
import {
  judgeReplacements,
  type Replacement,
  replacementOf,
  type Stored,
} from '../checks/stored.ts'
import { readOf } from '../operation.ts'
import type { Task } from '../task.ts'

type Id = string | number | undefined

/**
 * Reads the stored item of a write where the write depends on it: read-only fields, conditions, the
 * scope. `undefined` without such an item.
 */
export function readStored(task: Task, id: Id): Awaitable<Stored | undefined> {
  return id === undefined || dependsOnStored(task) ? lookUp(task, id) : 'unread'
}

/**
 * Combines every draft with the item that it replaces.
 *
 * @throws {ProblemError} As {@link judgeReplacements}.
 */
export function prepare(task: Task): Awaitable<readonly Replacement[]> {
  const { drafts, operation } = task
  // After one unknown id, the core looks for all of them, and the problem names each.
  const find = drafts.some(({ id }) => id === undefined) ? lookUp : readStored
  const replace = (draft: Draft): Awaitable<Replacement | undefined> =>
    whenReady(find(task, draft.id), (stored) => replacementOf(draft, stored, operation.resource))
  return whenReady(inTurn(drafts, replace), (found) => judgeReplacements(found, drafts, operation))
}

function lookUp({ operation, plan, context }: Task, id: Id): Awaitable<Stored | undefined> {
  if (id === undefined) return undefined
  if (typeof plan.adapter.read !== 'function') return 'unread'
  const read = readOf(operation, id)
  return whenReady(plan.adapter.read(read, context), (item) => findItem(item, read))
}

function dependsOnStored({ operation, target, conditions, drafts }: Task): boolean {
  const { ifMatch, ifNoneMatch } = conditions
  const isConditional = ifMatch !== undefined || ifNoneMatch !== undefined
  const isReplaced = drafts.length > 0 && operation.resource.readOnly.length > 0
  const isMistaken = operation.kind === 'update' && hasOtherIds(drafts)
  return target.parents.length > 0 || isConditional || isReplaced || isMistaken
}
