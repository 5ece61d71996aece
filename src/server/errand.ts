import type { Binding } from '../model/binding.ts'
import type { ParsedCall } from '../wire/request.ts'
import type { RequestedOperation } from './operation.ts'
import type { Draft } from './validate.ts'

/** What is known of a request when its operation is carried out. */
export interface Errand {
  readonly operation: RequestedOperation
  readonly call: ParsedCall
  readonly drafts: readonly Draft[]
  readonly binding: Binding
  readonly context: unknown
}
