/** A value now, or a promise of it. */
export type Awaitable<Value> = Value | PromiseLike<Value>

/** Tells whether something has to be waited for. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}

/** Goes on with a value: at once where it is there, so that what is synchronous stays so, or when its promise is fulfilled. */
export function whenReady<Value, Next>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return isPending(value) ? Promise.resolve(value).then(next) : next(value)
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
    return isPending(value) ? Promise.resolve(value).then(next).catch(failed) : next(value)
  } catch (error) {
    return failed(error)
  }
}

function isPending<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return isPromise(value)
}
