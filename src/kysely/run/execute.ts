import type { Operation } from '../../contract/resource/operation.ts'
import { joinsIn } from '../../contract/values/related.ts'
import { type Awaitable, isPending } from '../../convention/awaitable.ts'
import { operations } from '../../convention/operations.ts'
import { isProblem } from '../../convention/problem.ts'
import type { Session } from '../engine/engine.ts'
import { errorToThrow, isChanged, retryDelay } from '../faults.ts'
import { checkUniqueId, openTable } from '../open.ts'
import {
  checkSupported,
  ownersIn,
  type StorageTask,
  type Store,
  type Table,
  TableSelection,
} from '../table.ts'
import { pause, type QueryDeadline, withDeadline } from './deadline.ts'
import { sessionOf } from './session.ts'

export { performUpTo, sessionOf } from './session.ts'

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
    executeWithRetries(store, operation, perform, { deadline })
  const startInTurn = store.isJoined
    ? (deadline?: QueryDeadline) => inTurn(store.database, () => start(deadline))
    : start
  return store.engine.endsAtOnce ? startInTurn() : withDeadline(store, operation, startInTurn)
}

/**
 * Performs a read as {@link execute} does. Returns the result itself where no statement waits for a
 * connection.
 */
export function executeRead<Result>(
  store: Store,
  operation: Operation,
  perform: (task: StorageTask) => Awaitable<Result>,
): Awaitable<Result> {
  const performLater = async (task: StorageTask): Promise<Result> => perform(task)
  const { engine, isJoined, tables } = store
  const table = tables.get(operation.resource)
  if (engine.runAtOnce === undefined || isJoined || table === undefined)
    return execute(store, operation, performLater)
  const task = taskOf(store, operation, table)
  const retry = (first: Promise<Result>): Promise<Result> =>
    executeWithRetries(store, operation, performLater, { first: { task, result: first } })
  try {
    checkIdentity(table, operation, tables)
    checkSupported(table, operation)
    const result = perform(task)
    return isPending(result) ? retry(Promise.resolve(result)) : result
  } catch (error) {
    return retry(Promise.reject(error))
  }
}

function taskOf(
  store: Store,
  operation: Operation,
  table: Table,
  deadline?: QueryDeadline,
): StorageTask {
  return { store, operation, table, session: store.database, deadline, states: new Map() }
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

/** What an execution begins with. */
interface Beginning<Result> {
  readonly deadline?: QueryDeadline | undefined
  /** The first attempt, which has begun. */
  readonly first?: { readonly task: StorageTask; readonly result: Promise<Result> }
}

async function executeWithRetries<Result>(
  store: Store,
  operation: Operation,
  perform: Perform<Result>,
  { deadline, first }: Beginning<Result>,
): Promise<Result> {
  const { tables } = store
  let isRenewed = false
  let isSplit = false
  let since: number | undefined
  for (let attempts = 1; ; attempts++) {
    let task = attempts === 1 ? first?.task : undefined
    try {
      if (attempts === 1 && first !== undefined) return await first.result
      const table = tables.get(operation.resource) ?? (await openTable(store, operation.resource))
      checkIdentity(table, operation, tables)
      const started = { ...taskOf(store, operation, table, deadline), isSplit }
      task = started
      checkSupported(table, operation)
      return await (operations[operation.kind].safe
        ? perform(started)
        : sessionOf(store).attempt(started, () => perform(started)))
    } catch (error) {
      const isOver = deadline?.isOver ?? operation.signal.aborted
      const context = { store, operation, task, isOver }
      // The table has changed, so the adapter looks it up again, once.
      if (isChanged(error, context) && !isRenewed && task?.hasWritten !== true && !isOver) {
        isRenewed = tables.delete(operation.resource)
        forgetSelected(operation)
        if (isRenewed && !store.isJoined) continue
      }
      since ??= performance.now()
      // The user's transaction may be over, and only the user can repeat all of it.
      const wait =
        isOver || store.isJoined ? undefined : retryDelay(error, context, { attempts, since })
      if (wait === undefined) isSplit = await mayTellItem(error, context)
      else await pause(wait)
    }
  }
}

interface Failed {
  readonly store: Store
  readonly operation: Operation
  readonly task: StorageTask | undefined
  /** No client waits any more. */
  readonly isOver: boolean
}

// A statement of one item tells which item the database rejects. Throws where that is no question.
async function mayTellItem(error: unknown, failed: Failed): Promise<true> {
  const thrown = await errorToThrow(error, failed)
  const isLocated = isProblem(thrown) && thrown.members.issues?.length !== 0
  if (failed.isOver || failed.task?.isShared !== true || isLocated) throw thrown
  return true
}

/** Performs an operation as {@link execute} does, in one transaction. */
export function transact<Result>(
  store: Store,
  operation: Operation,
  perform: Perform<Result>,
): Promise<Result> {
  return execute(store, operation, (task) => inTransaction(task, () => perform(task)))
}

/** Performs a part of {@link execute} in one transaction. */
export function inTransaction<Result>(
  task: StorageTask,
  perform: () => Promise<Result>,
): Promise<Result> {
  return sessionOf(task.store).transact(task, perform)
}

// Forgets a table without a key, since you may add one.
function checkIdentity(
  table: Table,
  { scope, resource }: Operation,
  tables: Store['tables'],
): void {
  if (table.isUniqueById) return
  try {
    checkUniqueId(table, ownersIn(scope))
  } catch (error) {
    tables.delete(resource)
    throw error
  }
}

// Forgets the tables of the selections of an operation, since the database may have changed.
function forgetSelected({ query }: Operation): void {
  for (const join of joinsIn(query)) {
    if (!(join?.selection instanceof TableSelection)) continue
    const { store, operation } = join.selection
    store.tables.delete(operation.resource)
    forgetSelected(operation)
  }
}
