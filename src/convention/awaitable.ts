/** A value now, or a promise of it. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/** Tells whether a value is a promise, of any library. */
export function isPending<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return 'then' in value && typeof value.then === 'function'
}

/** Calls `next` with a value: at once, or when its promise is fulfilled. */
export function whenReady<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return isPending(value) ? Promise.resolve(value).then(next) : next(value)
}

/** Calls `make` for each value, one after another, and waits only for promises. */
export function inTurn<Value, Made>(
  values: readonly Value[],
  make: (value: Value, place: number) => Awaitable<Made>,
): Awaitable<readonly Made[]> {
  const results: Made[] = []
  for (const value of values) {
    const result = make(value, results.length)
    if (isPending(result))
      return finish(values.slice(results.length + 1), make, { results, pending: result })
    results.push(result)
  }
  return results
}

async function finish<Value, Made>(
  values: readonly Value[],
  make: (value: Value, place: number) => Awaitable<Made>,
  { results, pending }: { readonly results: Made[]; readonly pending: PromiseLike<Made> },
): Promise<readonly Made[]> {
  results.push(await pending)
  for (const value of values) results.push(await make(value, results.length))
  return results
}

/**
 * Calls `start`, then `next` with its value, or `failed` with an error of either, thrown or
 * rejected.
 */
export function settle<Value, Next>(
  start: () => Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
  failed: (error: unknown) => Awaitable<Next>,
): Awaitable<Next> {
  try {
    const value = start()
    if (!isPending(value)) return next(value)
    // A `catch` would make a second promise.
    return Promise.resolve(value).then((fulfilled) => settleNext(fulfilled, next, failed), failed)
  } catch (error) {
    return failed(error)
  }
}

function settleNext<Value, Next>(
  value: Value,
  next: (value: Value) => Awaitable<Next>,
  failed: (error: unknown) => Awaitable<Next>,
): Awaitable<Next> {
  try {
    const result = next(value)
    return isPending(result) ? Promise.resolve(result).catch(failed) : result
  } catch (error) {
    return failed(error)
  }
}

/** The longest wait of a timer, in milliseconds: about 24 days. A longer one would ring at once. */
export const maxTimer = 2_147_483_647

/** The options of a clock. */
export interface ClockOptions {
  /** The clock does not keep the process alive. Default: false. */
  readonly isAttended?: boolean | undefined
}

/** Calls a function after so many milliseconds, unless `clearTimeout` stops it. */
export function startClock(
  ring: () => void,
  milliseconds: number,
  { isAttended = false }: ClockOptions,
): ReturnType<typeof setTimeout> {
  const clock = setTimeout(ring, milliseconds)
  // Only Node has it.
  const unref: unknown = isAttended ? Reflect.get(Object(clock), 'unref') : undefined
  if (typeof unref === 'function') unref.call(clock)
  return clock
}

/**
 * Settles as a promise does, or after so many milliseconds as `late` does. Drops a later result of
 * the promise.
 */
export function within<Value>(
  promise: PromiseLike<Value>,
  milliseconds: number,
  { late, ...options }: { readonly late: () => Value } & ClockOptions,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    // Rejects where `late` throws.
    const ring = (): void => resolve(Promise.resolve().then(late))
    const clock = startClock(ring, milliseconds, options)
    const stopped = (settle: () => void): void => {
      clearTimeout(clock)
      settle()
    }
    Promise.resolve(promise).then(
      (value) => stopped(() => resolve(value)),
      (error) => stopped(() => reject(error)),
    )
  })
}

/** Lets the process serve other requests first. A stream that never waits would block it. */
export function nextTurn(): Promise<void> {
  const soon: unknown = Reflect.get(globalThis, 'setImmediate')
  return new Promise((resolve) => {
    // Browsers have only timers. Deno reads no socket between its immediates.
    if (typeof soon === 'function' && !('Deno' in globalThis)) soon.call(globalThis, resolve)
    else setTimeout(resolve, 0)
  })
}

/** A computation that yields at the end of each turn, then returns. */
export type Turns<Result> = Generator<unknown, Result>

/**
 * Runs a computation in turns. The result is synchronous when the first turn is the last.
 *
 * @returns A function that returns the result. All its callers share the computation, and one of
 *   them advances it in each turn. So it goes on when the request that began it stops.
 */
export function runTurns<Result>(work: Turns<Result>): () => Awaitable<Result> {
  let turn: IteratorResult<unknown, Result> | undefined
  let count = 0
  function goOn(): IteratorResult<unknown, Result> {
    count++
    turn = work.next()
    return turn
  }
  async function finish(): Promise<Result> {
    for (let before = count; ; before = count) {
      await nextTurn()
      const latest = turn && (turn.done || count > before) ? turn : goOn()
      if (latest.done) return latest.value
    }
  }
  return () => {
    const latest = turn ?? goOn()
    return latest.done ? latest.value : finish()
  }
}
