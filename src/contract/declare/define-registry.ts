import type { Awaitable } from '../../convention/awaitable.ts'
import { checkFunction, checkOptions } from '../../convention/declaration.ts'
import { checkLimits, defaultLimits } from '../../convention/limits.ts'
import type { AdaptersOf } from '../resource/adapter.ts'
import type { Api } from '../resource/api.ts'
import { bindAll, checkReady, collectAdvice } from '../resource/binding.ts'
import type { AnswerListener, HttpRequest } from '../resource/http.ts'
import { noRules, readRules } from '../resource/item-rules.ts'
import { newerThan } from '../resource/lifecycle.ts'
import type { ErrorListener, Middleware, Registry, RegistryOptions } from '../resource/registry.ts'
import type { CallerScope, OwnerFieldsOf, ShapeIn } from '../values/caller.ts'
import { checkReveal, type RevealedFields } from './reveal.ts'

// biome-ignore format: one list
const registryOptions: Record<keyof RegistryOptions, true> = {
  defaultVersion: true, limits: true, problemTypes: true, requestId: true, idempotentFor: true,
  home: true,
}

/** Builds a registry. Every call returns a new builder. */
export interface RegistryBuilder<
  A extends Api,
  Context,
  RequestType extends HttpRequest = HttpRequest,
  HasScope extends boolean = false,
> {
  /**
   * Makes the context of middleware and adapters, for every request but OPTIONS. It may throw a
   * problem. `undefined` becomes 401 `unauthenticated`, `false` 403 `forbidden`; use `null` for an
   * anonymous caller. Call it first: it sets the type. Declare the arguments of the host that you
   * need: `.context((request: HostRequest<Request, [env: Env]>) => …)`. Then only a door with them
   * serves the registry.
   */
  context<ContextValue, NeededRequest extends HttpRequest = HttpRequest>(
    create: (request: NeededRequest) => Awaitable<ContextValue>,
  ): RegistryBuilder<A, Exclude<ContextValue, undefined | false>, NeededRequest, HasScope>
  /**
   * Makes the scope of a caller, for an api whose resources have `ownedBy`: `.scope(({ user }) =>
   * ({ tenant_id: user.tenant_id }))`. Gives each owner field a value, or a list of values; an
   * empty list owns nothing. Return the symbol `everything` for a caller who reaches all items.
   * `undefined` becomes 401 `unauthenticated`, `false` 403 `forbidden`. Any other value, and an
   * empty text, is a 500.
   *
   * @throws {TypeError} For a second call.
   */
  scope(
    create: (context: Context) => Awaitable<CallerScope<A> | undefined | false>,
  ): RegistryBuilder<A, Context, RequestType, true>
  /**
   * Makes the restricted fields that a caller sees: `.reveal(({ user }) => (user.isHr ? {
   * employees: ['salary'] } : {}))`. `undefined` and `null` reveal nothing. Any other value, and a
   * field that is not restricted, is a 500. Default: nothing.
   *
   * @throws {TypeError} For a second call.
   */
  reveal(
    create: (context: Context) => Awaitable<RevealedFields<A> | undefined | null>,
  ): RegistryBuilder<A, Context, RequestType, HasScope>
  /**
   * Sets what callers may do to the items that they can read: `.rules({ comments: { change:
   * (stored, { user }) => stored.author_id === user.id } })`. `create` judges a new item, `change`
   * the stored item with the whole new one, `delete` the stored item. A rule gets whole items, in
   * the words of the stored resource, and returns a boolean at once. `false` is 403 `forbidden`;
   * one refused item refuses a bulk. Any other result is a 500. Default: everything is allowed.
   *
   * @throws {TypeError} For a second call, an unknown name, and a rule that is no function.
   */
  rules(rules: RulesOf<A, Context>): RegistryBuilder<A, Context, RequestType, HasScope>
  /** Adds a middleware; the first added is the outermost. */
  use(middleware: Middleware<Context>): RegistryBuilder<A, Context, RequestType, HasScope>
  /** Sets the listener for the causes of 500 and 503. Default: `console.error`. */
  onError(listener: ErrorListener): RegistryBuilder<A, Context, RequestType, HasScope>
  /**
   * Sets the listener for the result of every request. `node:diagnostics_channel` has the same as
   * `nounful:answer`. Default: none.
   */
  onAnswer(listener: AnswerListener): RegistryBuilder<A, Context, RequestType, HasScope>
  /**
   * Sets the adapter of every resource, and returns the registry.
   *
   * @throws {TypeError} For a missing adapter, or one that lacks a needed `read`, and without a
   *   `.scope()` that the api needs.
   */
  adapters(
    this: ScopeFirst<OwnerFieldsOf<A>, HasScope>,
    adapters: AdaptersOf<A, Context>,
  ): Registry<A, RequestType>
}

