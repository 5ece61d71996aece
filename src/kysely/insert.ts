import { sql } from 'kysely'
import type { Item } from '../contract/resource/resource.ts'
import { fieldOf } from '../convention/value.ts'
import { itemFrom } from './codec.ts'
import type { Row } from './engine.ts'
import { inBatch } from './execute.ts'
import type { StatementValues } from './statement.ts'
import { type BoundField, fieldFor, type StorageTask, type Table } from './table.ts'
import { keyOfFields, writeRows, writeTarget, written } from './write-rows.ts'

/** The result of an insert of one item. */
interface Inserted {
  /** The stored item. `undefined` if the database does not return it. */
  readonly item: Item | undefined
  /** The id, as far as it is known. */
  readonly id: unknown
}

/** Items of one statement. All have a value for each of the fields. */
interface Chunk {
  readonly fields: readonly BoundField[]
  readonly rows: readonly object[]
}

/** Inserts the fields of an item. */
export async function insert(task: StorageTask, item: object): Promise<Inserted> {
  const [inserted] = await insertChunk(task, { fields: fieldsIn(task.table, [item]), rows: [item] })
  return inserted ?? { item: undefined, id: undefined }
}

/** The most rows of a statement. */
export const rowsAtOnce = 256

/**
 * Inserts items by few statements, and returns the results in the order of the items.
 *
 * @param most The most rows of a statement. With 1, the task knows which item the database rejects.
 */
export async function insertAll(
  task: StorageTask,
  items: readonly object[],
  most: number,
): Promise<readonly Inserted[]> {
  const { described, engine } = task.table
  const isAnonymous = items.some((item) => fieldOf(item, 'id') === undefined)
  const chunks = chunksOf(task.table, items, described.returns.insert || !isAnonymous ? most : 1)
  if (engine.hasBatches) {
    const begin = (batched: StorageTask) => chunks.map((chunk) => insertChunk(batched, chunk))
    return (await inBatch(task, '>= 0', begin)).flat()
  }
  const inserted: Inserted[] = []
  for (const chunk of chunks) {
    task.index = chunk.rows.length === 1 ? inserted.length : undefined
    inserted.push(...(await insertChunk(task, chunk)))
  }
  // A deferred constraint may be about any of the items.
  task.index = undefined
  return inserted
}

// Every engine's limit of parameters in a statement is higher, except that of D1.
const parametersAtOnce = 30_000
const parametersInBatch = 100

// The sizes are powers of two, so that few statements insert any number of items.
function chunksOf(table: Table, items: readonly object[], most: number): readonly Chunk[] {
  const parameters = table.engine.hasBatches ? parametersInBatch : parametersAtOnce
  return runsOf(table, items).flatMap(({ fields, rows }) => {
    const room = Math.max(1, Math.min(most, Math.floor(parameters / fields.length)))
    const chunks: Chunk[] = []
    for (let start = 0; start < rows.length; start += chunks.at(-1)?.rows.length ?? 1) {
      const size = 2 ** Math.floor(Math.log2(Math.min(room, rows.length - start)))
      chunks.push({ fields, rows: rows.slice(start, start + size) })
    }
    return chunks
  })
}

// Parts the items where the fields change.
function runsOf(table: Table, items: readonly object[]): readonly Chunk[] {
  const named = fieldsIn(table, items)
  // A table without a default stores null. The base table of a view may have a default.
  const isFilled = ({ stored }: BoundField) => table.described.isTable && !stored.isGenerated
  const runs: { readonly key: string; readonly fields: BoundField[]; readonly rows: object[] }[] =
    []
  for (const item of items) {
    const fields = named.filter(
      (field) => isFilled(field) || fieldOf(item, field.name) !== undefined,
    )
    const key = keyOfFields(fields)
    const last = runs.at(-1)
    if (last !== undefined && last.key === key) last.rows.push(item)
    else runs.push({ key, fields, rows: [item] })
  }
  return runs
}

function fieldsIn(table: Table, items: readonly object[]): readonly BoundField[] {
  return table.fields.filter(
    ({ name, stored }) =>
      !stored.isComputed && items.some((item) => fieldOf(item, name) !== undefined),
  )
}

async function insertChunk(
  task: StorageTask,
  { fields, rows }: Chunk,
): Promise<readonly Inserted[]> {
  const { table, operation } = task
  const values: StatementValues = { ...operation, rows }
  const form = { kind: 'insert', key: `${rows.length} ${keyOfFields(fields)}` } as const
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

interface InsertResult {
  readonly rows: readonly Row[]
  readonly insertId?: bigint | undefined
}

// SQLite promises no order of the rows.
function insertedOf(
  table: Table,
  items: readonly object[],
  { rows, insertId }: InsertResult,
): readonly Inserted[] {
  const returned = rows.map((row) => itemFrom(table, row))
  const byId = new Map<unknown, Item>(returned.map((item) => [item.id, item]))
  return items.map((given, place) => {
    const item = byId.get(fieldOf(given, 'id')) ?? returned[place]
    const made = insertId === undefined ? undefined : idOf(table, insertId)
    return { item, id: item?.id ?? fieldOf(given, 'id') ?? made }
  })
}

function idOf(table: Table, inserted: bigint): Item['id'] {
  return fieldFor(table, 'id').type === 'text' ? `${inserted}` : Number(inserted)
}
