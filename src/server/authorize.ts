import { type Awaitable, isPromise, whenReady } from '../model/awaitable.ts'
import { operations } from '../model/convention.ts'
import type { HttpRequest } from '../model/http.ts'
import { fieldOf, type Operation, type Outcome } from '../model/operation.ts'
import { withOwnMembers } from '../model/own.ts'
import { orThrow, type ProblemError, problem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { isStream } from '../model/stream.ts'
import { isItem, isNameable } from './check.ts'

/** What may be done only by whom the registry lets. */
interface Authorized {
  readonly operation: Operation
  readonly exchange: { readonly registry: Registry; readonly request: HttpRequest }
}

/**
 * Makes the context of a request, then runs the middleware around what is left to do. Authorization belongs to either,
 * which is why nothing of parameters and body has been judged yet.
 */
export function authorize<Begun extends Authorized>(
  begun: Begun,
  perform: (begun: Begun, context: unknown) => Awaitable<Outcome | ProblemError>,
): Awaitable<Outcome | ProblemError> {
  const { context, middleware } = begun.exchange.registry
  const isOpen = context === undefined && middleware.length === 0
  return isOpen ? perform(begun, undefined) : performWithin(begun, perform)
}

function performWithin<Begun extends Authorized>(
  begun: Begun,
  perform: (begun: Begun, context: unknown) => Awaitable<Outcome | ProblemError>,
): Awaitable<Outcome> {
  const { operation, exchange } = begun
  const { context, middleware } = exchange.registry
  const run = (made: unknown, place: number): Awaitable<Outcome> => {
    const around = middleware[place]
    if (!around) return whenReady(perform(begun, made), orThrow)
    const next = onceAtATime(() => run(made, place + 1))
    const outcome = around(operation, made, next)
    return whenReady(outcome, (given) => checkOutcome(given, operation))
  }
  return context === undefined
    ? run(undefined, 0)
    : whenReady(context(withOwnMembers(exchange.request)), (made) => run(checkContext(made), 0))
}

// Who forgets to say whom a request comes from must not let everybody in.
function checkContext(made: unknown): unknown {
  if (made === undefined) throw problem('unauthenticated')
  if (made === false) throw problem('forbidden')
  return made
}

// Twice would write twice; what has failed may be tried again.
function onceAtATime(proceed: () => Awaitable<Outcome>): () => Awaitable<Outcome> {
  let isTaken = false
  const free = (): void => {
    isTaken = false
  }
  return () => {
    if (isTaken) {
      throw new TypeError(
        'A middleware called next() again though it had not failed: keep what it gave.',
      )
    }
    isTaken = true
    try {
      const outcome = proceed()
      // Also where a middleware forgets to return it: nobody else is there to see it fail.
      if (isPromise(outcome)) outcome.then(undefined, free)
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
    `A middleware answered "${kind}" with something else than { gives: '${operations[kind].gives}', … }: return what next() gives.`,
  )
}

// What the types say of a middleware's own outcome, for those who wrote it without them.
function isWhole(outcome: Outcome, { kind, resource }: Operation): boolean {
  const given: unknown = fieldOf(outcome, outcome.gives)
  if (outcome.gives === 'items') return Array.isArray(given) ? given.every(isItem) : isStream(given)
  return outcome.gives === 'item'
    ? isItem(given) && (kind !== 'create' || isNameable(given, resource))
    : Number.isSafeInteger(given) && Number(given) >= 0
}
