import type { Awaitable } from '../../convention/awaitable.ts'
import type { Limits } from '../../convention/limits.ts'
import type { Mismatch } from '../../convention/mismatch.ts'
import type { Binding } from './adapter.ts'
import type { Api } from './api.ts'
import type { AnswerListener, HttpRequest } from './http.ts'
import type { RulesByName } from './item-rules.ts'
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
export type ErrorListener = (
  error: unknown,
  about: {
    readonly request: HttpRequest
    readonly operation: Operation | undefined
    readonly requestId: string
  },
) => void

/** The options of `defineRegistry`. */
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
  /**
   * GET of `/` and of each version, such as `/v1`, answers the home document: the paths and methods
   * of the collections. `false` answers 404. Default: true.
   */
  readonly home?: boolean
}

/**
 * A contract bound to its storage, for `handle` and the doors. Made by `defineRegistry`.
 * `Asked` is the request that `.context()` takes.
 */
export interface Registry<A extends Api = Api, RequestType extends HttpRequest = HttpRequest> {
  readonly api: A
  /** By the index of the collection. */
  readonly bindings: readonly Binding[]
  readonly defaultVersion: string | false
  readonly limits: Limits
  readonly problemTypes: string | undefined
  readonly requestId: ((request: HttpRequest) => string) | undefined
  readonly idempotentFor: ((context: never) => string) | undefined
  /** `/` and the versions have home documents. */
  readonly home: boolean
  readonly context: ((request: RequestType) => unknown) | undefined
  /** Makes the scope of a caller. */
  readonly scope: ((context: never) => unknown) | undefined
  /** Makes the restricted fields that a caller sees. */
  readonly reveal: ((context: never) => unknown) | undefined
  /** What callers may do to items, by stored resource. */
  readonly rules: RulesByName
  readonly middleware: readonly Middleware[]
  readonly onError: ErrorListener
  readonly onAnswer: AnswerListener | undefined
  /**
   * Checks that the storage of every adapter fits the contract. Call it before you listen, so that
   * a missing table or column ends the start instead of answering 500.
   *
   * @throws {AggregateError} With every mismatch: in a line of the message, and as data among its
   *   `mismatches`: the resource, table, field, message, and the SQL statement that corrects it.
   */
  ready(): Promise<void>
  /**
   * Returns advice on a storage that is ready: what works with a limit, by the storage's catalogue.
   * A text over a column of numbers is one such limit. `nounful doctor` lists more.
   */
  advise(): Promise<readonly Mismatch[]>
}

/** A registry with any context. */
export type AnyRegistry = Registry<Api, never>
