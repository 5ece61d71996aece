import { sql } from 'kysely'
import type { Collection } from '../contract/resource/api.ts'
import { scopeFieldsOf } from '../contract/resource/resource.ts'
import { requiredFieldsOf } from '../contract/schema/required.ts'
import type { Column, Row } from './engine.ts'
import type { FixWriter } from './fix.ts'
import { type Advice, advised, quotedList } from './limits.ts'
import type { BoundField, Store, Table } from './table.ts'

/** A table with the statements that change it, and its collections. */
export interface AdvisedTable {
  readonly fixWriter: FixWriter
  readonly mounts: readonly Collection[]
}

/** Returns the fields by which clients order items. */
export function orderedBy({ resource: { sortable } }: Table): readonly string[] {
  return ['id', ...sortable.filter((name) => name !== 'id')]
}

/** Tells whether a column itself sorts as the convention does. */
export function sortsPlainly({ stored }: BoundField, { engine }: Table): boolean {
  const { family, ordersExactly, equalsExactly } = stored
  return family !== 'text' || ordersExactly || (engine.dialect === 'sqlite' && equalsExactly)
}

/** Tells whether a column is one of the table that takes the writes, not of a view alone. */
export function isStored({ column }: BoundField, { base }: Table): boolean {
  return base?.columns.has(column) !== false
}

/**
 * Advises on the collations of orders. SQLite and PostgreSQL sort by an index with a collation of
 * its own where no statement changes the column.
 */
export function collationsOf(table: Table, fixWriter: FixWriter): readonly Advice[] {
  const { dialect } = table.engine
  const fields = orderedBy(table).flatMap((name) => {
    const field = table.field.get(name)
    if (field === undefined || sortsPlainly(field, table) || field.stored.isClock) return []
    if (!isStored(field, table)) return []
    const fix = fixWriter.collate(field.stored)
    return fix === undefined && dialect !== 'mysql' ? [] : [{ field, fix }]
  })
  const names = fields.map(({ field }) => field.name)
  const columns = quotedList(fields.map(({ field }) => field.column))
  const [subject, verb] = fields.length === 1 ? ['column', 'does'] : ['columns', 'do']
  const message =
    `The ${subject} ${columns} ${verb} not sort by code point, ` +
    `so no index serves the order of ${quotedList(names)}.`
  return fields.map(({ field, fix }) => advised(field.name, message, fix))
}

/** Advises on columns that may be empty against the contract, or the reverse. */
export function nullabilitiesOf(
  table: Table,
  { onCreate, softDelete }: Store,
  { fixWriter, mounts }: AdvisedTable,
): readonly Advice[] {
  const { resource, described, fields } = table
  const required = new Set(requiredFieldsOf(resource.schema))
  // SQLite takes a null in a primary key. Few tables have such a row.
  const primary = described.keys.get('primary key') ?? []
  const loose = fields
    .filter((field) => {
      const { name, column, stored, isNullable } = field
      const isEmpty = stored.isNullable && !isNullable && ![...primary, softDelete].includes(column)
      return required.has(name) && isEmpty && isStored(field, table)
    })
    .map(({ name, column, stored }) => {
      const message = `"${name}" is required, but the column "${column}" may be empty.`
      return advised(name, message, stored.isComputed ? undefined : fixWriter.require(stored, true))
    })
  if (resource.without.includes('create') || onCreate !== undefined) return loose
  const set = setFieldsOf(table, mounts)
  const byColumn = new Map(fields.map((field) => [field.column, field]))
  const strict = described.columns.flatMap((column) => {
    const field = byColumn.get(column.name)
    const name = field?.name ?? column.name
    if (isFilled(column) || set.has(name)) return []
    const message =
      `The column "${column.name}" has no default and cannot be empty, ` +
      `but a client may leave out "${name}": POST without it is 422.`
    // An empty value would not do for a required field.
    const isLoose = !required.has(name) || field?.isNullable === true
    return [advised(name, message, isLoose ? fixWriter.require(column, false) : undefined)]
  })
  return [...loose, ...strict]
}

// The database fills the column, or leaves it empty.
function isFilled({ isNullable, isGenerated, isComputed }: Column): boolean {
  return isNullable || isGenerated || isComputed
}

// The fields that each new item has.
function setFieldsOf({ resource, fields }: Table, mounts: readonly Collection[]) {
  const sent = requiredFieldsOf(resource.create) ?? fields.map(({ name }) => name)
  const parameters = mounts.map(scopeFieldsOf)
  const owners = parameters[0]?.filter((name) => parameters.every((all) => all.includes(name)))
  return new Set(['id', resource.revision, ...sent, ...(owners ?? [])])
}

const sampled = 1000

/** Advises on dates of another form, which compare correctly, but by no index. */
export async function otherMoments(table: Table, { database }: Store): Promise<readonly Advice[]> {
  const texts = table.fields.filter(
    ({ isMoment, stored }) => isMoment && stored.family === 'text' && !stored.isClock,
  )
  if (texts.length === 0) return []
  const counts = texts.map(({ column, alias }) => {
    const isOther = sql`${sql.id(column)} not like '____-__-__T__:__:__%Z'`
    return sql`sum(case when ${isOther} then 1 else 0 end) as ${sql.id(alias)}`
  })
  const some = sql`select ${sql.join(texts.map(({ column }) => sql.id(column)))}
    from ${table.name} limit ${sampled}`
  const found = sql<Row>`select ${sql.join(counts)} from (${some}) as ${sql.id('=some')}`
  const { rows } = await found.execute(database)
  return texts.flatMap(({ name, column, alias }) => {
    const count = Number(rows[0]?.[alias] ?? 0)
    if (count === 0) return []
    const message =
      `${count} of the first ${sampled} rows have a date of another form than ` +
      `"2026-01-31T12:00:00Z" in "${column}": store dates in UTC, with "Z".`
    return [advised(name, message)]
  })
}
