import { type RawBuilder, sql } from 'kysely'
import type { Engine, Session, SessionWithTransactions } from './engine.ts'
import { compile, noValues, type RunContext, run } from './statement.ts'

/** A transaction that has begun. */
interface Begun {
  /** Its statements are sent through this. */
  readonly session: Session
  commit(): Promise<void>
  rollBack(): Promise<void>
}

/** Begins a transaction on a connection: by the statement of the engine, or else as the dialect does. */
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

// A dialect may keep its transactions elsewhere than on the connection: libsql has an object for each.
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

// A transaction that stays open would swallow what the next user of the connection writes. Cancelling that comes late hits
// a rollback once; where one fails for good the connection is gone, and so is the transaction.
async function insist(session: Session, attempts: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await send({ session, deadline: undefined }, rollback)
    } catch {
      // The error that led here is the one to tell.
    }
  }
}

const commit = sql<never>`commit`
const rollback = sql<never>`rollback`

async function send(running: RunContext, text: RawBuilder<never>): Promise<void> {
  await run(running, compile(running.session, text), noValues)
}
