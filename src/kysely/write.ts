import { type RawBuilder, sql } from 'kysely'
import { fieldOf, type Scope } from '../model/operation.ts'
import type { Item } from '../model/resource.ts'
import { equals, hasId, inScope, where } from './condition.ts'
import type { Row, Sql } from './engine.ts'
import { checkSingle } from './identity.ts'
import { keyOfScope } from './select.ts'
import {
  compile,
  noValues,
  Parameter,
  run,
  type StatementValues,
  statementFor,
} from './statement.ts'
import type { StorageTask } from './store.ts'
import { type BoundField, encode, fieldFor, itemFrom, type Table } from './table.ts'

/** The result of a write. */
export interface WriteResult {
  /** The number of affected rows, as far as the database reports it. */
  readonly count: number
  /** The stored or deleted item. `undefined` if the database does not return it. */
  readonly item: Item | undefined
  /** The generated id, if the database does not return the item. */
  readonly insertId: Item['id'] | undefined
}

/** Inserts the fields of an item. */
export function insert(task: StorageTask, values: StatementValues): Promise<WriteResult> {
  const { table } = task
  const fields = fieldsIn(table, values.item).filter(({ stored }) => !stored.isComputed)
  return write(task, { kind: 'insert', key: namesOf(fields), values }, () => {
    const columns = fields.map(({ column }) => sql.id(column))
    const inserted = fields.map((field) => written(table, field))
    // Engines differ in how they insert a row without values.
    const isEmpty = fields.length === 0
    const names = isEmpty ? sql.id(fieldFor(table, 'id').column) : sql.join(columns)
    const values = isEmpty ? table.engine.unset : sql.join(inserted)
    return sql`insert into ${table.name} (${names}) values (${values})`
  })
}

/**
 * Replaces the item of an id inside the scope. Writes null for missing fields. A numeric revision
 * counts up unless the caller sets it.
 *
 * @param own Read-only fields to write nevertheless.
 */
export function replace(
  task: StorageTask,
  values: StatementValues,
  own: readonly string[],
): Promise<WriteResult> {
  const { table } = task
  const fields = table.fields.filter(
    ({ name, stored }) => !stored.isComputed && (isWritable(table, name) || own.includes(name)),
  )
  const missing = fields.filter(
    ({ name, stored }) => stored.whenMissing && fieldOf(values.item ?? {}, name) === undefined,
  )
  const key = `${own} ${namesOf(missing)} ${keyOfTarget(values)}`
  return write(task, { kind: 'update', key, values }, () => {
    const replaced = fields.map((field) => {
      const value = missing.includes(field) ? field.stored.whenMissing : written(table, field)
      return sql`${sql.id(field.column)} = ${value}`
    })
    const set = [...replaced, ...countedUp(table, own)]
    const id = sql.id(fieldFor(table, 'id').column)
    const changes = set.length === 0 ? sql`${id} = ${id}` : sql.join(set)
    return sql`update ${table.name} set ${changes} ${target(table, values)}`
  })
}

/** Deletes the item of an id inside the scope. */
export function remove(task: StorageTask, values: StatementValues): Promise<WriteResult> {
  const { table } = task
  return write(
    task,
    { kind: 'delete', key: keyOfTarget(values), values },
    () => sql`delete from ${table.name} ${target(table, values)}`,
  )
}

/** Deletes all items of the scope. */
export async function removeAll(task: StorageTask, scope: Scope): Promise<number> {
  const { table, session } = task
  const statement = statementFor(table.statements, `delete all ${keyOfScope(scope)}`, () =>
    compile(session, sql`delete from ${table.name} ${where(inScope(table, scope))}`),
  )
  const { numAffectedRows } = await run(task, statement, { ...noValues, scope })
  return Number(numAffectedRows)
}

/** Returns the fields of the table that an item has. */
function fieldsIn(table: Table, item: object | undefined): readonly BoundField[] {
  return table.fields.filter(({ name }) => fieldOf(item ?? {}, name) !== undefined)
}

interface WriteStatement {
  readonly kind: 'insert' | 'update' | 'delete'
  /** The part of the statement's key after its kind. */
  readonly key: string
  readonly values: StatementValues
}

async function write(
  task: StorageTask,
  { kind, key, values }: WriteStatement,
  build: () => RawBuilder<Row>,
): Promise<WriteResult> {
  const { table, session } = task
  const returns = table.described.returns[kind]
  const statement = statementFor(table.statements, `${kind} ${key}`, () =>
    compile(session, returns ? sql`${build()} returning ${table.selection}` : build()),
  )
  const { rows, insertId, numAffectedRows } = await run(task, statement, values)
  // Elsewhere several statements form a transaction.
  if (table.engine.hasBatches) task.hasWritten = true
  const count = Math.max(rows.length, Number(numAffectedRows ?? 0))
  checkSingle(table, count)
  const [row] = rows
  return {
    count,
    item: row && itemFrom(table, row),
    insertId: insertId === undefined ? undefined : idOf(table, insertId),
  }
}

function idOf(table: Table, inserted: bigint): Item['id'] {
  return fieldFor(table, 'id').type === 'text' ? `${inserted}` : Number(inserted)
}

function written({ engine }: Table, field: BoundField): Sql {
  const { name, stored } = field
  const parameter = new Parameter(({ item }) => encode(field, fieldOf(item ?? {}, name), engine))
  return engine.writable(stored, sql`${parameter}`)
}

function isWritable({ resource }: Table, name: string): boolean {
  return name !== 'id' && !resource.readOnly.includes(name)
}

function countedUp({ field, resource }: Table, own: readonly string[]): readonly Sql[] {
  const revision = resource.revision === undefined ? undefined : field.get(resource.revision)
  if (revision?.type !== 'number' || own.includes(revision.name)) return []
  const column = sql.id(revision.column)
  return [sql`${column} = coalesce(${column}, 0) + 1`]
}

function keyOfTarget({ scope, ifRevision }: StatementValues): string {
  return `${keyOfScope(scope)}${ifRevision === undefined ? '' : ' if'}`
}

function target(table: Table, { scope, ifRevision }: StatementValues): Sql {
  const revision = table.field.get(table.resource.revision ?? '')
  if (revision === undefined || ifRevision === undefined) {
    return where([hasId(table), ...inScope(table, scope)])
  }
  const parameter = new Parameter((values) => encode(revision, values.ifRevision, table.engine))
  return where([hasId(table), ...inScope(table, scope), equals(table, revision, parameter)])
}

function namesOf(fields: readonly BoundField[]): string {
  return fields.map(({ name }) => name).join()
}
