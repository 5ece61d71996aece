import { fieldsKeptBy, keepsStored } from '../../contract/resource/keep.ts'
import { namedIn, noteNamed } from '../../contract/resource/named-fields.ts'
import type { Item, Resource } from '../../contract/resource/resource.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../../convention/awaitable.ts'
import { type Issue, type ProblemError, problem } from '../../convention/problem.ts'
import { fieldOf, partOf } from '../../convention/value.ts'
import { formatPointer, parsePointer } from '../../wire/pointer.ts'
import { requiredText } from '../../wire/sentence.ts'
import type { Draft } from '../checks/body.ts'
import { formFor, judgeNoId } from '../checks/form.ts'
import { type Lost, lostAgain, namesRevision } from '../checks/lost.ts'
import { breach, findItem, itemsOfDrafts } from '../checks/outcome.ts'
import { applyPatch, applyReplacement } from '../checks/patch.ts'
import {
  checkCollectionConditions,
  judgeConflicts,
  judgeReplacements,
  notFound,
} from '../checks/stored.ts'
import { canModify, modifyMany, modifyOne } from '../modify.ts'
import { complete, operationOf, readOf } from '../operations.ts'
import { type Task, withOutcome } from '../task.ts'

/** The stored items of the drafts, in their order. */
type StoredItems = readonly (Item | undefined)[]

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
  const make = (stored: StoredItems) => changeAll(task, stored)
  const changed = plan.body?.isMany ? modifyMany(task, make) : modifyOne(task, make)
  return whenReady(changed, (outcome) => withOutcome(task, outcome))
}

/**
 * Makes the new items of the drafts, and compares the conditions of the request.
 *
 * @throws {ProblemError} As {@link applyAll}, then `id_mismatch` and `precondition_failed`.
 */
function changeAll(task: Task, stored: StoredItems): Awaitable<readonly Item[]> {
  const { plan, operation } = task
  return whenReady(applyAll(task, stored), (items) => {
    judgeConflicts(stored, task)
    if (plan.body?.isMany) complete(operation, 'items', items)
    else complete(operation, 'item', items[0])
    return items
  })
}

/**
 * Merges the drafts with the stored items, in the order of the drafts.
 *
 * @throws {ProblemError} `not_found`, `validation_failed`.
 */
function applyAll(task: Task, stored: StoredItems): Awaitable<readonly Item[]> {
  const { plan, drafts, lifetime } = task
  const { resource } = plan
  judgeReplacements(stored, task)
  const most = lifetime.registry.limits.issues
  const apply = keepsStored(plan) ? applyReplacement : applyPatch
  const changed = inTurn(drafts, (draft, place) => {
    const { id, at } = draft
    // The body holds no refused field, but the stored ones may be among them.
    const form = { ...formFor(task, { id, sent: id, at, most, judgeId: judgeNoId }), refused: [] }
    // `judgeReplacements` has made sure that each item exists.
    const applied = apply(draft, stored[place] as Item, { form, resource })
    return whenReady(applied, ({ item, issues }) => ({
      item,
      issues: visible(withNulls(issues, draft), at, resource),
    }))
  })
  return whenReady(changed, (all) => {
    const issues = all.flatMap((result) => result.issues)
    if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
    const items = all.map(({ item }) => item)
    if (resource.view !== undefined)
      for (const [place, { body }] of drafts.entries())
        noteNamed(items[place] as Item, Object.keys(body))
    return items
  })
}

// A merge patch removes a member by `null`: then the client has sent it.
function withNulls(issues: readonly Issue[], { body, at }: Draft): readonly Issue[] {
  return issues.map((issue) => {
    const path = parsePointer(`${issue.pointer}`).slice(at.length)
    const sent = path.reduce<unknown>((value, key) => fieldOf(Object(value), key), body)
    const isRemoved = sent === null && issue.message === requiredText
    return isRemoved ? { ...issue, message: 'cannot be null' } : issue
  })
}

