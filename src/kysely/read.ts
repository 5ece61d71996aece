import { sql } from 'kysely'
import type { Operation, Query, Scope } from '../model/operation.ts'
import { compareValues, positionOf, reverse } from '../model/order.ts'
import { invalidCursor } from '../model/problem.ts'
import type { Item } from '../model/resource.ts'
import { hasId, inScope, isPossibleId, mayReach, where } from './condition.ts'
import { isFindable } from './fit.ts'
import { checkSingle } from './identity.ts'
import { keyOfScope, selectCount, selectItems, withoutContainedWords } from './select.ts'
import { countSliced, selectSliced } from './sliced.ts'
import { compile, noValues, run, type StatementValues, statementFor } from './statement.ts'
import { execute, type StorageTask, type Store } from './store.ts'
import { encode, fieldFor, itemFrom } from './table.ts'

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
  const { query } = operation
  if (query.limit !== undefined) return listSome(store, operation, query)
  const limit = firstStep + 1
  const items = await listSome(store, operation, { ...query, limit })
  return items.length < limit ? items : readOn(store, operation, items)
}

async function* readOn(
  store: Store,
  operation: Operation,
  start: readonly Item[],
): AsyncIterable<readonly Item[]> {
  const { query } = operation
  let items = start
  let limit = start.length
  for (let last = items.at(-1); last !== undefined; last = items.at(-1)) {
    const isLast = items.length < limit
    yield items
    if (isLast) return
    // Frees the items before it reads the next ones.
    items = []
    limit = step
    const after = positionOf(last, query.sort)
    items = await listSome(store, operation, { ...query, limit, after })
    // Prevents an endless list.
    if (items.at(-1)?.id === last.id)
      throw new TypeError('The database returned the same page of the list again.')
  }
}

function listSome(store: Store, operation: Operation, selector: Query): Promise<readonly Item[]> {
  const query = lookedFor(store, selector)
  return execute(store, operation, async (task) => {
    const { table } = task
    const { scope } = operation
    const { after, sort } = operation.query
    if (after !== undefined && !mayReach(table, sort, after)) throw invalidCursor()
    const statement = selectItems({ ...task, search: store.search }, { scope, query })
    const read = { task, selector: { scope, query }, plain: statement }
    const slices = await selectSliced(store, operation, read)
    if (slices !== undefined) return slices.map((row) => itemFrom(table, row))
    const { id, item, ifRevision } = operation
    const { rows } = await run(task, statement, { scope, id, item, ifRevision: ifRevision, query })
    const items = rows.map((row) => itemFrom(table, row))
    // Frees the rows for drivers that keep their result: `pg` does until V8 collects its old
    // generation.
    rows.length = 0
    return items
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
  const [item] = await listSome(store, operation, { ...query, sort, limit: 1 })
  return item
}

/** Counts the matching items. */
export function countInTable(store: Store, operation: Operation): Promise<number> {
  return execute(store, operation, async (task) => {
    const { scope } = operation
    const query = lookedFor(store, operation.query)
    const slices = await countSliced(store, operation, { task, selector: { scope, query } })
    if (slices !== undefined) return slices
    const statement = selectCount({ ...task, search: store.search }, { scope, query })
    const { rows } = await run(task, statement, { ...noValues, scope, query })
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

/** Reads the item of an id in a scope. */
export function readOne(task: StorageTask, values: StatementValues): Promise<Item | undefined> {
  return selectOne(task, values, 'read')
}

/** Reads an item as {@link readOne} does, and locks it until the transaction ends. */
export function lockOne(task: StorageTask, values: StatementValues): Promise<Item | undefined> {
  return selectOne(task, values, 'lock')
}

async function selectOne(
  task: StorageTask,
  values: StatementValues,
  kind: 'read' | 'lock',
): Promise<Item | undefined> {
  const { table, session } = task
  const { scope, id } = values
  const statement = statementFor(table.statements, `${kind} ${keyOfScope(scope)}`, () => {
    const lock = kind === 'lock' ? table.engine.locking : sql``
    const isWanted = where([hasId(table), ...inScope(table, scope)])
    return compile(session, sql`select ${table.selection} from ${table.name} ${isWanted} ${lock}`)
  })
  const { rows } = await run(task, statement, values)
  checkSingle(table, rows.length)
  const item = rows[0] && itemFrom(table, rows[0])
  return item?.id === id ? item : undefined
}

// Less than every engine's limit of parameters in a statement: D1 takes 100.
const idsAtOnce = 90

/** Locks many items as {@link lockOne} does, in an order that prevents deadlocks. */
export async function lockMany(
  task: StorageTask,
  scope: Scope,
  ids: readonly Item['id'][],
): Promise<ReadonlyMap<Item['id'], Item>> {
  const { table, session } = task
  const { engine } = table
  const field = fieldFor(table, 'id')
  const found = new Map<Item['id'], Item>()
  const sorted = ids
    .filter((id) => isPossibleId(id) && isFindable(field, id, engine))
    .sort(compareValues)
  for (let start = 0; start < sorted.length; start += idsAtOnce) {
    const some = sorted.slice(start, start + idsAtOnce)
    const selector = some.map((id) =>
      engine.writable(field.stored, sql`${encode(field, id, engine)}`),
    )
    const isListed = sql`${sql.id(field.column)} in (${sql.join(selector)})`
    const all = where([isListed, ...inScope(table, scope)])
    const statement = compile(
      session,
      sql`select ${table.selection} from ${table.name} ${all}
        order by ${sql.id(field.column)} ${engine.locking}`,
    )
    const { rows } = await run(task, statement, { ...noValues, scope })
    for (const row of rows) {
      const item = itemFrom(table, row)
      found.set(item.id, item)
    }
  }
  return found
}
