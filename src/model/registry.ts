import type { AdaptersOf } from './adapter.ts'
import type { Api } from './api.ts'
import type { Awaitable } from './awaitable.ts'
import { type Binding, bindAll, checkReady } from './binding.ts'
import { checkFunction, checkOptions, isRecord } from './declared.ts'
import type { AnswerListener, HttpRequest } from './http.ts'
import { checkLimits, defaultLimits, type Limits } from './limits.ts'
import type { Operation, Outcome } from './operation.ts'

/** A function around every operation: it answers, throws a problem, or calls `next`. */
export type Middleware<Context = unknown> = (
  operation: Operation,
  context: Context,
  next: () => Awaitable<Outcome>,
) => Awaitable<Outcome>

/**
 * Gets every error behind a 500 or 503, and every error that breaks off a list. `operation` is
 * `undefined` before the core has read the request. The client gets the same `requestId`.
 */
type ErrorListener = (
  error: unknown,
  about: {
    readonly request: HttpRequest
    readonly operation: Operation | undefined
    readonly requestId: string
  },
) => void

/** The options of {@link defineRegistry}. */
export interface RegistryOptions<A extends Api = Api> {
  /**
   * The version of a path that names none; `false` answers such a path with 404.
   * Default: the only version. An api with several versions needs the option.
   */
  readonly defaultVersion?: (keyof A['declaration'] & string) | false
  /** Bounds; see {@link Limits} for each and its default. */
  readonly limits?: Partial<Limits>
  /** The URL before the code in the `type` of a problem. Default: `about:blank` as the `type`. */
  readonly problemTypes?: string
  /**
   * Returns the id of a request, for problems of 5xx and for `onError`: 1 to 128 visible characters
   * of ASCII. Default, and where it fails: a random UUID.
   */
  readonly requestId?: (request: HttpRequest) => string
  /**
   * Returns the text that tells a caller from others, for `Idempotency-Key`: two callers with one
   * key never meet. A registry with a context and an idempotent resource needs it.
   */
  readonly idempotentFor?: (context: never) => string
}

// biome-ignore format: one list
const known: Record<keyof RegistryOptions, true> = {
  defaultVersion: true, limits: true, problemTypes: true, requestId: true, idempotentFor: true,
}

/**
 * A contract bound to its storage, for `handle` and the doors. Made by {@link defineRegistry}.
 * `Asked` is the request that `.context()` takes.
 */
export interface Registry<A extends Api = Api, Asked extends HttpRequest = HttpRequest> {
  readonly api: A
  /** By the index of the collection. */
  readonly bindings: readonly Binding[]
  readonly defaultVersion: string | false
  readonly limits: Limits
  readonly problemTypes: string | undefined
  readonly requestId: ((request: HttpRequest) => string) | undefined
  readonly idempotentFor: ((context: never) => string) | undefined
  readonly context: ((request: Asked) => unknown) | undefined
  readonly middleware: readonly Middleware[]
  readonly onError: ErrorListener
  readonly onAnswer: AnswerListener | undefined
  /**
   * Checks that the storage of every adapter fits the contract. Call it before you listen, so that
   * a missing table or column ends the start instead of answering 500.
   *
   * @throws {AggregateError} With every misfit: in a line of the message, and as data among its
   *   `misfits`: the resource, table, field, message, and the SQL statement that mends it.
   */
  ready(): Promise<void>
}

/** A registry with any context. */
export type AnyRegistry = Registry<Api, never>

