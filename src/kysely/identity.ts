import type { Operation } from '../model/operation.ts'
import type { Resource } from '../model/resource.ts'
import { fieldFor, type Table } from './table.ts'

/**
 * Checks that an id names one item in the scope of an operation. Forgets the table if not, since
 * you may add a key.
 *
 * @throws {TypeError} With the text of {@link issueOfIdentity}.
 */
export function checkIdentity(
  table: Table,
  { scope, resource }: Operation,
  tables: WeakMap<Resource, Table>,
): void {
  const failure = table.isUniqueById ? undefined : issueOfIdentity(table, Object.keys(scope))
  if (failure === undefined) return
  tables.delete(resource)
  throw new TypeError(failure)
}

/**
 * Checks that a statement about one id has read or written at most one row.
 *
 * @throws {TypeError} For more rows: the "key" of the adapter is wrong. The database rolls the
 *   write back.
 */
export function checkSingle({ tableName, resource }: Table, rows: number): void {
  if (rows < 2) return
  throw new TypeError(
    `An id of "${resource.name}" names ${rows} rows of "${tableName}": ` +
      'name the fields that identify an item in "key".',
  )
}

/**
 * Explains why an id may name several items of an owner, and what to change. Returns `undefined` if
 * a unique key excludes that.
 *
 * @param owners The fields of the scope.
 */
export function issueOfIdentity(table: Table, owners: readonly string[]): string | undefined {
  const { tableName, resource, described, keys } = table
  const [id, ...others] = ['id', ...owners].map((name) => fieldFor(table, name).column)
  const given = [id, ...others]
  if (keys.some((key) => key.every((column) => given.includes(column)))) return undefined
  const known = others.length === 0 ? '' : `, alone or together with ${quoted(others)}`
  const failure =
    `The database has no unique key on "${id}" of "${tableName}"${known}, ` +
    `so an id of "${resource.name}" may name several items`
  if (!described.isTable) {
    const fields = ['id', ...owners].join("', '")
    return `${failure}: name the fields that identify an item, as in key: ['${fields}'].`
  }
  const wider = keys.find((key) => key.some((column) => column === id))
  if (wider === undefined) {
    return `${failure}: add one, as in create unique index … on ${tableName} (${given.join(', ')}).`
  }
  const parents = quoted(wider.filter((column) => column !== id))
  return `${failure}: add one, or serve it only below ${parents}, as its key (${wider.join(', ')}).`
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
