import type { DatabaseConnection, Kysely } from 'kysely'
import type { Operation } from '../../contract/resource/operation.ts'
import { problem } from '../../convention/problem.ts'

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
  readonly database: Pick<Kysely<unknown>, 'getExecutor'>
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

/** The number of items that a statement may read without a time check. */
export const few = 1000

/** The milliseconds that the rows of a statement stay light. */
export const lightTime = 1000

const leastRows = 50

const mostRows = 2 ** 24

let line: Promise<void> = Promise.resolve()

// One at a time: other requests get their turn between two slices, however many operations read in
// slices.
function takeTurn(): Promise<void> {
  line = line.then(() => pause(0))
  return line
}

/** Runs an operation in slices, so that it never blocks the process for long. */
export class SliceRunner {
  /** The number of items in the next slice. */
  rows: number
  readonly #longest: number
  readonly #least: number
  #since = performance.now()
  #most = mostRows

  /**
   * @param longest The milliseconds of a slice. A slower one reads too much, and one in half the
   *   time may read more.
   * @param bestRows The number of items that each slice passes to the next, which takes time too.
   *   Default: none.
   */
  constructor(longest: number, bestRows = 0) {
    this.#longest = longest
    this.#least = Math.max(leastRows, 2 * bestRows)
    this.rows = Math.max(few, this.#least)
  }

  /** Runs the next slice, after a turn of the event loop if the slices before took long. */
  async run<Result>(slice: () => Promise<Result>): Promise<Result> {
    if (performance.now() - this.#since > this.#longest) {
      await takeTurn()
      this.#since = performance.now()
    }
    const start = performance.now()
    // A driver that leaves the process free does not need smaller slices.
    let isKept = true
    const timer = setTimeout(() => {
      isKept = false
      this.#since = performance.now()
    }, 0)
    try {
      return await slice()
    } finally {
      clearTimeout(timer)
      this.#adapt(isKept ? performance.now() - start : 0)
    }
  }

  /** Bounds the next slices: more rows have more bytes than a slice may have. */
  bound(rows: number): void {
    this.#most = Math.min(mostRows, Math.max(leastRows, Math.floor(rows)))
  }

  #adapt(took: number): void {
    if (took > this.#longest) this.rows = Math.max(this.#least, Math.floor(this.rows / 2))
    if (took < this.#longest / 2) this.rows *= 2
    this.rows = Math.min(this.#most, this.rows)
  }
}

/** The options of a statement that fails at once on a lock, since its sender tries again. */
export const withoutWaiting = Object.freeze({ signal: undefined })
