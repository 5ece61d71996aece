import type { Adapter } from './contract/resource/adapter.ts'
import type { AdapterShape, Operation } from './contract/resource/operation.ts'
import {
  asSiblings,
  keepsReadOnly,
  skipsItems,
  tellsStorage,
} from './contract/resource/siblings.ts'
import { checkFunction, checkOptions } from './convention/declaration.ts'
import { isRecord } from './convention/value.ts'
import {
  deleteItem,
  modifyBulk,
  modifyItem,
  readItem,
  updateItem,
  updateItems,
} from './kysely/change.ts'
import { countGroupsInTable, countInTable } from './kysely/count.ts'
import { createBulk, createItem } from './kysely/create.ts'
import { deleteAllJudged, deleteItems, deleteJudged, deleteSelected } from './kysely/delete.ts'
import { adviseOn, examineTable } from './kysely/doctor/advice.ts'
import { checkTable } from './kysely/doctor/ready.ts'
import {
  type ColumnMap,
  type ColumnOptions,
  columnsOf,
  type DatabaseSource,
  type FoldColumn,
  type FoldMap,
  fieldTypes,
  type KyselyHooks,
  type KyselyOptions,
} from './kysely/options.ts'
import { listFromTable, readEndOfList } from './kysely/read.ts'
import { withRelatedIds } from './kysely/related-ids.ts'
import { Homes, type OpenStore, openerOf, type StoreSettings } from './kysely/run/source.ts'
import { joins, selectionIn } from './kysely/selection.ts'
import { heldIn, storedFormOf } from './kysely/stored-form.ts'
import type { Store } from './kysely/table.ts'

export { type D1Database, type D1Result, type D1Statement, d1Dialect } from './kysely/engine/d1.ts'
export {
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
  sqliteDialect,
} from './kysely/engine/sqlite-dialect.ts'
export {
  type ColumnOptions,
  type DatabaseSource,
  type FieldType,
  type FoldColumn,
  type KyselyOptions,
  type Naming,
  type Search,
  type SearchTerms,
  snakeCase,
} from './kysely/options.ts'

const optionNames: Record<keyof KyselyOptions<AdapterShape>, true> = {
  table: true,
  writeTo: true,
  columns: true,
  naming: true,
  key: true,
  nextId: true,
  onCreate: true,
  onUpdate: true,
  visible: true,
  softDelete: true,
  folded: true,
  search: true,
  timeout: true,
}

/**
 * Keeps a resource in a table of SQLite, PostgreSQL, MariaDB or MySQL, through Kysely. Supports all
 * operations in every scope, with the results of the memory adapter. Column names come from the
 * contract, never from a request.
 *
 * `registry.ready()` or the first request looks the table up. Kysely's plugins do not apply.
 *
 * With a transaction as its database, the adapter joins it: your code commits it or rolls it back.
 * A write that fails undoes its own changes only. The adapter repeats nothing, and reads a list
 * whole.
 *
 * A numeric revision field counts up with every write, unless `onCreate` and `onUpdate` set it.
 *
 * @param db The database, or a function that returns the one of a request.
 * @throws {TypeError} For an unknown option, a missing table name, two fields with one column, and
 *   the dialect of another database.
 */
export function kyselyAdapter<S extends AdapterShape, Tables = unknown>(
  db: DatabaseSource<S['context'], Tables>,
  options: KyselyOptions<S>,
): Adapter<S> {
  checkOptions('A kyselyAdapter', options, optionNames)
  const { settings, hooks } = settingsOf(options)
  // The adapter asks the database for its tables, so their types say nothing to it.
  const homes = new Homes(db as DatabaseSource)
  const open = openerOf(homes, settings, hooks)
  // The checks have no request. They ask of a hook only whether it is there.
  const onCreate = hooks.onCreate && (() => ({}))
  const storeFor = (context?: unknown): Store | undefined => {
    const home = homes.find(context)
    return home && { ...settings, ...home, onCreate }
  }
  const adapter: Adapter = {
    ...methodsOf(open),
    storedForm(operation, context) {
      const store = storeFor(context)
      return store && storedFormOf(store, operation)
    },
    holdsValue: heldIn(storeFor),
    layout: () => settings,
    storage: tellsStorage(() => db),
    ready: (resource, mounts) => {
      const store = storeFor()
      return store && checkTable(store, resource, mounts)
    },
    advise: (resource) => {
      const store = storeFor()
      return store ? adviseOn(store, resource) : []
    },
    examine: (resource, mounts) => {
      const store = storeFor()
      return store ? examineTable(store, resource, mounts) : { table: settings.table, advice: [] }
    },
  }
  // The core checks the values of the database. The compiler cannot.
  return asSiblings(adapter) as Adapter<S>
}

