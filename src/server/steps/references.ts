import { seenBy } from '../../contract/declare/reveal.ts'
import type { Collection, MountedReference } from '../../contract/resource/api.ts'
import type { Outcome } from '../../contract/resource/operation.ts'
import { nameItem } from '../../contract/values/words.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { type Issue, type ProblemError, problem } from '../../convention/problem.ts'
import { isStream, take } from '../../convention/stream.ts'
import { fieldOf, isSame } from '../../convention/value.ts'
import { issueAt } from '../../wire/issues.ts'
import { findItem } from '../checks/outcome.ts'
import { notFound } from '../checks/stored.ts'
import { readOf } from '../operations.ts'
import { readVisible } from '../read-visible.ts'
import type { Task } from '../task.ts'

/**
 * Makes sure that the client can read each item that a body references. An item that does not exist
 * and one that the client may not read have the same issue.
 *
 * Returns `not_found` for an update of an absent item, then `validation_failed` with the issue
 * `reference_not_found` for each value. A value that is as stored is no fault: the item that it
 * names may have gone since, and a client that changes another field did not choose it.
 *
 * @see docs/requests.md, C9.3
 */
export function findReferences(task: Task): Awaitable<Task | ProblemError> {
  const { plan, drafts, replayed } = task
  if (replayed !== undefined) return task
  const lookups = plan.references.map((reference) => ({
    reference,
    values: drafts.map(({ item }) => fieldOf(item, reference.field)).filter(isPresent),
  }))
  return whenReady(readAll(lookups, task), (itemsByTarget) => {
    const unseen = drafts.flatMap((draft, index) =>
      plan.references.flatMap(({ field, target }) => {
        const value = fieldOf(draft.item, field)
        return isPresent(value) && !itemsByTarget.get(target)?.has(value)
          ? { index, field, value, issue: issueAt(draft.at, field, unknownItem(target, value)) }
          : []
      }),
    )
    return unseen.length === 0 ? task : judgeUnseen(task, unseen)
  })
}

/** A value in a body that references no item which the client can read. */
interface Unseen {
  /** The place of the draft. */
  readonly index: number
  readonly field: string
  readonly value: unknown
  readonly issue: Issue
}

interface Lookup {
  readonly reference: MountedReference
  readonly values: readonly unknown[]
}

// Reads the items of all references, collection by collection: two fields can name users.
function readAll(
  lookups: readonly Lookup[],
  { lifetime: { registry }, operation: { signal }, context, caller, revealed }: Task,
): Awaitable<ReadonlyMap<Collection, ReadonlyMap<unknown, object>>> {
  const targets = [...new Set(lookups.map(({ reference }) => reference.target))]
  const entries = inTurn(targets, (target) => {
    const targetLookups = lookups.filter(({ reference }) => reference.target === target)
    const values = targetLookups.flatMap((lookup) => lookup.values)
    const items = readVisible(values, seenBy(target, revealed), {
      registry,
      signal,
      context,
      caller,
    })
    return whenReady(items, (items) => [target, items] as const)
  })
  return whenReady(entries, (all) => new Map(all))
}

const none: ReadonlyMap<unknown, object> = new Map()

// The same for an item that the client may not read.
function unknownItem(target: Collection, value: unknown): Pick<Issue, 'code' | 'message'> {
  return { code: 'reference_not_found', message: `no ${nameItem(target, value)}` }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

// An item to update that does not exist comes before the faults of its body. The core reads stored
// items only here, so that a write whose references all exist costs nothing more.
function judgeUnseen(task: Task, unseen: readonly Unseen[]): Awaitable<Task | ProblemError> {
  const { plan, operation, drafts, context } = task
  const { read } = plan.adapter
  if (plan.row.absent === undefined || typeof read !== 'function') return refused(unseen)
  const stored = inTurn(drafts, ({ id }) => {
    if (id === undefined) return undefined
    const reading = readOf(operation, id)
    return whenReady(read.call(plan.adapter, reading, context), (item) => findItem(item, reading))
  })
  return whenReady(stored, (items) => {
    const unknown = drafts.filter((_, index) => items[index] === undefined)
    if (unknown.length > 0) return notFound(unknown, task.target)
    const changed = unseen.filter(
      ({ index, field, value }) => !isSame(fieldOf(Object(items[index]), field), value),
    )
    return changed.length === 0 ? task : refused(changed)
  })
}

function refused(unseen: readonly Unseen[]): ProblemError {
  return problem('validation_failed', undefined, { issues: unseen.map(({ issue }) => issue) })
}

/**
 * Reads the items that the outcome references, where the client wants them: each as an operation of
 * its own, through the middleware. A reference to an item that the client may not read gives
 * `null`.
 *
 * The core does so inside the middleware, in the transaction that one may have opened. It does so
 * again outside, for the ids of an outcome that a middleware made or changed.
 *
 * @see docs/requests.md, C4.8
 */
export function include(task: Task): Awaitable<Task> {
  const { plan, operation, outcome } = task
  const names = operation.query.include
  if (names === undefined) return task
  const included = plan.references.filter(({ as }) => names.includes(as))
  return whenReady(itemsOf(outcome), (listed) => {
    const lookups = included.map((reference) => {
      const earlierItems = task.included.find((entry) => entry.reference === reference)?.items
      const isNew = (id: unknown): boolean => isPresent(id) && earlierItems?.has(id) !== true
      const values = listed.map((item) => fieldOf(item, reference.field)).filter(isNew)
      return { reference, values, earlier: earlierItems ?? none }
    })
    const bufferedOutcome = outcome.gives === 'items' ? { ...outcome, items: listed } : outcome
    return whenReady(readAll(lookups, task), (itemsByTarget) => {
      const all = lookups.map(({ reference, values, earlier }) => {
        const newEntries = values.map(
          (id) => [id, itemsByTarget.get(reference.target)?.get(id)] as const,
        )
        return { reference, items: new Map([...earlier, ...newEntries]) }
      })
      return { ...task, outcome: bufferedOutcome, included: all }
    })
  })
}

// A middleware can answer a page with a stream, of any length.
function itemsOf(outcome: Outcome): Awaitable<readonly object[]> {
  if (outcome.gives === 'item') return [outcome.item]
  // The other kinds that take `include` give items.
  const { items } = outcome as Extract<Outcome, { readonly gives: 'items' }>
  return isStream(items) ? take(items, Number.POSITIVE_INFINITY) : items
}
