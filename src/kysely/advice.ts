import { sql } from 'kysely'
import type { Collection } from '../model/api.ts'
import type { Examination, Misfit } from '../model/misfit.ts'
import { ownerFieldsOf, scopeFieldsOf } from '../model/owned.ts'
import { requiredFieldsOf } from '../model/required.ts'
import type { Resource } from '../model/resource.ts'
import type { Row } from './engine.ts'
import { type Advice, advised, limitsOf } from './limits.ts'
import { type Mender, menderOf } from './mend.ts'
import { openTable } from './open.ts'
import type { BoundField, Store, Table } from './table.ts'

/** Returns what works with a limit. Reads the catalogue, and no row. */
export async function adviseOn(store: Store, resource: Resource): Promise<readonly Misfit[]> {
  const table = await openTable(store, resource)
  const home = store.writeTo ?? store.table
  const mender = await menderOf(store, home, resource)
  const about = { resource: resource.name, table: home }
  return limitsOf(table, mender).map((one) => ({ ...about, ...one }))
}

/** Examines a table that fits: its indexes, collations, nullability and stored dates. */
export async function examineTable(
  store: Store,
  resource: Resource,
  mounts: readonly Collection[],
): Promise<Examination> {
  const table = await openTable(store, resource)
  const home = store.writeTo ?? store.table
  if (!table.described.isTable) return { table: home, advice: [] }
  const mender = await menderOf(store, home, resource)
  const advice = [
    ...limitsOf(table, mender),
    ...collationsOf(table, mender),
    ...nullabilitiesOf(table, store, { mender, mounts }),
    ...(await missingIndexes(table, store, { mender, mounts })),
    ...telltalesOf(table, mender),
    ...(await otherMoments(table, store)),
  ]
  const about = { resource: resource.name, table: home }
  return { table: home, advice: advice.map((one) => ({ ...about, ...one })) }
}

// The fields by which clients order items.
function orderedBy({ resource: { sortable } }: Table): readonly string[] {
  return ['id', ...sortable.filter((name) => name !== 'id')]
}

function isPlain({ stored }: BoundField, { engine }: Table): boolean {
  const { family, ordersExactly, equalsExactly } = stored
  return family !== 'text' || ordersExactly || (engine.dialect === 'sqlite' && equalsExactly)
}

function collationsOf(table: Table, mender: Mender): readonly Advice[] {
  return orderedBy(table).flatMap((name) => {
    const field = table.field.get(name)
    if (field === undefined || isPlain(field, table) || field.stored.isClock) return []
    const message =
      `The column "${field.column}" does not sort by code point, ` +
      `so no index serves the order of "${name}".`
    return [advised(name, message, mender.collate(field.stored))]
  })
}

interface Home {
  readonly mender: Mender
  readonly mounts: readonly Collection[]
}

function nullabilitiesOf(
  table: Table,
  { onCreate }: Store,
  { mender, mounts }: Home,
): readonly Advice[] {
  const { resource, described, fields } = table
  const required = requiredFieldsOf(resource.schema) ?? []
  // SQLite takes a null in a primary key. Few tables have such a row.
  const primary = described.keys.get('primary key') ?? []
  const nullable = fields.filter(
    ({ name, column, stored, isNullable }) =>
      required.includes(name) && stored.isNullable && !isNullable && !primary.includes(column),
  )
  const loose = nullable.map(({ name, column, stored }) => {
    const message = `"${name}" is required, but the column "${column}" may be empty.`
    return advised(name, message, stored.isComputed ? undefined : mender.require(stored, true))
  })
  if (resource.without.includes('create') || onCreate !== undefined) return loose
  const sent = requiredFieldsOf(resource.create) ?? fields.map(({ name }) => name)
  const parameters = mounts.map(scopeFieldsOf)
  const owners = parameters[0]?.filter((name) => parameters.every((all) => all.includes(name)))
  const set = new Set(['id', resource.revision, ...sent, ...(owners ?? [])])
  const byColumn = new Map(fields.map(({ column, name }) => [column, name]))
  const strict = described.columns.flatMap((column) => {
    const name = byColumn.get(column.name) ?? column.name
    const { isNullable, isGenerated, isComputed } = column
    if (isNullable || isGenerated || isComputed || set.has(name)) return []
    const message =
      `The column "${column.name}" has no default and cannot be empty, ` +
      `but a client may leave out "${name}": POST without it is 422.`
    return [advised(name, message, mender.require(column, false))]
  })
  return [...loose, ...strict]
}

// An index serves an order if it begins with the owners and goes on with the field.
async function missingIndexes(
  table: Table,
  { engine, database, table: viewed, writeTo: name = viewed }: Store,
  { mender, mounts }: Home,
): Promise<readonly Advice[]> {
  const { resource, described, field } = table
  const indexes = await engine.indexes(database, name)
  const known = [...indexes.values(), ...described.keys.values()]
  const filtered = resource.filterable.filter(({ type }) => type !== 'boolean')
  const sought = [...orderedBy(table), ...filtered.map((one) => one.name)]
  const wanted = sought.filter((name) => field.get(name)?.stored.isComputed === false)
  const columnOf = (of: string) => field.get(of)?.column ?? of
  const advice = new Map<string, Advice>()
  for (const { parameters } of mounts) {
    // An item need not hold the parents further out.
    const fields = scopeFieldsOf({ resource, owners: parameters }).filter((name) => field.has(name))
    const owners = fields.map(columnOf)
    for (const name of new Set(wanted)) {
      const bound = field.get(name)
      const columns = [...new Set([...owners, columnOf(name), columnOf('id')])]
      const isLong = bound?.stored.isLong === true || bound?.type === 'json'
      if (isLong || known.some((index) => serves(index, owners, columnOf(name)))) continue
      const path = owners.length === 0 ? '' : ` below ${fields.join(' and ')}`
      const message = `No index serves the order or the filters of "${name}"${path}.`
      // The database then finds an id of another owner no faster than none.
      const isKey = name === 'id' && ownerFieldsOf(resource).length > 0
      const mend = mender.addIndex(columns, isKey ? 'unique index' : undefined)
      advice.set(columns.join(), advised(name, message, mend))
    }
  }
  return [...advice.values()]
}

function serves(index: readonly string[], owners: readonly string[], column: string): boolean {
  const start = index.slice(0, owners.length)
  if (!owners.every((owner) => start.includes(owner))) return false
  return owners.includes(column) || index[owners.length] === column
}

// A caller learns from a 409 that another owner has the value.
function telltalesOf({ resource, described, field, fields }: Table, mender: Mender) {
  const owners = ownerFieldsOf(resource).map((name) => field.get(name)?.column ?? name)
  const nameOf = (column: string) => fields.find((one) => one.column === column)?.name ?? column
  return [...described.keys.values()].flatMap((key) => {
    const isOfOwner = owners.length === 0 || key.some((column) => owners.includes(column))
    const [first = ''] = key
    if (isOfOwner || (key.length === 1 && nameOf(first) === 'id')) return []
    const message =
      `The unique key (${key.join(', ')}) has no ${owners.join(' and ')}: ` +
      'a conflict tells a caller that another owner has the value.'
    return [advised(nameOf(first), message, mender.addIndex([...owners, ...key], 'unique index'))]
  })
}

const sampled = 1000

// Dates of another form compare correctly, but by no index.
async function otherMoments(table: Table, { database }: Store): Promise<readonly Advice[]> {
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
    return [advised(name, message, undefined)]
  })
}