/** The rules of an api: what callers may do to items, by stored resource. */
type RulesOf<A extends Api, Context> = {
  readonly [S in ShapeIn<A> as S['name']]?: ItemRules<S, Context>
}

/** What callers may do to the items of a resource. A rule that is absent allows everything. */
interface ItemRules<S extends ShapeIn<Api>, Context> {
  /** Judges a new item: valid, with the fields of its path and of its owner. */
  readonly create?: (draft: S['create'], context: Context) => boolean
  /** Judges a change of a stored item. `changed` is the whole item to store. */
  readonly change?: (stored: S['item'], context: Context, changed: S['item']) => boolean
  /** Judges the deletion of a stored item. */
  readonly delete?: (stored: S['item'], context: Context) => boolean
}

/** Demands a call of `.scope()` before `.adapters()`, where some resource has an owner field. */
type ScopeFirst<Fields extends string, HasScope extends boolean> = [Fields] extends [never]
  ? unknown
  : string extends Fields
    ? unknown
    : HasScope extends true
      ? unknown
      : { readonly callScopeFirstWith: Fields }

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
  if (!(Object(api).resources instanceof Map)) {
    throw new TypeError('A registry needs an api: write defineRegistry(defineApi({ … })).')
  }
  checkOptions('A registry', options, registryOptions)
  checkOptions('"limits" of a registry', options.limits ?? {}, defaultLimits)
  const limits = { ...defaultLimits, ...options.limits }
  checkLimits(limits)
  const deep = api.collections.find(({ parameters }) => parameters.length > limits.nesting)
  if (deep)
    throw new TypeError(
      `Path "${deep.path}" has more than ${limits.nesting} parents: set "limits.nesting" higher.`,
    )
  const { problemTypes, requestId, idempotentFor, home = true } = options
  if (idempotentFor !== undefined)
    checkFunction('"idempotentFor"', idempotentFor, '{ idempotentFor: (context) => … }')
  if (requestId !== undefined)
    checkFunction('"requestId"', requestId, '{ requestId: (request) => … }')
  if (typeof home !== 'boolean')
    throw new TypeError(`"home" of a registry is a ${typeof home}: write true or false.`)
  return build({
    api,
    defaultVersion: defaultVersionOf(api, options.defaultVersion),
    limits,
    problemTypes,
    requestId,
    idempotentFor,
    home,
    context: undefined,
    scope: undefined,
    reveal: undefined,
    rules: noRules,
    middleware: [],
    onError: (error) => console.error(error),
    onAnswer: undefined,
  })
}

type Settings<A extends Api, RequestType extends HttpRequest> = Omit<
  Registry<A, RequestType>,
  'bindings' | 'ready' | 'advise'
>

