import type { OperationKind, ProblemCode, Status } from './convention.ts'

/**
 * The result of a request, for logs and metrics: no id, value, query or body. Every member but the
 * duration has few values, so that it can be a dimension.
 */
export interface Answered {
  /**
   * `undefined` for `OPTIONS`, and for a request that the server refused before it found the
   * operation.
   */
  readonly kind: OperationKind | undefined
  /** One of the methods that HTTP defines (RFC 9110, RFC 5789); `undefined` for any other. */
  readonly method: string | undefined
  /**
   * The template of the target: `/v1/companies/:company_id/employees/:id`. `undefined` as `kind`.
   */
  readonly template: string | undefined
  /** `v1`, also for a path without a version. `undefined` as `kind`. */
  readonly version: string | undefined
  readonly status: Status
  /**
   * The code of the problem that the server sent, or that broke off a list. `undefined` for a
   * success.
   */
  readonly code: ProblemCode | undefined
  /**
   * Milliseconds until the response, or until the end of a list that the server sends item by item.
   */
  readonly duration: number
  /**
   * False where a list broke off, for the reason in `code`, or where the client left before the
   * end. A client that left gets no `code`; a 5xx is then the status of the abandoned work.
   */
  readonly isWhole: boolean
}

/**
 * Gets the result of every request, once. The server does not wait for it, and survives its errors.
 */
export type AnswerListener = (answered: Answered) => void
