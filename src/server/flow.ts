import { type Awaitable, isPending } from '../convention/awaitable.ts'
import { ProblemError } from '../convention/problem.ts'

/** Takes a value and returns the next one, or the problem that ends the way. */
export type FlowStep<Value> = (value: Value) => Awaitable<Value | ProblemError>

type Result<Value> = Value | ProblemError | Promise<Value | ProblemError>

/** A function that {@link flow} calls with the value of the step that returned a promise. */
type OnWait<Value> = (value: Value) => void

/**
 * Composes steps into one. It stays synchronous until a step returns a promise, and ends at the
 * first problem that a step returns. `false` stands for a step with nothing to do.
 */
export function flow<Value extends object>(
  steps: readonly (FlowStep<Value> | false)[],
  onWait: OnWait<Value>,
): (value: Value) => Result<Value> {
  const active = steps.filter((step) => step !== false)
  return (value) => run(active, value, { from: 0, onWait })
}

function run<Value extends object>(
  steps: readonly FlowStep<Value>[],
  initial: Value | ProblemError,
  { from, onWait }: { readonly from: number; readonly onWait: OnWait<Value> },
): Result<Value> {
  let value = initial
  for (let index = from; index < steps.length && !(value instanceof ProblemError); index++) {
    const result = (steps[index] as FlowStep<Value>)(value)
    // Most results have no `then`, and this is quicker than a call.
    if ('then' in result && isPending(result)) {
      onWait(value)
      const next = { from: index + 1, onWait }
      return Promise.resolve(result).then((resolved) => run(steps, resolved, next))
    }
    value = result
  }
  return value
}