function build<A extends Api, Context, RequestType extends HttpRequest, HasScope extends boolean>(
  settings: Settings<A, RequestType>,
): RegistryBuilder<A, Context, RequestType, HasScope> {
  return {
    context(create) {
      checkFunction('.context()', create, '.context((request) => ({ user: … }))')
      checkContextComesFirst(settings)
      return build({ ...settings, context: create })
    },
    scope(create) {
      checkFunction('.scope()', create, '.scope(({ user }) => ({ tenant_id: user.tenant_id }))')
      checkIsFirst('scope', settings.scope === undefined)
      return build({ ...settings, scope: create })
    },
    reveal(create) {
      checkFunction('.reveal()', create, ".reveal(({ user }) => ({ employees: ['salary'] }))")
      checkIsFirst('reveal', settings.reveal === undefined)
      return build({ ...settings, reveal: create })
    },
    rules(rules) {
      checkIsFirst('rules', settings.rules === noRules)
      return build({ ...settings, rules: readRules(rules, settings.api) })
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
    adapters: (adapters) => registryOf(settings, adapters),
  }
}

function registryOf<A extends Api, RequestType extends HttpRequest>(
  settings: Settings<A, RequestType>,
  adapters: AdaptersOf<A, never>,
): Registry<A, RequestType> {
  checkSettings(settings)
  const { api, rules } = settings
  const bindings = bindAll(api, adapters, rules)
  const ready = () => checkReady(api, bindings)
  const advise = () => collectAdvice(api, bindings)
  return Object.freeze({ ...settings, bindings, ready, advise })
}

function checkSettings(settings: Settings<Api, never>): void {
  checkScope(settings)
  checkReveal(settings.api, settings.reveal)
  checkIdempotent(settings)
}

// The later calls take the type of the context, which this call sets.
function checkContextComesFirst({
  context,
  scope,
  reveal,
  rules,
  middleware,
}: Settings<Api, never>): void {
  const [rule] = rules.values()
  const earlierCalls = Object.entries({ context, scope, reveal, rules: rule, use: middleware[0] })
  const [name] = earlierCalls.find(([, value]) => value !== undefined) ?? []
  if (name === undefined) return
  throw new TypeError(
    `.context() comes after .${name}(), which takes the context: write one .context(), first.`,
  )
}

// A second call would replace what the first one forbids.
function checkIsFirst(name: 'scope' | 'reveal' | 'rules', isFirst: boolean): void {
  if (isFirst) return
  throw new TypeError(
    `.${name}() comes after .${name}(), which it would replace: write one .${name}().`,
  )
}

function checkScope({ api, scope }: Settings<Api, never>): void {
  const fields = api.ownerFields
  if (fields.length > 0 && scope === undefined) {
    throw new TypeError(
      `The api has owners, and the registry does not say who asks: write .scope((context) => ({ ` +
        `${fields.map((field) => `${field}: …`).join(', ')} })) before .adapters().`,
    )
  }
  if (fields.length > 0 || scope === undefined) return
  throw new TypeError(
    'The registry has a .scope(), but no resource has an owner: write "ownedBy: [\'tenant_id\']" ' +
      'in defineResource.',
  )
}

function checkIdempotent({ api, context, scope, idempotentFor }: Settings<Api, never>): void {
  const resource = [...api.resources.values()].find(({ idempotent }) => idempotent)
  const hasCallerKey = context === undefined || scope !== undefined || idempotentFor !== undefined
  if (resource === undefined || hasCallerKey) return
  throw new TypeError(
    `Resource "${resource.name}" is idempotent, and the registry has a context: write ` +
      '"idempotentFor: (context) => context.user.id" in defineRegistry, so that two callers with ' +
      'one key never meet.',
  )
}

/**
 * Returns the version of paths that name none; `false` for none. An api that has, or once had,
 * several versions needs the option, so that no client comes to another version unasked (C2.2).
 *
 * @throws {TypeError} For an unknown or retired version, and a deprecated one without a successor.
 */
function defaultVersionOf(api: Api, option: string | false | undefined): string | false {
  const versions = [...api.versions.keys()]
  const isSingle = versions.length === 1 && api.retired.size === 0
  const version = option ?? (isSingle ? versions[0] : undefined)
  if (version === undefined) throw new TypeError(faultOfMissingDefault(api))
  const fault = version === false ? undefined : faultOfDefaultVersion(version, api)
  if (fault !== undefined) throw new TypeError(fault)
  return version
}

function faultOfMissingDefault({ versions, retired }: Api): string {
  const [first] = versions.keys()
  const reason = retired.size === 0 ? 'has several versions' : 'has a retired version'
  return `The api ${reason}: write "defaultVersion: '${first}'", or false for none.`
}

function faultOfDefaultVersion(version: string, api: Api): string | undefined {
  const versions = [...api.versions.keys()]
  if (api.retired.has(version)) {
    const current = versions[0]
    return `"defaultVersion" names "${version}", which is retired: write "${current}", or false.`
  }
  if (!api.versions.has(version)) {
    const names = versions.join(', ')
    return `"defaultVersion" names the unknown version "${version}". The api has ${names}.`
  }
  const row = api.lifecycle.get(version)
  const [newer] = newerThan(version, versions)
  if (row === undefined || row.successor !== undefined || newer === undefined) return undefined
  return (
    `"defaultVersion" names "${version}", which is deprecated and has no successor: write ` +
    `"successor: '${newer}'" in "lifecycle", or another default version.`
  )
}
