import { type Awaitable, isPending } from '../../convention/awaitable.ts'
import { fieldOf } from '../../convention/value.ts'
import type { SchemaResult, StandardSchema } from './schema.ts'
import { zodValidator } from './zod.ts'

type Validator = (value: unknown) => Awaitable<SchemaResult<unknown>>

// The entries of a registry that is gone must not stay.
const validators = new WeakMap<object, Validator>()

/**
 * Validates a value: at once where no check waits, else with a promise that the caller must handle.
 * Each check runs once. This is the only place that calls a validator: several of them drop
 * promises, whose rejection would end the process.
 */
export function validateBy<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Awaitable<SchemaResult<Output>> {
  let validator = validators.get(schema)
  if (validator === undefined) {
    validator = validatorOf(schema)
    validators.set(schema, validator)
  }
  // The validator is that of the schema.
  return validator(value) as Awaitable<SchemaResult<Output>>
}

/** Validates a value, unless a check waits: then it returns `undefined`, and drops the result. */
export function validateNow<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): SchemaResult<Output> | undefined {
  const result = validateBy(schema, value)
  if (!isPending(result)) return result
  // A rejection must not end the process.
  result.then(undefined, () => undefined)
  return undefined
}

function validatorOf(schema: StandardSchema): Validator {
  const plain: Validator = (value) => schema['~standard'].validate(value)
  if (schema['~standard'].vendor === 'arktype') return arktypeValidator(schema, plain)
  return zodValidator(schema) ?? plain
}

// A morph of arktype that returns a promise leaves it in the value.
function arktypeValidator(schema: StandardSchema, plain: Validator): Validator {
  if (fieldOf(schema, 'includesTransform') === false) return plain
  return (value) => {
    const result = plain(value)
    if (isPending(result) || result.issues !== undefined) return result
    return promisesIn(result.value).length === 0
      ? result
      : settled(result.value).then((value) => ({ value }))
  }
}

function promisesIn(value: unknown): readonly PromiseLike<unknown>[] {
  if (isPending(value)) return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(promisesIn)
}

async function settled(value: unknown): Promise<unknown> {
  const ready: unknown = await value
  if (typeof ready !== 'object' || ready === null) return ready
  if (Array.isArray(ready)) return Promise.all(ready.map(settled))
  const members = Object.entries(ready).map(async ([name, member]) => [name, await settled(member)])
  return Object.fromEntries(await Promise.all(members))
}
