import type { Engine, HeldConnection, Session } from '../engine/engine.ts'
import { type RunContext, send } from '../sql/statement.ts'

/** An open transaction, with the session for its statements. */
interface Transaction {
  readonly session: Session
  commit(): Promise<unknown>
  rollBack(): Promise<unknown>
}

/** Begins a transaction on a connection: by a statement in this process, else by the dialect. */
export async function beginTransaction(
  session: HeldConnection,
  { isEmbedded }: Engine,
  deadline: RunContext['deadline'],
): Promise<Transaction> {
  if (!isEmbedded) return beginByDialect(session, deadline)
  // Writers wait at the start: a transaction that reads before it writes fails if another one
  // writes meanwhile.
  await send(session, 'begin immediate')
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
): Promise<Transaction> {
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

/**
 * Performs a part of the user's transaction. A failure undoes this part alone, so that the user may
 * go on: in PostgreSQL, every further statement would fail otherwise.
 */
export async function inSavepoint<Result>(
  { session, deadline }: RunContext,
  perform: () => Promise<Result>,
): Promise<Result> {
  const release = () => send(session, 'release savepoint nounful', deadline)
  await send(session, 'savepoint nounful', deadline)
  try {
    const result = await perform()
    await release()
    return result
  } catch (error) {
    // After the deadline the connection may belong to another request.
    const undone = send(session, 'rollback to savepoint nounful', deadline)
    await undone.then(release).catch(() => undefined)
    throw error
  }
}
