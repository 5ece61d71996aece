import type { Operation } from '../../contract/resource/operation.ts'
import { operations } from '../../convention/operations.ts'
import type { Session } from '../engine/engine.ts'
import { errorToThrow, isChanged, retryDelay } from '../faults.ts'
import { openTable } from '../open.ts'
import { onConnection } from '../sql/statement.ts'
import { checkIdentity, checkSupported, type StorageTask, type Store } from '../table.ts'
import { Batch, isGuarded } from './batch.ts'
import { pause, type QueryDeadline, withDeadline } from './deadline.ts'
import { beginTransaction, inSavepoint } from './transaction.ts'

type Perform<Result> = (task: StorageTask) => Promise<Result>

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
  perform: Perform<Result>,
): Promise<Result> {
  const start = (deadline?: QueryDeadline) =>
    executeWithRetries(store, operation, perform, deadline)
  const startInTurn = store.isJoined
    ? (deadline?: QueryDeadline) => inTurn(store.database, () => start(deadline))
    : start
  // A statement of an embedded engine ends before it returns.
  return store.engine.isEmbedded ? startInTurn() : withDeadline(store, operation, startInTurn)
}

const turns = new WeakMap<object, Promise<unknown>>()

// A savepoint is about all statements of a connection, also those of other adapters.
async function inTurn<Result>(transaction: Session, start: () => Promise<Result>): Promise<Result> {
  const connection = await transaction.getExecutor().provideConnection(async (held) => held)
  const result = (turns.get(connection) ?? Promise.resolve()).then(start)
  turns.set(
    connection,
    result.catch(() => undefined),
  )
  return result
}

async function executeWithRetries<Result>(
  store: Store,
  operation: Operation,
  perform: Perform<Result>,
  deadline?: QueryDeadline,
): Promise<Result> {
  const { database: session, tables } = store
  let isRenewed = false
  let since: number | undefined
  for (let attempts = 1; ; attempts++) {
    let task: StorageTask | undefined
    try {
      const table = tables.get(operation.resource) ?? (await openTable(store, operation.resource))
      checkIdentity(table, operation, tables)
      const started = { store, operation, table, session, deadline, states: new Map() }
      task = started
      checkSupported(table, operation)
      const isUndone = store.isJoined && !operations[operation.kind].safe
      return await (isUndone ? inSavepoint(started, () => perform(started)) : perform(started))
    } catch (error) {
      const context = { store, operation, task }
      const isOver = deadline?.isOver ?? operation.signal.aborted
      // The table has changed, so the adapter looks it up again, once.
      if (isChanged(error, context) && !isRenewed && task?.hasWritten !== true && !isOver) {
        isRenewed = tables.delete(operation.resource)
        if (isRenewed && !store.isJoined) continue
      }
      since ??= performance.now()
      // The user's transaction may be over, and only the user can repeat all of it.
      const wait =
        isOver || store.isJoined ? undefined : retryDelay(error, context, { attempts, since })
      if (wait === undefined) throw await errorToThrow(error, context)
      await pause(wait)
    }
  }
}

/** Performs an operation as {@link execute} does, in one transaction. */
export function transact<Result>(
  store: Store,
  operation: Operation,
  perform: Perform<Result>,
): Promise<Result> {
  return execute(store, operation, (task) => inTransaction(task, () => perform(task)))
}

/** Writes of one statement each. */
interface Writes<Part, Result> {
  /** The condition on the number of items that each changes: `= 1`. */
  readonly condition: string
  /** Returns the index of the item that a part writes; `undefined` for several items. */
  placeOf(write: Part): number | undefined
  perform(task: StorageTask, write: Part): Promise<Result>
}

/** Performs all writes or none: in one batch, or one after another in the open transaction. */
export async function performAll<Part, Result>(
  task: StorageTask,
  parts: readonly Part[],
  { condition, placeOf, perform }: Writes<Part, Result>,
): Promise<readonly Result[]> {
  if (task.store.engine.hasBatches)
    return inBatch(task, condition, (batched) => parts.map((write) => perform(batched, write)))
  const results: Result[] = []
  for (const write of parts) {
    task.index = placeOf(write)
    results.push(await perform(task, write))
  }
  // A deferred constraint may be about any of the items.
  task.index = undefined
  return results
}

/**
 * Performs a write, and returns the number of its items. Returns `undefined` for more items than
 * allowed: the caller then has to fail, which undoes the write.
 */
export async function performUpTo(
  task: StorageTask,
  most: number,
  perform: (task: StorageTask) => Promise<number>,
): Promise<number | undefined> {
  if (!task.store.engine.hasBatches) {
    const count = await perform(task)
    return count <= most ? count : undefined
  }
  try {
    const [count] = await inBatch(task, `<= ${most}`, (batched) => [perform(batched)])
    return count
  } catch (error) {
    if (isGuarded(error)) return undefined
    throw error
  }
}

async function inBatch<Result>(
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
 * Performs a part of {@link execute} in a transaction, or directly in the transaction of the user.
 * An engine without transactions performs it directly, since its statements check for concurrent
 * changes.
 */
export function inTransaction<Result>(
  task: StorageTask,
  perform: () => Promise<Result>,
): Promise<Result> {
  const { database, engine } = task.store
  if (engine.hasBatches || task.store.isJoined) return perform()
  return database.connection().execute(async (session) => {
    const transaction = await beginTransaction(session, engine, task.deadline)
    task.session = transaction.session
    try {
      const result = await perform()
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollBack()
      throw error
    }
  })
}
