import type { HttpResponse } from '../contract/resource/http.ts'
import { defaultLimits, type Limits } from '../convention/limits.ts'
import type { ProblemCode } from '../convention/operations.ts'
import {
  type Issue,
  isCode,
  noMembers,
  ProblemError,
  type ProblemMembers,
  toProblem,
} from '../convention/problem.ts'
import { details, problems } from '../convention/problems.ts'
import { problemType } from './body.ts'
import { defined } from './defined.ts'
import { formatRetryAfter, parseRetryAfter } from './retry-after.ts'

/** The JSON of a problem. */
interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  /** Equal to `detail`. */
  readonly message: string
  readonly issues?: readonly Issue[]
  readonly allowed?: readonly string[]
  readonly supported?: readonly string[]
  readonly sunset?: string
  readonly request_id?: string
}

/** The base of problem types, and the limits of a problem document. */
export interface ProblemOptions {
  readonly problemTypes: string | undefined
  readonly limits: Pick<Limits, 'issues' | 'problem'>
}

type Writable<Members> = { -readonly [Name in keyof Members]: Members[Name] }

/**
 * Writes a problem as a response of `application/problem+json`. The inverse of {@link
 * parseProblem}. A 5xx has only a fixed sentence and the id of the request. The limits cut
 * `issues`.
 *
 * @param requestId Default: the id that the problem carries, if any.
 * @see RFC 9457 §3; docs/requests.md, C5.1 and C5.2
 */
export function formatProblem(
  error: ProblemError,
  { problemTypes, limits }: ProblemOptions,
  requestId = error.members.requestId,
): HttpResponse {
  const { code, members } = error
  const { status, title } = problems[code]
  const detail = status >= 500 ? details[code] : truncate(error.message)
  const type = problemTypes === undefined ? 'about:blank' : problemTypes + code
  const { issues, allowed, supported, sunset } = status >= 500 ? noMembers : members
  const body: Writable<ProblemDocument> = { type, title, status, detail, code, message: detail }
  if (issues !== undefined) {
    body.issues = bounded(issues, limits)
    const { length } = body.issues
    if (length > 0 && length < issues.length) {
      body.detail = `${detail.replace(/\.$/, '')}. "issues" holds the first ${length}.`
      body.message = body.detail
    }
  }
  if (allowed !== undefined) body.allowed = limitWords(allowed, limits)
  if (supported !== undefined) body.supported = limitWords(supported, limits)
  if (sunset !== undefined) body.sunset = truncate(sunset)
  if (requestId !== undefined) body.request_id = requestId
  return { status, headers: headersOf(code, members), body }
}

const plainOptions: ProblemOptions = { problemTypes: undefined, limits: defaultLimits }

/**
 * Makes the response of a problem, for a layer: `toResponse(problem('rate_limited'))`.
 * Any other error becomes `internal_error`, and `onError` does not see it.
 *
 * @param registry Its base of problem types and its limits. Default: no base, the default limits.
 */
export function toResponse(
  error: ProblemError,
  registry: ProblemOptions = plainOptions,
): HttpResponse {
  return formatProblem(toProblem(error), registry)
}

/**
 * Reads a problem from a response. The inverse of {@link formatProblem}. Returns `undefined` for
 * another media type, an unknown code, and members of another shape.
 */
export function parseProblem({
  headers,
  body,
}: Pick<HttpResponse, 'headers' | 'body'>): ProblemError | undefined {
  if (!isProblemType(headers['content-type']) || !isDocument(body)) return undefined
  const { code, detail, issues, allowed, supported, sunset, request_id: requestId } = body
  const members: ProblemMembers = defined({
    issues,
    allowed,
    supported,
    sunset,
    requestId,
    allow: headers.allow,
    acceptEncoding: headers['accept-encoding'],
    retryAfter: parseRetryAfter(headers),
    challenge: headers['www-authenticate'],
  })
  return new ProblemError(code, detail, members)
}

function headersOf(
  code: ProblemCode,
  { allow, acceptEncoding, challenge, retryAfter }: ProblemMembers,
): Readonly<Record<string, string>> {
  switch (code) {
    case 'rate_limited':
      return { ...plainHeaders, 'retry-after': formatRetryAfter(retryAfter) ?? '60' }
    case 'unavailable':
      return { ...plainHeaders, 'retry-after': formatRetryAfter(retryAfter) ?? '5' }
    case 'method_not_allowed':
      return { ...plainHeaders, allow: headerText(allow) ?? 'OPTIONS' }
    case 'unsupported_encoding': {
      const codings = headerText(acceptEncoding)
      return codings === undefined ? plainHeaders : { ...plainHeaders, 'accept-encoding': codings }
    }
    case 'unauthenticated':
      return { ...plainHeaders, 'www-authenticate': headerText(challenge) ?? 'Bearer' }
    default:
      return plainHeaders
  }
}

const plainHeaders: Readonly<Record<string, string>> = /* @__PURE__ */ Object.freeze({
  'content-type': problemType,
})

// RFC 9110 §8.3.1: in any case, with any parameters.
function isProblemType(mediaType = ''): boolean {
  return mediaType.split(';')[0]?.trim().toLowerCase() === problemType
}

function isDocument(body: unknown): body is ProblemDocument {
  const { code, detail, issues = [], allowed = [], supported = [] } = Object(body)
  const { sunset = '', request_id = '' } = Object(body)
  return (
    isCode(code) &&
    [detail, sunset, request_id].every((text) => typeof text === 'string') &&
    [issues, allowed, supported].every(Array.isArray) &&
    issues.every((issue: unknown) => typeof Object(issue).message === 'string')
  )
}

// Printable ASCII: any other text would break the response apart.
function headerText(text: unknown): string | undefined {
  return typeof text === 'string' && /^[ -~]+$/.test(text) ? text : undefined
}

const maxText = 512

// A program without types can pass another value.
function truncate(value: string): string {
  const text = String(value)
  return text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text
}

function bounded(issues: readonly Issue[], limits: ProblemOptions['limits']): readonly Issue[] {
  const output: Issue[] = []
  let length = 0
  if (!Array.isArray(issues)) throw new TypeError('The issues of a problem are a list.')
  for (const issue of issues.slice(0, limits.issues)) {
    // Own members only, also where an attacker changed `Object.prototype`.
    const { pointer, allowed } = { pointer: undefined, allowed: undefined, ...issue }
    const bounded = {
      ...issue,
      message: truncate(issue.message),
      ...(pointer === undefined ? {} : { pointer: truncate(pointer) }),
      ...(allowed === undefined ? {} : { allowed: limitWords(allowed, limits) }),
    }
    // A character has at most three bytes. Half of the bound is for the rest of the document.
    length += JSON.stringify(bounded).length * 3
    if (length > limits.problem / 2) break
    output.push(bounded)
  }
  return output
}

// A longer list helps no reader.
function limitWords(words: readonly string[], limits: ProblemOptions['limits']): readonly string[] {
  if (!Array.isArray(words)) throw new TypeError('The words a problem names are a list.')
  let length = 0
  const candidates = words.slice(0, limits.issues).map(truncate)
  // As above. An eighth of the bound for each list leaves room for both, and for an issue.
  const end = candidates.findIndex((word) => {
    length += JSON.stringify(word).length * 3
    return length > limits.problem / 8
  })
  return end < 0 ? candidates : candidates.slice(0, end)
}
