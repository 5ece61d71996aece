import type { Awaitable } from '../convention/awaitable.ts'
import { announcer, type DeprecationListener } from './deprecation.ts'

/** Header fields in any form that `Headers` takes. */
export type HeaderFields = ConstructorParameters<typeof Headers>[0]

/** Sends a request like the global `fetch`, or returns a response like a `toFetchHandler`. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** The options of `createClient`. */
export interface ClientOptions {
  /**
   * The URL before the version: `https://api.example.com`, `https://example.com/api`; in a browser
   * also `/api`.
   */
  readonly baseUrl: string
  /** Sends the requests: a `toFetchHandler`, a `retrying`. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Header fields of every request, or a function that runs before each call. Default: none. */
  readonly headers?: HeaderFields | (() => Awaitable<HeaderFields>) | undefined
  /**
   * Receives the announced end of a version (RFC 9745, RFC 8594), once for each version, and once
   * for each path with other dates. The client ignores an error that it throws. Default: none.
   */
  readonly onDeprecated?: DeprecationListener | undefined
}

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined
  /** Header fields of this call. They override the client's. Default: none. */
  readonly headers?: HeaderFields | undefined
}

/** The options of `update`, `patch` and `delete`. */
export interface WriteOptions extends CallOptions {
  /** The revision that the item must have, else `precondition_failed`. Default: any. */
  readonly ifRevision?: string | number
}

/** The options of `create`. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 visible characters of ASCII. Repeating the call with the same key creates one item.
   * The resource has to be idempotent. Default: none.
   */
  readonly idempotencyKey?: string
}

/** The options of `create`, `createMany`, `update`, `updateMany`, `patch` and `patchMany`. */
export interface DryRunOptions extends CallOptions {
  /**
   * The server checks the request, and stores nothing. It returns the item to store as far as it
   * knows it: a new item has no id. Leave the option out to store the item.
   */
  readonly dry_run: true
}

/** The options of `deleteAll`. */
export interface DeleteAllOptions extends CallOptions {
  /** The most items to delete. With more, none is deleted: `too_many_affected`. Default: all. */
  readonly maxAffected?: number
}

/** Checked options with their defaults. */
export interface Settings extends ClientOptions {
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Tells of the end that the headers of a response announce. */
  readonly announce: ReturnType<typeof announcer>
}

/**
 * Checks the options of a client and fills in their defaults.
 *
 * @throws {TypeError} For an invalid option.
 */
export function settingsOf(options: ClientOptions): Settings {
  checkNames(options, ['baseUrl', 'fetch', 'headers', 'onDeprecated'])
  const { onDeprecated } = options
  if (onDeprecated !== undefined && typeof onDeprecated !== 'function')
    throw new TypeError('"onDeprecated" must be a function')
  const baseUrl = baseUrlOf(options.baseUrl)
  return { ...options, fetch: fetchOf(options), baseUrl, announce: announcer(onDeprecated) }
}

/**
 * Returns the option `fetch`. Default: the global one.
 *
 * @throws {TypeError} For anything but a function.
 */
export function fetchOf({ fetch = globalFetch }: { readonly fetch?: Fetch | undefined }): Fetch {
  if (typeof fetch === 'function') return fetch
  throw new TypeError('"fetch" must be a function')
}

// Looks `fetch` up at each call, since a test may replace it. Browsers need `globalThis` as `this`.
function globalFetch(request: Request): Promise<Response> {
  return globalThis.fetch(request)
}

/**
 * Checks that options or a query are an object without unknown names: the client would ignore a
 * misspelt `maxAffected`.
 *
 * @throws {TypeError} With the allowed names.
 */
export function checkNames(options: unknown, names: readonly string[]): asserts options is object {
  const isObject = isPlainObject(options)
  const unknownName = isObject
    ? Object.keys(Object(options)).find((name) => !names.includes(name))
    : options
  if (isObject && unknownName === undefined) return
  const problem =
    unknownName === 'ifVersion'
      ? '"ifVersion" is now "ifRevision"'
      : `Unknown option "${unknownName}"`
  throw new TypeError(`${problem}. Allowed: ${names.join(', ')}`)
}

/** Tells whether a value is an object with names: no list, set, date or function. */
export function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]'
}

// In a page, a path is relative to the origin, not to the page's path.
function baseUrlOf(baseUrl: string): string {
  const page = globalThis.location?.href
  if (/^(https?:\/)?\/[^?#@]*$/i.test(baseUrl) && URL.canParse(baseUrl, page)) {
    return new URL(baseUrl, page).href.replace(/\/+$/, '')
  }
  throw new TypeError(
    `Invalid "baseUrl" "${baseUrl}": write "https://api.example.com", or "/api" in a browser`,
  )
}
