import { sql } from 'kysely'
import type { Collection } from '../../contract/resource/api.ts'
import { ownerFieldsOf, scopeFieldsOf } from '../../contract/resource/resource.ts'
import { filtersOf } from '../../contract/schema/filter.ts'
import { requiredFieldsOf } from '../../contract/schema/required.ts'
import type { Fix } from '../engine/declarations.ts'
import {
  type Column,
  type IndexColumn,
  isLongText,
  type Row,
  scaleOf,
  type TableDescription,
} from '../engine/engine.ts'
import type { BoundField } from '../fields.ts'
import { isMomentAsText } from '../sql/filter.ts'
import type { Store, Table } from '../table.ts'
import { type Advice, advised, type FixWriter, sortsPlainly } from './fix.ts'
import { staleFoldsIn } from './stale-folds.ts'

/** A table with the statements that change it, and its collections. */
export interface AdvisedTable {
  readonly fixWriter: FixWriter
  readonly mounts: readonly Collection[]
  /** Further fields by which statements find rows. Default: none. */
  readonly links?: readonly string[]
}

/** A table whose indexes a statement may add. It need not exist yet. */
export interface IndexedTable
  extends Pick<Table, 'resource' | 'fields' | 'field' | 'folds' | 'base'> {
  readonly described: Pick<TableDescription, 'keys'>
}

/** Returns the columns by which clients order items: of a folded field, that of the fold. */
function orderedBy({ resource, field, folds }: IndexedTable): readonly BoundField[] {
  const names = ['id', ...resource.sortable.filter((name) => name !== 'id')]
  return names.flatMap((name) => (resource.folded.includes(name) ? folds : field).get(name) ?? [])
}

function nameOf({ name, foldOf = name }: BoundField): string {
  return foldOf
}

/** Tells whether a column is one of the table that takes the writes, not of a view alone. */
function isStored({ column }: BoundField, { base }: Pick<Table, 'base'>): boolean {
  return base?.columns.has(column) !== false
}

/**
 * Advises on the collations of orders. SQLite and PostgreSQL sort by an index with a collation of
 * its own where no statement changes the column.
 */
