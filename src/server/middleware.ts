import { type Awaitable, isPending, whenReady } from '../model/awaitable.ts'
import { operations } from '../model/convention.ts'
import type { Operation, Outcome } from '../model/operation.ts'
import type { Middleware } from '../model/registry.ts'
import { isStream } from '../model/stream.ts'
import { fieldOf } from '../model/value.ts'
import { isCount, isItem, isNameable } from './checks/outcome.ts'

/** Carries out an operation through the middleware; the first is the outermost. */
export function through(
  middleware: readonly Middleware[],
  { operation, context }: { readonly operation: Operation; readonly context: unknown },
  carryOut: () => Awaitable<Outcome>,
): Awaitable<Outcome> {
  const run = (index: number): Awaitable<Outcome> => {
    const layer = middleware[index]
    if (!layer) return carryOut()
    const outcome = layer(
      operation,
      context,
      onceAtATime(() => run(index + 1)),
    )
    return whenReady(outcome, (given) => checkOutcome(given, operation))
  }
  return run(0)
}

// A second call would write twice. After a failure the middleware may try again.
function onceAtATime(proceed: () => Awaitable<Outcome>): () => Awaitable<Outcome> {
  let isTaken = false
  const free = (): void => {
    isTaken = false
  }
  return () => {
    if (isTaken) {
      throw new TypeError(
        'A middleware called next() again after a success: keep the outcome of the first call.',
      )
    }
    isTaken = true
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
  if (outcome?.gives === operations[kind].gives && isWhole(outcome, operation)) return outcome
  throw new TypeError(
    `A middleware returned no { gives: '${operations[kind].gives}', … } for "${kind}": ` +
      'return the outcome of next().',
  )
}

// The types say the same of a middleware's own outcome; plain JavaScript has no types.
function isWhole(outcome: Outcome, { kind, resource }: Operation): boolean {
  const given: unknown = fieldOf(outcome, outcome.gives)
  if (outcome.gives === 'items') {
    const total = fieldOf(outcome, 'total')
    const isCounted = total === undefined || isCount(total)
    return isCounted && (Array.isArray(given) ? given.every(isItem) : isStream(given))
  }
  return outcome.gives === 'item'
    ? isItem(given) && (kind !== 'create' || isNameable(given, resource))
    : isCount(given)
}
