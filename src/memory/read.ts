import type { Adapter } from '../contract/resource/adapter.ts'
import {
  type AdapterShape,
  noScope,
  type Query,
  type Scalar,
  type Scope,
} from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { skipsItems, tellsStorage } from '../contract/resource/siblings.ts'
import { datesOf } from '../contract/values/dates.ts'
import { addRelatedValues, compareBy, reverse, sorted, Tally } from '../contract/values/order.ts'
import { joinsIn } from '../contract/values/related.ts'
import { foldedText, matching, meeting, type TextOf } from '../contract/values/search.ts'
import {
  type Awaitable,
  nextTurn,
  runTurns,
  type Turns,
  whenReady,
} from '../convention/awaitable.ts'
import { fieldOf, isInScope } from '../convention/value.ts'
import { itemsATurn, sortInTurns } from './orders.ts'
import { fewItems, groupIn, type ItemGroup, type ItemStore, ordersOf } from './store.ts'

/** Makes the methods of an adapter that read its store. */
export function readsOf<S extends AdapterShape>(store: ItemStore<S['item']>): Adapter<S> {
  return {
    list: skipsItems((operation) => listItems(store, operation)),
    read: (operation) => findInScope(store, operation),
    first: (operation) => readFirst(store, operation),
    last: (operation) => readLast(store, operation),
    count: (operation) => countItems(store, operation),
    countBy: (operation) => countGroups(store, operation),
    holdsValue: () => true,
    selection: (operation) => new StoreSelection(store, operation),
    storage: tellsStorage(() => StoreSelection),
    joinsSelection: ({ query }) =>
      joinsIn(query).every((join) => join?.selection instanceof StoreSelection),
  }
}

/** Returns the item of an id; `undefined` for none in the scope. */
export function findInScope<Stored extends Item>(
  store: ItemStore<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  const item = store.items.get(id)
  // An item of another owner takes as long as none.
  return scope === noScope || isInScope(item ?? absent, scope) ? item : undefined
}

const absent: object = Object.freeze({})

/** The part of an operation that selects items. */
export interface Selection {
  readonly resource: Pick<Resource, 'searchable'>
  readonly scope: Scope
  readonly query: Query
}

type Matches = (item: object) => boolean

/**
 * Returns the items that an operation selects by its scope, search, filters, cursor, offset and
 * limit, in its order. The whole `list` of an adapter over a few items:
 * `list: (operation) => select(rows.values(), operation)`.
 */
export function select<Selected extends object>(
  items: Iterable<Selected>,
  { resource, scope, query }: Selection,
): Selected[] {
  const matches = matching(query.words, resource.searchable)
  const meets = meeting(query.where)
  const isRelated = relating(query.related)
  return arrange(
    items,
    query,
    (item) => isInScope(item, scope) && meets(item) && matches(item) && isRelated(item),
  )
}

function arrange<Selected extends object>(
  items: Iterable<Selected>,
  { sort, after, limit, offset }: Query,
  matches: (item: Selected) => boolean,
): Selected[] {
  const compare = compareBy(sort)
  const selected: Selected[] = []
  for (const item of items) {
    const isAfter = after === undefined || compare(item, after) > 0
    if (isAfter && matches(item)) selected.push(item)
  }
  const end = limit === undefined ? undefined : offset + limit
  return sorted(selected, sort).slice(offset, end)
}

/** Reads the first item that an operation selects. */
function readFirst<Stored extends Item>(
  store: ItemStore<Stored>,
  { resource, scope, query }: Selection,
): Awaitable<Stored | undefined> {
  const page = readPage(store, { resource, scope, query: { ...query, limit: 1 } })
  return whenReady(page, ([item]) => item)
}

/** Reads the last item that an operation selects: the first of the reverse order. */
function readLast<Stored extends Item>(
  store: ItemStore<Stored>,
  { resource, scope, query }: Selection,
): Awaitable<Stored | undefined> {
  return readFirst(store, { resource, scope, query: { ...query, sort: reverse(query.sort) } })
}

/** Returns the items that an operation selects. Reads many items in turns. */
export function readPage<Stored extends Item>(
  store: ItemStore<Stored>,
  selection: Selection,
): Awaitable<Stored[]> {
  return whenReady(groupIn(store, selection.scope), (group) => pageOf(group, store, selection))
}

