import type { Operation, Query } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { positionOf, reverse } from '../contract/values/order.ts'
import { invalidCursor } from '../convention/problem.ts'
import { itemFrom } from './codec.ts'
import { isPossibleId, mayReach } from './condition.ts'
import { pause } from './deadline.ts'
import { execute } from './execute.ts'
import { readOne } from './lock.ts'
import { portionOf } from './portion.ts'
import { placedAt } from './position.ts'
import { isShort } from './query-plan.ts'
import { selectCount, selectItems, withoutContainedWords } from './select.ts'
import { countSliced, selectSliced } from './sliced.ts'
import { run } from './statement.ts'
import type { Store } from './table.ts'

// One statement reads most lists. Further statements read the rest of a longer list, so that a slow
// client holds no connection. They are short: V8's young generation grows with the objects that are
// alive at once.
const firstStep = 1000
const step = 250

/** Returns the matching items: a few at once, many in parts. */
export async function listFromTable(
  store: Store,
  operation: Operation,
): Promise<readonly Item[] | AsyncIterable<readonly Item[]>> {
  if (operation.query.limit !== undefined) return readPage(store, operation)
  const limit = firstStep + 1
  const items = await readPage(store, operation, { limit })
  if (items.length < limit) return items
  const parts = readOn(store, operation, items)
  return store.isJoined ? allOf(parts) : parts
}

// The user's transaction ends before the client takes the list.
async function allOf(parts: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const part of parts) items.push(...part)
  return items
}

async function* readOn(
  store: Store,
  operation: Operation,
  start: readonly Item[],
): AsyncIterable<readonly Item[]> {
  let items = start
  let limit = start.length
  for (let last = items.at(-1); last !== undefined; last = items.at(-1)) {
    const isLast = items.length < limit
    yield items
    if (isLast) return
    // Frees the items before it reads the next ones.
    items = []
    limit = step
    const after = positionOf(last, operation.query.sort)
    items = await readPage(store, operation, { limit, after })
    // Prevents an endless list.
    if (items.at(-1)?.id === last.id)
      throw new TypeError('The database returned the same page of the list again.')
  }
}

// Reads rows of many bytes in portions, so that other requests have their turn in between.
async function readPage(
  store: Store,
  operation: Operation,
  page?: Partial<Query>,
): Promise<readonly Item[]> {
  const asked = page === undefined ? operation.query : { ...operation.query, ...page }
  const query = lookedFor(store, asked)
  let { items, isWhole } = await readPortion(store, operation, query)
  const { limit = 0 } = query
  for (let last = items.at(-1); !isWhole && last !== undefined; last = items.at(-1)) {
    await pause(0)
    const after = positionOf(last, query.sort)
    const next = { ...query, after, isCut: false, offset: 0, limit: limit - items.length }
    const portion = await readPortion(store, operation, next)
    items = [...items, ...portion.items]
    isWhole = portion.isWhole
  }
  return items
}

/** Items of a page. */
interface Portion {
  readonly items: readonly Item[]
  /** No further item belongs to the page. */
  readonly isWhole: boolean
}

function readPortion(store: Store, operation: Operation, query: Query): Promise<Portion> {
  return execute(store, operation, async (task) => {
    const { table } = task
    const { after, sort } = operation.query
    if (after !== undefined && !mayReach(table, sort, after)) throw invalidCursor()
    const values = await placedAt(
      task,
      query === operation.query ? operation : { ...operation, query },
    )
    const statement = selectItems(task, values)
    if (!isShort(task, values, statement)) {
      const slices = await selectSliced(task, values, statement)
      if (slices !== undefined)
        return { items: slices.map((row) => itemFrom(table, row)), isWhole: true }
    }
    const portion = await portionOf(task, values)
    const isWhole = portion === undefined
    const read = isWhole ? values : { ...values, query: { ...values.query, limit: portion } }
    const { rows } = await run(task, statement, read)
    const items = rows.map((row) => itemFrom(table, row))
    // Frees the rows for drivers that keep their result: `pg` does until V8 collects its old
    // generation.
    rows.length = 0
    return { items, isWhole }
  })
}

// An index of the database may distinguish a word from a longer word.
function lookedFor({ search }: Store, query: Query): Query {
  return search === undefined ? withoutContainedWords(query) : query
}

/** Returns the first or the last matching item. */
export async function readEndOfList(store: Store, operation: Operation): Promise<Item | undefined> {
  const { query, kind } = operation
  const sort = kind === 'last' ? reverse(query.sort) : query.sort
  const [item] = await readPage(store, operation, { sort, limit: 1 })
  return item
}

/** Counts the matching items. */
export function countInTable(store: Store, operation: Operation): Promise<number> {
  const values = { ...operation, query: lookedFor(store, operation.query) }
  return execute(store, operation, async (task) => {
    const slices = await countSliced(task, values)
    if (slices !== undefined) return slices
    const { rows } = await run(task, selectCount(task, values), values)
    return Number(rows[0]?.count)
  })
}

/** Returns the item of the operation's id. */
export async function readFromTable(store: Store, operation: Operation): Promise<Item | undefined> {
  // A database may take a malformed id for another id, so the adapter does not query it.
  return isPossibleId(operation.id)
    ? execute(store, operation, (task) => readOne(task, operation))
    : undefined
}
