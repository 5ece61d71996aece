import type { Kysely } from 'kysely'
import type { BatchTransactions, Database, Engine, Session } from '../engine/engine.ts'
import { onConnection, type RunContext, send } from '../sql/statement.ts'
import { Batch } from './batch.ts'

/** One connection of a database, for transactions. */
type HeldConnection = Pick<Kysely<unknown>, 'getExecutor' | 'startTransaction'>

/** The database of a session. */
interface SessionStore {
  readonly database: Database
  readonly engine: Engine
  /** The database is an open transaction of the caller, who ends it. */
  readonly isJoined: boolean
}

/** An attempt of an operation, as its session changes it. */
interface SessionTask extends RunContext {
  readonly store: SessionStore
  session: Session
  index?: number | undefined
}

/** Writes of one statement each. */
interface Writes<Task, Part, Result> {
  /** The condition on the number of items that each changes: `= 1`. */
  readonly condition: string
  /** Returns the index of the item that a part writes; `undefined` for several items. */
  placeOf(write: Part): number | undefined
  perform(task: Task, write: Part): Promise<Result>
}

/** How the statements of an operation run together. */
export interface SessionKind {
  /**
   * Each statement is final: no failure undoes it. `performAll` then does not say which write the
   * database rejects. It says so in the task's `index` otherwise.
   */
  readonly isFinal: boolean
  /** Performs an operation. A failure undoes its own statements, if nothing else does. */
  attempt<Result>(task: RunContext, perform: () => Promise<Result>): Promise<Result>
  /** Performs a part of an operation: all of its statements or none. */
  transact<Result>(task: SessionTask, perform: () => Promise<Result>): Promise<Result>
  /** Performs all writes or none. The caller has begun a transaction by `transact`. */
  performAll<Task extends SessionTask, Part, Result>(
    task: Task,
    parts: readonly Part[],
    writes: Writes<Task, Part, Result>,
  ): Promise<readonly Result[]>
}

/** Returns how the statements on a database run together. */
export function sessionOf({ engine: { transactions }, isJoined }: SessionStore): SessionKind {
  if (isJoined) return joined
  if (transactions?.kind !== 'batch') return begun
  const session = sessions.get(transactions) ?? batches(transactions)
  sessions.set(transactions, session)
  return session
}

const sessions = new WeakMap<BatchTransactions, SessionKind>()

/** One write after another, in the open transaction. */
const inSequence: Pick<SessionKind, 'isFinal' | 'performAll'> = {
  isFinal: false,
  async performAll(task, parts, { placeOf, perform }) {
    const results = []
    for (const write of parts) {
      task.index = placeOf(write)
      results.push(await perform(task, write))
    }
    // A deferred constraint may be about any of the items.
    task.index = undefined
    return results
  },
}

function directly<Result>(_: unknown, perform: () => Promise<Result>): Promise<Result> {
  return perform()
}

/** The transaction of the user. A failure undoes the statements of its own operation alone. */
const joined: SessionKind = {
  ...inSequence,
  attempt: async (task, perform) => completed(await openSavepoint(task), perform),
  transact: directly,
}

/** A transaction of its own for each operation. */
const begun: SessionKind = {
  ...inSequence,
  attempt: directly,
  transact: (task, perform) =>
    task.store.database.connection().execute(async (connection) => {
      const { transactions } = task.store.engine
      const transaction =
        transactions?.kind === 'statement'
          ? await beginByStatement(connection, transactions.begin)
          : await beginByDialect(connection, task.deadline)
      task.session = transaction.session
      return completed(transaction, perform)
    }),
}

/** Statements of one batch. Those before it are final, so each checks for concurrent changes. */
function batches({ guard }: BatchTransactions): SessionKind {
  const inBatch = async <Task extends SessionTask, Result>(
    task: Task,
    condition: string,
    begin: (batched: Task) => readonly Promise<Result>[],
  ): Promise<readonly Result[]> => {
    const batch = new Batch()
    const begun = begin({ ...task, batch })
    const sent = onConnection(task, (connection) => batch.send(connection, guard(condition)))
    const [results] = await Promise.all([Promise.all(begun), sent])
    return results
  }
  return {
    isFinal: true,
    attempt: directly,
    transact: directly,
    performAll: (task, parts, { condition, perform }) =>
      inBatch(task, condition, (batched) => parts.map((write) => perform(batched, write))),
  }
}

/**
 * Performs a write, and returns the number of its items. Returns `undefined` for more items than
 * allowed: the caller then has to fail, which undoes the write.
 */
export async function performUpTo<Task extends SessionTask>(
  task: Task,
  most: number,
  perform: (task: Task) => Promise<number>,
): Promise<number | undefined> {
  const { transactions } = task.store.engine
  const writes = { condition: `<= ${most}`, placeOf: () => undefined, perform }
  try {
    const [count = 0] = await sessionOf(task.store).performAll(task, [task], writes)
    return count <= most ? count : undefined
  } catch (error) {
    if (transactions?.kind === 'batch' && transactions.isGuarded(error)) return undefined
    throw error
  }
}

/** Statements that are undone together. */
interface UnitOfWork {
  readonly session: Session
  commit(): Promise<unknown>
  rollBack(): Promise<unknown>
}

async function completed<Result>(
  unit: UnitOfWork,
  perform: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await perform()
    await unit.commit()
    return result
  } catch (error) {
    await unit.rollBack()
    throw error
  }
}

async function beginByStatement(session: HeldConnection, begin: string): Promise<UnitOfWork> {
  await send(session, begin)
  return {
    session,
    commit: () => send(session, 'commit'),
    rollBack: () => insist(session, rollbacks),
  }
}

// A dialect may keep its transactions outside the connection: libsql has an object for each.
async function beginByDialect(
  session: HeldConnection,
  deadline: RunContext['deadline'],
): Promise<UnitOfWork> {
  const transaction = await session.startTransaction().execute()
  const connection = await transaction.getExecutor().provideConnection(async (held) => held)
  const commit = () => transaction.commit().execute()
  return {
    session: transaction,
    commit: () => (deadline === undefined ? commit() : deadline.run(connection, commit)),
    rollBack: () =>
      transaction
        .rollback()
        .execute()
        .catch(() => insist(session, rollbacks - 1)),
  }
}

const rollbacks = 3

// An open transaction would swallow the writes of the connection's next user. A late cancellation
// may hit one rollback. If all attempts fail, the connection is lost, and its transaction too.
async function insist(session: Session, attempts: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await send(session, 'rollback')
    } catch {
      // The caller throws the first error.
    }
  }
}

// The user may go on after a failure: in PostgreSQL, every further statement would fail otherwise.
async function openSavepoint({ session, deadline }: RunContext): Promise<UnitOfWork> {
  const commit = () => send(session, 'release savepoint nounful', deadline)
  await send(session, 'savepoint nounful', deadline)
  return {
    session,
    commit,
    // After the deadline the connection may belong to another request.
    rollBack: () =>
      send(session, 'rollback to savepoint nounful', deadline)
        .then(commit)
        .catch(() => undefined),
  }
}
