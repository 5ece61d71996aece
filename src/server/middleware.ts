import type { Operation, Outcome } from '../contract/resource/operation.ts'
import type { Middleware } from '../contract/resource/registry.ts'
import { type Awaitable, isPending, settle, whenReady } from '../convention/awaitable.ts'
import { bodyOf } from '../convention/kinds.ts'
import { operations } from '../convention/operations.ts'
import { isProblem } from '../convention/problem.ts'
import { isStream, take } from '../convention/stream.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { isCount, isItem, isNameable } from './checks/outcome.ts'

/**
 * Carries out an operation through the middleware; the first is the outermost.
 *
 * @param check Checks the outcome of each. Default: it must be of the operation's kind.
 */
export function through(
  middleware: readonly Middleware[],
  { operation, context }: { readonly operation: Operation; readonly context: unknown },
  carryOut: () => Awaitable<Outcome>,
  check: typeof checkOutcome = checkOutcome,
): Awaitable<Outcome> {
  const run = (index: number): Awaitable<Outcome> => {
    const layer = middleware[index]
    if (!layer) return carryOut()
    const outcome = layer(
      operation,
      context,
      onceAtATime(() => run(index + 1)),
    )
    return whenReady(outcome, (result) => check(result, operation))
  }
  return run(0)
}

// A second call would write twice. After a failure the middleware may try again.
function onceAtATime(proceed: () => Awaitable<Outcome>): () => Awaitable<Outcome> {
  let isUsed = false
  const free = (): void => {
    isUsed = false
  }
  return () => {
    if (isUsed) {
      throw new TypeError(
        'A middleware called next() again after a success: keep the outcome of the first call.',
      )
    }
    isUsed = true
    try {
      const outcome = proceed()
      // A middleware that forgets to return the promise must not leave its failure unhandled.
      if (isPending(outcome)) outcome.then(undefined, free)
      return outcome
    } catch (error) {
      free()
      throw error
    }
  }
}

function checkOutcome(outcome: Outcome | undefined, operation: Operation): Outcome {
  const { kind } = operation
  const expected = givesOf(operation)
  const isExpected = outcome !== undefined && expected.includes(outcome.gives)
  if (isExpected && isComplete(outcome, operation)) return outcome
  throw new TypeError(
    `A middleware returned no { gives: '${expected.join("' or '")}', … } for "${kind}": ` +
      'return the outcome of next().',
  )
}

// Before `next`, an operation does not tell whether its body is an array.
function givesOf({ kind, item, items }: Operation): readonly Outcome['gives'][] {
  const { gives } = operations[kind]
  if (bodyOf(kind)?.orMany === undefined || item !== undefined) return [gives]
  return items === undefined ? [gives, 'items'] : ['items']
}

// The types say the same of a middleware's own outcome; plain JavaScript has no types.
function isComplete(outcome: Outcome, { kind, resource, isDryRun }: Operation): boolean {
  const content: unknown = fieldOf(outcome, outcome.gives)
  const isGood = (value: unknown): boolean =>
    isDryRun ? isRecord(value) : isItem(value) && (kind !== 'create' || isNameable(value, resource))
  if (outcome.gives === 'items') {
    const total = fieldOf(outcome, 'total')
    const isCounted = total === undefined || isCount(total)
    return isCounted && (Array.isArray(content) ? content.every(isGood) : isStream(content))
  }
  return outcome.gives === 'item' ? isGood(content) : isCount(content)
}

/** An outcome that tells whether a middleware has looked at it. */
export interface StandIn {
  readonly outcome: Outcome
  /** A middleware has read it, or changed it. */
  readonly isTouched: () => boolean
  /** Checks an outcome for `through`, but does not look at this one. */
  readonly check: typeof checkOutcome
  /** Ends it: whoever reads the outcome later gets an error. */
  readonly end: () => void
}

/**
 * Makes the outcome of a list that nobody reads. A middleware that returns it as it got it hides no
 * item: what it did before `next` is all that it does.
 */
export function standIn(): StandIn {
  let isTouched = false
  let isEnded = false
  const noted =
    <Asked extends readonly unknown[], Result>(answer: (...asked: Asked) => Result) =>
    (...asked: Asked): Result => {
      isTouched = true
      if (!isEnded) return answer(...asked)
      throw new TypeError(
        'A middleware kept the outcome of an operation for another request: read it, or keep none.',
      )
    }
  const [get, has] = [noted(Reflect.get), noted(Reflect.has)]
  const handler: ProxyHandler<Outcome> = {
    // A promise asks each value for it.
    get: (target, key) => (key === 'then' ? undefined : get(target, key)),
    has: (target, key) => key !== 'then' && has(target, key),
    ownKeys: noted(Reflect.ownKeys),
    getOwnPropertyDescriptor: noted(Reflect.getOwnPropertyDescriptor),
    getPrototypeOf: noted(Reflect.getPrototypeOf),
    setPrototypeOf: noted(Reflect.setPrototypeOf),
    set: noted(Reflect.set),
    defineProperty: noted(Reflect.defineProperty),
    deleteProperty: noted(Reflect.deleteProperty),
    isExtensible: noted(Reflect.isExtensible),
    preventExtensions: noted(Reflect.preventExtensions),
  }
  const outcome: Outcome = { gives: 'items', items: [] }
  const unread = new Proxy(outcome, handler)
  return {
    outcome: unread,
    check: (result, operation) => (result === unread ? unread : checkOutcome(result, operation)),
    isTouched: () => isTouched,
    end: () => {
      isEnded = true
    },
  }
}

/** Returns the items of an outcome. A middleware can answer with a stream, of any length. */
export function itemsOfOutcome(outcome: Outcome): Awaitable<readonly object[]> {
  if (outcome.gives === 'item') return [outcome.item]
  // Only kinds that give items have them.
  const { items } = outcome as Extract<Outcome, { readonly gives: 'items' }>
  return isStream(items) ? take(items, Number.POSITIVE_INFINITY) : items
}

/** Returns the ids of the items of an outcome. */
export function idsOfOutcome(outcome: Outcome): Awaitable<ReadonlySet<unknown>> {
  return whenReady(
    itemsOfOutcome(outcome),
    (items) => new Set(items.map((item) => fieldOf(item, 'id'))),
  )
}

const hidingStatuses: readonly number[] = [401, 403, 404]

/**
 * Finds a value; `undefined` where a problem hides it. A middleware hides an item by a problem, and
 * so may an adapter.
 *
 * @throws The reason of the signal: no request that is over waits for items.
 */
export function unlessHidden<Value>(
  find: () => Awaitable<Value>,
  signal: AbortSignal,
): Awaitable<Value | undefined> {
  return settle<Value, Value | undefined>(
    () => {
      signal.throwIfAborted()
      return find()
    },
    (value) => value,
    (error) => {
      if (isProblem(error) && hidingStatuses.includes(error.status)) return undefined
      throw error
    },
  )
}
