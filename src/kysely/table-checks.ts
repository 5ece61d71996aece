import { bind } from '../contract/resource/binding.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { methodSets } from '../convention/adapter-methods.ts'
import { type OperationKind, operationKinds, operations } from '../convention/operations.ts'
import { type ProblemError, problem } from '../convention/problem.ts'
import { deletingKind } from './deletion.ts'
import type { WriteKind } from './engine.ts'
import { fieldFor, type Table } from './table.ts'

/**
 * Checks that an id names one item in the scope of an operation. Forgets the table if not, since
 * you may add a key.
 *
 * @throws {TypeError} As {@link checkUniqueId}.
 */
export function checkIdentity(
  table: Table,
  { scope, resource }: Operation,
  tables: WeakMap<Resource, Table>,
): void {
  if (table.isUniqueById) return
  try {
    // Below several owners, an id may name an item of each.
    const owners = Object.keys(scope).filter((name) => name !== 'id' && !Array.isArray(scope[name]))
    checkUniqueId(table, owners)
  } catch (error) {
    tables.delete(resource)
    throw error
  }
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
 * Checks that an id names one item of the owners in these fields.
 *
 * @throws {TypeError} When no unique key says so. The message says what to change.
 */
export function checkUniqueId(table: Table, owners: readonly string[]): void {
  const { tableName, resource, described, keys } = table
  const names = ['id', ...owners]
  const given = names.map((name) => fieldFor(table, name).column)
  if (keys.some((key) => key.every((column) => given.includes(column)))) return
  const [id = '', ...others] = given
  const wider = keys.find((key) => key.includes(id))
  let remedy = `add one, as in create unique index … on ${tableName} (${given.join(', ')})`
  if (wider !== undefined) {
    const parents = quoted(wider.filter((column) => column !== id).map(fieldIn(table)))
    remedy = `add one, or serve it only below ${parents}, as its key (${wider.join(', ')})`
  }
  if (!described.isTable) {
    remedy = `name the fields that identify an item, as in key: ['${names.join("', '")}']`
  }
  const known = others.length === 0 ? '' : `, alone or together with ${quoted(others)}`
  throw new TypeError(
    `The database has no unique key on "${id}" of "${tableName}"${known}, ` +
      `so an id of "${resource.name}" may name several items: ${remedy}.`,
  )
}

function fieldIn({ fields }: Table): (column: string) => string {
  return (name) => fields.find(({ column }) => column === name)?.name ?? name
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

/** Tells whether the body of an operation is an array, so that pointers begin with an index. */
export function isBulk({ items, ids }: Operation): boolean {
  return items !== undefined || ids !== undefined
}

const writeKinds: { readonly [Kind in OperationKind]?: WriteKind } = {
  create: 'insert',
  update: 'update',
  patch: 'update',
  updateMany: 'update',
  patchMany: 'update',
  delete: 'delete',
  deleteAll: 'delete',
}

/**
 * Checks that a table supports the statements of an operation. A view may not.
 *
 * @throws {ProblemError} `method_not_allowed`.
 */
export function checkSupported(table: Table, operation: Operation): void {
  if (!isSupported(table, operation.kind)) throw notSupported(table, operation)
}

/** Returns the problem of an unsupported operation, with the supported methods. */
export function notSupported(table: Table, operation: Operation, cause?: unknown): ProblemError {
  const { kind, resource } = operation
  const others = operationKinds.filter(
    (other) => isSupported(table, other) && writeKinds[other] !== writeKinds[kind],
  )
  const methods = others.flatMap((other) => methodSets[other][0] ?? [])
  const adapter = Object.fromEntries(methods.map((method) => [method, () => undefined]))
  const allow = bind(resource, adapter).methods.get(operations[kind].target)?.allow ?? ''
  return problem('method_not_allowed', undefined, { allow, cause })
}

function isSupported(table: Table, kind: OperationKind): boolean {
  const { described, engine, isTrusted, base } = table
  const writing = writeKinds[kind] === 'delete' ? deletingKind(table) : writeKinds[kind]
  if (writing === undefined) return true
  // The engine could not undo a write of two items.
  if ((isTrusted || base !== undefined) && engine.hasBatches && writing !== 'insert') return false
  return described.supports[writing]
}
