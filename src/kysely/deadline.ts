import type { ConnectionProvider, DatabaseConnection } from 'kysely'
import { problem } from '../model/problem.ts'

const longestCancelling = 1000

type ControlProvider = Parameters<NonNullable<DatabaseConnection['cancelQuery']>>[0]

/** A time by which an operation must be done. */
export class Deadline {
  #reason: unknown
  #connection: DatabaseConnection | undefined
  #cancelling: Promise<void> | undefined

  /**
   * Runs a statement on a connection, unless it is too late.
   *
   * @throws {ProblemError} `unavailable`.
   */
  async run<Result>(connection: DatabaseConnection, start: () => Promise<Result>): Promise<Result> {
    if (this.#reason !== undefined) throw this.#reason
    this.#connection = connection
    try {
      return await start()
    } finally {
      this.#connection = undefined
      // Nobody else gets the connection while it may still be cancelled; unless that waits for this one.
      if (this.#cancelling !== undefined)
        await Promise.race([this.#cancelling, pause(longestCancelling)])
    }
  }

  /** It is too late; for everything that follows too. */
  get isOver(): boolean {
    return this.#reason !== undefined
  }

  /** Makes it too late: no statement is begun any more, and the one that runs is cancelled, where the dialect knows how. */
  expire(reason: unknown, control: ControlProvider): void {
    this.#reason = reason
    const connection = this.#connection
    if (connection?.cancelQuery === undefined) return
    // Whoever waited has been told; there is nobody to tell that it could not be cancelled.
    this.#cancelling = cancel(connection, control).catch(() => undefined)
  }
}

async function cancel(connection: DatabaseConnection, control: ControlProvider): Promise<void> {
  await connection.collectSessionInfo?.()
  await connection.cancelQuery?.(control)
}

/** When something is given up, and by whom statements are then cancelled. */
export interface TimeLimit {
  readonly milliseconds: number
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal
  readonly provider: Pick<ConnectionProvider, 'provideConnection'>
}

// A process that stands still, or whose event loop is busy, has not been waiting: of that time, a part counts at most.
const parts = 4

/**
 * Does something, but does not wait for it longer than that.
 *
 * @throws {ProblemError} `unavailable`.
 */
export function withDeadline<Result>(
  { milliseconds, signal, provider }: TimeLimit,
  task: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const deadline = new Deadline()
    let partsLeft = parts
    const timer = setInterval(() => {
      partsLeft--
      if (partsLeft === 0)
        giveUp(new Error(`The database gave no answer within ${milliseconds} ms.`))
    }, milliseconds / parts)
    const giveUp = (cause: unknown): void => {
      clearInterval(timer)
      const reason = problem('unavailable', undefined, { cause })
      reject(reason)
      deadline.expire(reason, (use) => provider.provideConnection(use))
    }
    const leave = (): void => giveUp(signal.reason)
    signal.addEventListener('abort', leave)
    const stop = (): void => {
      clearInterval(timer)
      signal.removeEventListener('abort', leave)
    }
    if (signal.aborted) leave()
    task(deadline).then(resolve, reject).then(stop)
  })
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
