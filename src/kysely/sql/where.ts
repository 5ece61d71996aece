import { sql } from 'kysely'
import {
  ownerValues,
  type Position,
  type Query,
  type Scalar,
  type Scope,
  type SortField,
} from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { addRelatedValues, foldCase } from '../../contract/values/order.ts'
import { invalidCursor } from '../../convention/problem.ts'
import { type Engine, numbersOf, type Row, type Sql } from '../engine/engine.ts'
import {
  type BoundField,
  bytesOfLiteral,
  encode,
  isFindable,
  mayStand,
  valueIn,
} from '../fields.ts'
import {
  fieldFor,
  itemFrom,
  joinedFields,
  notDeleted,
  orderedFields,
  type Store,
  type Table,
} from '../table.ts'
import { type ListedValues, neverMet, paddedSize, parameterList, patternOf } from './parameters.ts'
import { Parameter, type StatementValues } from './statement.ts'

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
  if (stored.equality === 'exact') return isSame
  // Compares text, whatever the type of the column.
  return sql`${isSame} and ${engine.exact(stored)} = ${parameter}`
}

/** Returns the condition that the item has the id of the operation. */
export function hasId(table: Table): Sql {
  const field = fieldFor(table, 'id')
  return equals(table, field, new Parameter(({ id }) => encodeSought(table, field, id)))
}

/** Returns the condition that an item has one of so many ids. */
export function hasOneOf(table: Table, size: number): Sql {
  const field = fieldFor(table, 'id')
  const encoded = (id: unknown) => encode(field, id, table.engine)
  return equalsOneOf(table, field, { size, valuesOf: ({ ids }) => ids ?? [], encode: encoded })
}

/** Returns the part of a statement's key for {@link hasOneOf}. */
export function keyOfIds(size: number): string {
  return `${paddedSize(size)}`
}

/** Tells whether the table for the writes has the column of a field. A view has further ones. */
export function isWritten({ base }: Table, { column }: BoundField): boolean {
  return base === undefined || base.columns.has(column)
}

/** Encodes a value to look for. One that the column cannot hold is `null`, which equals nothing. */
function encodeSought({ engine }: Table, field: BoundField, value: unknown): unknown {
  return isFindable(field, value, engine) ? encode(field, value, engine) : null
}

/**
 * Returns the query to look for. An index of the database may distinguish a word from a longer
 * word, so only a search of the adapter itself leaves words out.
 */
export function lookedFor({ search }: Pick<Store, 'search'>, query: Query): Query {
  return search === undefined ? withoutContainedWords(query) : query
}

// Removes words that other words contain: a text with the longer has the shorter too.
function withoutContainedWords(query: Query): Query {
  if (query.words.length < 2) return query
  const folded = query.words.map(foldCase)
  const words = query.words.filter((_, index) => {
    const word = folded[index] ?? ''
    return !folded.some(
      (candidate, at) =>
        at !== index && candidate.includes(word) && (candidate !== word || at < index),
    )
  })
  return { ...query, words }
}

