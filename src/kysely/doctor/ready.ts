import type { Collection } from '../../contract/resource/api.ts'
import { type Resource, scopeFieldsOf } from '../../contract/resource/resource.ts'
import { filtersOf } from '../../contract/schema/filter.ts'
import { jsonSchemaOf } from '../../contract/schema/json-schema.ts'
import { outlineOf } from '../../contract/schema/outline.ts'
import { filterOperators } from '../../convention/filter-operators.ts'
import type { Mismatch } from '../../convention/mismatch.ts'
import { isProblem } from '../../convention/problem.ts'
import { checkUniqueId, openTable, unfit } from '../open.ts'
import { filteredField } from '../sql/filter.ts'
import { fieldFor, type Store, type Table } from '../table.ts'
import { createFixWriter, type FixWriter, mismatchWith } from './fix.ts'

/**
 * Looks up the table of a resource and checks that it serves every path of the resource.
 *
 * @throws {TypeError} With every mismatch, one in each line of the message.
 */
export async function checkTable(
  store: Store,
  resource: Resource,
  mounts: readonly Collection[],
): Promise<void> {
  const table = await openTable(store, resource)
  const { sortable, searchable, countable, revision } = resource
  const named = [
    ...sortable,
    ...searchable,
    ...countable,
    ...(revision === undefined ? [] : [revision]),
  ]
  const failures = new Map<string, Remedy>()
  const attempt = (check: () => void, remedy: Remedy = {}): void => {
    try {
      check()
    } catch (error) {
      // A client gets it for some values.
      if (isProblem(error)) return
      failures.set(Object(error).message, remedy)
    }
  }
  for (const name of named) attempt(() => fieldFor(table, name), { field: name })
  for (const { field, operator } of filtersOf(resource).values()) {
    const { type, name } = field
    const is = [filterOperators[operator].is].flat()[0] ?? 'in'
    if (type !== 'id')
      attempt(() => filteredField(table, { field: name, type, is, values: [] }), { field: name })
  }
  // A key for the top serves the paths below parents too.
  const scopes = mounts.map(scopeFieldsOf)
  const isAtTop = scopes.some((fields) => fields.length === 0)
  for (const owners of isAtTop ? [[]] : scopes)
    attempt(() => checkUniqueId(table, owners), { fix: fixOfKey(table, owners) })
  attempt(() => checkNewIds(store, table), { field: 'id', fix: fixOfIds(table) })
  if (failures.size > 0) throw unfit(await mismatchesFrom(failures, store, table))
}

async function mismatchesFrom(
  failures: ReadonlyMap<string, Remedy>,
  store: Store,
  { resource, described }: Table,
): Promise<readonly Mismatch[]> {
  const table = store.writeTo ?? store.table
  const fixWriter = await createFixWriter(store, { table, resource, described })
  return [...failures].map(([message, { field, fix }]) =>
    mismatchWith(
      { resource: resource.name, table, ...(field !== undefined && { field }), message },
      described.isTable ? fix?.(fixWriter) : undefined,
    ),
  )
}

type FixBy = (fixWriter: FixWriter) => ReturnType<FixWriter['addIndex']>

interface Remedy {
  readonly field?: string
  readonly fix?: FixBy
}

function fixOfKey(table: Table, owners: readonly string[]): FixBy {
  const bound = ['id', ...owners].flatMap((name) => table.field.get(name) ?? [])
  const columns = bound.map(({ column }) => column)
  const isHere = columns.every((column) => table.base?.columns.has(column) !== false)
  return (fixWriter) => {
    if (bound.length <= owners.length || !isHere) return undefined
    const key = fixWriter.addIndex({ kind: 'unique index', owners: columns, columns: [] })
    if (key !== undefined) return key
    // MySQL holds no text of any length in an index.
    const [long] = bound.filter(({ stored }) => stored.kind === 'text' && stored.isLong)
    return long && fixWriter.shorten(long.stored)
  }
}

function fixOfIds({ field }: Table): FixBy {
  const id = field.get('id')
  return (fixWriter) => {
    if (id === undefined) return undefined
    return id.type === 'number' ? fixWriter.count(id.stored) : fixWriter.retype(id, id.stored)
  }
}

/**
 * Checks that new items get ids, if clients send none.
 *
 * @throws {TypeError} When no one makes the ids, and when the column is too short for a UUID.
 */
function checkNewIds({ nextId, onCreate }: Store, table: Table): void {
  const { resource, described, tableName } = table
  const { type, stored, column } = fieldFor(table, 'id')
  const isOurs = nextId === undefined && onCreate === undefined && stored.origin === 'client'
  const isOffered = !resource.without.includes('create') && described.supports.insert
  if (!isOurs || !isOffered || !lacksId(resource)) return
  if (type === 'number')
    throw new TypeError(
      `The database does not count up "${column}" of "${tableName}", so a new item has no id: ` +
        'give the column a default, or the kyselyAdapter a "nextId".',
    )
  const { length = uuidLength } = 'length' in stored ? stored : {}
  if (length >= uuidLength) return
  throw new TypeError(
    `The column "${column}" of "${tableName}" holds ${length} characters, ` +
      `but a new id is a UUID of ${uuidLength}: lengthen it, or give the kyselyAdapter a "nextId".`,
  )
}

const uuidLength = 36

// Tells whether clients cannot send the id of a new item.
function lacksId({ create }: Resource): boolean {
  const json = jsonSchemaOf(create)
  const fields = json && outlineOf(json).fields
  return fields !== undefined && !fields.has('id')
}
