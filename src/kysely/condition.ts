import { sql } from 'kysely'
import { isId } from '../contract/resource/id.ts'
import type { Position, Query, Scalar, SortField } from '../contract/resource/operation.ts'
import { foldCase } from '../contract/values/search.ts'
import { bytesOfLiteral, encode } from './codec.ts'
import type { Engine, Sql } from './engine.ts'
import { patternOf } from './filter.ts'
import { isFindable, mayStand } from './fit.ts'
import { Parameter } from './statement.ts'
import { type BoundField, fieldFor, type Table } from './table.ts'

/** Returns a `where` of all conditions. Without any, it is empty: some engines count faster. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${all(conditions)}`
}

function all(conditions: readonly Sql[]): Sql {
  return sql.join(conditions.map(boxed), sql` and `)
}

function boxed(condition: Sql): Sql {
  return sql`(${condition})`
}

function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 0` : sql.join(conditions.map(boxed), sql` or `)
}

/** Returns the condition that a field equals a value exactly, whatever the collation ignores. */
export function equals({ engine }: Table, { stored }: BoundField, parameter: Parameter): Sql {
  const value = engine.writable(stored, sql`${parameter}`)
  const isSame = sql`${sql.id(stored.name)} = ${value}`
  if (stored.equalsExactly) return isSame
  // Compares text, whatever the type of the column.
  return sql`${isSame} and ${engine.exact(stored)} = ${parameter}`
}

/** Returns the condition that the item has the id of the operation. */
export function hasId(table: Table): Sql {
  const field = fieldFor(table, 'id')
  return equals(table, field, new Parameter(({ id }) => encodeSought(table, field, id)))
}

/** Tells whether the table for the writes has the column of a field. A view has further ones. */
export function isWritten({ base }: Table, { column }: BoundField): boolean {
  return base === undefined || base.columns.has(column)
}

/** Encodes a value to look for. One that the column cannot hold is `null`, which equals nothing. */
export function encodeSought({ engine }: Table, field: BoundField, value: unknown): unknown {
  return isFindable(field, value, engine) ? encode(field, value, engine) : null
}

/** Returns the conditions that every word is in some searchable field. */
export function matches(table: Table, { words }: Query): readonly Sql[] {
  const { engine, described, resource } = table
  const fields = resource.searchable
    .map((name) => fieldFor(table, name))
    .filter(({ type }) => type === 'text')
  return words.map((given, index) => {
    const fold = ({ words }: Query) => engine.fold(words[index] ?? '', described.folding)
    const sought = {
      word: sql`${new Parameter(({ query }) => fold(query))}`,
      pattern: sql`${new Parameter(({ query }) => patternOf(fold(query), 'anywhere'))}`,
      letters: engine.lettersFor(foldCase(given)),
      place: 'anywhere' as const,
    }
    return any(fields.map(({ stored }) => engine.contains(stored, sought, described.folding)))
  })
}

/** A field in an order. */
interface Key {
  readonly field: BoundField
  readonly direction: 'asc' | 'desc'
  readonly ordered: Sql
  readonly isNullable: boolean
  /** The value of the position. */
  readonly value: Sql
}

function keysOf(table: Table, sort: readonly SortField[]): readonly Key[] {
  return sort.map(({ field: name, direction }) => {
    const field = fieldFor(table, name)
    const isNullable = field.stored.isNullable && name !== 'id'
    const ordered = table.engine.ordered(field.stored)
    return { field, direction, ordered, isNullable, value: placed(table, field) }
  })
}

/** Returns an order to write after `order by`. */
export function orderBy(table: Table, sort: readonly SortField[]): Sql {
  return sql.join(
    keysOf(table, sort).map(({ ordered, direction, isNullable }) =>
      table.engine.sorted(ordered, direction, isNullable),
    ),
  )
}

/** The values of a position, as the database holds them or as the item has them. */
export type StoredPosition = Readonly<Record<string, unknown>>

/**
 * Returns the condition that the item comes after a position, in a form that an index on the sort
 * fields serves. The position's missing values change the statement, other values do not.
 */
export function isAfter(table: Table, sort: readonly SortField[], after: StoredPosition): Sql {
  const { engine } = table
  const keys = keysOf(table, sort)
  const [first] = keys
  const isUniform = keys.every((key) => !key.isNullable && key.direction === first?.direction)
  if (isUniform && engine.comparesRows) {
    const sign = first?.direction === 'asc' ? sql`>` : sql`<`
    const ordered = sql.join(keys.map(({ ordered }) => ordered))
    const values = sql.join(keys.map(({ value }) => value))
    return sql`(${ordered}) ${sign} (${values})`
  }
  const steps = keys.map((key, index) =>
    all([...keys.slice(0, index).map((before) => isEqual(before, after)), isGreater(key, after)]),
  )
  // A first field that cannot be missing bounds the result. Some engines need this hint to start at
  // the right entry of an index.
  const isClear = keys.length === 1 || engine.findsRanges
  if (first === undefined || first.isNullable || isClear) return any(steps)
  const sign = first.direction === 'asc' ? sql`>=` : sql`<=`
  return all([sql`${first.ordered} ${sign} ${first.value}`, any(steps)])
}

/** Tells whether an item of the table may have a position. */
export function mayReach(table: Table, sort: readonly SortField[], after: Position): boolean {
  // A cut text stands for all texts with that beginning. The later fields, the id among them, are
  // null.
  return sort.every(({ field }) => {
    const value = after[field] ?? null
    const isCutOff = value === null && after.id === null
    return isCutOff || mayStand(fieldFor(table, field), value, table.engine)
  })
}

function placed({ engine }: Table, field: BoundField): Sql {
  const { name } = field
  const parameter = new Parameter(({ query, position }) =>
    position === undefined ? soughtAt(query.after?.[name], field, engine) : position[name],
  )
  const value = sql`${parameter}`
  return field.stored.ordersExactly ? engine.writable(field.stored, value) : value
}

function soughtAt(value: Scalar | undefined, field: BoundField, engine: Engine): unknown {
  const { isLoose = false, family } = field.stored
  const bytes = isLoose && family !== 'digits' ? bytesOfLiteral(value) : undefined
  return bytes ?? encode(field, exactly(value, field), engine)
}

// JavaScript writes zeros for the last digits of an unsafe whole number.
function exactly(value: Scalar | undefined, { type, stored }: BoundField): unknown {
  if (type !== 'number' || typeof value === 'string') return value
  const isUnsafe = stored.isWhole && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER
  return isUnsafe ? `${BigInt(Number(value))}` : value
}

function isEqual({ field, ordered, value }: Key, after: StoredPosition): Sql {
  return after[field.name] === null ? sql`${ordered} is null` : sql`${ordered} = ${value}`
}

// Missing values come last ascending, and first descending.
function isGreater(
  { field, ordered, value, direction, isNullable }: Key,
  after: StoredPosition,
): Sql {
  const isMissing = after[field.name] === null
  if (direction === 'desc')
    return isMissing ? sql`${ordered} is not null` : sql`${ordered} < ${value}`
  if (isMissing) return any([])
  return isNullable ? sql`${ordered} > ${value} or ${ordered} is null` : sql`${ordered} > ${value}`
}

/** Tells whether a value may be an id. No database has to interpret a malformed one. */
export function isPossibleId(id: unknown): boolean {
  return typeof id === 'number' ? Number.isFinite(id) : typeof id === 'string' && isId(id)
}
