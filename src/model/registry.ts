import type { AdaptersOf } from './adapter.ts'
import type { AnswerListener } from './answered.ts'
import type { Api } from './api.ts'
import { type Awaitable, maxTimer } from './awaitable.ts'
import type { Binding } from './binding.ts'
import { bindAll } from './bindings.ts'
import { defaultLimits, type Limits } from './convention.ts'
import { checkFunction, checkOptions, isRecord } from './declared.ts'
import type { HttpRequest } from './http.ts'
import type { Operation, Outcome } from './operation.ts'
import { checkReady } from './ready.ts'

/** Something around every operation: answers for it, throws a problem, or lets `next` do the work and looks at what it gave. */
export type Middleware<Context = unknown> = (
  operation: Operation,
  context: Context,
  next: () => Awaitable<Outcome>,
) => Awaitable<Outcome>

/**
 * Told of every error that is answered 500 or 503, or that broke an answer off; `operation` is missing when the request was not
 * understood yet. `requestId` is what the client was told.
 */
export type ErrorListener = (
  error: unknown,
  about: {
    readonly request: HttpRequest
    readonly operation: Operation | undefined
    readonly requestId: string
  },
) => void

/** What {@link defineRegistry} takes besides the api. */
export interface RegistryOptions<A extends Api = Api> {
  /**
   * The version that a path without one means; `false`: such a path names nothing.
   * Default: the only version. Where there are several it must be said.
   */
  readonly defaultVersion?: (keyof A['declaration'] & string) | false
  /** Bounds to set differently; see {@link Limits} for each and its default. */
  readonly limits?: Partial<Limits>
  /** A URL to which problem codes are added to make their `type`. Default: none, and `about:blank`. */
  readonly problemTypes?: string
  /**
   * Gives the id of a request, for problems of 5xx and for `onError`: 1 to 128 visible characters of ASCII. Asked only then.
   * Default, and where it fails: a random UUID.
   */
  readonly requestId?: (request: HttpRequest) => string
}

const known: Record<keyof RegistryOptions, true> = {
  defaultVersion: true,
  limits: true,
  problemTypes: true,
  requestId: true,
}

/**
 * A contract bound to its storage: what `handle` and the doors serve. Made by {@link defineRegistry}. `Asked` is the request that its
 * context is made of: any, unless `.context()` says otherwise.
 */
export interface Registry<A extends Api = Api, Asked extends HttpRequest = HttpRequest> {
  readonly api: A
  /** By the place of the collection. */
  readonly bindings: readonly Binding[]
  readonly defaultVersion: string | false
  readonly limits: Limits
  readonly problemTypes: string | undefined
  readonly requestId: ((request: HttpRequest) => string) | undefined
  readonly context: ((request: Asked) => unknown) | undefined
  readonly middleware: readonly Middleware[]
  readonly onError: ErrorListener
  readonly onAnswer: AnswerListener | undefined
  /**
   * Asks every adapter that can tell whether its storage fits the contract. Call it before you listen, so that a missing table or
   * column ends the start instead of answering 500.
   *
   * @throws {AggregateError} With every misfit, in a line of the message and among its `errors`.
   */
  ready(): Promise<void>
}

/** A registry of whatever context, for what asks it nothing. */
export type AnyRegistry = Registry<Api, never>

/** A registry in the making; every call gives a new one. */
export interface RegistryBuilder<A extends Api, Context, Asked extends HttpRequest = HttpRequest> {
  /**
   * Makes what middleware and adapters get as their context, for every request but OPTIONS. May throw a problem. A context that
   * is `undefined` is answered 401 `unauthenticated`, `false` 403 `forbidden`; let `null` stand for nobody. Call it first: it sets the type.
   * What it needs of the host, it says: `.context((request: HostRequest<Request, [env: Env]>) => …)`, and no door serves the registry without.
   */
  context<Made, Needed extends HttpRequest = HttpRequest>(
    make: (request: Needed) => Awaitable<Made>,
  ): RegistryBuilder<A, Exclude<Made, undefined | false>, Needed>
  /** Adds a middleware; the first added is the outermost. */
  use(middleware: Middleware<Context>): RegistryBuilder<A, Context, Asked>
  /** Takes the causes of 500 and 503. Default: `console.error`. */
  onError(listener: ErrorListener): RegistryBuilder<A, Context, Asked>
  /** Takes what every request came to, for logs and metrics. `node:diagnostics_channel` has the same, as `nounful:answer`. Default: nobody. */
  onAnswer(listener: AnswerListener): RegistryBuilder<A, Context, Asked>
  /**
   * Gives every resource its storage and ends the chain.
   *
   * @throws {TypeError} When an adapter is missing or lacks what the contract needs of it; the message says what to write.
   */
  adapters(adapters: AdaptersOf<A, Context>): Registry<A, Asked>
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
  checkLimits(limits)
  const deep = api.collections.find(({ parameters }) => parameters.length > limits.nesting)
  if (deep)
    throw new TypeError(
      `Path "${deep.path}" has more than ${limits.nesting} parents: set "limits.nesting" higher.`,
    )
  const { problemTypes, requestId } = options
  if (requestId !== undefined) {
    checkFunction('"requestId"', requestId, '{ requestId: (request) => … }')
  }
  return build({
    api,
    defaultVersion: defaultVersionOf(api, options.defaultVersion),
    limits,
    problemTypes,
    requestId,
    context: undefined,
    middleware: [],
    onError: (error) => console.error(error),
    onAnswer: undefined,
  })
}

function checkLimits(limits: Limits): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new TypeError(`Limit "${name}" is ${limit}: use a whole number from 1.`)
    }
  }
  for (const name of ['time', 'arrival'] as const) {
    if (limits[name] > maxTimer) {
      throw new TypeError(
        `Limit "${name}" is ${limits[name]}: use at most ${maxTimer}, as it is in milliseconds.`,
      )
    }
  }
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
      // The context that will be given is of this type: the chain has fixed it.
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
      const bindings = bindAll(settings.api, adapters)
      const ready = () => checkReady(settings.api, bindings)
      return Object.freeze({ ...settings, bindings, ready })
    },
  }
}

function defaultVersionOf(api: Api, version: string | false | undefined): string | false {
  const versions = [...api.versions.keys()]
  const only = versions.length === 1 ? versions[0] : undefined
  const chosen = version ?? only
  if (chosen === undefined) {
    throw new TypeError(
      `Name the version that a path without one means: write "defaultVersion: '${versions[0]}'", or false for none.`,
    )
  }
  if (chosen === false || versions.includes(chosen)) return chosen
  throw new TypeError(
    `"defaultVersion" names the unknown version "${chosen}". The api has ${versions.join(', ')}.`,
  )
}
