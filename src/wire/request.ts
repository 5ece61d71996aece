import type { Address, Target } from '../contract/resource/api.ts'
import { type HttpRequest, headerOf } from '../contract/resource/http.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { bodyOf } from '../convention/kinds.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { isProblem, orThrow, ProblemError, problem } from '../convention/problem.ts'
import { formatBody } from './body.ts'
import {
  type Conditions,
  conditionHeaders,
  formatConditions,
  noConditions,
  parseConditions,
} from './conditions.ts'
import {
  type Meaning,
  meaningOf,
  noMeaning,
  type QueryRules,
  queryRulesFor,
  throwingQuery,
} from './meaning.ts'
import { checkNextLink, type LinkBounds } from './page.ts'
import {
  findRequestTarget,
  formatPath,
  methodNotAllowed,
  methodsFor,
  type RequestTarget,
} from './path.ts'
import { formatQuery, formatTexts, type ParameterTexts, type WrittenParameters } from './query.ts'

/** An operation as text, with ids as the path has them. */
export interface Call {
  readonly kind: OperationKind
  readonly target: Target
  readonly parameters: Meaning['parameters']
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
  readonly query: Meaning['query']
  /** The problem of the parameters or headers. Not thrown, since authorization comes first. */
  readonly fault: ProblemError | undefined
}

/** A request and its registry. */
export interface RequestOfRegistry {
  readonly request: HttpRequest
  readonly registry: AnyRegistry
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
  const match = findRequestTarget(request, registry)
  if (match instanceof ProblemError) return match
  const { kinds, allow } = methodsFor(match.target, registry)
  const kind = kinds.get(match.methodKey)
  if (kind === undefined) return methodNotAllowed(request, allow)
  return readCall({ request, registry }, queryRulesFor(kind, match.target.collection), match)
}

/** Reads the parameters and the headers of a request whose operation is known. */
export function readCall(
  { request, registry }: RequestOfRegistry,
  rules: QueryRules,
  { target, search }: Pick<RequestTarget, 'target' | 'search'>,
): ParsedCall {
  const { kind } = rules
  try {
    const { counts, selects } = operations[kind]
    const isConditional = conditionHeaders[kind].some(
      (name) => headerOf(request, name) !== undefined,
    )
    const conditions = isConditional ? parseConditions(kind, request) : noConditions
    const isPaged = counts && target.collection.resource.defaultLimit
    const { parameters, query } = search || isPaged ? meaningOf(search, rules, target) : noMeaning
    if (selects) checkSelection({ query, conditions }, registry)
    if (counts && query.limit !== undefined) {
      const bounds = linkBoundsOf({ request, registry })
      if (mayExceed(request, bounds)) checkNextLink(query, target, bounds)
    }
    return { kind, target, parameters, conditions, query, fault: undefined }
  } catch (fault) {
    if (!isProblem(fault)) throw fault
    // Authorization comes before it.
    const { parameters } = noMeaning
    const query = throwingQuery(fault)
    return { kind, target, parameters, conditions: noConditions, query, fault }
  }
}

// A request that lost its conditions must not select every item.
function checkSelection(
  { query, conditions: { maxAffected = 0 } }: Pick<ParsedCall, 'query' | 'conditions'>,
  { limits }: AnyRegistry,
): void {
  const { words, where, related = [] } = query
  const conditions = [...where, ...related.flatMap((each) => each.where)]
  // A URL that lost its values leaves blank ones: `name:ne=` selects nearly all.
  const areBlank = conditions.every(
    ({ values }) => values.length > 0 && values.every((value) => value === ''),
  )
  if (words.length === 0 && areBlank) {
    throw problem('bad_parameter', 'Select the items: send a filter or a "q" that is not blank.')
  }
  if (maxAffected <= limits.bulk) return
  throw problem('bad_request', `"max-affected" of "prefer" is at most ${limits.bulk} here.`)
}

/** Returns the bounds of a link in the response to a request. */
export function linkBoundsOf({ request, registry }: RequestOfRegistry): LinkBounds {
  const { target } = registry.limits
  const { base = '' } = request
  return { maxLength: target - base.length, reserve: Math.min(1024, Math.floor(target / 4)) }
}

// Escapes and the digits of `1e20` make a link at most four times as long as the URL. The version
// and the limit come on top.
function mayExceed({ url }: HttpRequest, { maxLength, reserve }: LinkBounds): boolean {
  return 4 * url.length + 100 + reserve > maxLength
}

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
  const { method, selects } = operations[kind]
  // Without its "?", the request would delete everything.
  const url = formatPath(target) + (search || selects ? `?${search}` : '')
  const headers = formatConditions(conditions)
  if (body === undefined) return { method, url, headers }
  const written = formatBody(body, bodyOf(kind)?.types[0])
  return { method, url, headers: { ...headers, ...written.headers }, body: written.body }
}