function methodsOf(open: OpenStore): Adapter {
  const reading =
    <Result>(read: (store: Store, operation: Operation) => Promise<Result>) =>
    (operation: Operation, context: unknown): Promise<Result> =>
      withRelatedIds(open(operation, context), operation, read)
  return {
    list: skipsItems(reading(listFromTable)),
    create: (operation, context) => createItem(open(operation, context), operation),
    createMany: (operation, context) => createBulk(open(operation, context), operation),
    updateMany: (operation, context) => updateItems(open(operation, context), operation),
    deleteAll: (operation, context) => deleteItems(open(operation, context), operation),
    deleteMany: (operation, context) => deleteSelected(open(operation, context), operation),
    read: (operation, context) => readItem(open(operation, context), operation),
    update: keepsReadOnly((operation, context) => updateItem(open(operation, context), operation)),
    modify: (operation, context, change) => modifyItem(open(operation, context), operation, change),
    modifyMany: (operation, context, change) =>
      modifyBulk(open(operation, context), operation, change),
    delete: (operation, context) => deleteItem(open(operation, context), operation),
    remove: (operation, context, judge) => deleteJudged(open(operation, context), operation, judge),
    removeMany: (operation, context, judge) =>
      deleteAllJudged(open(operation, context), operation, judge),
    first: reading(readEndOfList),
    last: reading(readEndOfList),
    count: reading(countInTable),
    countBy: reading(countGroupsInTable),
    selection: (operation, context) => selectionIn(open(operation, context), operation),
    joinsSelection: (operation, context) => joins(open(operation, context), operation),
  }
}

function settingsOf<S extends AdapterShape>({
  table,
  writeTo,
  columns = {},
  key,
  timeout = 10_000,
  ...options
}: KyselyOptions<S>): { readonly settings: StoreSettings; readonly hooks: KyselyHooks } {
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
  const { search, naming, nextId, softDelete, folded = {}, ...hooks } = options
  checkFolded(folded)
  if (softDelete !== undefined && (typeof softDelete !== 'string' || softDelete === '')) {
    throw new TypeError(
      'The "softDelete" of a kyselyAdapter names a column: write softDelete: \'deleted_at\'.',
    )
  }
  for (const [name, value] of Object.entries({ search, naming, nextId, ...hooks })) {
    if (value !== undefined)
      checkFunction(`"${name}" of a kyselyAdapter`, value, `${name}: () => …`)
  }
  columnsOf({ table, columns, naming }, Object.keys(columns))
  const settings = { table, writeTo, columns, naming, key, timeout, search, softDelete, folded }
  return { settings: { ...settings, ...(nextId && { nextId }) }, hooks }
}

function checkWriteTo(writeTo: unknown): void {
  if (writeTo === undefined || (typeof writeTo === 'string' && writeTo !== '')) return
  throw new TypeError(
    'The "writeTo" of a kyselyAdapter names the table below a view: ' +
      "write { table: 'view', writeTo: 'table' }.",
  )
}

const knownOfFold: Record<keyof FoldColumn, true> = { column: true, writes: true }

function checkFolded(folded: FoldMap): void {
  const isNamed = (fold: unknown): boolean => typeof fold === 'string' && fold !== ''
  const remedy = "write folded: { name: 'name_folded' }"
  if (!isRecord(folded))
    throw new TypeError(`The "folded" of a kyselyAdapter names columns by field: ${remedy}.`)
  for (const [field, fold] of Object.entries(folded)) {
    if (isRecord(fold)) checkOptions(`The fold of "${field}"`, fold, knownOfFold)
    if (fold !== undefined && !isNamed(isRecord(fold) ? fold.column : fold))
      throw new TypeError(`The fold of "${field}" has no column: ${remedy}.`)
  }
}

const knownOfColumn: Record<keyof ColumnOptions, true> = { name: true, type: true, writeOnly: true }

function checkColumns(columns: ColumnMap): void {
  if (!isRecord(columns)) {
    throw new TypeError(
      "A kyselyAdapter needs columns by field: write columns: { field: 'column' }, " +
        'or naming: (field) => column for all fields.',
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
