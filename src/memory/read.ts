import { type Awaitable, nextTurn, whenReady } from '../model/awaitable.ts'
import type { Query, Scope } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import { foldedText, matching, type TextOf } from '../model/search.ts'
import type { Orders } from './order.ts'
import { type Owned, type Owners, ordersOf } from './owners.ts'
import { select } from './select.ts'
import { inTurns, itemsATurn, type Work } from './turns.ts'

/** The part of an operation that says which items are wanted. */
export interface Wanted {
  readonly resource: Resource
  readonly scope: Scope
  readonly query: Query
}

/** Everything that a store knows of its items. */
export interface Indexes<Stored extends Item> {
  readonly items: Map<Item['id'], Stored>
  readonly owners: Owners<Stored>
  readonly textOf: TextOf
  orders: Orders<Stored>
}

// To sort them costs less than to keep their orders.
const fewItems = 64
// A map of more texts takes too long to grow.
const maxTexts = 65_536

type Matches = (item: object) => boolean

/** The items that an operation asks for, without copying others. Many are looked at in turns. */
export function page<Stored extends Item>(
  wanted: Wanted,
  indexes: Indexes<Stored>,
): Awaitable<Stored[]> {
  return whenReady(indexes.owners.prepare(wanted.scope), () => {
    const owner = indexes.owners.ownedBy(wanted.scope)
    if (owner && owner.items.size <= fewItems) return select(owner.items, wanted)
    return whenReady(walk(wanted, owner, indexes), (items) =>
      inTurns(pick(items, wanted, matchingIn(wanted, indexes)))(),
    )
  })
}

/** As {@link page}; all of many items come in parts. */
export function list<Stored extends Item>(
  wanted: Wanted,
  indexes: Indexes<Stored>,
): Awaitable<Stored[] | AsyncIterable<Stored[]>> {
  const { items, owners } = indexes
  if (wanted.query.limit !== undefined || items.size <= itemsATurn) return page(wanted, indexes)
  return whenReady(owners.prepare(wanted.scope), () => {
    const owner = owners.ownedBy(wanted.scope)
    if (owner && owner.items.size <= itemsATurn) return page(wanted, indexes)
    return whenReady(walk(wanted, owner, indexes), (all) =>
      partsOf(all, matchingIn(wanted, indexes)),
    )
  })
}

/** How many items of a scope match a search. */
export function count<Stored extends Item>(
  wanted: Wanted,
  indexes: Indexes<Stored>,
): Awaitable<number> {
  const { items, owners } = indexes
  return whenReady(owners.prepare(wanted.scope), () => {
    const owner = owners.ownedBy(wanted.scope)
    if (wanted.query.words.length === 0) return (owner?.items ?? items).size
    // Copied, so that an item which changes meanwhile is counted once.
    const all = [...(owner?.items ?? items.values())]
    return inTurns(countIn(all, matchingIn(wanted, indexes)))()
  })
}

function walk<Stored extends Item>(
  { query: { sort, after } }: Wanted,
  owner: Owned<Stored> | undefined,
  { orders }: Indexes<Stored>,
): Awaitable<Iterable<Stored>> {
  return (owner ? ordersOf(owner) : orders).walk(sort, after)
}

function matchingIn<Stored extends Item>(
  { resource, query }: Wanted,
  { items, textOf }: Indexes<Stored>,
): Matches {
  const text = items.size > maxTexts ? foldedText : textOf
  return matching(query.words, resource.searchable, text)
}

function* pick<Stored extends Item>(
  items: Iterable<Stored>,
  { query: { limit = Number.POSITIVE_INFINITY } }: Wanted,
  matches: Matches,
): Work<Stored[]> {
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

function* countIn(items: readonly object[], matches: Matches): Work<number> {
  let count = 0
  for (const [place, item] of items.entries()) {
    if (place > 0 && place % itemsATurn === 0) yield
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
