import { ownerFieldsOf, scopeFieldsOf } from '../contract/resource/resource.ts'
import { type AdvisedTable, isStored, orderedBy, sortsPlainly } from './column-advice.ts'
import type { IndexColumn } from './engine.ts'
import type { FixWriter } from './fix.ts'
import { type Advice, advised, quotedList } from './limits.ts'
import type { Fix } from './obstacle.ts'
import type { BoundField, Table } from './table.ts'

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
export function missingIndexes(table: Table, home: AdvisedTable): readonly Advice[] {
  const { fixWriter } = home
  const known = indexesOf(table, fixWriter)
  const needs = needsOf(table, home)
  const shorter = shorterOwners(needs, fixWriter)
  const missing: { readonly need: Need; readonly fix: Fix }[] = []
  const long: Need[] = []
  for (const need of needs) {
    if (known.some((index) => serves(index, need))) continue
    const owners = need.owners.map(({ column }) => column)
    const columns = [need.field.column, table.field.get('id')?.column ?? 'id']
    // The database then finds an id of another owner no faster than none.
    const isKey = need.field.name === 'id' && ownerFieldsOf(table.resource).length > 0
    const fix = fixWriter.addIndex({ kind: isKey ? 'unique index' : 'index', owners, columns })
    if (fix === undefined) long.push(need)
    else missing.push({ need, fix })
    known.push([
      ...need.owners.map((owner) => {
        return { column: owner.column, isExact: sortsPlainly(owner, table) }
      }),
      ...columns.map((column) => ({ column, isExact: true })),
    ])
  }
  const served = missing.map(({ need }) => placeOf(need)).join(', ')
  const message = `No index serves the order or the filters of ${served}.`
  return [
    ...shorter,
    ...missing.map(({ need, fix }) => advised(need.field.name, message, fix)),
    ...longOf(long),
  ]
}

// `"text" below owner_id`
function placeOf({ field, owners }: Need): string {
  const path = owners.map(({ name }) => name).join(' and ')
  return owners.length === 0 ? `"${field.name}"` : `"${field.name}" below ${path}`
}

// MySQL holds no text of any length in an index.
function shorterOwners(needs: readonly Need[], fixWriter: FixWriter): readonly Advice[] {
  const owners = new Set(needs.flatMap((need) => need.owners))
  return [...owners].flatMap(({ name, column, stored }) => {
    const fix = stored.isLong ? fixWriter.shorten(stored) : undefined
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
  return [advised(need.field.name, message)]
}

function indexesOf(table: Table, { surroundings }: FixWriter): (readonly IndexColumn[])[] {
  const exact = new Set(
    table.fields.filter((field) => sortsPlainly(field, table)).map(({ column }) => column),
  )
  const keys = [...table.described.keys.values()].map((key) =>
    key.map((column) => ({ column, isExact: exact.has(column) })),
  )
  return [...surroundings.indexes, ...keys]
}

function needsOf(table: Table, { fixWriter, mounts }: AdvisedTable): readonly Need[] {
  const { resource, field } = table
  const filters = resource.filterable.filter(({ type }) => type !== 'boolean')
  const sought = new Set([...orderedBy(table), ...filters.map(({ name }) => name)])
  const fields = [...sought].flatMap((name) => field.get(name) ?? [])
  const wanted = fields.filter(
    (one) => isStored(one, table) && (isIndexable(one) || fixWriter.isRetyped(one.column)),
  )
  // An item need not hold the parents further out.
  const all = mounts.map(({ parameters }) =>
    scopeFieldsOf({ resource, owners: parameters }).flatMap((name) => field.get(name) ?? []),
  )
  const paths = all
    .filter((owners) => owners.every((owner) => isStored(owner, table) && isScalar(owner)))
    .sort((one, other) => other.length - one.length)
  const ordered = new Set(orderedBy(table))
  return wanted.flatMap((field) =>
    paths.map((owners) => ({ field, owners, isOrder: ordered.has(field.name) })),
  )
}

function isScalar({ type, stored }: BoundField): boolean {
  return type !== 'json' && !['json', 'list', 'binary'].includes(stored.family)
}

// The adapter compares other columns by an expression, which no index holds.
function isIndexable(field: BoundField): boolean {
  const { family, isComputed, isLong, isClock } = field.stored
  const isPlainFamily = family !== 'other' && family !== 'digits'
  return isScalar(field) && isPlainFamily && !isComputed && isLong !== true && isClock !== true
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
  const nameOf = (column: string) => fields.find((one) => one.column === column)?.name ?? column
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
      (known) => known.length === wide.length && wide.every((column) => known.includes(column)),
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