function pageOf<Stored extends Item>(
  group: ItemGroup<Stored>,
  store: ItemStore<Stored>,
  selection: Selection,
): Awaitable<Stored[]> {
  const { query } = selection
  const matches = matcherFor(store, selection)
  const readers = query.related && relatedReadersOf(query)
  if (readers?.length)
    return runTurns(arrangeRelated([...group.items.values()], { query, matches, readers }))()
  const isSmall = group !== store && group.items.size <= fewItems
  if (isSmall) return arrange(group.items.values(), query, matches)
  const byIds = idsIn(query)
  if (byIds) {
    const isOwned = (item: Stored): boolean => isInScope(item, selection.scope) && matches(item)
    return arrange(itemsOf(byIds, store), query, isOwned)
  }
  return whenReady(ordersOf(group).walk(query.sort, query.after), (items) =>
    runTurns(pick(items, query, matches))(),
  )
}

type IdValue = NonNullable<Scalar>

// These are few items, in a store of any size.
function idsIn({ where }: Query): readonly IdValue[] | undefined {
  return where.find(({ field, is }) => field === 'id' && is === 'in')?.values
}

function itemsOf<Stored extends Item>(ids: readonly IdValue[], store: ItemStore<Stored>): Stored[] {
  const items: ReadonlyMap<unknown, Stored> = store.items
  return ids.flatMap((id) => items.get(id) ?? [])
}

/** Returns the items that an operation selects, in parts when it lists many items. */
export function listItems<Stored extends Item>(
  store: ItemStore<Stored>,
  selection: Selection,
): Awaitable<Stored[] | AsyncIterable<Stored[]>> {
  const { scope, query } = selection
  return whenReady(groupIn(store, scope), (group) => {
    const isFew = idsIn(query) !== undefined || group.items.size <= itemsATurn
    if (isFew || query.limit !== undefined) return pageOf(group, store, selection)
    if (query.related && relatedReadersOf(query).length > 0)
      return whenReady(pageOf(group, store, selection), (items) => partsOf(items, () => true))
    return whenReady(ordersOf(group).walk(query.sort, query.after), (items) =>
      partsOf(items, matcherFor(store, selection)),
    )
  })
}

/** Counts the items of a scope that match a search and filters. */
export function countItems<Stored extends Item>(
  store: ItemStore<Stored>,
  selection: Selection,
): Awaitable<number> {
  return whenReady(groupIn(store, selection.scope), ({ items }) => {
    const { words, where, related } = selection.query
    if (words.length === 0 && where.length === 0 && related === undefined) return items.size
    // A copy, so that an item which changes meanwhile counts once.
    return runTurns(countMatches([...items.values()], matcherFor(store, selection)))()
  })
}

/** Counts the items as {@link countItems} does, by their values in the fields of a query. */
function countGroups<Stored extends Item>(
  store: ItemStore<Stored>,
  selection: Selection & { readonly resource: Resource },
): Awaitable<readonly object[]> {
  return whenReady(groupIn(store, selection.scope), ({ items }) => {
    const tally = new Tally(selection.query.by ?? [], datesOf(selection.resource))
    return runTurns(tallyMatches([...items.values()], matcherFor(store, selection), tally))()
  })
}

// A map of more texts takes too long to grow.
const maxTexts = 65_536

function matcherFor<Stored extends Item>(
  { items, texts }: ItemStore<Stored>,
  { resource: { searchable }, query: { words, where, related } }: Selection,
): Matches {
  const textOf = items.size > maxTexts ? foldedText : textsOf(texts, searchable)
  const matches = matching(words, searchable, textOf)
  if (where.length === 0 && related === undefined) return matches
  const meets = meeting(where)
  const isRelated = relating(related)
  return (item) => meets(item) && matches(item) && isRelated(item)
}

/** Items of a store, for the adapter of another one. */
class StoreSelection {
  readonly store: ItemStore<Item>
  readonly selection: Selection

  constructor(store: ItemStore<Item>, selection: Selection) {
    this.store = store
    this.selection = selection
  }
}

