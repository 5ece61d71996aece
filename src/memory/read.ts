import { type Awaitable, nextTurn, whenReady } from '../model/awaitable.ts'
import type { Item } from '../model/resource.ts'
import { foldedText, matching, type TextOf } from '../model/search.ts'
import type { Orders } from './orders.ts'
import { type OwnedItems, type Owners, ordersOf } from './owners.ts'
import { type Selection, select } from './select.ts'
import { inTurns, itemsATurn, type Steps } from './turns.ts'

/** The items of a store, with all indexes over them. */
export interface Indexes<Stored extends Item> {
  readonly items: Map<Item['id'], Stored>
  readonly owners: Owners<Stored>
  readonly textOf: TextOf
  orders: Orders<Stored>
}

// Sorting so few items costs less than keeping their orders.
const fewItems = 64
// A map of more texts takes too long to grow.
const maxTexts = 65_536

type Matches = (item: object) => boolean

/** Returns the items that an operation selects. Reads many items in turns. */
export function readPage<Stored extends Item>(
  selection: Selection,
  indexes: Indexes<Stored>,
): Awaitable<Stored[]> {
  return whenReady(indexes.owners.prepare(selection.scope), () => {
    const owner = indexes.owners.ownedBy(selection.scope)
    if (owner && owner.items.size <= fewItems) return select(owner.items, selection)
    return whenReady(walk(selection, owner, indexes), (items) =>
      inTurns(pick(items, selection, matcherOf(selection, indexes)))(),
    )
  })
}

/** Returns the items that an operation selects, in parts when it lists many items. */
export function listItems<Stored extends Item>(
  selection: Selection,
  indexes: Indexes<Stored>,
): Awaitable<Stored[] | AsyncIterable<Stored[]>> {
  const { items, owners } = indexes
  const { scope, query } = selection
  if (query.limit !== undefined || items.size <= itemsATurn) return readPage(selection, indexes)
  return whenReady(owners.prepare(scope), () => {
    const owner = owners.ownedBy(scope)
    if (owner && owner.items.size <= itemsATurn) return readPage(selection, indexes)
    return whenReady(walk(selection, owner, indexes), (all) =>
      partsOf(all, matcherOf(selection, indexes)),
    )
  })
}

/** Counts the items of a scope that match a search. */
export function countItems<Stored extends Item>(
  selection: Selection,
  indexes: Indexes<Stored>,
): Awaitable<number> {
  const { items, owners } = indexes
  return whenReady(owners.prepare(selection.scope), () => {
    const owner = owners.ownedBy(selection.scope)
    if (selection.query.words.length === 0) return (owner?.items ?? items).size
    // A copy, so that an item which changes meanwhile counts once.
    const all = [...(owner?.items ?? items.values())]
    return inTurns(countMatches(all, matcherOf(selection, indexes)))()
  })
}

function walk<Stored extends Item>(
  { query: { sort, after } }: Selection,
  owner: OwnedItems<Stored> | undefined,
  { orders }: Indexes<Stored>,
): Awaitable<Iterable<Stored>> {
  return (owner ? ordersOf(owner) : orders).walk(sort, after)
}

function matcherOf<Stored extends Item>(
  { resource, query }: Selection,
  { items, textOf }: Indexes<Stored>,
): Matches {
  const text = items.size > maxTexts ? foldedText : textOf
  return matching(query.words, resource.searchable, text)
}

function* pick<Stored extends Item>(
  items: Iterable<Stored>,
  { query: { limit = Number.POSITIVE_INFINITY } }: Selection,
  matches: Matches,
): Steps<Stored[]> {
  const found: Stored[] = []
  let looked = 0
  for (const item of items) {
    if (found.length >= limit) break
    if (looked > 0 && looked % itemsATurn === 0) yield
    if (matches(item)) found.push(item)
    looked++
  }
  return found
}

function* countMatches(items: readonly object[], matches: Matches): Steps<number> {
  let count = 0
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % itemsATurn === 0) yield
    if (matches(item)) count++
  }
  return count
}

async function* partsOf<Stored extends Item>(
  items: Iterable<Stored>,
  matches: Matches,
): AsyncGenerator<Stored[], void> {
  let part: Stored[] = []
  let looked = 0
  for (const item of items) {
    if (looked > 0 && looked % itemsATurn === 0) {
      yield part
      part = []
      await nextTurn()
    }
    if (matches(item)) part.push(item)
    looked++
  }
  yield part
}
