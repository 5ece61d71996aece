import { namedIn, noteNamed } from '../../contract/resource/named-fields.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import type { ProblemError } from '../../convention/problem.ts'
import { judgeChanges, noteRefused } from '../checks/item-rules.ts'
import { namesRevision } from '../checks/lost.ts'
import { checkItem, findItem, itemsOfDrafts } from '../checks/outcome.ts'
import { mergeDrafts } from '../checks/patch.ts'
import {
  checkCollectionConditions,
  judgeConflicts,
  judgeReplacements,
  notFound,
  type Stored,
  withFilled,
  withStored,
} from '../checks/stored.ts'
import { complete } from '../operations.ts'
import { readNeeded, rewrite, type StoredItems } from '../rewrite.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Carries out `patch` and `patchMany`, and a replacement whose client may not see or know every
 * field. It merges the drafts with the stored items.
 *
 * Returns `not_found`; throws `precondition_failed`, `validation_failed`, `id_mismatch`, and
 * `unavailable` after eight lost tries.
 */
export function change(task: Task): Awaitable<TaskChanges | ProblemError> {
  return isOfNothing(task)
    ? nothingOf(task)
    : rewriteItems(task, { make: mergedItems, isWhole: false })
}

/** Tells whether a request names no item: a path by a text that is no id, or an empty body. */
function isOfNothing({ plan, operation, drafts }: Task): boolean {
  return plan.body?.isMany ? drafts.length === 0 : operation.id === undefined
}

function nothingOf(task: Task): TaskChanges | ProblemError {
  if (!task.plan.body?.isMany) return notFound([], task.target)
  checkCollectionConditions(task.conditions)
  return { outcome: { gives: 'items', items: [] } }
}

/**
 * Carries out `update` and `updateMany` of a resource with read-only fields. The new items hold
 * these fields as the core read them. A change of them meanwhile must stay, so the core reads and
 * tries again.
 *
 * Returns `not_found`; throws what {@link change} throws.
 */
export function replaceStored(task: Task): Awaitable<TaskChanges | ProblemError> {
  return isOfNothing(task)
    ? nothingOf(task)
    : rewriteItems(task, { make: replacedItems, isWhole: isUnjudged(task) })
}

// A new item then depends on nothing that is stored.
function isUnjudged({ plan }: Task): boolean {
  return plan.states === undefined && !plan.isRuled
}

/** Carries out `updateMany` of a resource whose items hold nothing but the body. */
export function replaceMany(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { plan, operation, drafts, context } = task
  return whenReady(
    inTurn(drafts, ({ id }) => readNeeded(task, id)),
    (stored) => {
      const items = replacedItems(stored, task)
      if (drafts.length === 0 || operation.isDryRun) return { outcome: { gives: 'items', items } }
      const updated = plan.adapter.updateMany?.(operation, context)
      return whenReady(updated, (values) => withItems(values, task))
    },
  )
}

/** How the new items come from the drafts and the stored ones. */
interface Making {
  readonly make: (stored: StoredItems, task: Task) => Awaitable<readonly Item[]>
  /** See {@link Rewrite.isWhole}. */
  readonly isWhole: boolean
}

function rewriteItems(
  task: Task,
  { make, isWhole }: Making,
): Awaitable<TaskChanges | ProblemError> {
  const { plan, operation, context, drafts } = task
  const isMany = plan.body?.isMany === true
  const written = rewrite({
    ...{ adapter: plan.adapter, operation, context, isMany, isWhole },
    ids: isMany ? drafts.map(({ id }) => id) : [operation.id],
    isFinal: !isWhole && namesRevision(task),
    make: (stored) => make(stored, task),
  })
  return whenReady(written, (values) => {
    if (isMany) return withItems(values, task)
    // The client sees what a dry run would store, and nothing has stored it.
    const item = operation.isDryRun ? (values[0] as Item) : findItem(values[0], operation)
    return item ? { outcome: { gives: 'item', item } } : notFound([], task.target)
  })
}

type StoredOfDrafts = readonly (Stored | undefined)[]

// Compares the bodies and the conditions with the stored items. Each new item has the read-only
// fields, and so the revision, that the core read.
function replacedItems(stored: StoredOfDrafts, task: Task): readonly Item[] {
  const { operation, plan, drafts } = task
  judgeReplacements(stored, task)
  const isOneDryRun = operation.isDryRun && plan.body?.isMany !== true
  const items = drafts.map((draft, index) => {
    const { item } = withStored(draft, stored[index] as Stored, plan.resource)
    return (isOneDryRun ? withFilled(Object(item), stored[index], plan.resource) : item) as Item
  })
  completeWith(items, stored, task)
  for (const item of items) checkItem(item, operation)
  return items
}

// Merges the drafts with the stored items, and compares the conditions with them.
function mergedItems(stored: StoredItems, task: Task): Awaitable<readonly Item[]> {
  const { plan, operation, drafts, lifetime } = task
  judgeReplacements(stored, task)
  return whenReady(mergeDrafts(stored, task, lifetime.registry.limits.issues), (items) => {
    if (plan.resource.view !== undefined)
      for (const [index, { body }] of drafts.entries())
        noteNamed(items[index] as Item, Object.keys(body))
    const newItems = operation.isDryRun
      ? items.map((item, index) =>
          noteNamed(withFilled(item, stored[index], plan.resource), namedIn(item)),
        )
      : items
    completeWith(newItems, stored, task)
    return newItems
  })
}

// The middleware finds the new items in the operation.
function completeWith(items: readonly Item[], stored: StoredOfDrafts, task: Task): void {
  const { plan, operation } = task
  if (plan.itemRules?.change !== undefined) judgeChanges(items, stored, task)
  try {
    judgeConflicts(stored, task, items)
  } catch (error) {
    noteRefused(error, items)
    throw error
  }
  if (plan.body?.isMany) complete(operation, 'items', items)
  else complete(operation, 'item', items[0])
}

function withItems(values: unknown, task: Task): TaskChanges | ProblemError {
  const { operation, drafts, target } = task
  // The check below refuses any other result.
  const isOfDrafts = Array.isArray(values) && values.length === drafts.length
  const absent = isOfDrafts ? drafts.filter((_, index) => (values[index] ?? null) === null) : []
  if (absent.length > 0) return notFound(absent, target)
  return { outcome: { gives: 'items', items: itemsOfDrafts(values, { operation, drafts }) } }
}