// Makes a test for items that reference one of each selection. It looks at the related items only.
function relating(related: Query['related'] = []): Matches {
  const tests = related.flatMap(({ join }) =>
    join?.selection instanceof StoreSelection ? relatingTo(join.field, join.selection) : [],
  )
  return (item) => tests.every((test) => test(item))
}

function relatingTo(field: string, selection: StoreSelection): Matches {
  const relatedTo = finderOf(field, selection)
  return (item) => relatedTo(item) !== undefined
}

// Makes the function that finds the item of a selection that another one references.
function finderOf(field: string, { store, selection }: StoreSelection) {
  const items: ReadonlyMap<unknown, Item> = store.items
  const matches = matcherFor(store, selection)
  return (item: object): Item | undefined => {
    const related = items.get(fieldOf(item, field))
    if (related === undefined || !isInScope(related, selection.scope)) return undefined
    return matches(related) ? related : undefined
  }
}

/** Reads the value of a related field, with its name. */
type RelatedReader = (item: object) => readonly [name: string, value: unknown]

function relatedReadersOf({ sort }: Query): readonly RelatedReader[] {
  return sort.flatMap(({ field: name, related: relatedField }): RelatedReader[] => {
    const { join } = { ...relatedField }
    if (!(join?.selection instanceof StoreSelection)) return []
    const relatedTo = finderOf(join.field, join.selection)
    const { field } = { ...join.selection.selection.query.sort[join.place] }
    return field === undefined ? [] : [(item) => [name, fieldOf(relatedTo(item) ?? {}, field)]]
  })
}

interface RelatedArrangement {
  readonly query: Query
  readonly matches: Matches
  readonly readers: readonly RelatedReader[]
}

// No order is kept: a write to a related item would change it.
function* arrangeRelated<Stored extends Item>(
  items: readonly Stored[],
  { query: { sort, after, limit, offset }, matches, readers }: RelatedArrangement,
): Turns<Stored[]> {
  const compare = compareBy(sort)
  const selected: Stored[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsATurn === 0) yield
    if (!matches(item)) continue
    const values = Object.fromEntries(readers.map((read) => read(item)))
    const valued = addRelatedValues({ ...item }, values)
    if (after === undefined || compare(valued, after) > 0) selected.push(valued)
  }
  const arranged = yield* sortInTurns(selected, sort)
  return arranged.slice(offset, limit === undefined ? undefined : offset + limit)
}

// Keeps each text as long as its item exists. A search that folds ten thousand items again would
// take most of its time for it. Stored items are frozen.
function textsOf(texts: ItemStore<Item>['texts'], fields: readonly string[]): TextOf {
  const textOfItem = texts.get(fields) ?? new WeakMap<object, string>()
  texts.set(fields, textOfItem)
  return (item) => {
    let text = textOfItem.get(item)
    if (text === undefined) {
      text = foldedText(item, fields)
      textOfItem.set(item, text)
    }
    return text
  }
}

function* pick<Stored extends Item>(
  items: Iterable<Stored>,
  { limit = Number.POSITIVE_INFINITY, offset }: Query,
  matches: Matches,
): Turns<Stored[]> {
  const page: Stored[] = []
  let looked = 0
  let skipped = 0
  for (const item of items) {
    if (page.length >= limit) break
    if (looked > 0 && looked % itemsATurn === 0) yield
    if (matches(item) && skipped++ >= offset) page.push(item)
    looked++
  }
  return page
}

function* countMatches(items: readonly object[], matches: Matches): Turns<number> {
  let count = 0
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsATurn === 0) yield
    if (matches(item)) count++
  }
  return count
}

function* tallyMatches(
  items: readonly object[],
  matches: Matches,
  tally: Tally,
): Turns<readonly object[]> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsATurn === 0) yield
    if (matches(item)) tally.add(item, 1)
  }
  return tally.groups
}

async function* partsOf<Stored extends Item>(
  items: Iterable<Stored>,
  matches: Matches,
): AsyncGenerator<Stored[], void> {
  let batch: Stored[] = []
  let looked = 0
  for (const item of items) {
    if (looked > 0 && looked % itemsATurn === 0) {
      yield batch
      batch = []
      await nextTurn()
    }
    if (matches(item)) batch.push(item)
    looked++
  }
  yield batch
}
