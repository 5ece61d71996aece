import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Item, Resource } from '../contract/resource/resource.ts'
import { keepsReadOnly } from '../contract/resource/siblings.ts'
import { checkRevision } from '../contract/values/write.ts'
import { type Awaitable, settle, whenReady } from '../convention/awaitable.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { refusedBy } from '../server/checks/item-rules.ts'
import { canModify, type Rewrite, rewrite, type StoredItems } from '../server/rewrite.ts'
import { callBase, viewListOf, withViewErrors } from './base-operation.ts'
import { changedBaseItems } from './judge.ts'

/** Changes stored items of a view. */
type ModifyItems = (
  operation: Operation,
  context: unknown,
  change: { readonly ids: readonly Item['id'][]; readonly make: ViewChange },
) => Awaitable<readonly unknown[]>

function modifyItemsBy(modify: Modify, view: ApiConversion, isMany: boolean): ModifyItems {
  return (operation, context, { ids, make: makeViewItems }) =>
    callBase(view, operation, (baseOperation) => {
      const write = { view, operation: baseOperation, context }
      const make: Rewrite['make'] = (items) =>
        withViewErrors(() => {
          const viewItems = items.map((item) => item && view.get(item))
          const toBase = (newItems: readonly object[]): Awaitable<readonly Item[]> => {
            // "make" gives no item for an absent one: it throws.
            const changedItems = newItems.map((newItem, place) => {
              const [stored, viewItem] = [items[place] as Item, viewItems[place] as Item]
              return { stored, viewItem, newItem, at: isMany ? [place] : [] }
            })
            return changedBaseItems(changedItems, write)
          }
          return settle<readonly object[], readonly Item[]>(
            () => makeViewItems(viewItems),
            toBase,
            (error) => {
              const refused = view.rules?.change && refusedBy(error)
              if (refused === undefined) throw error
              // The rule comes before the conflict that has refused them.
              return whenReady(toBase(refused), () => {
                throw error
              })
            },
          )
        })
      const modified = modify({ operation: { ...baseOperation }, context, ids, make })
      return whenReady(modified, (items) => viewListOf(items, view) as readonly unknown[])
    }) as Awaitable<readonly unknown[]>
}

/**
 * Makes the methods that change items of a view.
 *
 * @throws {TypeError} Where a write could undo another one in the fields that the view hides.
 */
export function modifyingMethods(bound: BoundView): UncheckedAdapter {
  const modifyOne = modifierOf(bound, 'update')
  const modifyMany = modifierOf(bound, 'updateMany')
  return {
    ...(modifyOne && changeMethods(bound.view, modifyOne)),
    ...(modifyMany && bulkChangeMethods(bound.view, modifyMany)),
  }
}

/** Makes the methods that change one item. */
function changeMethods(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const modifyItems = modifyItemsBy(modify, view, false)
  const modifyItem = (
    operation: Operation,
    context: unknown,
    change: (viewItem: Item) => Awaitable<object>,
  ): Awaitable<unknown> => {
    const make: ViewChange = ([viewItem]) => whenReady(change(viewItem as Item), (item) => [item])
    // The core calls no method without an id.
    const modified = modifyItems(operation, context, { ids: [operation.id as Item['id']], make })
    return whenReady(modified, ([item]) => item)
  }
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

/** Makes the methods that change several items. */
function bulkChangeMethods(view: ApiConversion, modify: Modify): UncheckedAdapter {
  const modifyItems = modifyItemsBy(modify, view, true)
  return {
    updateMany: (operation, context) =>
      replaceItems(operation, (ids, make) => modifyItems(operation, context, { ids, make })),
    modifyMany: (operation, context, change) =>
      modifyItems(operation, context, {
        ids: Object(operation.ids),
        make: (viewItems) => change(viewItems),
      }),
  }
}

/** Changes stored items of the base as one step: all or none. */
type Modify = (
  change: Pick<Rewrite, 'operation' | 'context' | 'ids' | 'make'>,
) => Awaitable<readonly unknown[]>

const modifyNames = { update: 'modify', updateMany: 'modifyMany' } as const

/** A view in an api, with its resource and the adapter of its base. */
interface BoundView {
  readonly view: ApiConversion
  readonly resource: Resource
  readonly baseAdapter: UncheckedAdapter
}

/**
 * Returns the function that changes items of a base, one or several; `undefined` where the adapter
 * of the base cannot.
 *
 * @throws {TypeError} Where a write could undo another one in the fields that the view hides.
 */
function modifierOf(
  { view, resource, baseAdapter: adapter }: BoundView,
  kind: 'update' | 'updateMany',
): Modify | undefined {
  const { base, isWhole } = view
  const isMany = kind === 'updateMany'
  const isOffered = typeof adapter[kind] === 'function' && !resource.without.includes(kind)
  // With nothing hidden, a replacement has every field.
  const isJudged = base.states !== undefined || view.rules?.change !== undefined
  const isGuarded = base.revision !== undefined || (isWhole && !isJudged)
  if (canModify({ adapter, isMany }) || (isGuarded && adapter.read && adapter[kind]))
    return ({ make, ...change }) =>
      rewrite({
        ...{ ...change, adapter, isMany, isWhole, isFinal: false },
        // A dry run shows nothing of an absent item.
        make: (stored) =>
          change.operation.isDryRun && stored.includes(undefined) ? [] : make(stored),
      })
  if (!isOffered) return undefined
  const [reason, loss] = isWhole
    ? ['shows states of', 'move an item from another state']
    : ['does not show all of', 'undo another one in what it hides']
  throw new TypeError(
    `View "${resource.name}" ${reason} "${base.name}", so its writes need an adapter ` +
      `with "${modifyNames[kind]}", or a "revision" in "${base.name}": else a ` +
      `write could ${loss}. Or write "without: ['${kind}']".`,
  )
}

/** Makes the new items of a view from stored ones. Throws where one is absent. */
type ViewChange = (viewItems: StoredItems) => Awaitable<readonly object[]>

/**
 * Replaces items of a view by a change of all of them. As every adapter does, it returns `null` at
 * the place of an absent item, and then replaces none.
 *
 * @throws {ProblemError} `precondition_failed`, for an item of another revision than the stored.
 */
function replaceItems(
  { items: clientItems, resource }: Operation,
  modifyItems: (ids: readonly Item['id'][], change: ViewChange) => Awaitable<unknown>,
): Awaitable<unknown> {
  const items: readonly Item[] = Object(clientItems)
  let absent: readonly (Item | null)[] | undefined
  // The core has read them all: another request may have deleted or changed one meanwhile.
  const change: ViewChange = (viewItems) => {
    if (viewItems.includes(undefined)) {
      absent = viewItems.map((viewItem) => viewItem ?? null)
      throw problem('not_found')
    }
    for (const [place, item] of items.entries()) {
      const viewItem = viewItems[place] as Item
      checkRevision(viewItem, resource.revision && fieldOf(item, resource.revision), resource)
    }
    return items
  }
  return settle<unknown, unknown>(
    () =>
      modifyItems(
        items.map(({ id }) => id),
        change,
      ),
    (result) => result,
    (error) => {
      // The error of "change" kept all items from being written.
      if (absent) return absent
      throw error
    },
  )
}
