import type { Awaitable } from '../convention/awaitable.ts'

/** The options of a server that stops on signals. */
export interface StopOptions {
  /**
   * The signals that stop the server: `['SIGTERM', 'SIGINT']`. The first one closes it, calls
   * `onStop` and ends the process with code 0. Later ones change nothing. Default: none.
   */
  readonly stopOn?: readonly NodeJS.Signals[]
  /**
   * Called when a signal has closed the server: `() => db.destroy()`. The process ends after it,
   * and does not wait longer than `closeTimeout`. An error ends the process with code 1.
   */
  readonly onStop?: () => Awaitable<unknown>
}

/** A server to stop, its options with their defaults. */
interface Stoppable extends Required<StopOptions> {
  readonly close: () => Promise<void>
  readonly closeTimeout: number
  /** Called at the first signal, before `close`. */
  readonly onSignal: (signal: NodeJS.Signals) => void
}

// Several servers of a process stop at once. The last one ends the process.
let stopping = 0
let hasFailed = false

/** Stops a server on signals. Returns its `close`, which also removes the listeners. */
export function stopOnSignals({
  close,
  closeTimeout,
  stopOn,
  onStop,
  onSignal,
}: Stoppable): () => Promise<void> {
  let isStopping = false
  const remove = (): void => {
    for (const signal of stopOn) process.off(signal, stop)
  }
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    // A second signal waits too.
    if (isStopping) return
    isStopping = true
    stopping++
    onSignal(signal)
    try {
      await close()
      await callInTime(onStop, closeTimeout)
    } catch (error) {
      hasFailed = true
      console.error('The server did not stop well:', error)
    }
    stopping--
    // The listeners stay until the end: a later signal would end the process with another code.
    if (stopping === 0) process.exit(hasFailed ? 1 : undefined)
    remove()
  }
  for (const signal of new Set(stopOn)) process.on(signal, stop)
  return async () => {
    await close()
    if (!isStopping) remove()
  }
}

async function callInTime(onStop: () => Awaitable<unknown>, closeTimeout: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`onStop took more than ${closeTimeout} ms`))
    timer = setTimeout(fail, closeTimeout)
  })
  try {
    await Promise.race([onStop(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the line of a stop: `Stopping (SIGTERM): 2 requests open`. */
export function lineOfStop(signal: NodeJS.Signals, open: number): string {
  return `Stopping (${signal}): ${open} ${open === 1 ? 'request' : 'requests'} open`
}

const example = `"stopOn: ['SIGTERM', 'SIGINT']"`

/**
 * Checks `stopOn` and `onStop`.
 *
 * @throws {TypeError} For other values than signals that a process can receive and a function.
 */
export function checkStop(options: object): void {
  const stopOn: unknown = Reflect.get(options, 'stopOn')
  const onStop: unknown = Reflect.get(options, 'onStop')
  if (onStop !== undefined && typeof onStop !== 'function') {
    throw new TypeError('onStop must be a function, as in "onStop: () => db.destroy()".')
  }
  if (stopOn === undefined && onStop !== undefined) {
    throw new TypeError(`onStop needs the signals that stop the server: add ${example}.`)
  }
  if (stopOn === undefined) return
  const signals: readonly unknown[] | undefined = Array.isArray(stopOn) ? stopOn : undefined
  const wrong = signals === undefined ? stopOn : signals.find((signal) => !isSignal(signal))
  if (signals?.every(isSignal)) return
  throw new TypeError(
    `stopOn cannot be ${JSON.stringify(wrong)}: write a list of signals, as in ${example}.`,
  )
}

// No process can listen to these two.
const uncatchableSignals: readonly unknown[] = ['SIGKILL', 'SIGSTOP']

function isSignal(signal: unknown): boolean {
  const { signals } = process.getBuiltinModule('node:os').constants
  return (
    typeof signal === 'string' &&
    Object.hasOwn(signals, signal) &&
    !uncatchableSignals.includes(signal)
  )
}
