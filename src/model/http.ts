import type { Awaitable } from './awaitable.ts'
import type { ProblemCode, Status } from './convention.ts'

/**
 * Header fields by lower-case name, as in Node: fields of one name are joined by `, `, or a list.
 */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * A body: JSON text, its bytes, a parsed value, or a function that reads one of these on demand.
 * The function refuses more than `limit` bytes with `body_too_large`.
 */
export type HttpBody =
  | string
  | Uint8Array
  | object
  | ((limit: number) => Awaitable<string | Uint8Array | object>)

/** A request as plain values, of any runtime or none. */
export interface HttpRequest {
  /** In the case of the request: `GET`. */
  readonly method: string
  /**
   * The request target, percent-encoded: `/v1/employees?sort=-name`. The server ignores an origin
   * before it.
   */
  readonly url: string
  /** Default: none. */
  readonly headers?: HttpHeaders | undefined
  /**
   * Returns one header field by its lower-case name, without making all {@link headers}. Called as
   * a method. Default: a look-up in `headers`.
   */
  field?(name: string): string | undefined
  /** Default: none. */
  readonly body?: HttpBody | undefined
  /** Aborted when the client leaves. Default: never. */
  readonly signal?: AbortSignal | undefined
  /**
   * The path prefix that a host cut off `url`: `/api`. It precedes the paths in `Location` and
   * `Link`. Default: none.
   */
  readonly base?: string | undefined
  /**
   * The runtime stays alive while a client waits, so that no clock of the core has to. Default:
   * false.
   */
  readonly isAttended?: boolean | undefined
  /**
   * The runtime's own request: an `IncomingMessage` from `nounful/node`, a `Request` from
   * `nounful/fetch`.
   */
  readonly source?: unknown
}

/**
 * A request with the arguments of its host, for a `.context()` that needs them. Only doors that get
 * them serve the registry: with `HostRequest<Request, [env: Env]>`, `toFetchHandler(registry)` is a
 * `(request: Request, env: Env) => …`.
 */
export interface HostRequest<Source, Given extends readonly unknown[] = []> extends HttpRequest {
  readonly source: Source
  /** The host's further arguments of a fetch handler. None from `nounful/node`. */
  readonly given: Given
}

/** A response as plain values. */
export interface HttpResponse {
  readonly status: Status
  /** By lower-case name. The door adds `content-length` and the like. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * A value for `JSON.stringify`, or the text where `content-type` is not JSON; `undefined` after
   * HEAD. A list that the adapter gives item by item is an async iterable, whose first item is on
   * its way. Read it to its end, or leave it with `return()`, as leaving a `for await` does. It
   * throws where the adapter fails, and `onError` gets the error.
   */
  readonly body: unknown
  /** The problem that a page shows, as one of the explorer does. Default: none. */
  readonly problem?: ProblemCode | undefined
}

/** A request, as far as its header fields. */
export type Headed = Pick<HttpRequest, 'headers' | 'field'>

/**
 * Returns the value of a header field as one text; `undefined` for none. The name is in lower case.
 */
export function headerOf(request: Headed, name: string): string | undefined {
  if (typeof request.field === 'function') return request.field(name)
  const { headers } = request
  const value = headers && Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'object' ? value.join(', ') : value
}
