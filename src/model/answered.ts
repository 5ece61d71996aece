import type { OperationKind, ProblemCode, Status } from './convention.ts'

/**
 * What a request came to, for logs and metrics: never an id, a value, a query or a body. Everything in it but the duration is
 * one of a few words, so that each may be a dimension.
 */
export interface Answered {
  /** `undefined` where the request asked for no operation: of `OPTIONS`, and of what was refused before it was understood. */
  readonly kind: OperationKind | undefined
  /** One of the methods that HTTP defines (RFC 9110, RFC 5789); `undefined` for any other. */
  readonly method: string | undefined
  /** What was asked for, without what was in its place: `/v1/companies/:company_id/employees/:id`. `undefined` as `kind`. */
  readonly template: string | undefined
  /** `v1`, also where the path named none. `undefined` as `kind`. */
  readonly version: string | undefined
  readonly status: Status
  /** Of the problem that was answered, or that broke off a list whose head had been sent. `undefined` where all went well. */
  readonly code: ProblemCode | undefined
  /** Milliseconds until the answer was there, or of a list that came item by item, until its end. */
  readonly duration: number
  /**
   * False where nobody has had the whole answer: a list broke off, for the reason that `code` says, or the client left before the
   * end. Then there is no `code`, and the status of 5xx is that of the work which was given up.
   */
  readonly isWhole: boolean
}

/** Told of every answer, once, when it is there. It is not waited for, and what it throws harms nothing. */
export type AnswerListener = (answered: Answered) => void
