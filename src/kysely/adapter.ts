import { type Kysely, sql } from 'kysely'
import type { Adapter } from '../model/adapter.ts'
import { checkFunction, checkOptions, isRecord } from '../model/declared.ts'
import { keepsReadOnly } from '../model/keeping.ts'
import type { AdapterShape } from '../model/operation.ts'
import { examineTable } from './advice.ts'
import { createItem, deleteItem, deleteItems, updateItem, updateItems } from './change.ts'
import { D1Adapter, d1 } from './d1.ts'
import { EmbeddedAdapter } from './dialect.ts'
import type { Engine, Session } from './engine.ts'
import { type ColumnMap, type ColumnOptions, fieldTypes } from './field.ts'
import { mysql } from './mysql.ts'
import type { KyselyOptions } from './options.ts'
import { postgres } from './postgres.ts'
import { countInTable, listFromTable, readEndOfList, readFromTable } from './read.ts'
import { checkTable } from './ready.ts'
import { embedded, sqlite } from './sqlite.ts'
import type { Store } from './table.ts'

const known: Record<keyof KyselyOptions<AdapterShape>, true> = {
  table: true,
  writeTo: true,
  columns: true,
  key: true,
  nextId: true,
  onCreate: true,
  onUpdate: true,
  search: true,
  timeout: true,
}

/**
 * Keeps a resource in a table of SQLite, PostgreSQL, MariaDB or MySQL, through Kysely. Supports all
 * ten operations in every scope, with the results of the memory adapter. Column names come from the
 * contract, never from a request.
 *
 * `registry.ready()` or the first request looks the table up. Kysely's plugins do not apply.
 *
 * A numeric revision field counts up with every write, unless `onCreate` and `onUpdate` set it.
 *
 * @throws {TypeError} For an unknown option, a missing table name, and the dialect of another
 *   database.
 */
export function kyselyAdapter<S extends AdapterShape, Tables = unknown>(
  db: Kysely<Tables>,
  options: KyselyOptions<S>,
): Adapter<S> {
  checkOptions('A kyselyAdapter', options, known)
  const store = createStore(db, options)
  const adapter: Adapter = {
    list: (operation) => listFromTable(store, operation),
    create: (operation) => createItem(store, operation),
    updateMany: (operation) => updateItems(store, operation),
    deleteAll: (operation) => deleteItems(store, operation),
    read: (operation) => readFromTable(store, operation),
    update: keepsReadOnly((operation) => updateItem(store, operation)),
    delete: (operation) => deleteItem(store, operation),
    first: (operation) => readEndOfList(store, operation),
    last: (operation) => readEndOfList(store, operation),
    count: (operation) => countInTable(store, operation),
    ready: (resource, mounts) => checkTable(store, resource, mounts),
    examine: (resource, mounts) => examineTable(store, resource, mounts),
  }
  // The core checks the values of the database. The compiler cannot.
  return adapter as Adapter<S>
}

function createStore<S extends AdapterShape, Tables>(
  db: Kysely<Tables>,
  { table, writeTo, columns = {}, key, timeout = 10_000, ...options }: KyselyOptions<S>,
): Store {
  if (typeof table !== 'string' || table === '') {
    throw new TypeError("A kyselyAdapter needs a table: write kyselyAdapter(db, { table: '…' }).")
  }
  checkWriteTo(writeTo)
  if (!Number.isInteger(timeout) || timeout <= 0) {
    throw new TypeError(
      `The timeout of a kyselyAdapter cannot be ${timeout}: ` +
        'write a positive whole number of milliseconds, as in "timeout: 10_000".',
    )
  }
  checkColumns(columns)
  if (key !== undefined && !(Array.isArray(key) && key.length > 0)) {
    throw new TypeError(
      'The "key" of a kyselyAdapter names the fields that identify an item: write key: [\'id\'].',
    )
  }
  for (const [name, made] of Object.entries(options)) {
    if (made !== undefined) checkFunction(`"${name}" of a kyselyAdapter`, made, `${name}: () => …`)
  }
  const database = db.withoutPlugins() as Kysely<unknown>
  const engine = engineOf(database)
  return {
    ...options,
    database,
    engine,
    table,
    writeTo,
    columns,
    key,
    timeout,
    tables: new WeakMap(),
  }
}

function checkWriteTo(writeTo: unknown): void {
  if (writeTo === undefined || (typeof writeTo === 'string' && writeTo !== '')) return
  throw new TypeError(
    'The "writeTo" of a kyselyAdapter names the table below a view: ' +
      "write { table: 'view', writeTo: 'table' }.",
  )
}

function engineOf(database: Session): Engine {
  const { adapter } = database.getExecutor()
  if (adapter instanceof D1Adapter) return d1
  if (adapter instanceof EmbeddedAdapter) return embedded
  // Compares the SQL, not the class: a second copy of Kysely has other classes.
  const written = sql`${sql.id('a')} = ${1}`.compile(database).sql
  if (written === '"a" = ?') return sqlite
  if (written === '"a" = $1' && adapter.supportsTransactionalDdl) return postgres
  if (written === '`a` = ?') return mysql
  throw new TypeError(
    `The kyselyAdapter does not know the SQL of ${adapter.constructor.name}: ` +
      'use a dialect of SQLite, PostgreSQL, MySQL or MariaDB.',
  )
}

const knownOfColumn: Record<keyof ColumnOptions, true> = { name: true, type: true }

function checkColumns(columns: ColumnMap): void {
  if (!isRecord(columns)) {
    throw new TypeError(
      "A kyselyAdapter needs columns by field: write columns: { field: 'column' }.",
    )
  }
  for (const [field, column] of Object.entries(columns)) {
    if (typeof column === 'string' || column === undefined) continue
    checkOptions(`The column of "${field}"`, column, knownOfColumn)
    const { type } = column
    if (type === undefined || fieldTypes.includes(type)) continue
    throw new TypeError(
      `The column of "${field}" cannot be of type "${type}": use ${fieldTypes.join(', ')}.`,
    )
  }
}
