import { sql } from 'kysely'
import type { Resource } from '../contract/resource/resource.ts'
import { writeOnlyFieldsOf } from '../contract/schema/outline.ts'
import { type Mismatch, withMismatches } from '../convention/mismatch.ts'
import { bindField, issueOfField, missing } from './bind-field.ts'
import { type DeletionFault, deletionOf } from './deletion.ts'
import type { Column, TableDescription } from './engine.ts'
import { type ColumnField, columnFieldsOf } from './field.ts'
import { createFixWriter, type FixWriter } from './fix.ts'
import { type Fix, mismatchWith } from './obstacle.ts'
import type { BoundField, Store, Table } from './table.ts'

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
  const below = store.writeTo === undefined ? undefined : await belowView(store, resource)
  const described = below === undefined ? viewed : overlaid(viewed, below)
  const { bound, mismatches } = await bindFields(fields, described, store, resource)
  const deletion = deletionIn(store, resource, { described, bound })
  const isFault = deletion !== undefined && 'message' in deletion
  if (isFault) mismatches.push(await mismatchOfDeletion(store, deletion, { resource, described }))
  mismatches.push(...publishedOf(resource, bound))
  if (isFault || mismatches.length > 0) throw unfit(mismatches)
  const shown = bound.filter(({ isWriteOnly }) => !isWriteOnly)
  const field = new Map(bound.map((field) => [field.name, field]))
  const opened: Table = {
    engine,
    resource,
    name: sql.table(table),
    tableName: table.replace(/^.*\./, ''),
    base: below && {
      name: sql.table(store.writeTo ?? table),
      columns: new Set(below.columns.map(({ name }) => name)),
    },
    fields: bound,
    shown,
    field,
    described,
    deletion,
    ...keysOf(described, field, store.key),
    statements: new Map(),
    selection: sql.join(
      shown.map(({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`),
    ),
  }
  store.tables.set(resource, opened)
  return opened
}

function deletionIn(
  { engine, table, softDelete }: Store,
  resource: Resource,
  opened: { readonly described: TableDescription; readonly bound: readonly BoundField[] },
): Table['deletion'] | DeletionFault {
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

async function mismatchOfDeletion(
  store: Store,
  { message, fix }: DeletionFault,
  { resource, described }: Described,
): Promise<Mismatch> {
  const { table } = store
  const about = { resource: resource.name, table, message }
  if (fix === undefined || !isChangeable(store, described)) return about
  return mismatchWith(about, fix(await createFixWriter(store, { table, resource, described })))
}

// A statement changes a table, and no view.
function isChangeable({ writeTo }: Store, { isTable }: TableDescription): boolean {
  return isTable && writeTo === undefined
}

// A search, a filter or an order tells a client what no response holds.
function publishedOf(resource: Resource, bound: readonly BoundField[]): readonly Mismatch[] {
  const { name, sortable, searchable, filterable } = resource
  const named = ['id', ...sortable, ...searchable, ...filterable.map((field) => field.name)]
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
function overlaid(viewed: TableDescription, below: TableDescription): TableDescription {
  const written = new Map(below.columns.map((column) => [column.name, column]))
  return {
    ...below,
    columns: viewed.columns.map(
      (column) => written.get(column.name) ?? { ...column, isComputed: true },
    ),
    hasTriggers: true,
    returns: { ...below.returns, delete: false },
  }
}

function keysOf(
  { isTable, keys: known }: TableDescription,
  field: Table['field'],
  key: Store['key'],
): Pick<Table, 'keys' | 'isUniqueById' | 'isTrusted'> {
  const columnOf = (name: string) => field.get(name)?.column ?? name
  const isTrusted = key !== undefined && !isTable
  const keys = [...known.values(), ...(isTrusted ? [key.map(columnOf)] : [])]
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
  if (engine.dialect === 'postgres') return undefined
  const alike = columns.find(({ name }) => name.toLowerCase() === column.toLowerCase())
  return alike?.name === column ? undefined : alike?.name
}

function fixOf(
  field: ColumnField,
  column: Column | undefined,
  fixWriter: FixWriter,
): Fix | undefined {
  if (column === undefined) return fixWriter.addColumn(field)
  return column.isComputed || column.family === 'binary'
    ? undefined
    : fixWriter.retype(field, column)
}
