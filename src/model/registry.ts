import type { Adapter, AdaptersOf } from './adapter.ts'
import type { Api } from './api.ts'
import type { Awaitable } from './awaitable.ts'
import { type Binding, bind } from './binding.ts'
import { defaultLimits, type Limits } from './convention.ts'
import { checkFunction, checkOptions, isRecord } from './declared.ts'
import type { HttpRequest } from './http.ts'
import type { AdapterShape, Operation, Outcome } from './operation.ts'

/** Something around every operation: answers for it, throws a problem, or lets `next` do the work and looks at what it gave. */
export type Middleware<Context = unknown> = (
  operation: Operation,
  context: Context,
  next: () => Awaitable<Outcome>,
) => Awaitable<Outcome>

/** Told of every error that is answered 500 or 503; `operation` is missing when the request was not understood yet. */
export type ErrorListener = (
  error: unknown,
  about: { readonly request: HttpRequest; readonly operation: Operation | undefined },
) => void

/** What {@link defineRegistry} takes besides the api. */
export interface RegistryOptions<A extends Api = Api> {
  /**
   * The version that a path without one means; `false`: such a path names nothing.
   * Default: the only version. Where there are several it must be said.
   */
  readonly unversioned?: (keyof A['declaration'] & string) | false
  /** Bounds to set differently; see {@link Limits} for each and its default. */
  readonly limits?: Partial<Limits>
  /** A URL to which problem codes are added to make their `type`. Default: none, and `about:blank`. */
  readonly problemTypes?: string
}

const known: Record<keyof RegistryOptions, true> = {
  unversioned: true,
  limits: true,
  problemTypes: true,
}

/** A contract bound to its storage: what `handle` and the doors serve. Made by {@link defineRegistry}. */
export interface Registry<A extends Api = Api> {
  readonly api: A
  /** By name of the resource. */
  readonly bindings: ReadonlyMap<string, Binding>
  readonly unversioned: string | false
  readonly limits: Limits
  readonly problemTypes: string | undefined
  readonly context: ((request: HttpRequest) => unknown) | undefined
  readonly middleware: readonly Middleware[]
  readonly onError: ErrorListener
}

/** A registry in the making; every call gives a new one. */
export interface RegistryBuilder<A extends Api, Context> {
  /** Makes what middleware and adapters get as their context, for every request but OPTIONS. May throw a problem (`unauthenticated`). Call it first: it sets the type. */
  context<Made>(make: (request: HttpRequest) => Awaitable<Made>): RegistryBuilder<A, Made>
  /** Adds a middleware; the first added is the outermost. */
  use(middleware: Middleware<Context>): RegistryBuilder<A, Context>
  /** Takes the causes of 500 and 503. Default: `console.error`. */
  onError(listener: ErrorListener): RegistryBuilder<A, Context>
  /**
   * Gives every resource its storage and ends the chain.
   *
   * @throws {TypeError} When an adapter is missing or lacks what the contract needs of it; the message says what to write.
   */
  adapters(adapters: AdaptersOf<A, Context>): Registry<A>
}

/**
 * Binds a contract to its storage:
 * `defineRegistry(api).context(…).use(…).onError(…).adapters({ employees: memoryAdapter(), … })`; all but the last are optional.
 *
 * @throws {TypeError} For an option that cannot be; the message says what to write instead.
 */
export function defineRegistry<const A extends Api>(
  api: A,
  options: RegistryOptions<NoInfer<A>> = {},
): RegistryBuilder<A, unknown> {
  if (!isRecord(api) || !(api.resources instanceof Map)) {
    throw new TypeError('A registry needs an api: write defineRegistry(defineApi({ … })).')
  }
  checkOptions('A registry', options, known)
  checkOptions('"limits" of a registry', options.limits ?? {}, defaultLimits)
  const limits = { ...defaultLimits, ...options.limits }
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new TypeError(`Limit "${name}" is ${limit}: use a whole number from 1.`)
    }
  }
  const deep = api.collections.find(({ parameters }) => parameters.length > limits.nesting)
  if (deep)
    throw new TypeError(
      `Path "${deep.path}" has more than ${limits.nesting} parents: set "limits.nesting" higher.`,
    )
  const { problemTypes } = options
  return build({
    api,
    unversioned: unversionedOf(api, options.unversioned),
    limits,
    problemTypes,
    context: undefined,
    middleware: [],
    onError: (error) => console.error(error),
  })
}

