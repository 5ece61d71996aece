import { sql } from 'kysely'
import type { Resource } from '../contract/resource/resource.ts'
import { filterPathOf } from '../contract/schema/filter.ts'
import { writeOnlyFieldsOf } from '../contract/schema/outline.ts'
import { type Mismatch, withMismatches } from '../convention/mismatch.ts'
import { bindField, bindFolds, isScalarElement, takes } from './bind.ts'
import { createFixWriter, type FixWriter, mismatchWith } from './doctor/fix.ts'
import type { Fix } from './engine/declarations.ts'
import type { Column, ColumnKind, Engine, TableDescription } from './engine/engine.ts'
import { type BoundField, fits, withoutClock } from './fields.ts'
import { type ColumnField, columnFieldsOf } from './options.ts'
import { type Deletion, fieldFor, hasUniqueId, momentFor, type Store, type Table } from './table.ts'

/**
 * Looks the table of a resource up in its database, and remembers it.
 *
 * @throws {TypeError} When the table is missing or cannot hold the resource. Each line of the
 *   message names a missing column or a column of a wrong type. The next look-up starts again.
 */
export async function openTable(store: Store, resource: Resource): Promise<Table> {
  const { engine, table, database } = store
  const fields = columnFieldsOf(resource, store)
  const viewed = await engine.describe(database, table)
  if (viewed === undefined) throw await noTable(store, resource, fields)
  const baseTable = store.writeTo === undefined ? undefined : await belowView(store, resource)
  const described = baseTable === undefined ? viewed : overlaid(viewed, baseTable)
  const { bound, mismatches } = await bindFields(fields, described, store, resource)
  const deletion = deletionIn(store, resource, { described, bound })
  const isFault = deletion !== undefined && 'message' in deletion
  const { folds, faults } = bindFolds(store, { resource, described, bound })
  for (const fault of [...(isFault ? [deletion] : []), ...faults])
    mismatches.push(await mismatchOf(store, fault, { resource, described }))
  mismatches.push(...publishedOf(resource, bound))
  if (isFault || mismatches.length > 0) throw unfit(mismatches)
  const itemFields = bound.filter(({ isWriteOnly }) => !isWriteOnly)
  const field = new Map(bound.map((field) => [field.name, field]))
  const opened: Table = {
    engine,
    resource,
    name: sql.table(table),
    tableName: table.replace(/^.*\./, ''),
    base: baseTable && {
      name: sql.table(store.writeTo ?? table),
      columns: new Set(baseTable.columns.map(({ name }) => name)),
    },
    fields: bound,
    itemFields,
    field,
    folds,
    described,
    deletion,
    ...keysOf(described, field, store.key),
    statements: new Map(),
    selection: selectionOf(engine, itemFields),
  }
  store.tables.set(resource, opened)
  return opened
}

