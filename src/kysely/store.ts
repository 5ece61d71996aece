import type { Operation } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import { Batch } from './batch.ts'
import { type Deadline, withDeadline } from './deadline.ts'
import type { Database, Session } from './engine.ts'
import { errorToThrow, type FailureContext, isChanged, retryDelay } from './errors.ts'
import { checkIdentity } from './identity.ts'
import { openTable, type TableSource } from './open.ts'
import type { Search } from './options.ts'
import { onConnection, type RunContext } from './statement.ts'
import { checkSupported } from './supported.ts'
import type { Table } from './table.ts'
import { beginTransaction } from './transaction.ts'

/** A database, and where in it a resource is. */
export interface Store extends TableSource {
  readonly database: Database
  /** Milliseconds that an operation may take. */
  readonly timeout: number
  /** What was looked up, by the resource as it was declared. */
  readonly tables: WeakMap<Resource, Table>
  /** How items are searched, where that is not by LIKE. */
  readonly search: Search | undefined
  readonly make: Makers
}

/** What the server adds to items. */
interface Makers {
  readonly nextId: (() => Item['id']) | undefined
  readonly onCreate: Unchecked['make'] | undefined
  readonly onUpdate: Unchecked['make'] | undefined
}

// Declared as a method, whose parameters TypeScript compares both ways, so that a maker of any shape fits.
interface Unchecked {
  make(item: object, stored: object): object
}

/** What an operation is carried out with. */
export interface Task extends RunContext {
  readonly table: Table
  session: Session
  /** A statement has written what no transaction takes back. Default: none has. */
  hasWritten?: boolean
  /** Several items are written. */
  readonly isBulk: boolean
  /** The items that are written, for what may be said of them. Default: none. */
  written?: readonly object[]
  /** The place in a bulk of the item that is being written. Default: unknown. */
  index?: number | undefined
}

/** Carries out an operation, or a part of it. */
export type TaskFunction<Result> = (task: Task) => Promise<Result>

/**
 * Carries out an operation that is one statement. It is done again when the database has rolled it back, and,
 * where nothing is written, when the connection was lost.
 *
 * @throws {ProblemError} What the database refused, in the words of the convention; `unavailable` when it does not answer in time.
 */
export function execute<Result>(
  store: Store,
  operation: Operation,
  perform: TaskFunction<Result>,
): Promise<Result> {
  const { engine, timeout: milliseconds, database } = store
  // A statement of an embedded engine is done when it returns.
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
  deadline?: Deadline,
): Promise<Result> {
  const { engine, timeout, database: session } = store
  let isRenewed = false
  let since: number | undefined
  for (let attempts = 1; ; attempts++) {
    let task: Task | undefined
    try {
      const table =
        store.tables.get(operation.resource) ?? (await lookUpTable(store, operation.resource))
      checkIdentity(table, operation, store.tables)
      task = { table, session, deadline, isBulk: operation.kind === 'updateMany' }
      checkSupported(table, operation)
      return await perform(task)
    } catch (error) {
      const isOver = deadline?.isOver ?? operation.signal.aborted
      // Somebody has changed the table: it is looked up again, once.
      if (isChanged(error, engine) && !isRenewed && task?.hasWritten !== true && !isOver) {
        isRenewed = store.tables.delete(operation.resource)
        if (isRenewed) continue
      }
      since ??= performance.now()
      const tried = { attempts, milliseconds: performance.now() - since, timeout }
      const wait = isOver ? undefined : retryDelay(error, { engine, operation }, tried)
      if (wait === undefined) throw await errorToThrow(error, contextOf(store, operation, task))
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

function contextOf(
  { engine, database }: Store,
  operation: Operation,
  task: Task | undefined,
): FailureContext {
  const { table, index, written = [] } = task ?? {}
  return { engine, operation, session: database, table, index, written }
}

/** As {@link execute}, in one transaction: everything that is done, or nothing. */
export function transact<Result>(
  store: Store,
  operation: Operation,
  perform: TaskFunction<Result>,
): Promise<Result> {
  return execute(store, operation, (task) => inTransaction(store, task, perform))
}

/**
 * Begins writings, each of one statement, which are then done all or none.
 *
 * @param should What is asked of how many items each changes: `= 1`.
 */
export async function inBatch<Result>(
  task: Task,
  condition: string,
  begin: (batched: Task) => readonly Promise<Result>[],
): Promise<readonly Result[]> {
  const batch = new Batch()
  const begun = begin({ ...task, batch })
  const sent = onConnection(task, (connection) => batch.send(connection, condition))
  const [results] = await Promise.all([Promise.all(begun), sent])
  return results
}

/** Does a part of {@link execute} in a transaction; of an engine that has none, where the statements themselves see to what has changed meanwhile. */
export function inTransaction<Result>(
  { database, engine }: Store,
  task: Task,
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
 * Looks the table of a resource up, and remembers it.
 *
 * @throws {TypeError} As {@link openTable}. The next look-up starts anew.
 */
export async function lookUpTable(store: Store, resource: Resource): Promise<Table> {
  const table = await openTable(store.database, store, resource)
  store.tables.set(resource, table)
  return table
}