export function collationsOf(table: Table, fixWriter: FixWriter): readonly Advice[] {
  const fields = orderedBy(table).flatMap((field) => {
    if (sortsPlainly(field.stored) || field.stored.loose?.isClock) return []
    if (!isStored(field, table)) return []
    const fix = fixWriter.collate(field.stored)
    return fix === undefined && fixWriter.collatesIndexes ? [] : [{ field, fix }]
  })
  const names = fields.map(({ field }) => nameOf(field))
  const columns = quotedList(fields.map(({ field }) => field.column))
  const [subject, verb] = fields.length === 1 ? ['column', 'does'] : ['columns', 'do']
  const message =
    `The ${subject} ${columns} ${verb} not sort by code point, ` +
    `so no index serves the order of ${quotedList(names)}.`
  return fields.map(({ field, fix }) => advised(nameOf(field), message, fix))
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
      return advised(
        name,
        message,
        stored.origin === 'computed' ? undefined : fixWriter.require(stored, true),
      )
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
function isFilled({ isNullable, origin }: Column): boolean {
  return isNullable || origin !== 'client'
}

// The fields that each new item has, and the columns of folds.
function setFieldsOf({ resource, fields, folds }: Table, mounts: readonly Collection[]) {
  const sent = requiredFieldsOf(resource.create) ?? fields.map(({ name }) => name)
  const parameters = mounts.map(scopeFieldsOf)
  const owners = parameters[0]?.filter((name) => parameters.every((all) => all.includes(name)))
  const filled = [...folds.values()].map(({ column }) => column)
  return new Set(['id', resource.revision, ...sent, ...(owners ?? []), ...filled])
}

/** Advises on rows whose fold is missing or stale. */
export async function staleFolds(
  table: Table,
  { database }: Store,
  fixWriter: FixWriter,
): Promise<readonly Advice[]> {
  const stale = await staleFoldsIn(table, database)
  return stale.map(({ field, fold, count }) => {
    const subject = count === 1 ? '1 row has' : `${count} rows have`
    const message =
      `${subject} a missing or stale fold of "${field.name}" in "${fold.column}", ` +
      'so lists show them at a wrong place.'
    const isOurs = fold.stored.origin !== 'computed'
    const fix = isOurs && fixWriter.fillFold(field, fold.column, table.described.folding)
    return advised(field.name, message, fix || undefined)
  })
}

const sampled = 1000

/** Advises on dates of another form, which compare correctly, but by no index. */
export async function otherMoments(table: Table, { database }: Store): Promise<readonly Advice[]> {
  const texts = table.fields.filter(
    ({ isMoment, stored }) => isMoment && stored.kind === 'text' && !stored.loose?.isClock,
  )
  if (texts.length === 0) return []
  const counts = texts.map(({ column, alias }) => {
    const isOther = sql`${sql.id(column)} not like '____-__-__T__:__:__%Z'`
    return sql`sum(case when ${isOther} then 1 else 0 end) as ${sql.id(alias)}`
  })
  const some = sql`select ${sql.join(texts.map(({ column }) => sql.id(column)))}
    from ${table.name} limit ${sampled}`
  const statement = sql<Row>`select ${sql.join(counts)} from (${some}) as ${sql.id('=some')}`
  const { rows } = await statement.execute(database)
  return texts.flatMap(({ name, column, alias }) => {
    const count = Number(rows[0]?.[alias] ?? 0)
    if (count === 0) return []
    const message =
      `${count} of the first ${sampled} rows have a date of another form than ` +
      `"2026-01-31T12:00:00Z" in "${column}": store dates in UTC, with "Z".`
    return [advised(name, message)]
  })
}

/** Returns what works with a limit, by the catalogue alone. */
export function limitsOf(table: Table, fixWriter: FixWriter): readonly Advice[] {
  return [...digitsOf(table, fixWriter), ...momentsOf(table)]
}

function digitsOf(table: Table, fixWriter: FixWriter): readonly Advice[] {
  return table.fields.flatMap((field) => {
    const { name, column, stored } = field
    // Whole numbers have one text each.
    if (stored.kind !== 'digits') return []
    const isWhole = stored.number.precision === 'whole' || /int/i.test(stored.type)
    if (isWhole) return []
    const scale = scaleOf(stored)
    const limit =
      scale === undefined
        ? 'a text that would come back as another one, such as "10.10" or "007", is 422'
        : `every text leaves with ${scale} digits after the point, and no other text fits`
    const message =
      `"${name}" is text, but the column "${column}" holds numbers: ${limit}. ` +
      'Declare the column as text.'
    return [
      advised(name, message, isFree(field, table) ? fixWriter.retype(field, stored) : undefined),
    ]
  })
}

// The database changes the type of such a column by itself.
function isFree({ column, stored }: BoundField, { described }: Table): boolean {
  const bound = [...described.keys.values(), ...described.references.map(({ columns }) => columns)]
  const isBound = bound.some((columns) => columns.includes(column))
  return described.isTable && !isBound && stored.origin === 'client'
}

function momentsOf({ fields, resource }: Table): readonly Advice[] {
  const filtered = new Set([...filtersOf(resource).values()].map(({ field }) => field.name))
  return fields
    .filter((field) => isMomentAsText(field) && filtered.has(field.name))
    .map(({ name, column, stored }) => {
      const message =
        `"${name}" is text, but the column "${column}" is of type ${stored.type}: ` +
        'its filters take moments only, and every other value is 400. ' +
        `Declare z.iso.datetime() for "${name}", or the column as text.`
      return advised(name, message)
    })
}

/** Writes names in quotes: `"a", "b" and "c"`. */
function quotedList(names: readonly string[]): string {
  const all = names.map((name) => `"${name}"`)
  const last = all.pop() ?? ''
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`
}

/** An index that the collections of a table need. */
interface Need {
  readonly field: BoundField
  readonly owners: readonly BoundField[]
  /** Clients order by the field. Default: they filter by it. */
  readonly isOrder: boolean
}

/**
 * Advises on indexes, the most useful first: those that find the items of an owner, then those of
 * orders, then those of filters. An index serves an order if it begins with the owners and goes on
 * with the field.
 */
export function missingIndexes(table: IndexedTable, home: AdvisedTable): readonly Advice[] {
  const { fixWriter } = home
  const indexes = indexesOf(table, fixWriter)
  const needs = needsOf(table, home)
  const shorter = shorterOwners(needs, fixWriter)
  const missing: { readonly need: Need; readonly fix: Fix }[] = []
  const long: Need[] = []
  for (const need of needs) {
    if (indexes.some((index) => serves(index, need))) continue
    const owners = need.owners.map(({ column }) => column)
    // An order ends with the text of a fold, and the id.
    const ends = [need.field.foldOf, 'id'].flatMap((name = '') => table.field.get(name) ?? [])
    const columns = [need.field.column, ...ends.map(({ column }) => column)]
    // The database then finds an id of another owner no faster than none.
    const isKey = need.field.name === 'id' && ownerFieldsOf(table.resource).length > 0
    const fix = fixWriter.addIndex({ kind: isKey ? 'unique index' : 'index', owners, columns })
    if (fix === undefined) long.push(need)
    else missing.push({ need, fix })
    indexes.push([
      ...need.owners.map((owner) => {
        return { column: owner.column, isExact: sortsPlainly(owner.stored) }
      }),
      ...columns.map((column) => ({ column, isExact: true })),
    ])
  }
  const served = missing.map(({ need }) => placeOf(need)).join(', ')
  const message = `No index serves the order or the filters of ${served}.`
  return [
    ...shorter,
    ...missing.map(({ need, fix }) => advised(nameOf(need.field), message, fix)),
    ...longOf(long),
  ]
}

// `"text" below owner_id`
function placeOf({ field, owners }: Need): string {
  const path = owners.map(({ name }) => name).join(' and ')
  return owners.length === 0 ? `"${nameOf(field)}"` : `"${nameOf(field)}" below ${path}`
}

// MySQL holds no text of any length in an index.
function shorterOwners(needs: readonly Need[], fixWriter: FixWriter): readonly Advice[] {
  const owners = new Set(needs.flatMap((need) => need.owners))
  return [...owners].flatMap(({ name, column, stored }) => {
    const fix = isLongText(stored) ? fixWriter.shorten(stored) : undefined
    const message = `No index holds "${column}" of type ${stored.type}: let it hold 255 characters.`
    return fix === undefined ? [] : [advised(name, message, fix)]
  })
}

function longOf(needs: readonly Need[]): readonly Advice[] {
  const [need] = needs
  if (need === undefined) return []
  const columns = [...new Set(needs.flatMap(({ owners, field }) => [...owners, field]))]
  const message =
    `The columns ${quotedList(columns.map(({ column }) => column))} are too long for an index of ` +
    `${needs.map(placeOf).join(', ')}: shorten them.`
  return [advised(nameOf(need.field), message)]
}

function indexesOf(table: IndexedTable, { surroundings }: FixWriter): (readonly IndexColumn[])[] {
  const columns = [...table.fields, ...table.folds.values()]
  const exact = new Set(
    columns.filter(({ stored }) => sortsPlainly(stored)).map(({ column }) => column),
  )
  const keys = [...table.described.keys.values()].map((key) =>
    key.map((column) => ({ column, isExact: exact.has(column) })),
  )
  return [...surroundings.indexes, ...keys]
}

function needsOf(
  table: IndexedTable,
  { fixWriter, mounts, links = [] }: AdvisedTable,
): readonly Need[] {
  const { resource, field } = table
  const filters = resource.filterable.filter(({ type }) => type !== 'boolean')
  const ordered = new Set(orderedBy(table))
  const sought = [...filters.map(({ name }) => name), ...links]
  const fields = new Set([...ordered, ...sought.flatMap((name) => field.get(name) ?? [])])
  const wanted = [...fields].filter(
    (field) => isStored(field, table) && (isIndexable(field) || fixWriter.isRetyped(field.column)),
  )
  // An item need not hold the parents further out.
  const all = mounts.map(({ parameters }) =>
    scopeFieldsOf({ resource, owners: parameters }).flatMap((name) => field.get(name) ?? []),
  )
  const paths = all
    .filter((owners) => owners.every((owner) => isStored(owner, table) && isScalar(owner)))
    .sort((a, b) => b.length - a.length)
  return wanted.flatMap((field) =>
    paths.map((owners) => ({ field, owners, isOrder: ordered.has(field) })),
  )
}

function isScalar({ type, stored }: BoundField): boolean {
  return type !== 'json' && !['json', 'list', 'binary'].includes(stored.kind)
}

// The adapter compares other columns by an expression, which no index holds.
function isIndexable(field: BoundField): boolean {
  const { stored } = field
  const isText = ['other', 'enum', 'digits'].includes(stored.kind) || stored.loose?.isClock
  const isComputed = stored.origin === 'computed' && field.foldOf === undefined
  return isScalar(field) && !isText && !isComputed && !isLongText(stored)
}

function serves(index: readonly IndexColumn[], { field, owners, isOrder }: Need): boolean {
  const start = index.slice(0, owners.length)
  const hasOwners = owners.every((owner) => start.some(({ column }) => column === owner.column))
  if (!hasOwners) return false
  if (owners.includes(field)) return true
  const next = index[owners.length]
  return next?.column === field.column && (next.isExact || !isOrder)
}

/** Advises on unique keys: a caller learns from a 409 that another owner has the value. */
export function telltalesOf(
  { resource, described, field, fields }: Table,
  fixWriter: FixWriter,
): readonly Advice[] {
  const owners = ownerFieldsOf(resource).map((name) => field.get(name)?.column ?? name)
  const nameOf = (column: string) =>
    fields.find((candidate) => candidate.column === column)?.name ?? column
  const keys = [...described.keys.values()]
  return keys.flatMap((key) => {
    const isOfOwner = owners.length === 0 || key.some((column) => owners.includes(column))
    const [first = ''] = key
    if (isOfOwner || (key.length === 1 && nameOf(first) === 'id')) return []
    const message =
      `The unique key (${key.join(', ')}) has no ${owners.join(' and ')}: ` +
      'a conflict tells a caller that another owner has the value.'
    const wide = [...owners, ...key]
    const isThere = keys.some(
      (key) => key.length === wide.length && wide.every((column) => key.includes(column)),
    )
    return isThere
      ? [advised(nameOf(first), `${message} Drop it: (${wide.join(', ')}) is unique too.`)]
      : [
          advised(
            nameOf(first),
            message,
            fixWriter.addIndex({ kind: 'unique index', owners: wide, columns: [] }),
          ),
        ]
  })
}
