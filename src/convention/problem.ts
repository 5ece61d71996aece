import { meant } from './declaration.ts'
import { type ProblemCode, problemStatuses, type Status } from './operations.ts'
import { details, problems } from './problems.ts'

/**
 * One fault of the input. `pointer` is a JSON Pointer into the body (RFC 6901, `''` is the whole
 * body), `parameter` the name of a query parameter.
 */
export type Issue = (
  | { readonly pointer: string; readonly parameter?: never }
  | { readonly parameter: string; readonly pointer?: never }
) & {
  readonly code: string
  readonly message: string
  /** The allowed words, if they can be listed. */
  readonly allowed?: readonly string[]
}

/** The author of the texts of issues: the core, or the validator. */
export type MessagesOption = 'core' | 'validator'

/** The members of a problem besides its code and detail. */
export interface ProblemMembers {
  /** Every fault of the input. */
  readonly issues?: readonly Issue[]
  /** The allowed words: parameters, sort fields. */
  readonly allowed?: readonly string[]
  /** The versions of the api; for `unknown_version` and `retired_version`. */
  readonly supported?: readonly string[]
  /** The announced end of a version, as declared; for `retired_version`. */
  readonly sunset?: string
  /** The methods the target supports; sent as `Allow`, for `method_not_allowed`. */
  readonly allow?: string
  /** Seconds; sent as `Retry-After`. Default 60 for `rate_limited`, 5 for `unavailable`. */
  readonly retryAfter?: number
  /** The codings that the server takes; sent as `Accept-Encoding`, for `unsupported_encoding`. */
  readonly acceptEncoding?: string
  /** Sent as `WWW-Authenticate`, for `unauthenticated`. Default `Bearer`. */
  readonly challenge?: string
  /** The id of the request in the server's log; the core sends it with 5xx. */
  readonly requestId?: string
  /** The cause, for the registry's `onError`, never for the client. */
  readonly cause?: unknown
}

const brand = Symbol.for('nounful.problem')

/**
 * The only error with a status. It inherits from `Error` but captures no stack, which would cost
 * more than the whole response. Give it a `cause` where a stack matters.
 */
export class ProblemError implements Error {
  readonly name = 'ProblemError'
  declare readonly code: ProblemCode
  declare readonly message: string
  declare readonly members: ProblemMembers

  constructor(code: ProblemCode, detail: string, members: ProblemMembers) {
    this.code = code
    this.message = detail
    this.members = members
  }

  get status(): Status {
    return problemStatuses[this.code]
  }

  get cause(): unknown {
    return this.members.cause
  }

  // A brand instead of `instanceof`, so that two copies of the package know each other's.
  get [brand](): true {
    return true
  }
}

Object.setPrototypeOf(ProblemError.prototype, Error.prototype)

const maxListed = 3

/** No members, also where an attacker changed `Object.prototype`. */
export const noMembers: ProblemMembers = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.create(null),
)

/**
 * Makes a problem to throw from a context, middleware or adapter: `throw problem('forbidden')`.
 *
 * @param detail A sentence for the client. Default: a summary of the `issues`, else a sentence for
 *   the code. The server does not send it for `internal_error` and `unavailable`.
 * @throws {TypeError} For an unknown code.
 * @see RFC 9457
 */
export function problem(
  code: ProblemCode,
  detail?: string,
  members: ProblemMembers = noMembers,
): ProblemError {
  if (!Object.hasOwn(problems, code)) {
    throw new TypeError(
      `There is no problem "${code}": ${meant(`${code}`, Object.keys(problems))}.`,
    )
  }
  const ownMembers: ProblemMembers =
    members === noMembers ? members : Object.assign(Object.create(null), members)
  return new ProblemError(
    code,
    detail ?? summaryOf(ownMembers.issues) ?? detailOf(code, ownMembers),
    ownMembers,
  )
}

