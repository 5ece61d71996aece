import type { UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Item, Resource } from '../contract/resource/resource.ts'
import { checkRevision } from '../contract/values/write.ts'
import { type Awaitable, inTurn, settle, whenReady } from '../convention/awaitable.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { countLostWrite, type LostWrite } from '../server/checks/lost.ts'
import { breach, findItem } from '../server/checks/outcome.ts'
import { complete, operationOf, readOf } from '../server/operations.ts'

/** Items by place: `undefined` for an absent one. */
type Items = readonly (Item | undefined)[]

/** An operation on the base, with the ids of the items to change. */
type Modification = Operation & { readonly ids: readonly Item['id'][] }

/** Makes the new base items of stored ones. */
type Change = (stored: Items) => Awaitable<readonly Item[]>

/** Changes stored items of the base as one step: all or none. */
export type Modify = (
  modification: Modification,
  context: unknown,
  change: Change,
) => Awaitable<readonly unknown[]>

/** The kinds that replace an item, or several. */
type UpdateKind = 'update' | 'updateMany'

const modifyNames = { update: 'modify', updateMany: 'modifyMany' } as const

/** A view in an api, with its resource and the adapter of its base. */
interface BoundView {
  readonly view: ApiConversion
  readonly resource: Resource
  readonly baseAdapter: UncheckedAdapter
}

/**
 * Returns the function that changes items of a base, one or several: by the adapter's own `modify`,
 * else by `update` with a revision as its guard. Returns `undefined` where the adapter has neither.
 * A dry run reads, and stores nothing.
 *
 * @throws {TypeError} Where a write could undo another one in the fields that the view hides.
 */
export function modifierOf(boundView: BoundView, kind: UpdateKind): Modify | undefined {
  const { resource, baseAdapter } = boundView
  const modify = baseAdapter[modifyNames[kind]]
    ? modifierByAdapter(baseAdapter, kind)
    : modifierByRevision(boundView, kind)
  if (modify !== undefined)
    return (modification, context, change) =>
      modification.isDryRun
        ? whenReady(readAll({ baseAdapter, modification, context }), (stored) =>
            stored.includes(undefined) ? [] : change(stored),
          )
        : modify(modification, context, change)
  const isOffered = typeof baseAdapter[kind] === 'function' && !resource.without.includes(kind)
  if (!isOffered) return undefined
  const { name, base } = resource
  throw new TypeError(
    `View "${name}" does not show all of "${base.name}", so its writes need an adapter with ` +
      `"${modifyNames[kind]}", or a "revision" in "${base.name}": else a write could undo ` +
      `another one in what it hides. Or write "without: ['${kind}']".`,
  )
}

function modifierByAdapter(baseAdapter: UncheckedAdapter, kind: UpdateKind): Modify {
  return (modification, context, change) => {
    if (kind === 'updateMany')
      return baseAdapter.modifyMany?.(modification, context, (stored) =>
        change(stored),
      ) as Awaitable<readonly unknown[]>
    // With ids it would name the places of items that the body does not have.
    const operation = { ...modification, ids: undefined }
    const modified = baseAdapter.modify?.(operation, context, (stored) =>
      whenReady(change([stored]), ([item]) => item as Item),
    )
    return whenReady(modified, (item) => [item])
  }
}

function modifierByRevision(
  { view: { base: baseResource, isWhole }, baseAdapter }: BoundView,
  kind: UpdateKind,
): Modify | undefined {
  // With nothing hidden, a replacement has every field.
  const isGuarded = baseResource.revision !== undefined || isWhole
  if (!isGuarded || !baseAdapter.read || !baseAdapter[kind]) return undefined
  return (modification, context, change) =>
    replaceUnchanged({ baseAdapter, kind, isWhole, modification, context, change })
}

/** A replacement of items that must not have changed since their read. */
interface Replacement {
  readonly baseAdapter: UncheckedAdapter
  readonly kind: UpdateKind
  /** The view hides nothing, so the write can undo nothing, with a revision or without. */
  readonly isWhole: boolean
  readonly modification: Modification
  readonly context: unknown
  readonly change: Change
}

function readAll({
  baseAdapter,
  modification,
  context,
}: Pick<Replacement, 'baseAdapter' | 'modification' | 'context'>): Awaitable<Items> {
  return inTurn(modification.ids, (id) => {
    const reading = readOf(modification, id)
    return whenReady(baseAdapter.read?.(reading, context), (item) => findItem(item, reading))
  })
}

// Optimistic concurrency: after a lost race it reads and changes the items again.
function replaceUnchanged(
  replacement: Replacement,
  lost?: LostWrite,
): Awaitable<readonly unknown[]> {
  const { kind, modification, change } = replacement
  const { revision = '' } = modification.resource
  return whenReady(readAll(replacement), (stored) => {
    if (kind === 'update' && stored[0] === undefined) return [undefined]
    return whenReady(change(stored), (items) =>
      settle<readonly unknown[], readonly unknown[]>(
        () => replace(replacement, stored, items),
        (replaced) => replaced,
        (error) => {
          const revisions = stored.map((item) => item && fieldOf(item, revision))
          return replaceUnchanged(replacement, countLostWrite({ error, revisions }, lost))
        },
      ),
    )
  })
}

function replace(
  { baseAdapter, kind, isWhole, modification, context }: Replacement,
  stored: Items,
  items: readonly Item[],
): Awaitable<readonly unknown[]> {
  const isMany = kind === 'updateMany'
  const isChanged = (_: unknown, place: number): boolean => items[place] !== stored[place]
  const changed = items.filter(isChanged)
  if (changed.length === 0) return items
  const operation = operationOf({ ...modification, kind })
  complete(operation, 'item', isMany ? undefined : changed[0])
  complete(operation, 'items', isMany ? changed : undefined)
  const { revision } = modification.resource
  const revisions = changed.map((item) => revision && fieldOf(item, revision))
  // Without it the write would undo another one.
  if (!isWhole && revisions.includes(undefined))
    throw breach(modification, `an item without its "${revision}": return it with each item`)
  complete(operation, 'ifRevision', isMany ? undefined : (revisions[0] as Operation['ifRevision']))
  return whenReady(baseAdapter[kind]?.(operation, context), (result) => {
    // The core refuses a result that is no array.
    if (isMany && !Array.isArray(result)) return result as readonly unknown[]
    const replacements = (isMany ? (result as readonly unknown[]) : [result]).values()
    return items.map((item, place) => (isChanged(item, place) ? replacements.next().value : item))
  })
}

/** Makes the new items of a view from stored ones. Throws where one is absent. */
export type ViewChange = (viewItems: Items) => Awaitable<readonly object[]>

/**
 * Replaces items of a view by a change of all of them. As every adapter does, it returns `null` at
 * the place of an absent item, and then replaces none.
 *
 * @throws {ProblemError} `precondition_failed`, for an item of another revision than the stored.
 */
export function replaceItems(
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
