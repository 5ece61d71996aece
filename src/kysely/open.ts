import { sql } from 'kysely'
import type { Resource } from '../model/resource.ts'
import { decoderOf } from './decode.ts'
import type { Column, Engine, Family, Session, TableDescription } from './engine.ts'
import {
  type ColumnField,
  type ColumnMap,
  columnFieldsOf,
  type FieldType,
  fieldTypes,
} from './field.ts'
import type { BoundField, Table } from './table.ts'

/** The table of a resource by name, with its options. */
export interface TableSource {
  readonly engine: Engine
  readonly table: string
  readonly columns: ColumnMap
  /** The fields that identify an item of a table without a unique key. */
  readonly key: readonly string[] | undefined
}

/**
 * Looks a table up in its database.
 *
 * @throws {TypeError} When the table is missing or cannot hold the resource. Each line of the
 *   message names a missing column or a column of a wrong type.
 */
export async function openTable(
  session: Session,
  source: TableSource,
  resource: Resource,
): Promise<Table> {
  const { engine, table, columns } = source
  const fields = columnFieldsOf(resource, columns)
  const described = await engine.describe(session, table)
  if (described === undefined) {
    throw new TypeError(
      `The database has no table "${table}" for "${resource.name}": create it, or change "table".`,
    )
  }
  const bound = bindFields(fields, described, { table, resource })
  const field = new Map(bound.map((field) => [field.name, field]))
  return {
    engine,
    resource,
    name: sql.table(table),
    tableName: table.replace(/^.*\./, ''),
    fields: bound,
    field,
    described,
    ...keysOf(described, field, source.key),
    statements: new Map(),
    selection: sql.join(
      bound.map(({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`),
    ),
  }
}

function keysOf(
  { isTable, keys: known }: TableDescription,
  field: Table['field'],
  key: TableSource['key'],
): Pick<Table, 'keys' | 'isUniqueById' | 'isTrusted'> {
  const columnOf = (name: string) => field.get(name)?.column ?? name
  const isTrusted = key !== undefined && !isTable
  const keys = [...known.values(), ...(isTrusted ? [key.map(columnOf)] : [])]
  const isUniqueById = keys.some((key) => key.every((column) => column === columnOf('id')))
  return { keys, isUniqueById, isTrusted }
}

interface Owner {
  readonly table: string
  readonly resource: Resource
}

function bindFields(
  fields: readonly ColumnField[],
  { columns }: TableDescription,
  home: Owner,
): readonly BoundField[] {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const failures: string[] = []
  const bound = fields.flatMap((field) => {
    const column = byName.get(field.column)
    const stored = column && asStored(column, field)
    const failure = issueOfColumn(field, stored, home) ?? issueOfBytes(field, stored, home)
    if (failure !== undefined) failures.push(failure)
    return stored === undefined ? [] : bindField(field, stored)
  })
  if (failures.length > 0) throw new TypeError(failures.join('\n'))
  return bound
}

function issueOfColumn(
  field: ColumnField,
  stored: Column | undefined,
  { table, resource }: Owner,
): string | undefined {
  const { name, column } = field
  if (stored === undefined) {
    return (
      `The table "${table}" has no column "${column}" for "${name}" of "${resource.name}": ` +
      'add it, or name another in "columns".'
    )
  }
  const type = typeOf(field, stored)
  if (
    !familiesOfType[type].includes(stored.family) &&
    !(type === 'number' && takesNumbers(stored))
  ) {
    return (
      `The column "${column}" of "${table}" is of type ${stored.type}, ` +
      `but "${name}" holds ${type}: change one of them.`
    )
  }
  return stored.isComputed && !resource.readOnly.includes(name)
    ? `The database computes "${column}": name "${name}" in "readOnly" of "${resource.name}".`
    : undefined
}

// An item holds bytes as base64, which does not sort as the bytes do.
function issueOfBytes(
  { name, column, isBase64 }: ColumnField,
  stored: Column | undefined,
  { table, resource }: Owner,
): string | undefined {
  if (stored?.family !== 'binary') return undefined
  if (!isBase64) {
    return (
      `The column "${column}" of "${table}" is of type ${stored.type}, which holds bytes: ` +
      `write z.base64() for "${name}", or store it as text.`
    )
  }
  const { sortable, searchable } = resource
  return ['id', ...sortable, ...searchable].includes(name)
    ? `The column "${column}" holds bytes, so "${name}" of "${resource.name}" ` +
        'cannot be an id, sortable or searchable: store it as text.'
    : undefined
}

/** The families of columns that can store each type. The first matching type is the default. */
const familiesOfType: Readonly<Record<FieldType, readonly Family[]>> = {
  text: ['text', 'date', 'time', 'timestamp', 'uuid', 'digits', 'binary', 'other', 'any'],
  number: ['number', 'any'],
  boolean: ['boolean', 'number', 'any'],
  json: ['json', 'text', 'any'],
}

// MySQL's `tinyint(1)` and every column of SQLite accept numbers.
function takesNumbers({ family, isWhole, isLoose }: Column): boolean {
  return family === 'boolean' && (isWhole || isLoose === true)
}

// The column as its field uses it. A number in a text field compares and sorts as text.
function asStored(column: Column, { type, isMoment }: ColumnField): Column {
  const isNumber = column.family === 'number' && column.type !== 'bit'
  if (type === 'text' && isNumber) {
    return { ...column, family: 'digits', equalsExactly: false, ordersExactly: false }
  }
  return column.isClock && !isMoment ? { ...column, isClock: false } : column
}

function typeOf({ type }: ColumnField, { family }: Column): FieldType {
  return type ?? fieldTypes.find((type) => familiesOfType[type].includes(family)) ?? 'text'
}

function bindField(field: ColumnField, stored: Column): BoundField {
  const type = typeOf(field, stored)
  // No column has this name. In `order by`, an alias with the name of a column would replace that
  // column.
  const alias = `=${field.name}`
  return { ...field, type, stored, alias, decode: decoderOf(type, stored) }
}
