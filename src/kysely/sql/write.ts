import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { scalarOf } from '../../contract/values/order.ts'
import { fieldOf } from '../../convention/value.ts'
import type { Row, Sql, WriteKind } from '../engine/engine.ts'
import { type BoundField, encode, inStoredForm, mayStand } from '../fields.ts'
import { sessionOf } from '../run/session.ts'
import {
  checkSingle,
  deletingKind,
  fieldFor,
  itemFrom,
  momentFor,
  type StorageTask,
  stateOf,
  type Table,
} from '../table.ts'
import { Parameter, prepare, run, type StatementValues } from './statement.ts'
import { equals, exists, existsBelow, hasId, isWritten, keyOfScope, where } from './where.ts'

/** The result of a write. */
export interface WriteResult {
  /** The number of affected rows, as far as the database reports it. */
  readonly count: number
  /** The stored or deleted item. `undefined` if the database does not return it. */
  readonly item: Item | undefined
}

/** The fields that a replacement writes. */
interface ReplacedFields {
  /** Read-only fields to write nevertheless. Default: none. */
  readonly setFields?: readonly string[]
  /** The only fields to write. Default: all. */
  readonly changed?: readonly string[] | undefined
}

/**
 * Replaces the item of an id inside the scope. Writes null for missing fields. A numeric revision
 * counts up unless the caller sets it.
 */
export function replace(
  task: StorageTask,
  values: StatementValues,
  { setFields = [], changed }: ReplacedFields,
): Promise<WriteResult> {
  const { table } = task
  const { item = {} } = values
  const fixed = ['id', ...table.resource.readOnly].filter((name) => !setFields.includes(name))
  // A client cannot send back a field that it does not get.
  const sent = table.fields.filter(
    (field) => table.itemFields.includes(field) || fieldOf(item, field.name) !== undefined,
  )
  const fields = sent.filter(
    ({ name, stored }) =>
      stored.origin !== 'computed' && !fixed.includes(name) && (changed?.includes(name) ?? true),
  )
  const missing = fields.filter(
    ({ name, stored }) => stored.whenMissing && fieldOf(item, name) === undefined,
  )
  const secret = sent.filter((field) => !table.itemFields.includes(field))
  const only = changed === undefined ? '' : `only ${keyOfFields(fields)}`
  const keys = `${setFields} ${keyOfFields(missing)} ${keyOfFields(secret)}`
  const key = `${keys} ${keyOfTarget(values)} ${only}`
  return write(task, values, { kind: 'update', key }, () => {
    const replaced = fields.map((field) => {
      const value = missing.includes(field)
        ? field.stored.whenMissing
        : written(table, field, ({ item }) => item)
      return sql`${sql.id(field.column)} = ${value}`
    })
    const set = [...replaced, ...countedUp(table, setFields)]
    const id = sql.id(fieldFor(table, 'id').column)
    const changes = set.length === 0 ? sql`${id} = ${id}` : sql.join(set)
    return sql`update ${writeTarget(table)} set ${changes} ${target(task, values)}`
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
    const locked = sql`select ${id} from ${writeTarget(table)} ${all} order by ${id}`
    return sql`select count(*) from (${locked} ${table.engine.locking}) as ${sql.id('=locked')}`
  })
  await run(task, statement, operation)
}

async function write(
  task: StorageTask,
  values: StatementValues,
  form: WriteForm,
  build: () => RawBuilder<Row>,
): Promise<WriteResult> {
  const { table } = task
  const { rows, numAffectedRows } = await writeRows(task, values, form, build)
  const count = Math.max(rows.length, Number(numAffectedRows ?? 0))
  checkSingle(table, count)
  const [row] = rows
  return { count, item: row && itemFrom(table, row) }
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

/** Returns what counts a numeric revision up, unless the caller sets it. */
export function countedUp(table: Table, setFields: readonly string[]): readonly Sql[] {
  const revision = table.field.get(table.resource.revision ?? '')
  if (revision?.type !== 'number' || setFields.includes(revision.name)) return []
  if (!isWritten(table, revision)) return []
  const column = sql.id(revision.column)
  return [sql`${column} = coalesce(${column}, 0) + 1`]
}

function keyOfTarget({ scope, ifRevision, state }: StatementValues): string {
  const guards = [ifRevision === undefined ? '' : ' if', state === undefined ? '' : ' as']
  return `${keyOfScope(scope)}${guards.join('')}`
}

function target(task: StorageTask, { scope, ifRevision, state }: StatementValues): Sql {
  const { table } = task
  // The caller has locked the item through the view.
  const existing = table.base === undefined ? exists(task, scope) : existsBelow(table, scope)
  const same = state === undefined ? [] : hasState(table)
  const conditions = [hasId(table), ...existing, ...same]
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

/** Returns the start of a statement that deletes, up to its conditions. */
export function deleteFrom(table: Table, counted: readonly Sql[]): RawBuilder<unknown> {
  const { deletion, engine } = table
  const name = table.base?.name ?? table.name
  if (deletion === undefined) return sql`delete from ${name}`
  const { stored } = deletion
  const moment = new Parameter(() => encode(deletion, momentFor(deletion), engine))
  const marked = sql`${sql.id(stored.name)} = ${engine.writable(stored, sql`${moment}`)}`
  return sql`update ${name} set ${sql.join([marked, ...counted])}`
}

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
  if (sessionOf(task.store).isFinal) task.hasWritten = true
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

// An update compares the row with the state that the adapter has read, if nothing locks it.
function hasState(table: Table): readonly Sql[] {
  const state = stateOf(table)
  return state === undefined ? [] : [sql`${state} = ${new Parameter(({ state }) => state)}`]
}
