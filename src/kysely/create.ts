import { sql } from 'kysely'
import type {
  AdapterShape,
  CreateManyOperation,
  Operation,
} from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import { inTurn } from '../convention/awaitable.ts'
import { problem } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { type BoundField, valueIn } from './fields.ts'
import { checkAll, checkStored, mayExist, needsReadBack, newItem } from './item-checks.ts'
import { execute, inTransaction, sessionOf } from './run/execute.ts'
import { lockMany, readOne } from './sql/lock.ts'
import type { StatementValues } from './sql/statement.ts'
import {
  chunksOf,
  keyOfFields,
  type RowChunk,
  writeRows,
  writeTarget,
  written,
} from './sql/write.ts'
import {
  fieldFor,
  itemFrom,
  type StorageTask,
  type Store,
  type Table,
  throwNotReturned,
  writtenFolds,
} from './table.ts'

/** Stores a new item. */
export async function createItem(store: Store, operation: Operation): Promise<Item> {
  return execute(store, operation, async (task) => {
    checkOwners(task)
    const item = await newItem(task, operation.item ?? {})
    checkAll(task, [{ item, place: 0 }])
    if (isReturned(task)) return (await insert(task, item)).item ?? throwNotReturned(task)
    return inTransaction(task, async () => {
      const { id } = await insert(task, item)
      const values = { ...operation, id: isKnown(id) ? id : undefined }
      return checkStored(task, await readOne(task, values))
    })
  })
}

/** Stores all new items or none. Returns them in their order. */
export function createBulk(
  store: Store,
  operation: CreateManyOperation<AdapterShape>,
): Promise<readonly Item[]> {
  let items: readonly object[] | undefined
  return execute(store, operation, async (task) => {
    checkOwners(task)
    items ??= await inTurn(operation.items, (item) => newItem(task, item))
    const written = items
    checkAll(
      task,
      written.map((item, place) => ({ item, place })),
    )
    return inTransaction(task, () => insertItems(task, written))
  })
}

async function insertItems(task: StorageTask, items: readonly object[]): Promise<readonly Item[]> {
  const inserted = await insertAll(task, items)
  if (isReturned(task)) return inserted.map(({ item }) => item ?? throwNotReturned(task))
  const ids = inserted.flatMap(({ id }) => (isKnown(id) ? id : []))
  const stored = await lockMany(task, ids)
  return inserted.map(({ id }) => checkStored(task, isKnown(id) ? stored.get(id) : undefined))
}

function isReturned(task: StorageTask): boolean {
  return task.table.described.returns.insert && !needsReadBack(task)
}

function checkOwners(task: StorageTask): void {
  if (!mayExist(task)) throw problem('parent_not_found', 'A parent in the path does not exist.')
}

function isKnown(id: unknown): id is Item['id'] {
  return typeof id === 'string' || typeof id === 'number'
}

/** The result of an insert of one item. */
interface Inserted {
  /** The stored item. `undefined` if the database does not return it. */
  readonly item: Item | undefined
  /** The id, as far as it is known. */
  readonly id: unknown
}

/** The fields of a statement that inserts. Each item has a value for each of them. */
interface InsertForm {
  readonly key: string
  readonly fields: readonly BoundField[]
}

/** Inserts the fields of an item. */
async function insert(task: StorageTask, item: object): Promise<Inserted> {
  const form = formOf(fieldsIn(task.table, [item]))
  const [inserted] = await insertChunk(task, { form, rows: [item], place: 0 })
  return inserted ?? { item: undefined, id: undefined }
}

/** The most rows of a statement. */
const rowsAtOnce = 256

/** Inserts items by few statements, and returns the results in the order of the items. */
async function insertAll(
  task: StorageTask,
  items: readonly object[],
): Promise<readonly Inserted[]> {
  const { table, store } = task
  const { described, engine } = table
  const isAnonymous = items.some((item) => fieldOf(item, 'id') === undefined)
  const mayShare = task.isSplit !== true && (described.returns.insert || !isAnonymous)
  const named = fieldsIn(table, items)
  // A table without a default stores null. The base table of a view may have a default.
  const isFilled = ({ stored }: BoundField) => described.isTable && stored.origin !== 'generated'
  const chunks = chunksOf(
    items,
    (item) =>
      formOf(named.filter((field) => isFilled(field) || valueIn(field, item) !== undefined)),
    ({ fields }) =>
      mayShare ? Math.min(rowsAtOnce, Math.floor(engine.maxParameters / fields.length)) : 1,
  )
  const inserted = await sessionOf(store).performAll(task, chunks, {
    condition: '>= 0',
    placeOf: ({ rows, place }) => (rows.length === 1 ? place : undefined),
    perform: insertChunk,
  })
  return inserted.flat()
}

function formOf(fields: readonly BoundField[]): InsertForm {
  return { key: keyOfFields(fields), fields }
}

function fieldsIn(table: Table, items: readonly object[]): readonly BoundField[] {
  const fields = table.fields.filter(
    ({ name, stored }) =>
      stored.origin !== 'computed' && items.some((item) => fieldOf(item, name) !== undefined),
  )
  return [...fields, ...writtenFolds(table, fields)]
}

async function insertChunk(
  task: StorageTask,
  { form: { key, fields }, rows }: RowChunk<object, InsertForm>,
): Promise<readonly Inserted[]> {
  const { table, operation } = task
  const values: StatementValues = { ...operation, rows }
  const form = { kind: 'insert', key: `${rows.length} ${key}` } as const
  const result = await writeRows(task, values, form, () => {
    // Engines differ in how they insert a row without values.
    const isEmpty = fields.length === 0
    const columns = isEmpty ? [fieldFor(table, 'id').column] : fields.map(({ column }) => column)
    const names = sql.join(columns.map((column) => sql.id(column)))
    const inserted = rows.map((_, place) => {
      const values = fields.map((field) => written(table, field, ({ rows }) => rows?.[place]))
      return sql`(${isEmpty ? table.engine.unset : sql.join(values)})`
    })
    return sql`insert into ${writeTarget(table)} (${names}) values ${sql.join(inserted)}`
  })
  return insertedOf(table, rows, result)
}

// SQLite promises no order of the rows.
function insertedOf(
  table: Table,
  items: readonly object[],
  { rows, insertId }: Awaited<ReturnType<typeof writeRows>>,
): readonly Inserted[] {
  const returned = rows.map((row) => itemFrom(table, row))
  const byId = new Map<unknown, Item>(returned.map((item) => [item.id, item]))
  return items.map((input, place) => {
    const item = byId.get(fieldOf(input, 'id')) ?? returned[place]
    const insertedId = insertId === undefined ? undefined : idOf(table, insertId)
    return { item, id: item?.id ?? fieldOf(input, 'id') ?? insertedId }
  })
}

function idOf(table: Table, inserted: bigint): Item['id'] {
  return fieldFor(table, 'id').type === 'text' ? `${inserted}` : Number(inserted)
}
