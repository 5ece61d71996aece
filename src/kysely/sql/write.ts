import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Item } from '../../contract/resource/resource.ts'
import { compareValues, scalarOf } from '../../contract/values/order.ts'
import { fieldOf } from '../../convention/value.ts'
import type { Row, Sql, WriteKind } from '../engine/engine.ts'
import { type BoundField, encode, inStoredForm, mayStand, valueIn } from '../fields.ts'
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
  writtenFolds,
} from '../table.ts'
import { Parameter, prepare, run, type StatementValues } from './statement.ts'
import {
  equals,
  exists,
  existsBelow,
  hasId,
  hasOneOf,
  isWritten,
  keyOfScope,
  where,
} from './where.ts'

/** An item of a statement that replaces. */
interface Replacing {
  readonly values: StatementValues
  /** Read-only fields to write nevertheless. Default: none. */
  readonly setFields?: readonly string[]
  /** The only fields to write. Default: all. */
  readonly changed?: readonly string[] | undefined
}

/** What a statement replaces. Items of one form share a statement. */
interface ReplacementForm {
  readonly key: string
  readonly fields: readonly BoundField[]
  /** The fields that the items lack, and that a default replaces. */
  readonly missing: readonly BoundField[]
  readonly setFields: readonly string[]
}

/** Returns the form of the statement that replaces an item. */
export function replacementForm(
  table: Table,
  { values, setFields = [], changed }: Replacing,
): ReplacementForm {
  const { item = {} } = values
  const fixed = ['id', ...table.resource.readOnly].filter((name) => !setFields.includes(name))
  // A client cannot send back a field that it does not get.
  const sent = table.fields.filter(
    (field) => table.itemFields.includes(field) || fieldOf(item, field.name) !== undefined,
  )
  const texts = sent.filter(
    ({ name, stored }) =>
      stored.origin !== 'computed' && !fixed.includes(name) && (changed?.includes(name) ?? true),
  )
  const fields = [...texts, ...writtenFolds(table, texts)]
  const missing = fields.filter(
    (field) => field.stored.whenMissing && valueIn(field, item) === undefined,
  )
  const secret = sent.filter((field) => !table.itemFields.includes(field))
  const only = changed === undefined ? '' : `only ${keyOfFields(fields)}`
  const keys = `${setFields} ${keyOfFields(missing)} ${keyOfFields(secret)}`
  return { key: `${keys} ${keyOfTarget(values)} ${only}`, fields, missing, setFields }
}

/** Rows of one statement. */
export interface RowChunk<Row, Form> {
  readonly form: Form
  readonly rows: readonly Row[]
  /** The index of the first row. */
  readonly place: number
}

/**
 * Parts rows where their form changes. The sizes are powers of two, so that few statements write
 * any number of rows.
 */
export function chunksOf<Row, Form extends { readonly key: string }>(
  rows: readonly Row[],
  formOf: (row: Row) => Form,
  mostOf: (form: Form) => number,
): readonly RowChunk<Row, Form>[] {
  const forms = rows.map(formOf)
  const chunks: RowChunk<Row, Form>[] = []
  let place = 0
  for (let form = forms[0]; form !== undefined; form = forms[place]) {
    const most = place + Math.max(1, mostOf(form))
    let end = place + 1
    while (end < most && forms[end]?.key === form.key) end++
    end = place + 2 ** Math.floor(Math.log2(end - place))
    chunks.push({ form, rows: rows.slice(place, end), place })
    place = end
  }
  return chunks
}

/** Parts items by the statements that replace them: up to so many items of one form share one. */
export function replacementChunks<Row extends Replacing>(
  table: Table,
  rows: readonly Row[],
  most: number,
): readonly RowChunk<Row & { readonly form: ReplacementForm }, ReplacementForm>[] {
  const formed = rows.map((row) => ({ ...row, form: replacementForm(table, row) }))
  // The order of single items frees unique values.
  if (most > 1) formed.sort((a, b) => compareValues(a.form.key, b.form.key))
  return chunksOf(
    formed,
    ({ form }) => form,
    () => most,
  )
}

/** The result of a statement that replaces. */
export interface Replaced {
  /** The number of affected rows, as far as the database reports it. */
  readonly count: number
  /** The stored items. `undefined` for one that the database does not return. */
  readonly items: readonly (Item | undefined)[]
}

/**
 * Replaces the items of ids inside the scope. Writes null for missing fields. A numeric revision
 * counts up unless the caller sets it. The caller has locked several items.
 */
export async function replace(
  task: StorageTask,
  { form, rows }: Pick<RowChunk<Replacing, ReplacementForm>, 'form' | 'rows'>,
): Promise<Replaced> {
  const { table } = task
  const [first] = rows
  const { length: size } = rows
  const ids = rows.flatMap(({ values }) => values.id ?? [])
  const values =
    first !== undefined && size === 1
      ? first.values
      : { ...task.operation, ids, rows: rows.map(({ values }) => values.item ?? {}) }
  const written = { kind: 'update', key: `${size} ${form.key}` } as const
  const result = await writeRows(task, values, written, () => updateOf(task, values, form))
  const items = result.rows.map((row) => itemFrom(table, row))
  const count = Math.max(items.length, Number(result.numAffectedRows ?? 0))
  checkSingle(table, count - size + 1)
  if (size === 1) return { count, items: [items[0]] }
  const byId = new Map(items.map((item) => [item.id, item]))
  return { count, items: ids.map((id) => byId.get(id)) }
}

