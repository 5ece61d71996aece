import type { Awaitable } from '../../convention/awaitable.ts'
import type { OperationKind, ProblemCode, Status } from '../../convention/operations.ts'
import type { Target } from './api.ts'

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
  /** Percent-encoded: `/v1/employees?sort=-name`. The server ignores an origin before it. */
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
  /** The path prefix that a host cut off `url`: `/api`. `Location` and `Link` repeat it. */
  readonly base?: string | undefined
  /** The runtime stays alive while a client waits, without a clock of the core. Default: false. */
  readonly isAttended?: boolean | undefined
  /** An `IncomingMessage` from `nounful/node`, a `Request` from `nounful/fetch`. */
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
  /**
   * Changes the body after the outermost layer, when the server has written it. A copy of the
   * response keeps it. Default: none.
   */
  readonly encode?: Encode | undefined
}

/** A body as a door sends it. `Content` is text, or bytes after an {@link Encode}. */
export interface WrittenBody<
  Content extends string | Uint8Array<ArrayBuffer> = string | Uint8Array<ArrayBuffer>,
> {
  /** By lower-case name, without `content-length`. */
  readonly headers: Readonly<Record<string, string>>
  /** All of the body, or its beginning where there are `slices`. */
  readonly content: Content
  /** The later slices of a long list that streams. A failure must cut the response off. */
  readonly slices: Slices<Content> | undefined
}

/** The slices after the beginning of a body; the last has `done`. Read it whole, or close it. */
export interface Slices<Content = WrittenBody['content']> {
  next(): Promise<IteratorResult<Content, Content>>
  /** Never rejects. */
  close(): Promise<void>
}

/** Changes a body after the server has written it, with its headers: a compression. */
export type Encode = (written: WrittenBody<string>) => Awaitable<WrittenBody>

/** A request, as far as its header fields. */
export type Headed = Pick<HttpRequest, 'headers' | 'field'>

/** Returns a header field as one text, by its lower-case name; `undefined` for none. */
export function headerOf(request: Headed, name: string): string | undefined {
  if (typeof request.field === 'function') return request.field(name)
  const { headers } = request
  const value = headers && Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'object' ? value.join(', ') : value
}

/** Answers a request; throws problems, and the errors of adapters. */
export type Answer = (request: HttpRequest) => Awaitable<HttpResponse>

/** The target of a request, for a layer. */
export interface Addressed {
  /**
   * The collection, item or reserved word that the path names, its ids decoded; `undefined` for a
   * path that names nothing. The first read of it parses the path.
   *
   * A guard compares it instead of `request.url`: `/v1/notes` and `/v1/%6eotes` are one target.
   */
  readonly target: Target | undefined
}

/**
 * A function around the whole handler. It responds by itself, as with a document or a page for
 * browsers. Or it passes the request to `answer` and returns the response, changed or not. The
 * server handles an error of a layer as one of an adapter. The outer layers get its response:
 * `answer` never throws.
 */
export type Layer = (
  request: HttpRequest,
  answer: Answer,
  addressed: Addressed,
) => Awaitable<HttpResponse>

/**
 * The result of a request, for logs and metrics: no query, header or body. Every member but `id`,
 * `path` and `duration` has few values, so that it can be a dimension.
 */
export interface Answered {
  /** The request's id, as `onError` gets it: by the option `requestId`, else a random UUID. */
  readonly id: string
  /** `undefined` for `OPTIONS`, and for a request that names no operation. */
  readonly kind: OperationKind | undefined
  /** One of the methods that HTTP defines (RFC 9110, RFC 5789); `undefined` for any other. */
  readonly method: string | undefined
  /**
   * The path as sent, percent-encoded, without origin and query: `/v1/companies/7`. It holds ids.
   * `undefined` for broken HTTP.
   */
  readonly path: string | undefined
  /** `/v1/companies/:company_id/employees/:id`. `undefined` as `kind`. */
  readonly template: string | undefined
  /** `v1`, also for a path without a version. `undefined` as `kind`. */
  readonly version: string | undefined
  /** The version or the path is deprecated: the response says so (C7.4). */
  readonly deprecated: boolean
  readonly status: Status
  /** The problem that the server sent, or that broke off a list. `undefined` for a success. */
  readonly code: ProblemCode | undefined
  /** Milliseconds until the response, or until the end of a list that is sent item by item. */
  readonly duration: number
  /**
   * False where a list broke off, for the reason in `code`, or where the client left before the
   * end. A client that left gets no `code`; a 5xx is then the status of the abandoned work.
   */
  readonly isWhole: boolean
}

/** Gets the result of every request. The server does not wait for it, and survives its errors. */
export type AnswerListener = (answered: Answered) => void

// The members that a class of requests can compute.
const names = ['method', 'url', 'headers', 'body', 'signal', 'base', 'source', 'given'] as const

/**
 * Makes the computed members of a request own and enumerable, so that a spread copies them:
 * `{ ...request, headers }` keeps `signal`. A read still computes them. Returns the request itself.
 */
export function withOwnMembers<RequestType extends object>(request: RequestType): RequestType {
  const prototype: object | null = Object.getPrototypeOf(request)
  if (prototype === null || prototype === Object.prototype) return request
  for (const [name, getter] of gettersOf(prototype)) {
    // A frozen request stays as it is.
    if (!Object.hasOwn(request, name)) Reflect.defineProperty(request, name, getter)
  }
  return request
}

type Getter = readonly [name: keyof HostRequest<unknown>, descriptor: PropertyDescriptor]

const getterCache = new WeakMap<object, readonly Getter[]>()

function gettersOf(prototype: object): readonly Getter[] {
  const cached = getterCache.get(prototype)
  if (cached) return cached
  const getters = names.flatMap((name): Getter[] => {
    const member = Object.getOwnPropertyDescriptor(prototype, name)
    return member?.get ? [[name, { ...member, enumerable: true }]] : []
  })
  getterCache.set(prototype, getters)
  return getters
}

/** A page or a document that a layer serves. */
interface ServedPage {
  /** `explorer`, `OpenAPI` */
  readonly title: string
  /** Below the prefix of a host: `/openapi.json`. */
  readonly path: string
}

const pages = new WeakMap<Layer, ServedPage>()

/** Notes the page that a layer serves, so that `serve` can print its URL. Returns the layer. */
export function withServedPage(layer: Layer, page: ServedPage): Layer {
  pages.set(layer, page)
  return layer
}

/** Returns the page that a layer serves; `undefined` for another layer. */
export function servedPageOf(layer: Layer): ServedPage | undefined {
  return pages.get(layer)
}
