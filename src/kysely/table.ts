import type { Resource } from '../model/resource.ts'
import { toHex } from './bytes.ts'
import type { Column, Engine, Row, Sql, TableDescription } from './engine.ts'
import type { ColumnField, FieldType } from './field.ts'
import type { Statements } from './statement.ts'

/** A field and its column. */
export interface BoundField extends ColumnField {
  readonly type: FieldType
  readonly stored: Column
  /** The name of the field in a result. */
  readonly alias: string
  /** Makes the field from the driver's value, or `undefined` if the field is that value. */
  readonly decode: ((value: unknown) => unknown) | undefined
}

/** The table of a resource: the fields of the contract with their columns in the database. */
export interface Table {
  readonly engine: Engine
  readonly resource: Resource
  readonly name: Sql
  /** The name without its schema. */
  readonly tableName: string
  readonly fields: readonly BoundField[]
  readonly field: ReadonlyMap<string, BoundField>
  readonly described: TableDescription
  /** The columns of the unique keys, and of the adapter's own `key`. */
  readonly keys: readonly (readonly string[])[]
  /** No two items of the table have the same id, for all owners together. */
  readonly isUniqueById: boolean
  /** Only the adapter's `key` says that an id names one item, and no key of the database. */
  readonly isTrusted: boolean
  readonly statements: Statements
  /** All columns of an item, as results have them. */
  readonly selection: Sql
}

/** Returns the field of a name. */
export function fieldFor({ field, resource }: Table, name: string): BoundField {
  const bound = field.get(name)
  if (bound) return bound
  throw new TypeError(
    `"${resource.name}" has no column for the field "${name}": name one in "columns".`,
  )
}

/** Returns the item of a row. A null column is a missing field, unless the field may be null. */
export function itemFrom({ fields }: Table, row: Row): { id: string | number } {
  const item: Record<string, unknown> = {}
  for (const { name, alias, decode, isNullable } of fields) {
    const value = row[alias]
    if (value === null || value === undefined) {
      if (isNullable) item[name] = null
    } else item[name] = decode === undefined ? value : decode(value)
  }
  // The core rejects items with ids of another type.
  return item as { id: string | number }
}

/** Encodes the value of a field for the driver. A missing value is `null`. */
export function encode({ type, stored }: BoundField, value: unknown, engine: Engine): unknown {
  if (value === undefined || value === null) return null
  if (type === 'number' && typeof value === 'string') return toWide(value, stored)
  if (stored.family === 'binary') return toHex(`${value}`)
  if (typeof value === 'boolean' && stored.family === 'number') return Number(value)
  return engine.encode(stored, type === 'json' ? JSON.stringify(value) : value)
}

// An item holds infinite numbers and numbers that JSON would round as text. A column of SQLite may
// keep a text as text.
function toWide(text: string, { isLoose, isNumeric }: Column): string | number | bigint {
  if (/^(?:NaN|-?Infinity)$/.test(text)) return Number(text)
  return isLoose && !isNumeric && /^-?\d{1,18}$/.test(text) ? BigInt(text) : text
}
