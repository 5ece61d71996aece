import type { Collection } from '../../contract/resource/api.ts'
import type { Answered, HttpRequest, HttpResponse } from '../../contract/resource/http.ts'
import type { Registry } from '../../contract/resource/registry.ts'
import { settle } from '../../convention/awaitable.ts'
import { type OperationKind, operations, type ProblemCode } from '../../convention/operations.ts'
import { isCode } from '../../convention/problem.ts'
import { fieldOf } from '../../convention/value.ts'
import { endOfRequest } from '../../wire/deprecation.ts'
import { pathOf } from '../../wire/document.ts'
import { withoutOrigin } from '../../wire/path.ts'

/** The kind of an operation and the collection that it is about. */
export interface Named {
  readonly kind: OperationKind
  readonly collection: Pick<Collection, 'version' | 'path' | 'deprecation'>
}

/** The facts of a request that observers receive. */
interface ObservedRequest {
  readonly request: HttpRequest
  readonly registry: Registry
  /** `undefined` without an observer at the start. */
  readonly begun: number | undefined
  readonly named: Named | undefined
  /** Made by the first read. */
  readonly requestId: string
}

/** The part of a channel of `node:diagnostics_channel` that this file uses. */
interface Channel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

/** The channel `nounful:answer`; `undefined` in a runtime without `node:diagnostics_channel`. */
export const answerChannel: Channel | undefined = /* @__PURE__ */ findChannel('nounful:answer')

/** Gives observers the result of a request. A listener that fails changes no response. */
export function notifyObservers(
  about: ObservedRequest,
  response: Pick<HttpResponse, 'status' | 'body' | 'problem'>,
  isWhole: boolean,
): void {
  const { registry, begun } = about
  // An observer that began to listen meanwhile would get no duration.
  const channel = answerChannel?.hasSubscribers ? answerChannel : undefined
  if (begun === undefined || (registry.onAnswer === undefined && channel === undefined)) return
  const duration = performance.now() - begun
  const answered = Object.freeze(answeredOf(about, response, { duration, isWhole }))
  channel?.publish(answered)
  settle(
    () => registry.onAnswer?.(answered),
    () => undefined,
    (failure) => console.error('The answer listener failed:', failure),
  )
}

// RFC 9110 §9.1, RFC 5789. Clients may invent more, so the core names no other.
const methods: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH'.split(' '),
)

function answeredOf(
  about: ObservedRequest,
  { status, body, problem }: Pick<HttpResponse, 'status' | 'body' | 'problem'>,
  { duration, isWhole }: Pick<Answered, 'duration' | 'isWhole'>,
): Answered {
  const { request, named, requestId } = about
  const { method } = request
  // The client left, and the core gave the work up: no error. A signal is dear, so 5xx alone look.
  const hasClientLeft = status >= 500 && request.signal?.aborted === true
  return {
    id: requestId,
    kind: named?.kind,
    method: methods.has(method) ? method : undefined,
    path: pathIn(request),
    template: named && operationTemplate(named),
    version: named?.collection.version,
    deprecated: isDeprecated(about),
    status,
    code: hasClientLeft ? undefined : (problem ?? (status >= 400 ? codeOf(body) : undefined)),
    duration,
    // HEAD wants no more of a list than its head.
    isWhole: !hasClientLeft && (isWhole || method === 'HEAD'),
  }
}

function isDeprecated({ request, registry, named }: ObservedRequest): boolean {
  if (named) return named.collection.deprecation !== undefined
  const end = endOfRequest({ request, registry })
  return end !== undefined && 'deprecatedAt' in end
}

// Broken HTTP has no path.
function pathIn(request: HttpRequest): string | undefined {
  const { url } = request
  return typeof url === 'string' && url !== '' ? withoutOrigin(pathOf(request)) : undefined
}

/** Writes the template of an operation: `/v1/companies/:company_id/employees/:id`. */
export function operationTemplate({
  kind,
  collection: { version, path },
}: Pick<Named, 'kind'> & {
  readonly collection: Pick<Collection, 'version' | 'path'>
}): string {
  const { target } = operations[kind]
  if (target === 'collection') return `/${version}${path}`
  return `/${version}${path}/${target === 'item' ? ':id' : target}`
}

function codeOf(body: unknown): ProblemCode | undefined {
  const code: unknown = fieldOf(Object(body), 'code')
  return isCode(code) ? code : undefined
}

// A runtime without the module has no function either.
function findChannel(name: string): Channel | undefined {
  const runtime: unknown = Reflect.get(globalThis, 'process')
  const find: unknown = Reflect.get(Object(runtime), 'getBuiltinModule')
  const diagnostics: unknown =
    typeof find === 'function' ? find.call(runtime, 'node:diagnostics_channel') : undefined
  const open: unknown = Reflect.get(Object(diagnostics), 'channel')
  return typeof open === 'function' ? open(name) : undefined
}