/** Builds a registry. Every call returns a new builder. */
export interface RegistryBuilder<A extends Api, Context, Asked extends HttpRequest = HttpRequest> {
  /**
   * Makes the context of middleware and adapters, for every request but OPTIONS. It may throw a
   * problem. `undefined` becomes 401 `unauthenticated`, `false` 403 `forbidden`; use `null` for an
   * anonymous caller. Call it first: it sets the type. Declare the arguments of the host that you
   * need: `.context((request: HostRequest<Request, [env: Env]>) => …)`. Then only a door with them
   * serves the registry.
   */
  context<Made, Needed extends HttpRequest = HttpRequest>(
    make: (request: Needed) => Awaitable<Made>,
  ): RegistryBuilder<A, Exclude<Made, undefined | false>, Needed>
  /** Adds a middleware; the first added is the outermost. */
  use(middleware: Middleware<Context>): RegistryBuilder<A, Context, Asked>
  /** Sets the listener for the causes of 500 and 503. Default: `console.error`. */
  onError(listener: ErrorListener): RegistryBuilder<A, Context, Asked>
  /**
   * Sets the listener for the result of every request. `node:diagnostics_channel` has the same as
   * `nounful:answer`. Default: none.
   */
  onAnswer(listener: AnswerListener): RegistryBuilder<A, Context, Asked>
  /**
   * Sets the adapter of every resource, and returns the registry.
   *
   * @throws {TypeError} For a missing adapter, or one that lacks a needed `read`.
   */
  adapters(adapters: AdaptersOf<A, Context>): Registry<A, Asked>
}

/**
 * Binds a contract to its storage:
 * `defineRegistry(api).context(…).use(…).onError(…).adapters({ employees: memoryAdapter(), … })`.
 * All calls but the last are optional.
 *
 * @throws {TypeError} For a wrong option; the message says what to write instead.
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
  checkLimits(limits)
  const deep = api.collections.find(({ parameters }) => parameters.length > limits.nesting)
  if (deep)
    throw new TypeError(
      `Path "${deep.path}" has more than ${limits.nesting} parents: set "limits.nesting" higher.`,
    )
  const { problemTypes, requestId, idempotentFor } = options
  if (idempotentFor !== undefined)
    checkFunction('"idempotentFor"', idempotentFor, '{ idempotentFor: (context) => … }')
  if (requestId !== undefined)
    checkFunction('"requestId"', requestId, '{ requestId: (request) => … }')
  return build({
    api,
    defaultVersion: defaultVersionOf(api, options.defaultVersion),
    limits,
    problemTypes,
    requestId,
    idempotentFor,
    context: undefined,
    middleware: [],
    onError: (error) => console.error(error),
    onAnswer: undefined,
  })
}

type Settings<A extends Api, Asked extends HttpRequest> = Omit<
  Registry<A, Asked>,
  'bindings' | 'ready'
>

function build<A extends Api, Context, Asked extends HttpRequest>(
  settings: Settings<A, Asked>,
): RegistryBuilder<A, Context, Asked> {
  return {
    context(make) {
      checkFunction('.context()', make, '.context((request) => ({ user: … }))')
      return build({ ...settings, context: make })
    },
    use(middleware) {
      checkFunction('.use()', middleware, '.use((operation, context, next) => next())')
      // The chain has fixed the type of the context.
      return build({ ...settings, middleware: [...settings.middleware, middleware as Middleware] })
    },
    onError(onError) {
      checkFunction('.onError()', onError, '.onError((error) => …)')
      return build({ ...settings, onError })
    },
    onAnswer(onAnswer) {
      checkFunction('.onAnswer()', onAnswer, '.onAnswer((answered) => …)')
      return build({ ...settings, onAnswer })
    },
    adapters(adapters) {
      checkIdempotent(settings)
      const bindings = bindAll(settings.api, adapters)
      const ready = () => checkReady(settings.api, bindings)
      return Object.freeze({ ...settings, bindings, ready })
    },
  }
}

function checkIdempotent({ api, context, idempotentFor }: Settings<Api, never>): void {
  const resource = [...api.resources.values()].find(({ idempotent }) => idempotent)
  if (resource === undefined || context === undefined || idempotentFor !== undefined) return
  throw new TypeError(
    `Resource "${resource.name}" is idempotent, and the registry has a context: write ` +
      '"idempotentFor: (context) => context.user.id" in defineRegistry, so that two callers with ' +
      'one key never meet.',
  )
}

function defaultVersionOf(api: Api, version: string | false | undefined): string | false {
  const versions = [...api.versions.keys()]
  const chosen = version ?? (versions.length === 1 ? versions[0] : undefined)
  if (chosen === undefined) {
    throw new TypeError(
      `The api has several versions: write "defaultVersion: '${versions[0]}'", or false for none.`,
    )
  }
  if (chosen === false || versions.includes(chosen)) return chosen
  throw new TypeError(
    `"defaultVersion" names the unknown version "${chosen}". The api has ${versions.join(', ')}.`,
  )
}
