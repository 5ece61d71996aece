import { sql } from 'kysely'
import { ownerValues, type Scope } from '../contract/resource/operation.ts'
import { encodeSought, equals, isWritten } from './condition.ts'
import { notDeleted } from './deletion.ts'
import type { Sql } from './engine.ts'
import {
  isLongList,
  type ListedValues,
  neverMet,
  paddedSize,
  parameterList,
} from './filter-list.ts'
import { Parameter, type StatementValues } from './statement.ts'
import { type BoundField, fieldFor, type Store, type Table } from './table.ts'

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
  const isListed = engine.fromList !== undefined && isLongList(values.size)
  const isExact = () => sql`${engine.exact(stored)} in (${list((value) => value)})`
  // PostgreSQL compares no text with an enum.
  if (isListed && stored.family === 'other') return isExact()
  const toStored = (value: Sql) => {
    const typed = isListed ? (engine.fromList?.(stored, value) ?? value) : value
    return engine.writable(stored, typed)
  }
  const isOne = sql`${sql.id(stored.name)} in (${list(toStored)})`
  return stored.equalsExactly ? isOne : sql`${isOne} and ${isExact()}`
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
