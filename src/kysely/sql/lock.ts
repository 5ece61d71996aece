import { sql } from 'kysely'
import { isId } from '../../contract/resource/id.ts'
import type { Operation } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { checkRevision } from '../../contract/values/write.ts'
import { type Awaitable, whenReady } from '../../convention/awaitable.ts'
import { problem } from '../../convention/problem.ts'
import type { Row, Sql } from '../engine/engine.ts'
import { isFindable } from '../fields.ts'
import { checkSingle, fieldFor, itemFrom, type StorageTask, stateOf, type Table } from '../table.ts'
import { compile, prepare, run, type StatementValues } from './statement.ts'
import {
  exists,
  existsBelow,
  hasId,
  hasOneOf,
  isWritten,
  keyOfIds,
  keyOfScope,
  where,
} from './where.ts'

/** Reads the item of an id in a scope. With `lock`, locks it until the transaction ends. */
export function readOne(
  task: StorageTask,
  values: StatementValues,
  kind: 'read' | 'lock' = 'read',
): Awaitable<Item | undefined> {
  if (kind === 'read') return readRow(task, values, { kind, baseRow: {} })
  return whenReady(lockBase(task, [hasId(task.table)], values), ([baseRow]) =>
    baseRow === undefined ? undefined : readRow(task, values, { kind, baseRow }),
  )
}

/** How a row is read. */
interface RowRead {
  readonly kind: 'read' | 'lock'
  /** The locked row of the table behind a view. */
  readonly baseRow: Row
}

function readRow(
  task: StorageTask,
  values: StatementValues,
  { kind, baseRow }: RowRead,
): Awaitable<Item | undefined> {
  const { table } = task
  const { scope, id } = values
  const isLocked = kind === 'lock'
  const statement = prepare(task, `${kind} ${keyOfScope(scope)}`, () => {
    const isSought = where([hasId(table), ...exists(task, scope)])
    const lock = isLocked ? lockingOf(table) : sql``
    const selection = isLocked ? selectionWithState(table) : table.selection
    return sql`select ${selection} from ${table.name} ${isSought} ${lock}`
  })
  return whenReady(run(task, statement, values), ({ rows }) => {
    checkSingle(table, rows.length)
    const [stored] = rows
    if (stored === undefined) return undefined
    const item = itemFrom(table, isLocked ? { ...stored, ...baseRow } : stored)
    if (item.id !== id) return undefined
    if (isLocked) keepState(task, item.id, stored)
    return item
  })
}

/**
 * Locks the item that an operation changes. Returns `undefined` if it does not exist.
 *
 * @throws {ProblemError} `precondition_failed` when it has another revision.
 */
export async function lockOne(task: StorageTask, operation: Operation): Promise<Item | undefined> {
  const stored = await readOne(task, operation, 'lock')
  if (stored !== undefined) checkRevision(stored, operation.ifRevision, operation.resource)
  return stored
}

/** Locks the items of ids. Returns them in the order of the ids, `undefined` for absent ones. */
export async function lockRows(
  task: StorageTask,
  ids: readonly Item['id'][],
): Promise<readonly (Item | undefined)[]> {
  const [id] = ids
  if (ids.length === 1 && isPossibleId(id))
    return [await readOne(task, { ...task.operation, id }, 'lock')]
  const locked = await lockMany(task, ids)
  return ids.map((id) => locked.get(id))
}

// A lock through a view fails for outer joins and groups, so the table below it has the lock.
function lockingOf({ base, engine }: Table): Sql {
  return base === undefined ? engine.locking : sql``
}

/**
 * Locks rows of the table below a view and returns their ids and revisions. In MySQL, the view
 * shows the rows as they were when the transaction first read.
 */
async function lockBase(
  { table, session, ...task }: StorageTask,
  isSought: readonly Sql[],
  values: StatementValues,
): Promise<readonly Row[]> {
  const { base, engine, resource } = table
  if (base === undefined) return [{}]
  const id = fieldFor(table, 'id')
  const fields = new Set([id, table.field.get(resource.revision ?? '') ?? id])
  const selected = [...fields]
    .filter((field) => isWritten(table, field))
    .map(({ alias, stored }) => sql`${engine.readable(stored)} as ${sql.id(alias)}`)
  const all = where([...isSought, ...existsBelow(table, values.scope)])
  const rows = sql<Row>`select ${sql.join(selected)} from ${base.name} ${all}
    order by ${sql.id(id.column)} ${engine.locking}`
  return (await run({ session, ...task }, compile(session, rows), values)).rows
}

/** Locks many items of the scope, in an order that prevents deadlocks. */
export async function lockMany(
  task: StorageTask,
  ids: readonly Item['id'][],
): Promise<ReadonlyMap<Item['id'], Item>> {
  const { table, operation } = task
  const { scope } = operation
  const field = fieldFor(table, 'id')
  const items = new Map<Item['id'], Item>()
  const sought = ids.filter((id) => isPossibleId(id) && isFindable(field, id, table.engine))
  if (sought.length === 0) return items
  const values = { ...operation, ids: sought }
  const isListed = hasOneOf(table, sought.length)
  const locked = new Map(
    (await lockBase(task, [isListed], values)).map((row) => [row[field.alias], row]),
  )
  const statement = prepare(task, `lock ${keyOfIds(sought.length)} ${keyOfScope(scope)}`, () => {
    const all = where([isListed, ...exists(task, scope)])
    return sql`select ${selectionWithState(table)} from ${table.name} ${all}
      order by ${sql.id(field.column)} ${lockingOf(table)}`
  })
  const { rows } = await run(task, statement, values)
  for (const row of rows) {
    const baseRow = table.base === undefined ? row : locked.get(row[field.alias])
    const item = baseRow && itemFrom(table, { ...row, ...baseRow })
    if (item === undefined) continue
    items.set(item.id, item)
    keepState(task, item.id, row)
  }
  return items
}

const alias = '(state)'

/** Returns the columns of an item, and the state of its row if the database has no locks. */
function selectionWithState(table: Table): Sql {
  const state = stateOf(table)
  return state === undefined
    ? table.selection
    : sql`${table.selection}, ${state} as ${sql.id(alias)}`
}

/** Keeps the state of a row that {@link selectionWithState} has selected. */
function keepState({ table, states }: StorageTask, id: Item['id'], row: Row): void {
  if (table.engine.rowState !== undefined) states.set(id, row[alias])
}

/** Tells whether a value may be an id. No database has to interpret a malformed one. */
export function isPossibleId(id: unknown): id is Item['id'] {
  return typeof id === 'number' ? Number.isFinite(id) : typeof id === 'string' && isId(id)
}

/**
 * Returns `undefined` for an item that does not exist.
 *
 * @throws {ProblemError} `precondition_failed` when it has another revision.
 */
export async function checkRevisionOfAbsent(
  task: StorageTask,
  values: StatementValues,
): Promise<undefined> {
  if (values.ifRevision === undefined) return undefined
  const stored = await readOne(task, values)
  if (stored)
    throw problem(
      'precondition_failed',
      'The item has changed since you read it: read it again, and repeat the request.',
    )
  return undefined
}