// The issue of a field that the client does not see names no field.
function visible(issues: readonly Issue[], at: Draft['at'], { restricted }: Resource) {
  if (restricted.length === 0) return issues
  const hidden = restricted.map((field) => `${formatPointer([...at, field])}/`)
  return issues.map((issue) =>
    hidden.some((pointer) => `${issue.pointer}/`.startsWith(pointer))
      ? { pointer: formatPointer(at), code: 'invalid', message: 'is not valid' }
      : issue,
  )
}

function changeByRevision(task: Task, lost?: Lost): Awaitable<Task | ProblemError> {
  const { revision = '' } = task.plan.resource
  return whenReady(readDrafts(task), (stored) =>
    whenReady(changeAll(task, stored), (items) =>
      settle<Task | ProblemError, Task | ProblemError>(
        () => replaceChanged(task, stored, items),
        (replaced) => replaced,
        (error) => {
          if (namesRevision(task)) throw error
          const revisions = stored.map((item) => item && fieldOf(item, revision))
          return changeByRevision(task, lostAgain({ error, revisions }, lost))
        },
      ),
    ),
  )
}

function readDrafts({ plan, operation, drafts, context }: Task): Awaitable<StoredItems> {
  return inTurn(drafts, ({ id }) => {
    if (id === undefined) return undefined
    const reading = readOf(operation, id)
    return whenReady(plan.adapter.read?.(reading, context), (item) => findItem(item, reading))
  })
}

// Each changed item has the revision that the core read. The adapter compares it at the write.
function replaceChanged(
  task: Task,
  stored: StoredItems,
  items: readonly Item[],
): Awaitable<Task | ProblemError> {
  const { plan, operation, context, drafts } = task
  const { adapter, resource } = plan
  const isMany = plan.body?.isMany === true
  const isChanged = (_: unknown, place: number): boolean => items[place] !== stored[place]
  const changed = items.filter(isChanged)
  if (changed.length === 0 || operation.isDryRun)
    return {
      ...task,
      outcome: outcomeOf(operation.isDryRun ? withFilledFields(items, stored, task) : items, task),
    }
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
    const written: readonly unknown[] = isMany ? Object(result) : [result]
    const iterator = written.values()
    const all = items.map((item, place) => (isChanged(item, place) ? iterator.next().value : item))
    const gone = drafts.filter((_, place) => (all[place] ?? undefined) === undefined)
    return gone.length > 0
      ? notFound(gone, task.target)
      : { ...task, outcome: outcomeOf(all, task) }
  })
}

// The storage keeps the fields that it fills.
function withFilledFields(
  items: readonly Item[],
  stored: StoredItems,
  { plan }: Task,
): readonly Item[] {
  const { filled } = plan.resource
  return items.map((item, place) =>
    noteNamed({ ...partOf(stored[place] as Item, filled), ...item }, namedIn(item)),
  )
}

function outcomeOf(values: readonly unknown[], task: Task): Task['outcome'] {
  const items = itemsOfDrafts(values, task)
  const [item = {}] = items
  return task.plan.body?.isMany ? { gives: 'items', items } : { gives: 'item', item }
}

// The client names no reference that it leaves as it is.
function withoutKept(item: Item, { body }: Draft, resource: Resource): object {
  const named = { ...item }
  for (const field of fieldsKeptBy(body, resource)) Reflect.deleteProperty(named, field)
  return named
}

/**
 * Gives late bodies that name references their valid values, which the core then looks for. It
 * reads the stored items for that.
 */
export function draftReferences(task: Task): Awaitable<Task> {
  const { plan, drafts } = task
  const isWhole = keepsStored(plan)
  if (!isWhole && plan.body?.isPatch !== true) return task
  const isNamed = ({ body }: Draft): boolean =>
    plan.references.some(({ field }) => isWhole || Object.hasOwn(body, field))
  if (typeof plan.adapter.read !== 'function' || !drafts.some(isNamed)) return task
  return whenReady(readDrafts(task), (stored) => {
    // A later step finds that an item is absent.
    if (stored.some((item) => item === undefined)) return task
    return whenReady(applyAll(task, stored), (items) => ({
      ...task,
      drafts: drafts.map((draft, place) => ({
        ...draft,
        item: isWhole
          ? withoutKept(items[place] as Item, draft, plan.resource)
          : partOf(items[place] as Item, Object.keys(draft.body)),
      })),
    }))
  })
}
