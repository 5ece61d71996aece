import { type Awaitable, isPromise, whenReady } from '../model/awaitable.ts'
import { operations } from '../model/convention.ts'
import type { HttpRequest } from '../model/http.ts'
import { fieldOf, type Operation, type Outcome } from '../model/operation.ts'
import type { Registry } from '../model/registry.ts'
import { isStream } from '../model/stream.ts'

/**
 * Makes the context of a request, then runs the middleware around what is left to do. Authorization belongs to either,
 * which is why nothing of parameters and body has been judged yet.
 */
export function authorize(
  operation: Operation,
  { registry, request }: { readonly registry: Registry; readonly request: HttpRequest },
  perform: (context: unknown) => Awaitable<Outcome>,
): Awaitable<Outcome> {
  const { context, middleware } = registry
  const run = (made: unknown, place: number): Awaitable<Outcome> => {
    const around = middleware[place]
    if (!around) return perform(made)
    const outcome = around(operation, made, () => attend(run(made, place + 1)))
    return whenReady(outcome, (given) => checkOutcome(given, operation))
  }
  return context === undefined
    ? run(undefined, 0)
    : whenReady(context(request), (made) => run(made, 0))
}

// Where a middleware forgets to return what `next` gave, nobody else is there to see it fail.
function attend(outcome: Awaitable<Outcome>): Awaitable<Outcome> {
  if (isPromise(outcome)) outcome.then(undefined, () => undefined)
  return outcome
}

function checkOutcome(outcome: Outcome | undefined, { kind }: Operation): Outcome {
  if (outcome?.gives === operations[kind].gives && isWhole(outcome)) return outcome
  throw new TypeError(
    `A middleware answered "${kind}" with something else than { gives: '${operations[kind].gives}', … }: return what next() gives.`,
  )
}

// What the types say of a middleware's own outcome, for those who wrote it without them.
function isWhole(outcome: Outcome): boolean {
  const given: unknown = fieldOf(outcome, outcome.gives)
  if (outcome.gives === 'items') return Array.isArray(given) || isStream(given)
  return outcome.gives === 'item'
    ? typeof given === 'object' && given !== null
    : typeof given === 'number'
}
