import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../model/operation.ts'
import { scalarOf } from '../model/order.ts'
import type { Item } from '../model/resource.ts'
import { fieldOf } from '../model/value.ts'
import { encode, inStoredForm, itemFrom } from './codec.ts'
import { equals, exists, existsBelow, hasId, isWritten, where } from './condition.ts'
import { deleteFrom, deletingKind } from './deletion.ts'
import type { Row, Sql, WriteKind } from './engine.ts'
import { mayStand } from './fit.ts'
import { keyOfScope } from './select.ts'
import { Parameter, prepare, run, type StatementValues } from './statement.ts'
import { type BoundField, fieldFor, type StorageTask, type Table } from './table.ts'
import { checkSingle } from './table-checks.ts'

/** The result of a write. */
interface WriteResult {
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
  const { item = {} } = values
  const fields = table.fields.filter(
    ({ name, stored }) => !stored.isComputed && fieldOf(item, name) !== undefined,
  )
  return write(task, values, { kind: 'insert', key: namesOf(fields) }, () => {
    const columns = fields.map(({ column }) => sql.id(column))
    const inserted = fields.map((field) => written(table, field))
    // Engines differ in how they insert a row without values.
    const isEmpty = fields.length === 0
    const names = isEmpty ? sql.id(fieldFor(table, 'id').column) : sql.join(columns)
    const values = isEmpty ? table.engine.unset : sql.join(inserted)
    return sql`insert into ${targetOf(table)} (${names}) values (${values})`
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
  const { item = {} } = values
  const fixed = ['id', ...table.resource.readOnly]
  // A client cannot send back a field that it does not get.
  const sent = table.fields.filter(
    (field) => table.shown.includes(field) || fieldOf(item, field.name) !== undefined,
  )
  const fields = sent.filter(
    ({ name, stored }) => !stored.isComputed && (!fixed.includes(name) || own.includes(name)),
  )
  const missing = fields.filter(
    ({ name, stored }) => stored.whenMissing && fieldOf(item, name) === undefined,
  )
  const secret = sent.filter((field) => !table.shown.includes(field))
  const key = `${own} ${namesOf(missing)} ${namesOf(secret)} ${keyOfTarget(values)}`
  return write(task, values, { kind: 'update', key }, () => {
    const replaced = fields.map((field) => {
      const value = missing.includes(field) ? field.stored.whenMissing : written(table, field)
      return sql`${sql.id(field.column)} = ${value}`
    })
    const set = [...replaced, ...countedUp(table, own)]
    const id = sql.id(fieldFor(table, 'id').column)
    const changes = set.length === 0 ? sql`${id} = ${id}` : sql.join(set)
    return sql`update ${targetOf(table)} set ${changes} ${target(task, values)}`
  })
}

/** Deletes the item of an id inside the scope. */
export async function remove(task: StorageTask, values: StatementValues): Promise<WriteResult> {
  const { table } = task
  const kind = deletingKind(table)
  // No name of a field is a space.
  const key = `  ${keyOfTarget(values)}`
  const result = await write(
    task,
    values,
    { kind, key },
    () => sql`${deleteFrom(table, countedUp(table, []))} ${target(task, values)}`,
  )
  const { item } = result
  return { ...result, item: item && kind === 'update' ? uncounted(table, item) : item }
}

// The row stays with the next revision. The deleted item has the last one.
function uncounted({ resource }: Table, item: Item): Item {
  const revision = resource.revision ?? ''
  const value = fieldOf(item, revision)
  return typeof value === 'number' ? { ...item, [revision]: value - 1 } : item
}

/** Deletes all items of the scope. */
export async function removeAll(task: StorageTask): Promise<number> {
  const { table, operation } = task
  const { scope } = operation
  if (table.base !== undefined) await lockAll(task)
  const statement = prepare(
    task,
    `delete all ${keyOfScope(scope)}`,
    () => sql`${deleteFrom(table, countedUp(table, []))} ${where(allInScope(task, scope))}`,
  )
  const { numAffectedRows } = await run(task, statement, operation)
  return Number(numAffectedRows)
}

// A view may hide a row while the statement waits for it. PostgreSQL does not ask the view again.
async function lockAll(task: StorageTask): Promise<void> {
  const { table, operation } = task
  const { scope } = operation
  const statement = prepare(task, `lock all ${keyOfScope(scope)}`, () => {
    const id = sql.id(fieldFor(table, 'id').column)
    const all = where(allInScope(task, scope))
    const locked = sql`select ${id} from ${targetOf(table)} ${all} order by ${id}`
    return sql`select count(*) from (${locked} ${table.engine.locking}) as ${sql.id('=locked')}`
  })
  await run(task, statement, operation)
}

async function write(
  task: StorageTask,
  values: StatementValues,
  { kind, key }: { readonly kind: WriteKind; readonly key: string },
  build: () => RawBuilder<Row>,
): Promise<WriteResult> {
  const { table } = task
  const statement = prepare(task, `${kind} ${key}`, () =>
    table.described.returns[kind] ? sql`${build()} returning ${returnedBy(table)}` : build(),
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

function targetOf({ base, name }: Table): Sql {
  return base?.name ?? name
}

// The table below a view returns the id alone. The caller reads the item through the view.
function returnedBy(table: Table): Sql {
  if (table.base === undefined) return table.selection
  const { alias, stored } = fieldFor(table, 'id')
  return sql`${table.engine.readable(stored)} as ${sql.id(alias)}`
}

// The view may have fewer rows than the table below it. `distinct` makes MySQL read the ids first.
function allInScope(task: StorageTask, scope: Scope): readonly Sql[] {
  const { table } = task
  if (table.base === undefined) return exists(task, scope)
  const id = sql.id(fieldFor(table, 'id').column)
  const viewed = sql`select distinct ${id} from ${table.name} ${where(exists(task, scope))}`
  return [
    sql`${id} in (select ${id} from (${viewed}) as ${sql.id('=viewed')})`,
    ...existsBelow(table, scope),
  ]
}

function idOf(table: Table, inserted: bigint): Item['id'] {
  return fieldFor(table, 'id').type === 'text' ? `${inserted}` : Number(inserted)
}

function written({ engine }: Table, field: BoundField): Sql {
  const { name, stored } = field
  const parameter = new Parameter(({ item }) =>
    encode(field, inStoredForm(field, fieldOf(item ?? {}, name)), engine),
  )
  return engine.writable(stored, sql`${parameter}`)
}

function countedUp(table: Table, own: readonly string[]): readonly Sql[] {
  const revision = table.field.get(table.resource.revision ?? '')
  if (revision?.type !== 'number' || own.includes(revision.name)) return []
  if (!isWritten(table, revision)) return []
  const column = sql.id(revision.column)
  return [sql`${column} = coalesce(${column}, 0) + 1`]
}

function keyOfTarget({ scope, ifRevision }: StatementValues): string {
  return `${keyOfScope(scope)}${ifRevision === undefined ? '' : ' if'}`
}

function target(task: StorageTask, { scope, ifRevision }: StatementValues): Sql {
  const { table } = task
  // The caller has locked the item through the view.
  const existing = table.base === undefined ? exists(task, scope) : existsBelow(table, scope)
  const conditions = [hasId(table), ...existing]
  const revision = table.field.get(table.resource.revision ?? '')
  if (revision === undefined || ifRevision === undefined || !isWritten(table, revision))
    return where(conditions)
  // Nothing equals null.
  const parameter = new Parameter((values) => {
    const value = scalarOf(values, 'ifRevision')
    return mayStand(revision, value, table.engine) ? encode(revision, value, table.engine) : null
  })
  return where([...conditions, equals(table, revision, parameter)])
}

function namesOf(fields: readonly BoundField[]): string {
  return fields.map(({ name }) => name).join()
}
