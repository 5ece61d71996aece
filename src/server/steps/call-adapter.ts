import { type Awaitable, inTurn, settle, whenReady } from '../../model/awaitable.ts'
import type { Outcome } from '../../model/operation.ts'
import { isProblem, type ProblemError, problem } from '../../model/problem.ts'
import { fieldOf } from '../../model/value.ts'
import {
  breach,
  checkCount,
  checkItem,
  checkItems,
  checkNewItem,
  findItem,
} from '../checks/outcome.ts'
import {
  checkCollectionConditions,
  checkConditions,
  hasOtherId,
  judgeReplacements,
  notFound,
  type Stored,
  withStored,
} from '../checks/stored.ts'
import { type PathId, type RequestedOperation, readOf } from '../operations.ts'
import type { Task } from '../task.ts'

/** Calls the adapter's method, and checks its result by the row of the convention. */
export function callAdapter(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, drafts, context } = task
  if (plan.row.target === 'item' && operation.id === undefined) return notFound([])
  if (plan.row.takes === 'item') operation.item = drafts[0]?.item
  return whenReady(plan.adapter[plan.kind]?.(operation, context), (given) => toOutcome(given, task))
}

function toOutcome(given: unknown, task: Task): Task | ProblemError {
  const { plan, operation } = task
  const { gives, absent } = plan.row
  switch (gives) {
    case 'item': {
      const item = absent ? findItem(given, operation) : checkNewItem(given, operation)
      return item ? { ...task, outcome: { gives, item } } : notFound([])
    }
    case 'items':
      return { ...task, outcome: { gives, items: checkItems(given, operation) } }
    case 'count':
      return { ...task, outcome: { gives, count: checkCount(given, operation) } }
    case 'deleted':
      return { ...task, outcome: { gives, deleted: checkCount(given, operation) } }
  }
}

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
 * Carries out a kind that changes one stored item under conditions: `update`, `delete`, and any
 * kind that has conditions and no step of its own.
 *
 * An update holds read-only fields as the core read them. A change of them meanwhile must stay, so
 * the core reads and tries again.
 *
 * Returns `not_found`; throws `precondition_failed`, `validation_failed`, `id_mismatch`, and
 * `unavailable` after eight lost tries.
 */
export function changeOne(task: Task, lost?: Lost): Awaitable<Task | ProblemError> {
  const { operation, plan, conditions, drafts } = task
  const { resource } = plan
  return whenReady(readStored(task, operation.id), (stored) => {
    if (stored === undefined) return notFound([])
    judgeReplacements([stored], drafts, operation)
    const revision =
      resource.revision === undefined || stored === 'unread'
        ? undefined
        : fieldOf(stored, resource.revision)
    checkConditions(conditions, revision)
    const replaced = { ...task, drafts: drafts.map((draft) => withStored(draft, stored, resource)) }
    const isExpected = plan.isGuarded || (revision !== undefined && namesRevision(task))
    operation.ifRevision = isExpected ? revision : undefined
    if (!plan.isGuarded) return callAdapter(replaced)
    return settle(
      () => callAdapter(replaced),
      (updated) => updated,
      (error) => changeOne(task, lostAgain({ error, revision }, lost)),
    )
  })
}

// In a header or in the body.
function namesRevision({ conditions, drafts, plan: { resource } }: Task): boolean {
  const { revision } = resource
  if (conditions.ifMatch !== undefined) return true
  return revision !== undefined && drafts.some(({ body }) => Object.hasOwn(body, revision))
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

/** Replaces the items of the body: all of them or none. */
export function updateMany(task: Task): Awaitable<Task | ProblemError> {
  const { operation, plan, drafts, conditions, context } = task
  return whenReady(
    inTurn(drafts, ({ id }) => readStored(task, id)),
    (stored) => {
      judgeReplacements(stored, drafts, operation)
      checkCollectionConditions(conditions)
      if (drafts.length === 0) return { ...task, outcome: { gives: 'items', items: [] } }
      operation.items = drafts.map((draft, index) => {
        const { item } = withStored(draft, stored[index] as Stored, plan.resource)
        return checkItem(item, operation)
      })
      return whenReady(plan.adapter.updateMany?.(operation, context), (updated) => ({
        ...task,
        outcome: manyOutcome(updated, task),
      }))
    },
  )
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

// Reads the stored item of an id, if the write depends on it: read-only fields, conditions, the
// scope. Returns `undefined` without such an item.
function readStored(task: Task, id: PathId): Awaitable<Stored | undefined> {
  if (id === undefined) return undefined
  const { operation, plan, conditions, drafts, context } = task
  const { ifMatch, ifNoneMatch } = conditions
  const isNeeded =
    plan.dependsOnStored ||
    ifMatch !== undefined ||
    ifNoneMatch !== undefined ||
    // After one unknown id, the core looks for all of them, and the problem names each.
    drafts.some((draft) => draft.id === undefined) ||
    (plan.kind === 'update' && drafts.some(hasOtherId))
  if (!isNeeded || typeof plan.adapter.read !== 'function') return 'unread'
  const read = readOf(operation, id)
  return whenReady(plan.adapter.read(read, context), (item) => findItem(item, read))
}
