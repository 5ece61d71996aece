import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { fieldOf } from '../convention/value.ts'
import { encode, inStoredForm } from './codec.ts'
import type { Row, Sql, WriteKind } from './engine.ts'
import { Parameter, prepare, run, type StatementValues } from './statement.ts'
import { type BoundField, fieldFor, type StorageTask, type Table } from './table.ts'

/** The form of a statement that writes. */
export interface WriteForm {
  readonly kind: WriteKind
  /** The key of the statement among those of its kind. */
  readonly key: string
}

/** Runs a statement that writes. The result has the written rows, if the database returns them. */
export async function writeRows(
  task: StorageTask,
  values: StatementValues,
  { kind, key }: WriteForm,
  build: () => RawBuilder<Row>,
): Promise<QueryResult<Row>> {
  const { table } = task
  const statement = prepare(task, `${kind} ${key}`, () =>
    table.described.returns[kind] ? sql`${build()} returning ${returnedBy(table)}` : build(),
  )
  const result = await run(task, statement, values)
  // Elsewhere several statements form a transaction.
  if (table.engine.hasBatches) task.hasWritten = true
  return result
}

/** Returns the name of the table that takes the writes. */
export function writeTarget({ base, name }: Table): Sql {
  return base?.name ?? name
}

// The table below a view returns the id alone. The caller reads the item through the view.
function returnedBy(table: Table): Sql {
  if (table.base === undefined) return table.selection
  const { alias, stored } = fieldFor(table, 'id')
  return sql`${table.engine.readable(stored)} as ${sql.id(alias)}`
}

/** Returns the parameter of a field of an item. */
export function written(
  { engine }: Table,
  field: BoundField,
  itemIn: (values: StatementValues) => object | undefined,
): Sql {
  const { name, stored } = field
  const parameter = new Parameter((values) =>
    encode(field, inStoredForm(field, fieldOf(itemIn(values) ?? {}, name)), engine),
  )
  return engine.writable(stored, sql`${parameter}`)
}

/** Returns the names of fields, as a part of a key. */
export function keyOfFields(fields: readonly BoundField[]): string {
  return fields.map(({ name }) => name).join()
}
