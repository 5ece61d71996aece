import type { Resource } from '../model/resource.ts'
import { toHex } from './bytes.ts'
import type { Column, Engine, Row, Sql, TableDescription } from './engine.ts'
import type { ColumnField, FieldType } from './field.ts'
import type { Statements } from './statement.ts'

/** A field, and the column that holds it. */
export interface BoundField extends ColumnField {
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
  readonly described: TableDescription
  /** The columns of its unique keys, and of the key that the database does not know. */
  readonly keys: readonly (readonly string[])[]
  /** No two items of the table have the same id, whoever owns them. */
  readonly isUniqueById: boolean
  /** No database says that an id names one item: the adapter's `key` does. */
  readonly isTrusted: boolean
  readonly statements: Statements
  /** Everything of an item, as it is read. */
  readonly selection: Sql
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
  if (type === 'number' && typeof value === 'string') return toWide(value, stored)
  if (stored.family === 'binary') return toHex(`${value}`)
  if (typeof value === 'boolean' && stored.family === 'number') return Number(value)
  return engine.encode(stored, type === 'json' ? JSON.stringify(value) : value)
}

// JSON has text for what has no end, and for what it would round. A column of SQLite may keep a text as such.
function toWide(text: string, { isLoose, isNumeric }: Column): string | number | bigint {
  if (/^(?:NaN|-?Infinity)$/.test(text)) return Number(text)
  return isLoose && !isNumeric && /^-?\d{1,18}$/.test(text) ? BigInt(text) : text
}
