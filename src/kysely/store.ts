import type { Operation } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import { Batch } from './batch.ts'
import { pause, type QueryDeadline, withDeadline } from './deadline.ts'
import type { Database, Session } from './engine.ts'
import { errorToThrow, type FailureContext, isChanged, retryDelay } from './errors.ts'
import { checkIdentity } from './identity.ts'
import { openTable, type TableSource } from './open.ts'
import type { Search } from './options.ts'
import { onConnection, type RunContext } from './statement.ts'
import { checkSupported } from './supported.ts'
import type { Table } from './table.ts'
import { beginTransaction } from './transaction.ts'

/** A database, and the table of a resource in it. */
export interface Store extends TableSource {
  readonly database: Database
  /** The milliseconds that an operation may take. */
  readonly timeout: number
  /** The tables that were looked up, by resource. */
  readonly tables: WeakMap<Resource, Table>
  /** The condition of searches, if it is not LIKE. */
  readonly search: Search | undefined
  readonly make: Makers
}

/** The functions that set fields of the server. */
interface Makers {
  readonly nextId: (() => Item['id']) | undefined
  readonly onCreate: Unchecked['make'] | undefined
  readonly onUpdate: Unchecked['make'] | undefined
}

// TypeScript compares the parameters of a method in both directions, so that a function of any
// shape fits.
interface Unchecked {
  make(item: object, stored: object): object
}

/** The table, session and state of one operation. */
export interface StorageTask extends RunContext {
  readonly table: Table
  session: Session
  /** A statement has written outside a transaction. Default: false. */
  hasWritten?: boolean
  /** The task writes several items. */
  readonly isBulk: boolean
  /** The written items, for the issues of a constraint. Default: none. */
  written?: readonly object[]
  /** The index of the written item in a bulk. Default: unknown. */
  index?: number | undefined
}

/** Performs an operation or a part of it. */
export type TaskFunction<Result> = (task: StorageTask) => Promise<Result>

/**
 * Performs an operation of one statement. Repeats it after a rollback by the database, and repeats
 * a read after a lost connection.
 *
 * @throws {ProblemError} The problem for a rejection by the database. `unavailable` after the
 *   timeout.
 */
export function execute<Result>(
  store: Store,
  operation: Operation,
  perform: TaskFunction<Result>,
): Promise<Result> {
  const { engine, timeout: milliseconds, database } = store
  // A statement of an embedded engine ends before it returns.
  if (engine.isEmbedded) return executeWithRetries(store, operation, perform)
  const { signal } = operation
  return withDeadline({ milliseconds, signal, provider: database.getExecutor() }, (deadline) =>
    executeWithRetries(store, operation, perform, deadline),
  )
}

async function executeWithRetries<Result>(
  store: Store,
  operation: Operation,
  perform: TaskFunction<Result>,
  deadline?: QueryDeadline,
): Promise<Result> {
  const { engine, timeout, database: session } = store
  let isRenewed = false
  let since: number | undefined
  for (let attempts = 1; ; attempts++) {
    let task: StorageTask | undefined
    try {
      const table =
        store.tables.get(operation.resource) ?? (await lookUpTable(store, operation.resource))
      checkIdentity(table, operation, store.tables)
      task = { table, session, deadline, isBulk: operation.kind === 'updateMany' }
      checkSupported(table, operation)
      return await perform(task)
    } catch (error) {
      const isOver = deadline?.isOver ?? operation.signal.aborted
      // The table has changed, so the adapter looks it up again, once.
      if (isChanged(error, engine) && !isRenewed && task?.hasWritten !== true && !isOver) {
        isRenewed = store.tables.delete(operation.resource)
        if (isRenewed) continue
      }
      since ??= performance.now()
      const tried = { attempts, milliseconds: performance.now() - since, timeout }
      const wait = isOver ? undefined : retryDelay(error, { engine, operation }, tried)
      if (wait === undefined) throw await errorToThrow(error, contextOf(store, operation, task))
      await pause(wait)
    }
  }
}

function contextOf(
  { engine, database }: Store,
  operation: Operation,
  task: StorageTask | undefined,
): FailureContext {
  const { table, index, written = [] } = task ?? {}
  return { engine, operation, session: database, table, index, written }
}

/** Performs an operation as {@link execute} does, in one transaction. */
export function transact<Result>(
  store: Store,
  operation: Operation,
  perform: TaskFunction<Result>,
): Promise<Result> {
  return execute(store, operation, (task) => inTransaction(store, task, perform))
}

/**
 * Starts writes of one statement each, and performs all or none.
 *
 * @param condition The condition on the number of items that each changes: `= 1`.
 */
export async function inBatch<Result>(
  task: StorageTask,
  condition: string,
  begin: (batched: StorageTask) => readonly Promise<Result>[],
): Promise<readonly Result[]> {
  const batch = new Batch()
  const begun = begin({ ...task, batch })
  const sent = onConnection(task, (connection) => batch.send(connection, condition))
  const [results] = await Promise.all([Promise.all(begun), sent])
  return results
}

/**
 * Performs a part of {@link execute} in a transaction. An engine without transactions performs it
 * directly, since its statements check for concurrent changes.
 */
export function inTransaction<Result>(
  { database, engine }: Store,
  task: StorageTask,
  perform: TaskFunction<Result>,
): Promise<Result> {
  if (engine.hasBatches) return perform(task)
  return database.connection().execute(async (session) => {
    const transaction = await beginTransaction(session, engine, task.deadline)
    task.session = transaction.session
    try {
      const result = await perform(task)
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollBack()
      throw error
    }
  })
}

/**
 * Looks up the table of a resource and remembers it.
 *
 * @throws {TypeError} As {@link openTable}. The next look-up starts again.
 */
export async function lookUpTable(store: Store, resource: Resource): Promise<Table> {
  const table = await openTable(store.database, store, resource)
  store.tables.set(resource, table)
  return table
}
