import type { DatabaseConnection } from 'kysely'
import type { Operation } from '../contract/resource/operation.ts'
import { problem } from '../convention/problem.ts'
import type { Session } from './engine.ts'

const longestCancelling = 1000

type ControlProvider = Parameters<NonNullable<DatabaseConnection['cancelQuery']>>[0]

/** The deadline of an operation. */
export class QueryDeadline {
  #reason: unknown
  #connection: DatabaseConnection | undefined
  #cancelling: Promise<void> | undefined

  /**
   * Runs a statement on a connection before the deadline.
   *
   * @throws {ProblemError} `unavailable` after the deadline.
   */
  async run<Result>(connection: DatabaseConnection, start: () => Promise<Result>): Promise<Result> {
    if (this.#reason !== undefined) throw this.#reason
    this.#connection = connection
    try {
      return await start()
    } finally {
      this.#connection = undefined
      // Keeps the connection while it may still be cancelled, unless cancelling waits for this
      // connection.
      if (this.#cancelling !== undefined)
        await Promise.race([this.#cancelling, pause(longestCancelling)])
    }
  }

  /** Tells whether the deadline has passed. */
  get isOver(): boolean {
    return this.#reason !== undefined
  }

  /** Ends the deadline: starts no more statements. Cancels the running one if it can. */
  expire(reason: unknown, control: ControlProvider | undefined): void {
    this.#reason = reason
    const connection = this.#connection
    if (connection?.cancelQuery === undefined || control === undefined) return
    // The caller already has its error, so a failed cancellation concerns no one.
    this.#cancelling = cancel(connection, control).catch(() => undefined)
  }
}

async function cancel(connection: DatabaseConnection, control: ControlProvider): Promise<void> {
  await connection.collectSessionInfo?.()
  await connection.cancelQuery?.(control)
}

// A paused or busy process has not waited for the database. So at most one part of that time
// counts.
const parts = 4

/** The part of a store that bounds an operation. */
interface DeadlineOptions {
  readonly timeout: number
  readonly database: Session
  readonly isJoined: boolean
}

/**
 * Performs work until the timeout (milliseconds), or until no client waits any more.
 *
 * @throws {ProblemError} `unavailable` after that.
 */
export function withDeadline<Result>(
  { timeout, database, isJoined }: DeadlineOptions,
  { signal }: Pick<Operation, 'signal'>,
  perform: (deadline: QueryDeadline) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const deadline = new QueryDeadline()
    let partsLeft = parts
    const timer = setInterval(() => {
      partsLeft--
      if (partsLeft === 0) giveUp(new Error(`The database did not respond within ${timeout} ms.`))
    }, timeout / parts)
    const giveUp = (cause: unknown): void => {
      clearInterval(timer)
      const reason = problem('unavailable', undefined, { cause })
      reject(reason)
      // A transaction has no other connection to cancel its statement.
      const control: ControlProvider = (use) => database.getExecutor().provideConnection(use)
      deadline.expire(reason, isJoined ? undefined : control)
    }
    const leave = (): void => giveUp(signal.reason)
    signal.addEventListener('abort', leave)
    const stop = (): void => {
      clearInterval(timer)
      signal.removeEventListener('abort', leave)
    }
    if (signal.aborted) leave()
    perform(deadline).then(resolve, reject).then(stop)
  })
}

/** Resolves after so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