/** Returns the conditions that every word is in some searchable field. */
export function matches(table: Table, { words }: Query): readonly Sql[] {
  const { engine, described, resource } = table
  const fields = resource.searchable
    .map((name) => fieldFor(table, name))
    .filter(({ type }) => type === 'text')
  return words.map((word, index) => {
    const fold = ({ words }: Query) => engine.fold(words[index] ?? '', described.folding)
    const sought = {
      word: sql`${new Parameter(({ query }) => fold(query))}`,
      pattern: sql`${new Parameter(({ query }) => patternOf(fold(query), 'anywhere'))}`,
      letters: engine.lettersFor(foldCase(word)),
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
  return orderedFields(table, sort).map(({ field, direction }) => {
    const isNullable = field.stored.isNullable && field.name !== 'id'
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

/** The position where a part of an order begins. */
interface Beginning {
  readonly after: StoredPosition
  /** The part begins behind the item at the position, not with it. */
  readonly isOpen: boolean
}

/**
 * Returns the condition that the item belongs to a part of an order, in a form that an index on the
 * sort fields serves. The position's missing values change the statement, other values do not.
 */
export function isBeyond(table: Table, sort: readonly SortField[], beginning: Beginning): Sql {
  const keys = keysOf(table, sort)
  const [first] = keys
  const isUniform = keys.every((key) => !key.isNullable && key.direction === first?.direction)
  if (!isUniform || !table.engine.comparesRows) return keyset(keys, beginning)
  const sign = signOf(first?.direction, beginning.isOpen)
  const ordered = sql.join(keys.map(({ ordered }) => ordered))
  return sql`(${ordered}) ${sign} (${sql.join(keys.map(({ value }) => value))})`
}

function signOf(direction: SortField['direction'] | undefined, isOpen: boolean): Sql {
  return sql.raw(`${direction === 'desc' ? '<' : '>'}${isOpen ? '' : '='}`)
}

// The keyset condition, nested: `a >= 1 and (a > 1 or b > 2)`.
function keyset([key, ...others]: readonly Key[], beginning: Beginning): Sql {
  const { after, isOpen } = beginning
  if (key === undefined) return any([])
  const { field, isNullable, ordered, direction, value } = key
  const isGreaterThan = isGreater(key, after)
  const isLast = others.length === 0
  if (isLast && isOpen) return isGreaterThan
  const rest = isLast ? [] : [keyset(others, beginning)]
  if (isNullable || isMissingAt(field, after))
    return any([isGreaterThan, all([isEqual(key, after), ...rest])])
  // The bound stands once and first, so that an engine starts at the right entry of an index.
  const isAtLeast = sql`${ordered} ${signOf(direction, false)} ${value}`
  return isLast ? isAtLeast : all([isAtLeast, any([isGreaterThan, ...rest])])
}

/** Returns the part of a statement's key for {@link isBeyond}. */
export function keyOfAfter(
  table: Table,
  sort: readonly SortField[],
  after: StoredPosition,
): string {
  const signs = orderedFields(table, sort).map(({ field }) => (isMissingAt(field, after) ? 0 : 1))
  return `after ${signs.join('')}`
}

/** Returns the condition that an item has the values of a position. */
export function isAt(table: Table, sort: readonly SortField[], after: StoredPosition): Sql {
  return all(keysOf(table, sort).map((key) => isEqual(key, after)))
}

/**
 * Checks that an item of the table may have a position.
 *
 * @throws {ProblemError} `invalid_cursor` when none may.
 */
export function checkReach(table: Table, sort: readonly SortField[], after: Position): void {
  // A cut text stands for all texts with that beginning. The later fields, the id among them, are
  // null.
  const mayReach = orderedFields(table, sort).every(({ field }) => {
    const value = after[field.foldOf ?? field.name] ?? null
    const isCutOff = value === null && after.id === null
    return isCutOff || field.foldOf !== undefined || mayStand(field, value, table.engine)
  })
  if (!mayReach) throw invalidCursor()
}

function placed(table: Table, field: BoundField): Sql {
  const { engine } = table
  const parameter = new Parameter(({ query, position }) =>
    position === undefined
      ? soughtAt(valueIn(field, query.after ?? {}) as Scalar, field, engine)
      : position[field.name],
  )
  const value = sql`${parameter}`
  return field.stored.order === 'exact' ? engine.writable(field.stored, value) : value
}

function soughtAt(value: Scalar | undefined, field: BoundField, engine: Engine): unknown {
  const { loose, kind } = field.stored
  const bytes = loose && kind !== 'digits' ? bytesOfLiteral(value) : undefined
  return bytes ?? encode(field, exactly(value, field), engine)
}

// JavaScript writes zeros for the last digits of an unsafe whole number.
function exactly(value: Scalar | undefined, { type, stored }: BoundField): unknown {
  if (type !== 'number' || typeof value === 'string') return value
  const isWhole = numbersOf(stored)?.precision === 'whole'
  const isUnsafe = isWhole && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER
  return isUnsafe ? `${BigInt(Number(value))}` : value
}

function isEqual({ field, ordered, value }: Key, after: StoredPosition): Sql {
  return isMissingAt(field, after) ? sql`${ordered} is null` : sql`${ordered} = ${value}`
}

// A position of the client has no folds.
function isMissingAt(field: BoundField, after: StoredPosition): boolean {
  return (Object.hasOwn(after, field.name) ? after[field.name] : valueIn(field, after)) === null
}

// Missing values come last ascending, and first descending.
function isGreater(
  { field, ordered, value, direction, isNullable }: Key,
  after: StoredPosition,
): Sql {
  const isMissing = isMissingAt(field, after)
  if (direction === 'desc')
    return isMissing ? sql`${ordered} is not null` : sql`${ordered} < ${value}`
  if (isMissing) return any([])
  return isNullable ? sql`${ordered} > ${value} or ${ordered} is null` : sql`${ordered} > ${value}`
}

/** The table of an operation, and the condition of the items that exist for its caller. */
export interface ConditionContext {
  readonly table: Table
  readonly store: Pick<Store, 'visible'>
}

/**
 * Returns the conditions that an item exists for an operation: it has an id, is in scope, visible,
 * and not deleted.
 */
export function exists(
  { table, store: { visible } }: ConditionContext,
  scope: Scope,
): readonly Sql[] {
  const others = visible === undefined ? [] : [visible]
  return [...inScope(table, scope), ...hasSomeId(table), ...notDeleted(table), ...others]
}

// A row without an id is no item. Most columns of ids hold no null.
function hasSomeId(table: Table): readonly Sql[] {
  const { column, stored } = fieldFor(table, 'id')
  return stored.isNullable ? [sql`${sql.id(column)} is not null`] : []
}

/** Returns the conditions that an item is in a scope. */
function inScope(table: Table, scope: Scope): readonly Sql[] {
  return Object.keys(scope).map((name) => {
    const field = fieldFor(table, name)
    const valuesOf = ({ scope }: StatementValues) => ownerValues(scope, name)
    const encoded = (value: unknown) => encodeSought(table, field, value)
    const { length: size } = ownerValues(scope, name)
    if (size === 0) return neverMet
    if (size > 1) return equalsOneOf(table, field, { size, valuesOf, encode: encoded })
    return equals(table, field, new Parameter((values) => encoded(valuesOf(values)[0])))
  })
}

/** Returns the condition that a field equals one of a list of values exactly. */
function equalsOneOf(table: Table, field: BoundField, values: ListedValues<unknown>): Sql {
  const { engine } = table
  const { stored } = field
  const list = parameterList(table, values)
  const isListed = engine.fromList !== undefined && values.size > engine.maxListed
  const isExact = () => sql`${engine.exact(stored)} in (${list((value) => value)})`
  // PostgreSQL compares no text with an enum.
  if (isListed && (stored.kind === 'enum' || stored.kind === 'other')) return isExact()
  const toStored = (value: Sql) => {
    const typed = isListed ? (engine.fromList?.(stored, value) ?? value) : value
    return engine.writable(stored, typed)
  }
  const isOne = sql`${sql.id(stored.name)} in (${list(toStored)})`
  return stored.equality === 'exact' ? isOne : sql`${isOne} and ${isExact()}`
}

// Returns the part of a scope that the table for the writes has columns for.
function writtenPart(table: Table, scope: Scope): Scope {
  if (table.base === undefined) return scope
  const fields = Object.entries(scope).filter(([name]) => isWritten(table, fieldFor(table, name)))
  return Object.fromEntries(fields)
}

/**
 * Returns the conditions of {@link exists} that the table below a view can check. The database
 * checks them again after a wait for a lock.
 */
export function existsBelow(table: Table, scope: Scope): readonly Sql[] {
  return [...inScope(table, writtenPart(table, scope)), ...notDeleted(table)]
}

/** Returns the key of a scope in a statement. A list of one value is that value. */
export function keyOfScope(scope: Scope): string {
  let key = ''
  for (const name in scope) {
    const { length } = ownerValues(scope, name)
    key += length === 1 ? `${name},` : `${name} in ${paddedSize(length)},`
  }
  return key
}

/** Returns the columns of an item in an order, and those of its related fields. */
export function columnsIn(table: Table, sort: readonly SortField[]): Sql {
  return sql.join([table.selection, ...relatedColumnsIn(table, sort)])
}

/** Returns the columns of the related fields of an order. */
export function relatedColumnsIn({ engine }: Table, sort: readonly SortField[]): readonly Sql[] {
  return readFieldsOf(sort).map(
    ({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`,
  )
}

/** Makes the function that reads an item of an order from its row, with its related values. */
export function readerIn(table: Table, sort: readonly SortField[]): (row: Row) => Item {
  const fields = { itemFields: readFieldsOf(sort) }
  if (fields.itemFields.length === 0) return (row) => itemFrom(table, row)
  return (row) => addRelatedValues(itemFrom(table, row), itemFrom(fields, row))
}

// An item shows no fold.
function readFieldsOf(sort: readonly SortField[]): readonly BoundField[] {
  return sort
    .flatMap((sortField, place) => joinedFields(sortField, place))
    .flatMap(({ field }) => (field.foldOf === undefined ? field : []))
}

/** Returns the condition that a row is not after the last kept row, if there is no more room. */
export function isGood(table: Table, sort: readonly SortField[]): Sql {
  const isBefore = orderedFields(table, sort).reduceRight<Sql>(
    (condition, { field, direction }, at) => {
      const value = table.engine.ordered(field.stored)
      const bound = sql`${new Parameter(({ slice }) => slice?.bound?.[at] ?? null)}`
      const isFirst =
        direction === 'asc'
          ? sql`${value} < ${bound} or ${bound} is null and ${value} is not null`
          : sql`${value} > ${bound} or ${value} is null and ${bound} is not null`
      return sql`(${isFirst} or ${value} is ${bound} and ${condition})`
    },
    sql`true`,
  )
  return sql`${new Parameter(({ slice }) => Number(slice?.bound === undefined))} or ${isBefore}`
}
