import type { Awaitable } from '../model/awaitable.ts'

/** Header fields to send along, in any way that `Headers` takes them. */
export type HeaderFields = ConstructorParameters<typeof Headers>[0]

/** Sends a request, as the global `fetch` does, or answers it at once, as what `toFetchHandler` gives does. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** What `createClient` takes. */
export interface ClientOptions {
  /** Where the api is, before its versions: `https://api.example.com`, `https://example.com/api`; in a browser also `/api`. */
  readonly baseUrl: string
  /** Sends the requests: what `toFetchHandler` or `retrying` give, or anything alike. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Sent with every request; a function is asked before each call. Default: none. */
  readonly headers?: HeaderFields | (() => Awaitable<HeaderFields>) | undefined
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call when it is aborted; its reason is thrown. Default: none. */
  readonly signal?: AbortSignal | undefined
  /** Sent with this call, before those of the client. Default: none. */
  readonly headers?: HeaderFields | undefined
}

/** What `update` and `delete` take. */
export interface WriteOptions extends CallOptions {
  /** The revision that the item must still have, else `precondition_failed`. Default: any. */
  readonly ifRevision?: string | number
}

/** What `deleteAll` takes. */
export interface DeleteAllOptions extends CallOptions {
  /** When more items than this would go, none does: `too_many_affected`. Default: any number. */
  readonly maxAffected?: number
}

/** Options as the client uses them. */
export interface Settings extends ClientOptions {
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string
  readonly fetch: Fetch
}

/**
 * Checks the options of a client and fills in their defaults.
 *
 * @throws {TypeError} For an option that cannot be; the message says what to write instead.
 */
export function settingsOf(options: ClientOptions): Settings {
  checkNames(options, ['baseUrl', 'fetch', 'headers'])
  return { ...options, fetch: fetchOf(options), baseUrl: baseOf(options.baseUrl) }
}

/**
 * Gives the `fetch` of options. Default: the global one.
 *
 * @throws {TypeError} For what is no function.
 */
export function fetchOf({ fetch = globalFetch }: { readonly fetch?: Fetch | undefined }): Fetch {
  if (typeof fetch === 'function') return fetch
  throw new TypeError('Give "fetch" a function')
}

// Late, so that whatever replaces the global one is used; as a method of it, which browsers ask for.
function globalFetch(request: Request): Promise<Response> {
  return globalThis.fetch(request)
}

/**
 * Makes sure that options, or a query, are an object that holds nothing unknown: a misspelt bound would be none.
 *
 * @throws {TypeError} Naming those there are.
 */
export function checkNames(given: unknown, names: readonly string[]): asserts given is object {
  // A list, a set or a function has no names that could be wrong, and yet means something.
  const isObject = Object.prototype.toString.call(given) === '[object Object]'
  const odd = isObject ? Object.keys(Object(given)).find((name) => !names.includes(name)) : given
  if (isObject && odd === undefined) return
  const instead =
    odd === 'ifVersion' ? '"ifVersion" is now "ifRevision"' : `Unknown option "${odd}"`
  throw new TypeError(`${instead}. Allowed: ${names.join(', ')}`)
}

// A path means one of the page's origin, never one beside the page.
function baseOf(baseUrl: string): string {
  const page = globalThis.location?.href
  if (/^(https?:\/)?\/[^?#@]*$/i.test(baseUrl) && URL.canParse(baseUrl, page)) {
    return new URL(baseUrl, page).href.replace(/\/+$/, '')
  }
  throw new TypeError(
    `Write "baseUrl" like "https://api.example.com", in a browser like "/api", not "${baseUrl}"`,
  )
}
