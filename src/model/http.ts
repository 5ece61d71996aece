import type { Awaitable } from './awaitable.ts'
import type { ProblemCode, Status } from './convention.ts'

/** Header fields by name, as Node gives them: in lower case, several of one name joined by `, ` or kept as a list. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * A body: JSON text, its bytes, a value that something else has already parsed, or a function that
 * reads the text or bytes when they are wanted and refuses more than `limit` bytes with `body_too_large`.
 */
export type HttpBody =
  | string
  | Uint8Array
  | object
  | ((limit: number) => Awaitable<string | Uint8Array | object>)

/** A request as plain values, of any runtime or none. */
export interface HttpRequest {
  /** As sent; case matters: `GET`. */
  readonly method: string
  /** The request target, percent-encoded: `/v1/employees?sort=-name`. An absolute URL is taken too; its origin is ignored. */
  readonly url: string
  /** Default: none. */
  readonly headers?: HttpHeaders | undefined
  /**
   * Gives one header field by its lower-case name, where that takes less than making {@link headers}; it must say the same. Default: it
   * is looked up there. It is called as a method.
   */
  field?(name: string): string | undefined
  /** Default: none. */
  readonly body?: HttpBody | undefined
  /** Aborted when nobody waits for the answer any more. Default: never. */
  readonly signal?: AbortSignal | undefined
  /** A path prefix that a host has cut off `url`: `/api`. Put before the paths in `Location` and `Link`. Default: none. */
  readonly base?: string | undefined
  /** The runtime goes on for as long as a client waits, so that no clock of ours has to keep it going. Default: false. */
  readonly isAttended?: boolean | undefined
  /** What the runtime handed over: an `IncomingMessage` from `nounful/node`, a `Request` from `nounful/fetch`. */
  readonly source?: unknown
}

/**
 * A request together with what its host gave for it: what `.context()` takes where it needs that. The registry is then served only by
 * doors that are given it: `HostRequest<Request, [env: Env]>` makes of `toFetchHandler(registry)` a `(request: Request, env: Env) => …`.
 */
export interface HostRequest<Source, Given extends readonly unknown[] = []> extends HttpRequest {
  readonly source: Source
  /** What the host calls a fetch handler with besides the request. None from `nounful/node`. */
  readonly given: Given
}

/** An answer as plain values. */
export interface HttpResponse {
  readonly status: Status
  /** By lower-case name. `content-length` and the like are the door's to add. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * A value for `JSON.stringify`, of the media type that `content-type` says, or the text itself where that is not JSON;
   * `undefined` after HEAD. A list that the adapter
   * gives item by item is an async iterable of its items, the first of which has been asked for: read it to its end, or leave it
   * with `return()`, as leaving a `for await` does. It throws where the adapter fails, and `onError` is told.
   */
  readonly body: unknown
  /** Of which problem a text tells that is none itself, as a page of the explorer does. Default: none. */
  readonly problem?: ProblemCode | undefined
}

/** What has header fields. */
export type Headed = Pick<HttpRequest, 'headers' | 'field'>

/** A header's value as one text, `undefined` when it was not sent. The name is one that a message can hold. */
export function headerOf(request: Headed, name: string): string | undefined {
  if (typeof request.field === 'function') return request.field(name)
  const { headers } = request
  const value = headers && Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'object' ? value.join(', ') : value
}