// The scheme of `WWW-Authenticate`: a client that has to sign in must know how.
function detailOf(code: ProblemCode, { challenge }: ProblemMembers): string {
  if (code !== 'unauthenticated') return details[code]
  const [scheme = ''] = /^[\w-]+/.exec(challenge ?? '') ?? []
  return `${details[code].slice(0, -1)}: send "authorization: ${scheme || 'Bearer'} …".`
}

// The first issues in a sentence, for a client that shows only a message.
function summaryOf(issues: readonly Issue[] = []): string | undefined {
  if (!Array.isArray(issues) || issues.length === 0) return undefined
  const sentences = issues.slice(0, maxListed).map((issue) => {
    // Own members only, also where an attacker changed `Object.prototype`.
    const { pointer, parameter, message } = { pointer: undefined, parameter: undefined, ...issue }
    const place = parameter ?? pointer?.slice(1)
    if (place) return `${place}: ${message}`
    // An issue of the body itself has no subject.
    return pointer === '' && /^(?:must|is|has|cannot) /.test(message)
      ? `The body ${message}`
      : message
  })
  const omitted = issues.length - sentences.length
  return omitted > 0 ? `${sentences.join('; ')}; and ${omitted} more` : sentences.join('; ')
}

/** Throws a problem that a hot function returned: throwing costs more than the rest of a 404. */
export function orThrow<Made>(made: Made | ProblemError): Made {
  if (made instanceof ProblemError) throw made
  return made
}

/** Tells whether an error is a problem, also of another copy of this package. */
export function isProblem(error: unknown): error is ProblemError {
  try {
    return (
      typeof error === 'object' &&
      error !== null &&
      Reflect.get(error, brand) === true &&
      isCode(Reflect.get(error, 'code'))
    )
  } catch {
    // A getter that throws, or a revoked proxy.
    return false
  }
}

/** Tells whether a value is the code of a problem. */
export function isCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(problemStatuses, code)
}

/** Returns a problem itself; any other error becomes the cause of an `internal_error`. */
export function toProblem(error: unknown): ProblemError {
  return isProblem(error) ? error : problem('internal_error', undefined, { cause: error })
}

/** Makes the problem of a body with more bytes than the limit. */
export function bodyTooLarge(limit: number): ProblemError {
  return problem('body_too_large', `The body has more than ${limit} bytes.`)
}

/** Makes the problem of a cursor that the server did not write for the query. */
export function invalidCursor(): ProblemError {
  const message =
    '"after" is no cursor of this query: take it from a "next" link, with the same parameters'
  const issues = [{ code: 'invalid_cursor', parameter: 'after', message }]
  return problem('invalid_cursor', message, { issues })
}

/** Makes the problem of a bulk with more items than the limit. */
export function bulkTooLarge(limit: number): ProblemError {
  return problem('bulk_too_large', `The body has more than ${items(limit)}: send them in parts.`)
}

/** Makes the problem of a deletion of more items than the client allows. */
export function tooManyAffected(most: number): ProblemError {
  const detail =
    `This would delete more than ${items(most)}: the server deleted none. ` +
    'Raise "max-affected", or narrow the filter.'
  return problem('too_many_affected', detail)
}

/** Makes the problem of a new item whose id another item has, perhaps one that no GET shows. */
export function takenId(cause?: unknown): ProblemError {
  const members = cause === undefined ? noMembers : { cause }
  return problem('conflict', 'This id is taken: choose another one.', members)
}

/** Makes the problem of a write that lost all of its tries. */
export function outOfTries(cause: unknown): ProblemError {
  return problem('unavailable', undefined, { retryAfter: 1, cause })
}

function items(number: number): string {
  return number === 1 ? '1 item' : `${number} items`
}

/** Quotes the text of a client for a message, cut to 64 characters. */
export function quote(text = ''): string {
  return JSON.stringify(text.length <= 64 ? text : `${text.slice(0, 64)}…`)
}
