import type { Methods } from '../contract/resource/adapter.ts'
import type { Address, Target } from '../contract/resource/api.ts'
import { type HttpRequest, headerOf } from '../contract/resource/http.ts'
import { noQuery, type Query } from '../contract/resource/operation.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { bodyOf } from '../convention/kinds.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { isProblem, orThrow, ProblemError, problem, quote } from '../convention/problem.ts'
import { formatBody } from './body.ts'
import {
  type Conditions,
  formatConditions,
  noConditions,
  parseConditions,
  parseCounted,
} from './conditions.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import { withoutOrigin } from './origin.ts'
import { checkRoom, type RequestOfRegistry, throwingQuery } from './page.ts'
import { noParameters, type Parameters } from './parameters.ts'
import { findTarget, formatPath } from './path.ts'
import { formatQuery, formatTexts, type ParameterTexts, type WrittenParameters } from './query.ts'

/** An operation as text, with ids as the path has them. */
export interface Call {
  readonly kind: OperationKind
  readonly target: Target
  readonly parameters: Parameters
  readonly conditions: Conditions
}

/** A {@link Call} to write, with or without a contract. */
export interface WrittenCall extends Omit<Call, 'target' | 'parameters'> {
  readonly target: Address
  readonly parameters: WrittenParameters
}

/** A call of a client, whose parameters are text. */
export interface TextCall extends Omit<WrittenCall, 'parameters'> {
  readonly parameters: ParameterTexts
}

/** A {@link Call} that was read from a request. */
export interface ParsedCall extends Call {
  /** The meaning of the parameters. */
  readonly query: Query
  /** The problem of the parameters or headers. Not thrown, since authorization comes first. */
  readonly fault: ProblemError | undefined
}

/** A {@link Call} as a request of plain values. */
export interface WrittenRequest extends HttpRequest {
  readonly headers: Readonly<Record<string, string>>
  /** JSON; absent for a call without a body. */
  readonly body?: string
}

/**
 * Reads the operation of a request, without its body. The inverse of {@link formatRequest}.
 *
 * @throws {ProblemError} `uri_too_long`, the codes of {@link parsePath}, `method_not_allowed`.
 */
export function parseRequest(request: HttpRequest, registry: AnyRegistry): ParsedCall {
  return orThrow(findCall(request, registry))
}

/**
 * Reads as {@link parseRequest}, but returns the problem of a 404 or 405.
 *
 * @throws {ProblemError} `uri_too_long`, `bad_path`, `bad_percent_encoding`.
 */
export function findCall(request: HttpRequest, registry: AnyRegistry): ParsedCall | ProblemError {
  const match = findAddressed(request, registry)
  if (match instanceof ProblemError) return match
  const { target } = match
  const { kinds, allow } = methodsFor(target, registry)
  const { method } = request
  const kind = kinds.get(method)
  if (kind === undefined) {
    const detail = `${quote(method)} is not allowed here: use ${allow}.`
    return problem('method_not_allowed', detail, { allow })
  }
  return readCall({ request, registry }, kind, match)
}

/** Reads the parameters and the headers of a request whose operation is known. */
export function readCall(
  { request, registry }: RequestOfRegistry,
  kind: OperationKind,
  { target, search }: FoundTarget,
): ParsedCall {
  try {
    const { conditions: conditionNames, counts } = operations[kind]
    const conditions =
      conditionNames.length > 0
        ? parseConditions(kind, request)
        : counts && headerOf(request, 'prefer') !== undefined
          ? parseCounted(request)
          : noConditions
    const isPaged = counts && target.collection.resource.defaultLimit
    const { parameters, query } = search || isPaged ? meaningOf(search, kind, target) : plain
    if (counts && query.limit !== undefined) checkRoom(query, target, { request, registry })
    return { kind, target, parameters, conditions, query, fault: undefined }
  } catch (fault) {
    if (!isProblem(fault)) throw fault
    // Authorization comes before it.
    const query = throwingQuery(fault)
    return { kind, target, parameters: noParameters, conditions: noConditions, query, fault }
  }
}

