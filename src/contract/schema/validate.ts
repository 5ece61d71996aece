import { type Awaitable, isPending } from '../../convention/awaitable.ts'
import { fieldOf } from '../../convention/value.ts'
import type { SchemaResult, StandardSchema } from './schema.ts'

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
  const standardValidator: Validator = (value) => schema['~standard'].validate(value)
  if (schema['~standard'].vendor === 'arktype') return arktypeValidator(schema, standardValidator)
  return zodValidator(schema) ?? standardValidator
}

// A morph of arktype that returns a promise leaves it in the value.
function arktypeValidator(schema: StandardSchema, standardValidator: Validator): Validator {
  if (fieldOf(schema, 'includesTransform') === false) return standardValidator
  return (value) => {
    const result = standardValidator(value)
    if (isPending(result) || result.issues !== undefined) return result
    return promisesIn(result.value).length === 0
      ? result
      : awaitMembers(result.value).then((value) => ({ value }))
  }
}

function promisesIn(value: unknown): readonly PromiseLike<unknown>[] {
  if (isPending(value)) return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(promisesIn)
}

async function awaitMembers(value: unknown): Promise<unknown> {
  const awaitedValue: unknown = await value
  if (typeof awaitedValue !== 'object' || awaitedValue === null) return awaitedValue
  if (Array.isArray(awaitedValue)) return Promise.all(awaitedValue.map(awaitMembers))
  const members = Object.entries(awaitedValue).map(async ([name, member]) => [
    name,
    await awaitMembers(member),
  ])
  return Object.fromEntries(await Promise.all(members))
}

/** The internals of zod 4 and zod mini that a run depends on. */
interface Zod4 extends StandardSchema {
  readonly _zod: {
    run: (payload: object, context: object) => unknown
    readonly def: object
    readonly constr: new (def: object) => Zod4
  }
}

/** The internals of zod 3. */
interface Zod3 extends StandardSchema {
  readonly _def: object
  readonly '~validate': Validator
}

/**
 * Returns how to validate with a schema of zod that has functions of its author; `undefined` for
 * another schema, whose `~standard.validate` never waits.
 *
 * `~standard.validate` of zod tries each value synchronously. At the first check that waits, it
 * drops the promise and starts again. So the check runs twice, and its rejection ends the process.
 */
function zodValidator(schema: StandardSchema): Validator | undefined {
  if (!isZod4(schema) && !isZod3(schema)) return undefined
  const nodes = nodesOf(schema)
  if (nodes.size < maxNodes && ![...nodes].some(mayWait)) return undefined
  for (const node of nodes) guardNode(node)
  return isZod4(schema) ? waitingCopy(schema) : waitingChild(schema)
}

function isZod4(schema: object): schema is Zod4 {
  return Object.hasOwn(schema, '_zod')
}

function isZod3(schema: object): schema is Zod3 {
  return Object.hasOwn(schema, '_def') && '~validate' in schema
}

// A copy whose `run` asks the original, once: `~standard` calls it a second time for a promise.
function waitingCopy({ _zod: { constr: Schema, def, run } }: Zod4): Validator {
  const copy = new Schema(def)
  let result: unknown
  copy._zod.run = (payload, context) => {
    if (fieldOf(context, 'async') === true) return result
    const isInner = isOurs
    isOurs = true
    result = attempt(() => run(payload, newContext()))
    isOurs = isInner
    return result
  }
  return copy['~standard'].validate
}

// Zod 3 remembers here that a schema waits.
function waitingChild(schema: Zod3): Validator {
  const standard = { ...schema['~standard'], async: true }
  const child: Zod3 = Object.create(schema, { '~standard': { value: standard } })
  return (value) => child['~validate'](value)
}

/** Whether zod runs a schema for us. Then a check that throws gives a rejected promise. */
let isOurs = false
/** Whether the function that zod called last returned a promise. */
let isWaiting = false

// The context of a run. Zod reads `async` after each transform, and waits where it is true.
function newContext(): object {
  return {
    // A compiled schema cannot wait.
    [Symbol.for('zod.compile.fallback')]: true,
    get async() {
      return isWaiting || undefined
    },
  }
}

// A rejected promise, not an error: zod drops the promises that it holds when a check throws.
function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return Promise.reject(error)
  }
}

// Zod drops promises: of the second check that fails, and of an alternative that another one beats.
function guardNode(node: object): void {
  const def = defOf(node)
  if (isZod3(node)) guard(node, '_parse')
  if (fieldOf(def, 'check') === 'custom') guard(Object(Reflect.get(node, '_zod')), 'check')
  if (typeof fieldOf(def, 'transform') === 'function') guard(def, 'transform')
  const options: unknown = fieldOf(def, 'options')
  if (!Array.isArray(options)) return
  for (const option of options.filter(isZod4)) guard(option._zod, 'run')
}

/** The functions that {@link guard} has made. */
const guards = new WeakSet<object>()

function guard(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function' || guards.has(original)) return
  const guarded = (...values: readonly unknown[]): unknown => {
    const invoke = (): unknown => Reflect.apply(original, owner, values)
    const result = isOurs ? attempt(invoke) : invoke()
    isWaiting = result instanceof Promise
    if (result instanceof Promise) result.catch(() => undefined)
    return result
  }
  guards.add(guarded)
  Reflect.set(owner, name, guarded)
}

/** A schema that makes a new schema at each step has no end. */
const maxNodes = 10_000

// The schemas and checks that a schema consists of.
function nodesOf(schema: object): ReadonlySet<object> {
  const values = new Set<unknown>([schema])
  for (const value of values) {
    if (values.size >= maxNodes) break
    for (const inner of childrenOf(value)) values.add(inner)
  }
  return new Set([...values].filter(isNode))
}

function isNode(value: unknown): value is object {
  return typeof value === 'object' && value !== null && defOf(value) !== value
}

const plainPrototypes: readonly unknown[] = [Object.prototype, null]

// The value itself where it is no node.
function defOf(value: object): object {
  const def: unknown = isZod4(value) ? value._zod.def : fieldOf(value, '_def')
  return typeof def === 'object' && def !== null ? def : value
}

function childrenOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const def = defOf(value)
  if (!Array.isArray(def) && !plainPrototypes.includes(Object.getPrototypeOf(def))) return []
  // These two hold schemas behind a function.
  const functions = ['getter', 'shape'].map((name) => fieldOf(def, name))
  const lazySchemas = functions.map((make): unknown =>
    typeof make === 'function' ? make() : undefined,
  )
  return [...lazySchemas, ...Object.values(def)]
}

const waitingKinds: readonly unknown[] = [
  'custom',
  'transform',
  'promise',
  'ZodEffects',
  'ZodPromise',
]

function mayWait(node: object): boolean {
  const def = defOf(node)
  return (
    typeof fieldOf(def, 'transform') === 'function' ||
    ['check', 'type', 'typeName'].some((name) => waitingKinds.includes(fieldOf(def, name)))
  )
}
