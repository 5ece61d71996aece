import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import { namedIn } from '../contract/resource/named-fields.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Item, Resource } from '../contract/resource/resource.ts'
import { keepsReadOnly } from '../contract/resource/siblings.ts'
import { checkRevision } from '../contract/values/write.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../convention/awaitable.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { callBase, withViewErrors } from './call-base.ts'
import { itemsOrThrow, judgeWritten } from './judge.ts'
import type { Modify } from './modify.ts'
import { viewItemOf, viewListOf } from './view-item.ts'

/** A stored item of the base, and the item of the view that replaces it. */
interface Pair {
  readonly stored: Item
  /** As the view shows it, for no change. */
  readonly item: object
  readonly viewItem: Item
  readonly at: readonly PropertyKey[]
}

// Writes the items over the stored ones: what the view does not say stays.
function mergeItems(
  view: ApiConversion,
  pairs: readonly Pair[],
  operation: Operation,
): Awaitable<readonly Item[]> {
  const all = inTurn(pairs, ({ item, viewItem, stored, at }) =>
    item === viewItem
      ? { item: stored, issues: [] }
      : judgeWritten(view.put(item, stored, namedIn(item)), stored, { view, operation, at }),
  )
  // Each has the id of the stored item.
  return whenReady(all, (judged) => itemsOrThrow(judged) as readonly Item[])
}

/** Makes the methods of a view that change one item. */
export function changesOne(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const modifyItem = (
    operation: Operation,
    context: unknown,
    change: (viewItem: Item) => Awaitable<object>,
  ): Awaitable<unknown> =>
    callBase(view, operation, (baseOperation) => {
      // The core calls no method without an id.
      const ids = [operation.id as Item['id']]
      const modified = modify({ ...baseOperation, ids }, context, ([stored]) =>
        withViewErrors(() => {
          const viewItem = view.get(stored as Item)
          return whenReady(change(viewItem), (item) =>
            mergeItems(view, [{ item, viewItem, stored: stored as Item, at: [] }], baseOperation),
          )
        }),
      )
      return whenReady(modified, ([item]) => viewItemOf(item, view))
    })
  const update: UncheckedAdapter['update'] = (operation, context) =>
    modifyItem(operation, context, (viewItem) => {
      checkRevision(viewItem, operation.ifRevision, operation.resource)
      return Object(operation.item)
    })
  return {
    update: keepsReadOnly(update),
    modify: (operation, context, change) =>
      modifyItem(operation, context, (viewItem) => change(viewItem) as Awaitable<object>),
  }
}

type ChangeItems = (viewItems: readonly (Item | undefined)[]) => Awaitable<readonly object[]>

/** Makes the methods of a view that change several items. */
export function changesMany(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const modifyItems = (
    operation: Operation,
    ids: readonly Item['id'][],
    context: unknown,
    change: ChangeItems,
  ): Awaitable<unknown> =>
    callBase(view, operation, (baseOperation) => {
      const modified = modify({ ...baseOperation, ids }, context, (stored) =>
        withViewErrors(() => {
          const all = stored.map((item) => item && view.get(item))
          return whenReady(change(all), (items) => {
            // "change" gives no item for an absent one: it throws.
            const pairs = items.map((item, place) => {
              const [storedItem, viewItem] = [stored[place] as Item, all[place] as Item]
              return { item, viewItem, stored: storedItem, at: [place] }
            })
            return mergeItems(view, pairs, baseOperation)
          })
        }),
      )
      return whenReady(modified, (items) => viewListOf(items, view))
    })
  return {
    updateMany: (operation, context) =>
      replaceItems(operation, (ids, change) => modifyItems(operation, ids, context, change)),
    modifyMany: (operation, context, change) =>
      modifyItems(operation, Object(operation.ids), context, (viewItems) => change(viewItems)),
  }
}

// Replaces items, or tells the absent ones by their places as any adapter does.
function replaceItems(
  operation: Operation,
  changeAll: (ids: readonly Item['id'][], change: ChangeItems) => Awaitable<unknown>,
): Awaitable<unknown> {
  const items: readonly Item[] = Object(operation.items)
  const ids = items.map(({ id }) => id)
  let absent: readonly (Item | null)[] | undefined
  const change: ChangeItems = (viewItems) => {
    if (viewItems.includes(undefined)) absent = viewItems.map((item) => item ?? null)
    return checkItems(items, viewItems, operation.resource)
  }
  return settle<unknown, unknown>(
    () => changeAll(ids, change),
    (result) => result,
    (error) => {
      // The error of "change" kept all items from being written.
      if (absent) return absent
      throw error
    },
  )
}

// The core has read them all: another request may have deleted or changed one meanwhile.
function checkItems(
  items: readonly Item[],
  viewItems: readonly (Item | undefined)[],
  resource: Resource,
): readonly Item[] {
  for (const [place, item] of items.entries()) {
    const viewItem = viewItems[place]
    if (viewItem === undefined) throw problem('not_found')
    checkRevision(viewItem, resource.revision && fieldOf(item, resource.revision), resource)
  }
  return items
}
