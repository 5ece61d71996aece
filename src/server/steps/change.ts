import { type Awaitable, inTurn, settle, whenReady } from '../../model/awaitable.ts'
import { isKeeping } from '../../model/keeping.ts'
import type { Outcome } from '../../model/operation.ts'
import { isProblem, type ProblemError, problem } from '../../model/problem.ts'
import { checkCollectionConditions, checkConditions } from '../checks/condition.ts'
import { type Draft, hasOtherIds } from '../checks/draft.ts'
import { breach, checkItem, findItem } from '../checks/outcome.ts'
import {
  judgeReplacements,
  namedRevision,
  notFound,
  type Replacement,
  replacementOf,
  type Stored,
  storedRevision,
} from '../checks/stored.ts'
import { type RequestedOperation, readOf } from '../operation.ts'
import type { Task } from '../task.ts'

/** The most tries of a write whose item changes meanwhile. */
const maxTries = 8

/** A write that the adapter refused, since the item had another revision by then. */
interface Lost {
  readonly error: unknown
  /** The revision that the core read. */
  readonly revision: unknown
  /** The lost tries so far. */
  readonly tries: number
}

/**
 * Replaces one item. Returns `not_found`; throws `precondition_failed`, `validation_failed`,
 * `id_mismatch`, and `unavailable` after eight lost tries.
 */
export function update(task: Task): Awaitable<Task | ProblemError> {
  return isKeeping(task.plan.adapter.update) ? updateOnce(task) : updateGuarded(task)
}

function updateOnce(task: Task): Awaitable<Task | ProblemError> {
  return whenReady(prepare(task), ([replacement]) => {
    checkConditions(task.conditions, replacement?.stored, task.plan.resource)
    return write(replacement, task, namedRevision(task, replacement?.stored))
  })
}

// The item holds read-only fields as the core read them. A change of them meanwhile must stay, so
// the core reads and tries again.
function updateGuarded(task: Task, lost?: Lost): Awaitable<Task | ProblemError> {
  const { plan, conditions } = task
  return whenReady(prepare(task), ([replacement]) => {
    checkConditions(conditions, replacement?.stored, plan.resource)
    const revision = storedRevision(plan.resource, replacement?.stored)
    return settle(
      () => write(replacement, task, revision),
      (updated) => updated,
      (error) => updateGuarded(task, lostAgain({ error, revision }, lost)),
    )
  })
}

function write(
  replacement: Replacement | undefined,
  task: Task,
  ifRevision: unknown,
): Awaitable<Task | ProblemError> {
  const { operation, plan, context } = task
  operation.item = replacement?.item
  operation.ifRevision = ifRevision
  return whenReady(plan.adapter.update?.(operation, context), (updated) => found(updated, task))
}

// Throws the write's own error, unless another revision was the reason.
function lostAgain({ error, revision }: Omit<Lost, 'tries'>, before?: Lost): Lost {
  const isRace = isProblem(error) && error.code === 'precondition_failed'
  // The same revision as before: the adapter has another reason.
  if (!isRace || revision === undefined || revision === before?.revision) throw error
  const tries = (before?.tries ?? 0) + 1
  if (tries < maxTries) return { error, revision, tries }
  throw problem('unavailable', undefined, { retryAfter: 1, cause: error })
}

/**
 * Carries out a kind that changes one stored item under conditions: `delete`, and any kind that has
 * conditions and no step of its own. Returns `not_found`; throws `precondition_failed`.
 */
export function changeOne(task: Task): Awaitable<Task | ProblemError> {
  const { operation, plan, conditions, drafts, context } = task
  return whenReady(readStored(task, operation.id), (stored) => {
    if (stored === undefined) return notFound([])
    checkConditions(conditions, stored, plan.resource)
    operation.item = drafts[0]?.item
    operation.ifRevision = namedRevision(task, stored)
    return whenReady(plan.adapter[plan.kind]?.(operation, context), (given) => found(given, task))
  })
}

/** Replaces the items of the body: all of them or none. */
export function updateMany(task: Task): Awaitable<Task | ProblemError> {
  const { operation, plan, conditions, context } = task
  return whenReady(prepare(task), (replacements) => {
    checkCollectionConditions(conditions)
    if (replacements.length === 0) return { ...task, outcome: { gives: 'items', items: [] } }
    operation.items = replacements.map(({ item }) => checkItem(item, operation))
    return whenReady(plan.adapter.updateMany?.(operation, context), (updated) => ({
      ...task,
      outcome: manyOutcome(updated, task),
    }))
  })
}

// The outcome of an item that the adapter updated or deleted.
function found(given: unknown, task: Task): Task | ProblemError {
  const item = findItem(given, task.operation)
  return item === undefined ? notFound([]) : { ...task, outcome: { gives: 'item', item } }
}

function manyOutcome(given: unknown, { operation, drafts }: Task): Outcome {
  if (!Array.isArray(given) || given.length !== drafts.length) {
    throw breach(
      operation,
      `not one item for each of ${drafts.length}: return an array as long as "items", in its order`,
    )
  }
  const unknown = drafts.filter((_, index) => given[index] === null || given[index] === undefined)
  if (unknown.length > 0) throw notFound(unknown)
  return {
    gives: 'items',
    items: drafts.map(({ id }, index) => sameItem(given[index], id, operation)),
  }
}

function sameItem(given: unknown, id: unknown, operation: RequestedOperation): object {
  const item = checkItem(given, operation)
  if (item.id === id) return item
  throw breach(operation, 'items in another order than the client sent')
}

type Id = string | number | undefined

// The stored item, where the write depends on it: read-only fields, conditions, the scope.
// `undefined` without such an item.
function readStored(task: Task, id: Id): Awaitable<Stored | undefined> {
  return id === undefined || dependsOnStored(task) ? lookUp(task, id) : 'unread'
}

// Combines every draft with the item that it replaces.
function prepare(task: Task): Awaitable<readonly Replacement[]> {
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