type Settings<A extends Api> = Omit<Registry<A>, 'bindings'>

function build<A extends Api, Context>(settings: Settings<A>): RegistryBuilder<A, Context> {
  return {
    context(make) {
      checkFunction('.context()', make, '.context((request) => ({ user: … }))')
      return build({ ...settings, context: make })
    },
    use(middleware) {
      checkFunction('.use()', middleware, '.use((operation, context, next) => next())')
      // The context that will be given is of this type: the chain has fixed it.
      return build({ ...settings, middleware: [...settings.middleware, middleware as Middleware] })
    },
    onError(onError) {
      checkFunction('.onError()', onError, '.onError((error) => …)')
      return build({ ...settings, onError })
    },
    adapters: (adapters) =>
      Object.freeze({ ...settings, bindings: bindAll(settings.api, adapters) }),
  }
}

type Adapters = Readonly<Record<string, Adapter<AdapterShape>>>

function bindAll(api: Api, adapters: Adapters): ReadonlyMap<string, Binding> {
  const given = givenFor(api, adapters)
  const bindings = new Map<string, Binding>()
  for (const [name, resource] of api.resources) {
    const adapter = given.get(name)
    if (!adapter)
      throw new TypeError(
        `Resource "${name}" has no adapter: add "${name}: memoryAdapter()" or another.`,
      )
    if (typeof adapter !== 'object')
      throw new TypeError(
        `Resource "${name}" has an adapter that is no object: write "${name}: memoryAdapter()", or an object of methods.`,
      )
    bindings.set(name, bind(resource, adapter))
    const needs = typeof adapter.read === 'function' ? undefined : needOfRead(api, name, adapter)
    if (needs !== undefined) throw new TypeError(`Resource "${name}" ${needs}.`)
  }
  return bindings
}

function givenFor(api: Api, adapters: Adapters): ReadonlyMap<string, Adapter<AdapterShape>> {
  const names = [...api.resources.keys()]
  if (!isRecord(adapters)) {
    throw new TypeError(
      `.adapters() takes an object: write { ${names.map((name) => `${name}: …`).join(', ')} }.`,
    )
  }
  const given = new Map<string, Adapter<AdapterShape>>(Object.entries(adapters))
  for (const name of given.keys()) {
    if (!api.resources.has(name)) {
      throw new TypeError(
        `There is no resource "${name}" to adapt: the api has ${names.join(', ')}.`,
      )
    }
  }
  return given
}

// Why a resource cannot do without `read`; `undefined` when it can.
function needOfRead(api: Api, name: string, adapter: Adapter): string | undefined {
  const isParent = api.collections.some(({ ancestors }) =>
    ancestors.some(({ resource }) => resource.name === name),
  )
  if (isParent) return 'owns others, so its adapter needs "read" to tell which there are'
  const written = api.collections.some(
    ({ resource, ancestors }) =>
      resource.name === name &&
      ancestors.length > 0 &&
      scopedWrites.some(
        (kind) => typeof adapter[kind] === 'function' && !resource.without.includes(kind),
      ),
  )
  // Without it, an adapter that forgets the scope would let one owner write what is another's.
  return written
    ? 'is owned, so its adapter needs "read" to keep writes inside their scope'
    : undefined
}

const scopedWrites = ['update', 'updateMany', 'delete'] as const

function unversionedOf(api: Api, version: string | false | undefined): string | false {
  const versions = [...api.versions.keys()]
  const only = versions.length === 1 ? versions[0] : undefined
  const chosen = version ?? only
  if (chosen === undefined) {
    throw new TypeError(
      `Say which version a path without one means: "unversioned: '${versions[0]}'", or false for none.`,
    )
  }
  if (chosen === false || versions.includes(chosen)) return chosen
  throw new TypeError(
    `There is no version "${chosen}" for "unversioned": the api has ${versions.join(', ')}.`,
  )
}
