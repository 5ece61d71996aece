import { type RawBuilder, sql } from 'kysely'
import type { Engine, Session, SessionWithTransactions } from './engine.ts'
import { compile, noValues, type RunContext, run } from './statement.ts'

/** An open transaction. */
interface Begun {
  /** The session for its statements. */
  readonly session: Session
  commit(): Promise<void>
  rollBack(): Promise<void>
}

/** Begins a transaction on a connection, by the engine's statement or by the dialect. */
export async function beginTransaction(
  session: SessionWithTransactions,
  engine: Engine,
  deadline: RunContext['deadline'],
): Promise<Begun> {
  if (engine.begin === undefined) return beginByDialect(session, deadline)
  const running = { session, deadline }
  await send(running, engine.begin)
  return {
    session,
    commit: () => send(running, commit),
    rollBack: () => insist(session, rollbacks),
  }
}

// A dialect may keep its transactions outside the connection: libsql has an object for each.
async function beginByDialect(
  session: SessionWithTransactions,
  deadline: RunContext['deadline'],
): Promise<Begun> {
  const transaction = await session.startTransaction().execute()
  const connection = await transaction.getExecutor().provideConnection(async (held) => held)
  const commitIt = () => transaction.commit().execute()
  return {
    session: transaction,
    commit: () => (deadline === undefined ? commitIt() : deadline.run(connection, commitIt)),
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
      return await send({ session, deadline: undefined }, rollback)
    } catch {
      // The caller throws the first error.
    }
  }
}

const commit = sql<never>`commit`
const rollback = sql<never>`rollback`

async function send(running: RunContext, text: RawBuilder<never>): Promise<void> {
  await run(running, compile(running.session, text), noValues)
}
