import { sql } from 'kysely'
import type { Resource } from '../model/resource.ts'
import type { Column, Described, Engine, Family, Row, Session, Sql } from './engine.ts'
import { type ColumnMap, type Field, type FieldType, fieldsOf, fieldTypes } from './field.ts'
import type { Statements } from './statement.ts'

/** A field, and the column that holds it. */
export interface BoundField extends Field {
  readonly type: FieldType
  readonly stored: Column
  /** What it is called in a result. */
  readonly alias: string
  /** What the field is, from what the driver gave for its column; `undefined` when that is it. */
  readonly decode: ((value: unknown) => unknown) | undefined
}

/** A resource's table: what the contract says of its items, held against what the database says. */
export interface Table {
  readonly engine: Engine
  readonly resource: Resource
  readonly name: Sql
  /** Without its schema. */
  readonly tableName: string
  readonly fields: readonly BoundField[]
  readonly field: ReadonlyMap<string, BoundField>
  readonly described: Described
  readonly statements: Statements
  /** Everything of an item, as it is read. */
  readonly selection: Sql
}

/** Where a resource is stored, in words. */
export interface Place {
  readonly engine: Engine
  readonly table: string
  readonly columns: ColumnMap
}

/**
 * Looks a table up in its database.
 *
 * @throws {TypeError} When it cannot hold the resource: there is no such table, a column is missing or of another type.
 */
export async function openTable(
  session: Session,
  { engine, table, columns }: Place,
  resource: Resource,
): Promise<Table> {
  const fields = fieldsOf(resource, columns)
  const described = await engine.describe(session, table)
  if (described === undefined) {
    throw new TypeError(
      `There is no table "${table}" for "${resource.name}" in the database: create it, or name another as "table".`,
    )
  }
  const byName = new Map(described.columns.map((column) => [column.name, column]))
  const bound = fields.map((field) => {
    const column = byName.get(field.column)
    if (column) return bindField(field, column, table)
    throw new TypeError(
      `The table "${table}" has no column "${field.column}" for "${field.name}" of "${resource.name}": add it, or name another in the kyselyAdapter's "columns".`,
    )
  })
  checkServerFields(bound, resource)
  return {
    engine,
    resource,
    name: sql.table(table),
    tableName: table.replace(/^.*\./, ''),
    fields: bound,
    field: new Map(bound.map((field) => [field.name, field])),
    described,
    statements: new Map(),
    selection: sql.join(
      bound.map(({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`),
    ),
  }
}

function checkServerFields(fields: readonly BoundField[], resource: Resource): void {
  const computed = fields.find(
    ({ name, stored }) => stored.isComputed && !resource.readOnly.includes(name),
  )
  if (computed === undefined) return
  throw new TypeError(
    `The database computes "${computed.stored.name}", so a client cannot set "${computed.name}" of "${resource.name}": name it in "readOnly".`,
  )
}

/** The field of a name. */
export function fieldFor({ field, resource }: Table, name: string): BoundField {
  const bound = field.get(name)
  if (bound) return bound
  throw new TypeError(
    `"${resource.name}" has no field "${name}" with a column: name it in the kyselyAdapter's "columns".`,
  )
}

/** An item, from what was read of its columns. A column that holds nothing is a missing field, unless the field may be null. */
export function itemFrom({ fields }: Table, row: Row): { id: string | number } {
  const item: Record<string, unknown> = {}
  for (const { name, alias, decode, isNullable } of fields) {
    const value = row[alias]
    if (value === null || value === undefined) {
      if (isNullable) item[name] = null
    } else item[name] = decode === undefined ? value : decode(value)
  }
  // A table whose ids are something else gives items that the core refuses.
  return item as { id: string | number }
}

/** A field's value as the driver takes it; nothing is `null`. */
export function encode({ type, stored }: BoundField, value: unknown, engine: Engine): unknown {
  if (value === undefined || value === null) return null
  return engine.encode(stored, type === 'json' ? JSON.stringify(value) : value)
}

/** What fields of a type can be stored in, the one it is taken for first where the contract does not say. */
const homes: Readonly<Record<FieldType, readonly Family[]>> = {
  text: ['text', 'date', 'time', 'timestamp', 'uuid', 'other', 'any'],
  number: ['number', 'any'],
  boolean: ['boolean', 'number', 'any'],
  json: ['json', 'text', 'any'],
}

function bindField(field: Field, stored: Column, table: string): BoundField {
  const { family } = stored
  const type = field.type ?? fieldTypes.find((type) => homes[type].includes(family)) ?? 'text'
  if (homes[type].includes(family)) {
    // No column is called so: `order by` would mean what is read of it, where that is called as the column is.
    const alias = `=${field.name}`
    return { ...field, type, stored, alias, decode: decoderOf(type, stored) }
  }
  throw new TypeError(
    `The column "${stored.name}" of "${table}" is of type ${stored.type}, but "${field.name}" holds ${type}: change one of them.`,
  )
}

// None of them throws: a value that is of no use in one item would take the whole list away.
function decoderOf(type: FieldType, { family, isWhole, isNumeric }: Column): BoundField['decode'] {
  if (type === 'number') return isWhole ? toWhole : toNumber
  if (type === 'boolean') return (value) => value === true || Number(value) === 1
  if (type === 'json') return toJson
  if (family === 'timestamp') return (value) => String(value).replace(/000Z$/, 'Z')
  return family === 'text' && isNumeric !== true ? undefined : toText
}

// Drivers give wide numbers as text. A decimal of many digits is read as the nearest double.
function toNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return toWhole(value)
  const number = Number(value)
  return Number.isFinite(number) ? number : toText(value)
}

// To round it would make one id of two, and store another number when it is sent back.
function toWhole(value: unknown): unknown {
  if (typeof value === 'number') return toNumber(value)
  const digits = toText(value)
  if (!/^-?\d+$/.test(digits)) return toText(value)
  const number = Number(digits)
  return BigInt(digits) === BigInt(number) ? number : digits
}

function toJson(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return toNumber(value)
  if (typeof value !== 'string' && !ArrayBuffer.isView(value)) return value
  const text = toText(value)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const utf8 = new TextDecoder()

function toText(value: unknown): string {
  return ArrayBuffer.isView(value) ? utf8.decode(value) : String(value)
}
