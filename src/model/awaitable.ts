import { ProblemError } from './problem.ts'

/** A value now, or a promise of it. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/** Tells whether something has to be waited for. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  // Asked of whatever comes along, for which looking it up is several times as fast as asking whether it is there.
  return typeof (value as { readonly then?: unknown }).then === 'function'
}

/** Goes on with a value: at once where it is there, so that what is synchronous stays so, or when its promise is fulfilled. */
export function whenReady<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return isPending(value) ? Promise.resolve(value).then(next) : next(value)
}

/** As {@link whenReady}, with what `next` needs besides: where the value is there, no function has to be made to hold it. */
export function whenReadyFor<Value, About, Next>(
  value: Awaitable<Value>,
  about: About,
  next: (value: Value, about: About) => Awaitable<Next>,
): Awaitable<Next> {
  return isPending(value)
    ? Promise.resolve(value).then((given) => next(given, about))
    : next(value, about)
}

/** Takes a value and returns the next one, or the problem that ends the way. */
export type Flowing<Value> = (value: Value) => Awaitable<Value | ProblemError>

/**
 * Composes steps into one. It stays synchronous until a step returns a promise, and ends at the
 * first problem that a step returns. `false` stands for a step with nothing to do.
 */
export function flow<Value extends object>(
  ...steps: readonly (Flowing<Value> | false)[]
): Flowing<Value> {
  const taken = steps.filter((step) => step !== false)
  return (value) => run(taken, 0, value)
}

function run<Value extends object>(
  steps: readonly Flowing<Value>[],
  first: number,
  start: Value | ProblemError,
): Awaitable<Value | ProblemError> {
  let value = start
  for (let index = first; index < steps.length && !(value instanceof ProblemError); index++) {
    const made = (steps[index] as Flowing<Value>)(value)
    // Asked of every step's result: a call of isPending() would cost as much as the step.
    if ('then' in made) {
      return Promise.resolve(made).then((later) => run(steps, index + 1, later))
    }
    value = made
  }
  return value
}

/** Does something for each value, one after another, and waits only where there is something to wait for. */
export function inTurn<Value, Made>(
  values: readonly Value[],
  make: (value: Value) => Awaitable<Made>,
): Awaitable<readonly Made[]> {
  const all: Made[] = []
  for (const [place, value] of values.entries()) {
    const made = make(value)
    if (isPending(made)) return finish(values.slice(place + 1), make, { all, made })
    all.push(made)
  }
  return all
}

async function finish<Value, Made>(
  values: readonly Value[],
  make: (value: Value) => Awaitable<Made>,
  { all, made }: { readonly all: Made[]; readonly made: PromiseLike<Made> },
): Promise<readonly Made[]> {
  all.push(await made)
  for (const value of values) all.push(await make(value))
  return all
}

/** Does something that may take time, then goes on with what it gave or with what it or `next` threw, whichever way it came. */
export function settle<Value, Next>(
  start: () => Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
  failed: (error: unknown) => Awaitable<Next>,
): Awaitable<Next> {
  try {
    const value = start()
    if (!isPending(value)) return next(value)
    // One promise, where a `catch` behind it would be another.
    return Promise.resolve(value).then((given) => settleNext(given, next, failed), failed)
  } catch (error) {
    return failed(error)
  }
}

function settleNext<Value, Next>(
  given: Value,
  next: (value: Value) => Awaitable<Next>,
  failed: (error: unknown) => Awaitable<Next>,
): Awaitable<Next> {
  try {
    const made = next(given)
    return isPending(made) ? Promise.resolve(made).catch(failed) : made
  } catch (error) {
    return failed(error)
  }
}

/** The longest that a timer waits, in milliseconds: about 24 days. With more it would ring at once. */
export const maxTimer = 2_147_483_647

/** How a clock runs. */
export interface ClockOptions {
  /** The process goes on for other reasons, and need not for this clock. Default: false. */
  readonly isAttended?: boolean | undefined
}

/** Calls a function once so many milliseconds have passed, unless it is stopped with `clearTimeout`. */
export function startClock(
  ring: () => void,
  milliseconds: number,
  { isAttended = false }: ClockOptions,
): ReturnType<typeof setTimeout> {
  const clock = setTimeout(ring, milliseconds)
  // Only Node's can.
  const unref: unknown = isAttended ? Reflect.get(Object(clock), 'unref') : undefined
  if (typeof unref === 'function') unref.call(clock)
  return clock
}

/**
 * Gives what a promise gives, or once so many milliseconds have passed what `late` gives or throws; what the promise gives or
 * throws after that is lost.
 */
export function within<Value>(
  promise: PromiseLike<Value>,
  milliseconds: number,
  { late, ...options }: { readonly late: () => Value } & ClockOptions,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    // As what `late` throws.
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

/** As {@link isPromise}, of a value whose type is known. */
export function isPending<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return 'then' in value && typeof value.then === 'function'
}

/** Lets the process serve other requests first: a stream that never waits would block it. */
export function nextTurn(): Promise<void> {
  const soon: unknown = Reflect.get(globalThis, 'setImmediate')
  return new Promise((resolve) => {
    // Browsers have only timers, which take a millisecond. Deno reads no socket between its immediates.
    if (typeof soon === 'function' && !('Deno' in globalThis)) soon.call(globalThis, resolve)
    else setTimeout(resolve, 0)
  })
}