function updateOf(
  task: StorageTask,
  values: StatementValues,
  { fields, missing, setFields }: ReplacementForm,
): RawBuilder<Row> {
  const { table } = task
  const sent = fields.filter((field) => !missing.includes(field))
  const { newValueOf, source, isSought } = newValuesOf(table, values, sent)
  const id = sql.id(fieldFor(table, 'id').column)
  const set = [
    ...sent.map((field, index) => sql`${sql.id(field.column)} = ${newValueOf(field, index)}`),
    ...missing.map(({ column, stored }) => sql`${sql.id(column)} = ${stored.whenMissing}`),
    ...countedUp(table, setFields),
  ]
  const changes = set.length === 0 ? sql`${id} = ${id}` : sql.join(set)
  return sql`update ${writeTarget(table)} set ${changes} ${source}
    ${target(task, values, isSought)}`
}

/** The new values of a statement that updates. */
interface NewValues {
  readonly newValueOf: (field: BoundField, index: number) => Sql
  /** The part of the statement that holds them, if `newValueOf` does not. */
  readonly source: Sql
  /** The condition of the rows that get them. */
  readonly isSought: Sql
}

function newValuesOf(
  table: Table,
  { rows }: StatementValues,
  fields: readonly BoundField[],
): NewValues {
  const { engine } = table
  const none = sql``
  if (rows === undefined) {
    const newValueOf = (field: BoundField) => written(table, field, ({ item }) => item)
    return { newValueOf, source: none, isSought: hasId(table) }
  }
  const id = fieldFor(table, 'id')
  const column = sql.id(id.column)
  const ids = rows.map((_, at) => {
    const idAt = new Parameter(({ ids }) => encode(id, ids?.[at], engine))
    return engine.writable(id.stored, sql`${idAt}`)
  })
  const valueAt = (field: BoundField, at: number) => written(table, field, ({ rows }) => rows?.[at])
  const { rowColumn } = engine
  if (rowColumn !== undefined) {
    const lists = ids.map((id, at) => [id, ...fields.map((field) => valueAt(field, at))])
    const all = sql.join(lists.map((list) => sql`(${sql.join(list)})`))
    const source = sql`from (values ${all}) as ${sql.id('=rows')}`
    const isSought = sql`${column} = ${rowColumn(0)}`
    return { newValueOf: (_, index) => rowColumn(index + 1), source, isSought }
  }
  // The column after `else` gives the values its type. No row takes that branch.
  const newValueOf = (field: BoundField) => {
    const cases = ids.map((id, at) => sql`when ${id} then ${valueAt(field, at)}`)
    return sql`case ${column} ${sql.join(cases, sql` `)} else ${sql.id(field.column)} end`
  }
  return { newValueOf, source: none, isSought: hasOneOf(table, rows.length) }
}

/** Deletes the item of an id inside the scope. */
export async function remove(
  task: StorageTask,
  values: StatementValues,
): Promise<Item | undefined> {
  const { table } = task
  const kind = deletingKind(table)
  // No name of a field is a space.
  const form = { kind, key: `  ${keyOfTarget(values)}` }
  const { rows, numAffectedRows } = await writeRows(
    task,
    values,
    form,
    () => sql`${deleteFrom(table, countedUp(table, []))} ${target(task, values)}`,
  )
  checkSingle(table, Math.max(rows.length, Number(numAffectedRows ?? 0)))
  const [row] = rows
  const item = row && itemFrom(table, row)
  return item && kind === 'update' ? uncounted(table, item) : item
}

// The row stays with the next revision. The deleted item has the last one.
function uncounted({ resource }: Table, item: Item): Item {
  const revision = resource.revision ?? ''
  const value = fieldOf(item, revision)
  return typeof value === 'number' ? { ...item, [revision]: value - 1 } : item
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

function target(
  task: StorageTask,
  { scope, ifRevision, state, rows }: StatementValues,
  isSought = hasId(task.table),
): Sql {
  const { table } = task
  // The caller has locked the item through the view.
  const existing = table.base === undefined ? exists(task, scope) : existsBelow(table, scope)
  // The caller has locked several items, and checked their revisions.
  if (rows !== undefined) return where([isSought, ...existing])
  const same = state === undefined ? [] : hasState(table)
  const conditions = [isSought, ...existing, ...same]
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
  task.isShared = (values.rows?.length ?? 0) > 1
  const result = await run(task, statement, values)
  task.isShared = false
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
  const parameter = new Parameter((values) =>
    encode(field, inStoredForm(field, valueIn(field, itemIn(values) ?? {})), engine),
  )
  return engine.writable(field.stored, sql`${parameter}`)
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
