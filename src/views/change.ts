import type { UncheckedAdapter } from '../contract/resource/binding.ts'
import { keepsReadOnly } from '../contract/resource/keeping.ts'
import { namedIn } from '../contract/resource/named-fields.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Item, Resource } from '../contract/resource/resource.ts'
import { checkRevision } from '../contract/values/write.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../convention/awaitable.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { called, inOwnWords } from './called.ts'
import { itemsOrThrow, judgeWritten } from './judge.ts'
import type { Modify } from './modify.ts'
import { shownItem, shownList } from './shown.ts'

/** A stored item of the hub, and the item of the view that replaces it. */
interface Pair {
  readonly stored: Item
  /** As the view shows it, for no change. */
  readonly item: object
  readonly shown: Item
  readonly at: readonly PropertyKey[]
}

// Writes the items over the stored ones: what the view does not say stays.
function written(
  view: ApiConversion,
  pairs: readonly Pair[],
  operation: Operation,
): Awaitable<readonly Item[]> {
  const all = inTurn(pairs, ({ item, shown, stored, at }) =>
    item === shown
      ? { item: stored, issues: [] }
      : judgeWritten(view.put(item, stored, namedIn(item)), stored, { view, operation, at }),
  )
  // Each has the id of the stored item.
  return whenReady(all, (judged) => itemsOrThrow(judged) as readonly Item[])
}

/** Makes the methods of a view that change one item. */
export function changesOne(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const changed = (
    operation: Operation,
    context: unknown,
    change: (shown: Item) => Awaitable<object>,
  ): Awaitable<unknown> =>
    called(view, operation, (asked) => {
      // The core calls no method without an id.
      const ids = [operation.id as Item['id']]
      const modified = modify({ ...asked, ids }, context, ([stored]) =>
        inOwnWords(() => {
          const shown = view.get(stored as Item)
          return whenReady(change(shown), (item) =>
            written(view, [{ item, shown, stored: stored as Item, at: [] }], asked),
          )
        }),
      )
      return whenReady(modified, ([item]) => shownItem(item, view))
    })
  const update: UncheckedAdapter['update'] = (operation, context) =>
    changed(operation, context, (shown) => {
      checkRevision(shown, operation.ifRevision, operation.resource)
      return Object(operation.item)
    })
  return {
    update: keepsReadOnly(update),
    modify: (operation, context, change) =>
      changed(operation, context, (shown) => change(shown) as Awaitable<object>),
  }
}

type ChangeShown = (shown: readonly (Item | undefined)[]) => Awaitable<readonly object[]>

/** Makes the methods of a view that change several items. */
export function changesMany(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const changed = (
    operation: Operation,
    ids: readonly Item['id'][],
    context: unknown,
    change: ChangeShown,
  ): Awaitable<unknown> =>
    called(view, operation, (asked) => {
      const modified = modify({ ...asked, ids }, context, (stored) =>
        inOwnWords(() => {
          const all = stored.map((item) => item && view.get(item))
          return whenReady(change(all), (items) => {
            // "change" gives no item for an absent one: it throws.
            const pairs = items.map((item, place) => {
              const [before, shown] = [stored[place] as Item, all[place] as Item]
              return { item, shown, stored: before, at: [place] }
            })
            return written(view, pairs, asked)
          })
        }),
      )
      return whenReady(modified, (items) => shownList(items, view))
    })
  return {
    updateMany: (operation, context) =>
      replaced(operation, (ids, change) => changed(operation, ids, context, change)),
    modifyMany: (operation, context, change) =>
      changed(operation, Object(operation.ids), context, (shown) => change(shown)),
  }
}

// Replaces items, or tells the absent ones by their places as any adapter does.
function replaced(
  operation: Operation,
  changeAll: (ids: readonly Item['id'][], change: ChangeShown) => Awaitable<unknown>,
): Awaitable<unknown> {
  const items: readonly Item[] = Object(operation.items)
  const ids = items.map(({ id }) => id)
  let absent: readonly (Item | null)[] | undefined
  const change: ChangeShown = (shown) => {
    if (shown.includes(undefined)) absent = shown.map((item) => item ?? null)
    return checked(items, shown, operation.resource)
  }
  return settle<unknown, unknown>(
    () => changeAll(ids, change),
    (given) => given,
    (error) => {
      // The error of "change" kept all items from being written.
      if (absent) return absent
      throw error
    },
  )
}

// The core has read them all: another request may have deleted or changed one meanwhile.
function checked(
  items: readonly Item[],
  shown: readonly (Item | undefined)[],
  resource: Resource,
): readonly Item[] {
  for (const [place, item] of items.entries()) {
    const before = shown[place]
    if (before === undefined) throw problem('not_found')
    checkRevision(before, resource.revision && fieldOf(item, resource.revision), resource)
  }
  return items
}
