import type { OperationKind, ProblemCode, Status } from './convention.ts'

/** What a request came to, for logs and metrics: never an id, a value, a query or a body. */
export interface Answered {
  /** `undefined` where the request asked for no operation: of `OPTIONS`, and of what was refused before it was understood. */
  readonly kind: OperationKind | undefined
  /** The method, where it is one of those that are understood. */
  readonly method: string | undefined
  /** What was asked for, without what was in its place: `/v1/companies/:company_id/employees/:id`. `undefined` as `kind`. */
  readonly template: string | undefined
  /** `v1`, also where the path named none. `undefined` as `kind`. */
  readonly version: string | undefined
  readonly status: Status
  /** Of the problem that was answered, if one was. */
  readonly code: ProblemCode | undefined
  /** Milliseconds until the answer was there, or of a list that came item by item, until its end. */
  readonly duration: number
  /** False where a list broke off, or was left, before its end. */
  readonly isWhole: boolean
}

/** Told of every answer. */
export type AnswerListener = (answered: Answered) => void