function selectionOf(engine: Engine, itemFields: readonly BoundField[]): Table['selection'] {
  return sql.join(
    itemFields.map(({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`),
  )
}

function deletionIn(
  { engine, table, softDelete }: Store,
  resource: Resource,
  opened: { readonly described: TableDescription; readonly bound: readonly BoundField[] },
): Table['deletion'] | ColumnFault {
  if (softDelete === undefined) return undefined
  const isWritable = opened.bound.some(
    ({ name, column }) => column === softDelete && !resource.readOnly.includes(name),
  )
  const home = { table, resource, engine, isWritable }
  return deletionOf(softDelete, opened.described.columns, home)
}

interface Described {
  readonly resource: Resource
  readonly described: TableDescription
}

async function mismatchOf(
  store: Store,
  { message, fix, ...place }: ColumnFault,
  { resource, described }: Described,
): Promise<Mismatch> {
  const { table } = store
  const about = { resource: resource.name, table, ...place, message }
  if (fix === undefined || !isChangeable(store, described)) return about
  return mismatchWith(about, fix(await createFixWriter(store, { table, resource, described })))
}

// A statement changes a table, and no view.
function isChangeable({ writeTo }: Store, { isTable }: TableDescription): boolean {
  return isTable && writeTo === undefined
}

// A search, a filter or an order tells a client what no response holds.
function publishedOf(resource: Resource, bound: readonly BoundField[]): readonly Mismatch[] {
  const { name, sortable, searchable, filterable, countable } = resource
  const filtered = filterable.map((filter) => filterPathOf(filter.name).field)
  const named = ['id', ...sortable, ...searchable, ...filtered, ...countable]
  const secrets = bound.filter(({ isWriteOnly }) => isWriteOnly)
  const hidden = new Set([...writeOnlyFieldsOf(resource), ...secrets.map((field) => field.name)])
  return [...hidden]
    .filter((field) => named.includes(field))
    .map((field) => {
      const message =
        `"${name}" searches, filters or sorts by "${field}", which no response holds: ` +
        'add it to "schema", or leave it out there.'
      return { resource: name, field, message }
    })
}

async function noTable(
  store: Store,
  resource: Resource,
  fields: readonly ColumnField[],
): Promise<TypeError> {
  const { table } = store
  const fault = `The database has no table "${table}" for "${resource.name}"`
  const message = `${fault}: create it, or change "table".`
  // A view is yours to write.
  const fixWriter =
    store.writeTo === undefined && (await createFixWriter(store, { table, resource }))
  const about = { resource: resource.name, table, message }
  return unfit([mismatchWith(about, fixWriter ? fixWriter.createTable(fields) : undefined)])
}

async function belowView(
  { engine, database, writeTo = '' }: Store,
  resource: Resource,
): Promise<TableDescription> {
  const described = await engine.describe(database, writeTo)
  if (described !== undefined) return described
  const message =
    `The database has no table "${writeTo}" for "${resource.name}": ` +
    'create it, or change "writeTo".'
  throw unfit([{ resource: resource.name, table: writeTo, message }])
}

// Only the columns of the table below take values, and the view may have fewer rows. So a write
// reads the item through the view before and after.
function overlaid(viewed: TableDescription, baseTable: TableDescription): TableDescription {
  const written = new Map(baseTable.columns.map((column) => [column.name, column]))
  return {
    ...baseTable,
    columns: viewed.columns.map(
      (column) => written.get(column.name) ?? { ...column, origin: 'computed' },
    ),
    hasTriggers: true,
    returns: { ...baseTable.returns, delete: false },
  }
}

function keysOf(
  { isTable, keys: describedKeys }: TableDescription,
  field: Table['field'],
  key: Store['key'],
): Pick<Table, 'keys' | 'isUniqueById' | 'isTrusted'> {
  const columnOf = (name: string) => field.get(name)?.column ?? name
  const isTrusted = key !== undefined && !isTable
  const keys = [...describedKeys.values(), ...(isTrusted ? [key.map(columnOf)] : [])]
  const isUniqueById = keys.some((key) => key.every((column) => column === columnOf('id')))
  return { keys, isUniqueById, isTrusted }
}

/** Returns the error of mismatches, each in a line of its message. */
export function unfit(mismatches: readonly Mismatch[]): TypeError {
  return withMismatches(
    new TypeError(mismatches.map(({ message }) => message).join('\n')),
    mismatches,
  )
}

async function bindFields(
  fields: readonly ColumnField[],
  described: TableDescription,
  store: Store,
  resource: Resource,
): Promise<{ readonly bound: readonly BoundField[]; readonly mismatches: Mismatch[] }> {
  const home = { table: store.table, writeTo: store.writeTo, resource }
  const byName = new Map(described.columns.map((column) => [column.name, column]))
  const failures: { readonly field: ColumnField; readonly message: string }[] = []
  const bound = fields.flatMap((field) => {
    const column = byName.get(field.column)
    const bound = column && bindField(field, column)
    const message = bound === undefined ? missing(field, home) : issueOfField(bound, home)
    if (message !== undefined) failures.push({ field: bound ?? field, message })
    return bound ?? []
  })
  if (failures.length === 0) return { bound, mismatches: [] }
  const fixWriter = await createFixWriter(store, { table: store.table, resource, described })
  const mismatches = failures.map(({ field, message }) => {
    const about = { resource: resource.name, table: home.table, field: field.name, message }
    const alike = alikeIn(described, field.column, store)
    if (alike !== undefined) {
      const hint = `Write columns: { ${field.name}: '${alike}' }.`
      return { ...about, message: `${message} The table has "${alike}". ${hint}` }
    }
    const isOurs = isChangeable(store, described)
    return mismatchWith(
      about,
      isOurs ? fixOf(field, byName.get(field.column), fixWriter) : undefined,
    )
  })
  return { bound, mismatches }
}

// Only PostgreSQL has two columns whose names differ by case alone.
function alikeIn(
  { columns }: TableDescription,
  column: string,
  { engine }: Store,
): string | undefined {
  if (!engine.foldsNames) return undefined
  const alike = columns.find(({ name }) => name.toLowerCase() === column.toLowerCase())
  return alike?.name === column ? undefined : alike?.name
}

function fixOf(
  field: ColumnField,
  column: Column | undefined,
  fixWriter: FixWriter,
): Fix | undefined {
  if (column === undefined) return fixWriter.addColumn(field)
  return column.origin === 'computed' || column.kind === 'binary'
    ? undefined
    : fixWriter.retype(field, column)
}

/** The table of a deletion, for messages. */
interface Home {
  readonly table: string
  readonly resource: Resource
  readonly engine: Engine
  /** A client can write a field to the column. */
  readonly isWritable: boolean
}

/** A fault of the options `softDelete` and `folded`. */
interface ColumnFault {
  readonly field?: string
  readonly message: string
  readonly fix?: (fixWriter: FixWriter) => Fix | undefined
}

/**
 * Binds the column of the option `softDelete`. Returns a fault if the column is missing, or cannot
 * hold a moment or nothing.
 */
function deletionOf(
  name: string,
  columns: readonly Column[],
  { table, resource, engine, isWritable }: Home,
): Deletion | ColumnFault {
  const column = columns.find((column) => column.name === name)
  if (column === undefined) {
    const message =
      `The table "${table}" has no column "${name}" for "softDelete" of "${resource.name}": ` +
      'add it, or name another.'
    return { message, fix: (fixWriter) => fixWriter.addDeletion() }
  }
  const stored = withoutClock(column)
  const deletion: Deletion = { type: stored.kind === 'number' ? 'number' : 'text', stored }
  if (isWritable) {
    const message =
      `The column "${name}" marks deleted items: name its field in "readOnly" of ` +
      `"${resource.name}".`
    return { message }
  }
  const fault = faultOf(deletion, engine)
  if (fault === undefined) return deletion
  const message =
    `The column "${name}" of "${table}" ${fault.message}, so "softDelete" of ` +
    `"${resource.name}" cannot use it: take a timestamp, text, or bigint that may be null and ` +
    'has no default.'
  return { ...fault, message }
}

function faultOf(deletion: Deletion, engine: Engine): ColumnFault | undefined {
  const { stored } = deletion
  const retype: ColumnFault['fix'] = (fixWriter) => fixWriter.retypeDeletion(stored)
  if (!['timestamp', 'text', 'number', 'any'].includes(stored.kind))
    return { message: `is of type ${stored.type}`, fix: retype }
  if (stored.origin === 'computed') return { message: 'is computed by the database' }
  if (!stored.isNullable)
    return { message: 'cannot be null', fix: (fixWriter) => fixWriter.require(stored, false) }
  if (stored.origin === 'generated')
    return { message: 'has a default', fix: (fixWriter) => fixWriter.dropDefault(stored) }
  if (fits(deletion, momentFor(deletion), engine)) return undefined
  return { message: 'is too short for a moment', fix: retype }
}

/** The table of a field, for messages. */
interface FieldHome {
  readonly table: string
  readonly writeTo: string | undefined
  readonly resource: Resource
}

/** Returns the fault of a field without a column. */
function missing({ name, column }: ColumnField, { table, resource }: FieldHome): string {
  return (
    `The table "${table}" has no column "${column}" for "${name}" of "${resource.name}": ` +
    'add it, or name another in "columns".'
  )
}

/** Returns the fault of a field with a column; `undefined` for none. */
function issueOfField(
  field: BoundField,
  { table, writeTo, resource }: FieldHome,
): string | undefined {
  const { name, column, type, stored, element } = field
  const { readOnly, sortable, searchable } = resource
  const typed = `The column "${column}" of "${table}" is of type ${stored.type}, `
  if (!takes(field)) return `${typed}but "${name}" holds ${type}: change one of them.`
  if (stored.kind === 'list' && element === undefined) {
    return `${typed}but "${name}" holds other values than lists too: change one of them.`
  }
  if (element !== undefined && !(takes(element) && isScalarElement(element))) {
    return `${typed}but the elements of "${name}" hold ${element.type}: change one of them.`
  }
  if (stored.origin === 'computed' && !readOnly.includes(name)) {
    const reason =
      writeTo === undefined
        ? `The database computes "${column}"`
        : `The column "${column}" of "${table}" takes no value in "${writeTo}"`
    return `${reason}: name "${name}" in "readOnly" of "${resource.name}".`
  }
  const { stored: held, isBase64 } = element ?? field
  if (held.kind === 'binary' && !isBase64) {
    return `${typed}which holds bytes: write z.base64() for "${name}", or store it as text.`
  }
  // An item holds bytes as base64, which does not sort as the bytes do.
  const content = contents[stored.kind]
  return content !== undefined && ['id', ...sortable, ...searchable].includes(name)
    ? `The column "${column}" holds ${content}, so "${name}" of "${resource.name}" ` +
        'cannot be an id, sortable or searchable: store it as text.'
    : undefined
}

const contents: { readonly [Of in ColumnKind]?: string } = { binary: 'bytes', list: 'lists' }

/**
 * Checks that an id names one item of the owners in these fields.
 *
 * @throws {TypeError} When no unique key says so. The message says what to change.
 */
export function checkUniqueId(table: Table, owners: readonly string[]): void {
  if (hasUniqueId(table, owners)) return
  const { tableName, resource, described, keys } = table
  const names = ['id', ...owners]
  const keyColumns = names.map((name) => fieldFor(table, name).column)
  const [id = '', ...ownerColumns] = keyColumns
  const wider = keys.find((key) => key.includes(id))
  let remedy = `add one, as in create unique index … on ${tableName} (${keyColumns.join(', ')})`
  if (wider !== undefined) {
    const parents = quoted(wider.filter((column) => column !== id).map(fieldIn(table)))
    remedy = `add one, or serve it only below ${parents}, as its key (${wider.join(', ')})`
  }
  if (!described.isTable) {
    remedy = `name the fields that identify an item, as in key: ['${names.join("', '")}']`
  }
  const suffix = ownerColumns.length === 0 ? '' : `, alone or together with ${quoted(ownerColumns)}`
  throw new TypeError(
    `The database has no unique key on "${id}" of "${tableName}"${suffix}, ` +
      `so an id of "${resource.name}" may name several items: ${remedy}.`,
  )
}

function fieldIn({ fields }: Table): (column: string) => string {
  return (name) => fields.find(({ column }) => column === name)?.name ?? name
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
