import type { Operation, Outcome } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../../convention/awaitable.ts'
import type { OperationKind } from '../../convention/operations.ts'
import type { ProblemError } from '../../convention/problem.ts'
import { fieldOf, partOf } from '../../convention/value.ts'
import { countLostWrite, type LostWrite, namesRevision } from '../checks/lost.ts'
import {
  breach,
  checkCount,
  checkItem,
  checkItems,
  checkNewItem,
  findItem,
  itemsOfDrafts,
} from '../checks/outcome.ts'
import {
  hasOtherId,
  judgeConflicts,
  judgeReplacements,
  notFound,
  revisionOf,
  type Stored,
  withStored,
} from '../checks/stored.ts'
import { canModify, modifyMany, modifyOne } from '../modify.ts'
import { complete, type PathId, readOf } from '../operations.ts'
import { type Task, withOutcome } from '../task.ts'

type Method = (operation: Operation, context: unknown) => unknown

/** Calls the adapter's method, and checks its result by the row of the convention. */
export function callAdapter(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, drafts, context } = task
  if (plan.row.target === 'item' && operation.id === undefined) return notFound([], task.target)
  if (plan.row.takes === 'item') complete(operation, 'item', drafts[0]?.item)
  // A kind without a method of its own has a step of its own.
  const methods: { readonly [Kind in OperationKind]?: Method } = plan.adapter
  const result = methods[plan.kind]?.(operation, context)
  return whenReady(result, (value) => toOutcome(value, task))
}

function toOutcome(value: unknown, task: Task): Task | ProblemError {
  const { plan, operation } = task
  const { gives, absent } = plan.row
  switch (gives) {
    case 'item': {
      const item = absent ? findItem(value, operation) : checkNewItem(value, operation)
      return item ? { ...task, outcome: { gives, item } } : notFound([], task.target)
    }
    case 'items':
      return { ...task, outcome: { gives, items: checkItems(value, operation) } }
    case 'count':
      return { ...task, outcome: { gives, count: checkCount(value, operation) } }
    case 'deleted':
      return { ...task, outcome: { gives, deleted: checkCount(value, operation) } }
  }
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
export function changeOne(task: Task, lost?: LostWrite): Awaitable<Task | ProblemError> {
  const { operation, plan } = task
  if (plan.isGuarded && canModify(task) && operation.id !== undefined && !operation.isDryRun) {
    const modified = modifyOne(task, ([stored]) => {
      const [draft] = judgeDraft(task, stored).task.drafts
      complete(operation, 'item', draft?.item)
      return [checkItem(draft?.item, operation)]
    })
    return whenReady(modified, (outcome) => withOutcome(task, outcome))
  }
  return whenReady(readStored(task, operation.id), (stored) => {
    if (stored === undefined) return notFound([], task.target)
    const { task: replaced, revision } = judgeDraft(task, stored)
    if (operation.isDryRun) return dryRunOf(replaced, stored)
    const isExpected = plan.isGuarded || (revision !== undefined && namesRevision(task))
    complete(operation, 'ifRevision', isExpected ? revision : undefined)
    if (!plan.isGuarded) return callAdapter(replaced)
    return settle(
      () => callAdapter(replaced),
      (updated) => updated,
      (error) => changeOne(task, countLostWrite({ error, revisions: [revision] }, lost)),
    )
  })
}

// The storage keeps the fields that it fills.
function dryRunOf(task: Task, stored: Stored): Task {
  const { filled } = task.plan.resource
  const storedFields = stored === 'unread' ? {} : partOf(stored, filled)
  const item = { ...storedFields, ...task.drafts[0]?.item }
  complete(task.operation, 'item', item)
  return { ...task, outcome: { gives: 'item', item } }
}

// Compares the body and the conditions with the stored item.
function judgeDraft(task: Task, stored: Stored | undefined) {
  const { plan, drafts } = task
  const { resource } = plan
  judgeReplacements([stored], task)
  judgeConflicts([stored], task)
  const replaced =
    stored === undefined || stored === 'unread'
      ? task
      : { ...task, drafts: drafts.map((draft) => withStored(draft, stored, resource)) }
  return { task: replaced, revision: revisionOf(stored, resource) }
}

/**
 * Replaces the items of the body: all of them or none. Holds read-only fields as {@link changeOne}
 * does.
 *
 * Throws what `changeOne` throws, and `not_found`.
 */
export function updateMany(task: Task, lost?: LostWrite): Awaitable<Task | ProblemError> {
  const { operation, plan, drafts, context } = task
  const isStored = drafts.length > 0 && !operation.isDryRun
  if (isStored && plan.isGuarded && canModify(task)) {
    const modified = modifyMany(task, (stored) => replacements(task, stored))
    return whenReady(modified, (outcome) => withOutcome(task, outcome))
  }
  return whenReady(
    inTurn(drafts, ({ id }) => readStored(task, id)),
    (stored) => {
      const items = replacements(task, stored)
      if (!isStored) return { ...task, outcome: { gives: 'items', items } }
      return settle<Task | ProblemError, Task | ProblemError>(
        () =>
          whenReady(plan.adapter.updateMany?.(operation, context), (updated) => ({
            ...task,
            outcome: outcomeOfMany(updated, task),
          })),
        (updated) => updated,
        (error) => {
          const { revision } = plan.resource
          const revisions = items.map((item) => revision && fieldOf(item, revision))
          return updateMany(task, countLostWrite({ error, revisions }, lost))
        },
      )
    },
  )
}

// Compares the bodies with the stored items. Each new item has the revision that the core read.
function replacements(task: Task, stored: readonly (Stored | undefined)[]): readonly Item[] {
  const { operation, plan, drafts } = task
  judgeReplacements(stored, task)
  judgeConflicts(stored, task)
  const items = drafts.map((draft, index) => {
    const { item } = withStored(draft, stored[index] as Stored, plan.resource)
    return checkItem(item, operation)
  })
  if (items.length > 0) complete(operation, 'items', items)
  return items
}

function outcomeOfMany(result: unknown, { operation, drafts, target }: Task): Outcome {
  if (!Array.isArray(result) || result.length !== drafts.length) {
    throw breach(
      operation,
      `not one item for each of ${drafts.length}: return an array as long as "items", in its order`,
    )
  }
  const unknown = drafts.filter((_, index) => result[index] === null || result[index] === undefined)
  if (unknown.length > 0) throw notFound(unknown, target)
  return { gives: 'items', items: itemsOfDrafts(result, { operation, drafts }) }
}

// Reads the stored item of an id, if the write depends on it: read-only fields, conditions, the
// scope. Returns `undefined` without such an item.
function readStored(task: Task, id: PathId): Awaitable<Stored | undefined> {
  if (id === undefined) return undefined
  const { operation, plan, conditions, drafts, context } = task
  const { ifMatch, ifNoneMatch } = conditions
  const isNeeded =
    plan.dependsOnStored ||
    operation.isDryRun ||
    ifMatch !== undefined ||
    ifNoneMatch !== undefined ||
    // After one unknown id, the core looks for all of them, and the problem names each.
    drafts.some((draft) => draft.id === undefined) ||
    (plan.kind === 'update' && drafts.some(hasOtherId))
  if (!isNeeded || typeof plan.adapter.read !== 'function') return 'unread'
  const read = readOf(operation, id)
  return whenReady(plan.adapter.read(read, context), (item) => findItem(item, read))
}
