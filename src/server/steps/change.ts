import { namedIn, noteNamed } from '../../contract/resource/named-fields.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { type Awaitable, settle, whenReady } from '../../convention/awaitable.ts'
import type { ProblemError } from '../../convention/problem.ts'
import { fieldOf, partOf } from '../../convention/value.ts'
import { countLostWrite, type LostWrite, namesRevision } from '../checks/lost.ts'
import { breach, itemsOfDrafts } from '../checks/outcome.ts'
import { mergeDrafts } from '../checks/patch.ts'
import {
  checkCollectionConditions,
  judgeConflicts,
  judgeReplacements,
  notFound,
} from '../checks/stored.ts'
import { canModify, modifyMany, modifyOne, readStoredItems, type StoredItems } from '../modify.ts'
import { complete, operationOf } from '../operations.ts'
import { type Task, withOutcome } from '../task.ts'

/**
 * Carries out `patch` and `patchMany`, and a replacement whose client may not see or know every
 * field. The adapter's `modify` and `modifyMany` change the items. Else a revision guards `update`
 * and `updateMany`.
 *
 * Returns `not_found`; throws `precondition_failed`, `validation_failed`, `id_mismatch`, and
 * `unavailable` after eight lost tries.
 */
export function change(task: Task): Awaitable<Task | ProblemError> {
  const { plan, operation, drafts, conditions } = task
  if (plan.body?.isMany) {
    if (drafts.length === 0) {
      checkCollectionConditions(conditions)
      return { ...task, outcome: { gives: 'items', items: [] } }
    }
  } else if (operation.id === undefined) return notFound([], task.target)
  if (operation.isDryRun || !canModify(task)) return changeByRevision(task)
  const make = (stored: StoredItems) => makeItems(task, stored)
  const changed = plan.body?.isMany ? modifyMany(task, make) : modifyOne(task, make)
  return whenReady(changed, (outcome) => withOutcome(task, outcome))
}

/**
 * Makes the new items of the drafts, and compares the conditions of the request.
 *
 * @throws {ProblemError} `not_found`, `validation_failed`, `id_mismatch`, `precondition_failed`.
 */
function makeItems(task: Task, stored: StoredItems): Awaitable<readonly Item[]> {
  const { plan, operation, drafts, lifetime } = task
  judgeReplacements(stored, task)
  return whenReady(mergeDrafts(stored, task, lifetime.registry.limits.issues), (items) => {
    if (plan.resource.view !== undefined)
      for (const [index, { body }] of drafts.entries())
        noteNamed(items[index] as Item, Object.keys(body))
    judgeConflicts(stored, task)
    if (plan.body?.isMany) complete(operation, 'items', items)
    else complete(operation, 'item', items[0])
    return items
  })
}

function changeByRevision(task: Task, lost?: LostWrite): Awaitable<Task | ProblemError> {
  const { revision = '' } = task.plan.resource
  return whenReady(readStoredItems(task), (stored) =>
    whenReady(makeItems(task, stored), (items) =>
      settle<Task | ProblemError, Task | ProblemError>(
        () => storeChanged(task, stored, items),
        (nextTask) => nextTask,
        (error) => {
          if (namesRevision(task)) throw error
          const revisions = stored.map((item) => item && fieldOf(item, revision))
          return changeByRevision(task, countLostWrite({ error, revisions }, lost))
        },
      ),
    ),
  )
}

// Each changed item has the revision that the core read. The adapter compares it at the write.
function storeChanged(
  task: Task,
  stored: StoredItems,
  items: readonly Item[],
): Awaitable<Task | ProblemError> {
  const { plan, operation, context, drafts } = task
  const { adapter, resource } = plan
  const isMany = plan.body?.isMany === true
  const isChanged = (_: unknown, index: number): boolean => items[index] !== stored[index]
  const changed = items.filter(isChanged)
  if (operation.isDryRun) return withItems(withFilledFields(items, stored, task), task)
  if (changed.length === 0) return withItems(items, task)
  const writing = operationOf({ ...operation, kind: isMany ? 'updateMany' : 'update' })
  const [first] = changed
  complete(writing, 'item', isMany ? undefined : first)
  complete(writing, 'items', isMany ? changed : undefined)
  const { revision = '' } = resource
  const [firstRevision, ...moreRevisions] = changed.map((item) => fieldOf(item, revision))
  // Without it the write would undo another one.
  if (firstRevision === undefined || moreRevisions.includes(undefined))
    throw breach(operation, `an item without its "${revision}": return it with each item`)
  complete(writing, 'ifRevision', isMany ? undefined : firstRevision)
  const write = isMany ? adapter.updateMany : adapter.update
  return whenReady(write?.call(adapter, writing, context), (result) => {
    const results: readonly unknown[] = isMany ? Object(result) : [result]
    const iterator = results.values()
    const all = items.map((item, index) => (isChanged(item, index) ? iterator.next().value : item))
    const absent = drafts.filter((_, index) => (all[index] ?? undefined) === undefined)
    return absent.length > 0 ? notFound(absent, task.target) : withItems(all, task)
  })
}

// The storage keeps the fields that it fills.
function withFilledFields(
  items: readonly Item[],
  stored: StoredItems,
  { plan }: Task,
): readonly Item[] {
  const { filled } = plan.resource
  return items.map((item, index) =>
    noteNamed({ ...partOf(stored[index] as Item, filled), ...item }, namedIn(item)),
  )
}

function withItems(values: readonly unknown[], task: Task): Task {
  const items = itemsOfDrafts(values, task)
  const [item = {}] = items
  const outcome: Task['outcome'] = task.plan.body?.isMany
    ? { gives: 'items', items }
    : { gives: 'item', item }
  return { ...task, outcome }
}
