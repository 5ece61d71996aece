import { type ProblemCode, problemStatuses, problems, type Status } from './convention.ts'
import { meant } from './declared.ts'

/**
 * One fault in what was sent: where it is, which it is, and a sentence about it.
 * `pointer` is a JSON Pointer into the body (RFC 6901, `''` is the whole body), `parameter` the name of a query parameter.
 */
export type Issue = (
  | { readonly pointer: string; readonly parameter?: never }
  | { readonly parameter: string; readonly pointer?: never }
) & {
  readonly code: string
  readonly message: string
  /** The words that would have been right, where they can be listed. */
  readonly allowed?: readonly string[]
}

/** What a problem may carry besides its code and detail. */
export interface ProblemMembers {
  /** Every part of the input that is at fault. */
  readonly issues?: readonly Issue[]
  /** The words that would have been right: parameters, sort fields. */
  readonly allowed?: readonly string[]
  /** The versions there are; for `unknown_version`. */
  readonly supported?: readonly string[]
  /** The methods the target supports; sent as `Allow`, for `method_not_allowed`. */
  readonly allow?: string
  /** Seconds; sent as `Retry-After`, for `rate_limited` (default 60) and `unavailable` (default 5). */
  readonly retryAfter?: number
  /** Sent as `WWW-Authenticate`, for `unauthenticated`. Default `Bearer`. */
  readonly challenge?: string
  /** Under which id the server's log knows the request; sent with 5xx, where the core sets it. */
  readonly requestId?: string
  /** What led to it; goes to the registry's `onError`, never to the client. */
  readonly cause?: unknown
}

const brand = Symbol.for('nounful.problem')

/**
 * The one error that chooses a status. Made by {@link problem}, recognised by {@link isProblem}.
 *
 * It inherits from `Error` but captures no stack: it is an answer, not a crash, and on a hot path
 * a stack costs more than the whole answer. Give it a `cause` where a stack matters.
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

  // A brand, not instanceof: two copies of the package are each other's.
  get [brand](): true {
    return true
  }
}

Object.setPrototypeOf(ProblemError.prototype, Error.prototype)

const maxTold = 3

/** What a problem carries that carries nothing. Without a prototype, whose members somebody may have tampered with. */
export const noMembers: ProblemMembers = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.create(null),
)

/**
 * Makes a problem to throw from a context, a middleware or an adapter: `throw problem('forbidden')`.
 *
 * @param detail A sentence for whoever sent the request. Default: what the `issues` say, else the title of the code.
 *   Not sent for `internal_error` and `unavailable`, which tell nothing of the cause.
 * @throws {TypeError} For a code there is not.
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
  const { title } = problems[code]
  const own: ProblemMembers =
    members === noMembers ? members : Object.assign(Object.create(null), members)
  return new ProblemError(code, detail ?? summaryOf(own.issues) ?? title, own)
}

// The first faults in a sentence, for those who show a message and nothing else.
function summaryOf(issues: readonly Issue[] = []): string | undefined {
  if (!Array.isArray(issues) || issues.length === 0) return undefined
  const told = issues.slice(0, maxTold).map(({ pointer, parameter, message }) => {
    const place = parameter ?? pointer?.slice(1)
    return place ? `${place}: ${message}` : message
  })
  const rest = issues.length - told.length
  return rest > 0 ? `${told.join('; ')}; and ${rest} more` : told.join('; ')
}

/**
 * What was made, unless it is a problem: that is thrown. What is asked for often gives its problem back instead of throwing it, since
 * to throw costs more than all the rest of a 404.
 */
export function orThrow<Made>(made: Made | ProblemError): Made {
  if (made instanceof ProblemError) throw made
  return made
}

/** Tells a problem from any other error, also one made by another copy of this package. */
export function isProblem(error: unknown): error is ProblemError {
  try {
    return (
      typeof error === 'object' &&
      error !== null &&
      Reflect.get(error, brand) === true &&
      isCode(Reflect.get(error, 'code'))
    )
  } catch {
    // A poisoned getter or a revoked proxy: whatever it is, it is not ours.
    return false
  }
}

/** Tells whether something is the code of a problem. */
export function isCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(problemStatuses, code)
}

/** The problem itself, or `internal_error` caused by anything else that was thrown. */
export function toProblem(error: unknown): ProblemError {
  return isProblem(error) ? error : problem('internal_error', undefined, { cause: error })
}

/** The problem of a body of more bytes than the limit; thrown by whoever reads it. */
export function bodyTooLarge(limit: number): ProblemError {
  return problem('body_too_large', `The body has more than ${limit} bytes`)
}

/** The problem of a cursor that the server has not written for the query. */
export function invalidCursor(): ProblemError {
  const message = '"after" is not a cursor of this query'
  const issues = [{ code: 'invalid_cursor', parameter: 'after', message }]
  return problem('invalid_cursor', message, { issues })
}

/** The problem of a bulk of more items than the limit. */
export function bulkTooLarge(limit: number): ProblemError {
  return problem('bulk_too_large', `The body has more than ${limit} items`)
}

/** What a client wrote, for a message: quoted, and cut where it is long. */
export function quote(text: string | undefined): string {
  return JSON.stringify(
    text === undefined || text.length <= 64 ? (text ?? '') : `${text.slice(0, 64)}…`,
  )
}
