import { type Awaitable, type Flowing, isPending, whenReady } from '../../model/awaitable.ts'
import { operations } from '../../model/convention.ts'
import { withOwnMembers } from '../../model/http.ts'
import type { Operation, Outcome } from '../../model/operation.ts'
import { orThrow, type ProblemError, problem } from '../../model/problem.ts'
import type { Middleware } from '../../model/registry.ts'
import { isStream } from '../../model/stream.ts'
import { fieldOf } from '../../model/value.ts'
import { isCount, isItem, isNameable } from '../checks/outcome.ts'
import type { Task } from '../task.ts'

/**
 * Makes the context of a request. Parameters and body come later: their problems must tell nothing
 * to a client without the right.
 *
 * @throws {ProblemError} `unauthenticated` for `undefined`, `forbidden` for `false`.
 */
export function makeContext(task: Task): Awaitable<Task> {
  const { registry, request } = task.lifetime
  const { context } = registry
  const made = context?.(withOwnMembers(request))
  return whenReady(made, (context) => ({ ...task, context: checkContext(context) }))
}

/**
 * Runs the middleware around the rest of the way; the first is the outermost. A middleware may call
 * `next` again after a failure: the core reads the body once.
 */
export function around(
  middleware: readonly Middleware[],
  read: Flowing<Task>,
  work: Flowing<Task>,
): Flowing<Task> {
  return (task) => {
    let drafted: Task | undefined
    const perform = (): Awaitable<Task | ProblemError> =>
      drafted === undefined
        ? whenReady(read(task), (given) => {
            drafted = orThrow(given)
            return work(drafted)
          })
        : work(drafted)
    const carryOut = () => whenReady(perform(), (given) => orThrow(given).outcome)
    return whenReady(through(middleware, task, carryOut), (outcome) => ({ ...task, outcome }))
  }
}

/** Carries out an operation through the middleware; the first is the outermost. */
export function through(
  middleware: readonly Middleware[],
  { operation, context }: Pick<Task, 'operation' | 'context'>,
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

// A context that returns `undefined` must not let everyone in.
function checkContext(made: unknown): unknown {
  if (made === undefined) throw problem('unauthenticated')
  if (made === false) throw problem('forbidden')
  return made
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