// The meaning of a request without parameters.
const plain: Meaning = /* @__PURE__ */ Object.freeze({ parameters: noParameters, query: noQuery })

/** Writes a call as a request of plain values. The inverse of {@link parseRequest}. */
export function formatRequest(call: WrittenCall, body?: unknown): WrittenRequest {
  return requestTo(call, formatQuery(call.parameters), body)
}

/** Writes a call of a client as {@link formatRequest} does. */
export function formatCall(call: TextCall, body?: unknown): WrittenRequest {
  const search = formatTexts(call.parameters, operations[call.kind].parameters)
  return requestTo(call, search, body)
}

function requestTo(
  { kind, target, conditions }: Omit<WrittenCall, 'parameters'>,
  search: string,
  body: unknown,
): WrittenRequest {
  const url = formatPath(target) + (search && `?${search}`)
  const headers = formatConditions(conditions)
  const { method } = operations[kind]
  if (body === undefined) return { method, url, headers }
  const written = formatBody(body, bodyOf(kind)?.types[0])
  return { method, url, headers: { ...headers, ...written.headers }, body: written.body }
}

/**
 * Reads the target of a request, and leaves its query unread.
 *
 * @throws {ProblemError} As {@link parseRequest}, but for the method.
 */
export function parseTarget(request: HttpRequest, registry: AnyRegistry): FoundTarget {
  return orThrow(findAddressed(request, registry))
}

/** Reads as {@link parseTarget}, but returns `undefined` for a path that names nothing. */
export function targetOf(request: HttpRequest, registry: AnyRegistry): Target | undefined {
  try {
    const match = findAddressed(request, registry)
    return match instanceof ProblemError ? undefined : match.target
  } catch {
    // The core answers the fault of the path later.
    return undefined
  }
}

/** The target that a request names, and its query as the client wrote it. */
export interface FoundTarget {
  readonly target: Target
  /** Percent-encoded, without the `?`. */
  readonly search: string
}

// Reads as `parseTarget`, but returns the problem of a request that names nothing.
function findAddressed(request: HttpRequest, registry: AnyRegistry): FoundTarget | ProblemError {
  const { url } = request
  const relative = url.charCodeAt(0) === 0x2f ? url : withoutOrigin(url)
  if (relative.length > registry.limits.target) {
    throw problem(
      'uri_too_long',
      `The request target has more than ${registry.limits.target} bytes.`,
    )
  }
  const { path, search } = splitTarget(relative)
  const target = findTarget(path, registry)
  if (target instanceof ProblemError) return target
  if (request.method !== 'GET') refuseLeftovers(request, target, relative)
  return { target, search }
}

/** Splits a request target at its first `?`. */
export function splitTarget(url: string): { readonly path: string; readonly search: string } {
  const question = url.indexOf('?')
  if (question < 0) return { path: url, search: '' }
  return { path: url.slice(0, question), search: url.slice(question + 1) }
}

// A URL parser makes `/employees/` of an empty id, so that the path names more than the client
// meant.
function refuseLeftovers({ method }: HttpRequest, { kind }: Target, relative: string): void {
  const writes = method === 'PUT' || method === 'PATCH' || method === 'DELETE'
  if (!writes || (kind !== 'collection' && kind !== 'item')) return
  if (/^[^?]*\/(?:\?|$)/.test(relative)) {
    throw problem(
      'bad_path',
      `${method} takes no trailing slash: a URL parser leaves one where an id is "", "." or "..".`,
    )
  }
  if (method === 'DELETE' && kind === 'collection' && /^[^?]*\?&*$/.test(relative))
    throw problem('bad_path', 'DELETE of a collection takes no query: leave out the "?".')
}

/** Returns the methods of a target that its resource and adapter support. */
export function methodsFor({ kind, collection }: Target, { bindings }: AnyRegistry): Methods {
  const methods = bindings[collection.place]?.methods.get(kind)
  return methods ?? { kinds: new Map(), allow: 'OPTIONS' }
}
