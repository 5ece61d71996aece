import type { Json } from '../contract/schema/schema.ts'
import type { OperationKind } from '../convention/operations.ts'
import type { Verdict } from '../schemas/change.ts'

/** A change of a contract. */
export interface ContractChange {
  /** The row of the rules: `request-max-length-lowered`. */
  readonly rule: string
  /** The place: `v1 /employees update /name`, `v1`, `v1 /employees`, or `limits`. */
  readonly at: string
  readonly from: Json
  readonly to: Json
  readonly verdict: Verdict
  /** Tells the change in a sentence: `a name may have 60 characters, it was 80`. */
  readonly message: string
  /** Says why the verdict is not the one of the row. */
  readonly because?: string
  /** The request or the answer that shows the break; `undefined` for none. */
  readonly witness?: WitnessExchange
  /** The field that a list of fields or a filter names; `undefined` for another change. */
  readonly field?: string
  /** The operations with the body or the items; `undefined` for a change of neither. */
  readonly operations?: readonly OperationKind[]
}

/** A request that was fine and is refused now, or an answer that the old contract excluded. */
export interface WitnessExchange {
  readonly method: string
  /** A target as a client writes it: `/v1/employees/7?sort=name`. */
  readonly target: string
  /** A header of the request, as a line: `If-Match: "1"`. */
  readonly header?: string
  /** The body of the request. */
  readonly body?: Json
  /** An item of the answer. */
  readonly answer?: Json
  /** Says what the exchange has that is too long to show: `a body of 1048576 bytes`. */
  readonly note?: string
}
