import type { Binding } from '../model/binding.ts'
import type { ParsedCall } from '../wire/request.ts'
import type { Exchange } from './exchange.ts'
import { RequestedOperation } from './operation.ts'

/** An item of a body, validated but not yet held against what is stored. */
export interface Draft {
  /** As it was sent. */
  readonly body: object
  /** As the schema gave it, with the scope's fields and, where it is known, the id. */
  readonly item: object
  /** `undefined` when it is to be made, or when what was sent is no id of this resource. */
  readonly id: string | number | undefined
  /** Where in the body it stands; empty for the body itself. */
  readonly at: readonly PropertyKey[]
}

/** The drafts of a body that has not been read yet. */
export const unread: readonly Draft[] = Object.freeze([])

/** What is known of a request when its operation is carried out. */
export class Errand {
  readonly call: ParsedCall
  readonly operation: RequestedOperation
  readonly exchange: Exchange
  readonly binding: Binding
  /** As the registry has made it for this request. */
  context: unknown = undefined
  /** The body, validated; one draft an item. {@link unread} until it is. */
  drafts: readonly Draft[] = unread

  constructor(call: ParsedCall, exchange: Exchange) {
    this.call = call
    this.operation = new RequestedOperation(call, exchange)
    this.exchange = exchange
    // What has methods has a binding.
    this.binding = exchange.registry.bindings[this.operation.place] as Binding
  }
}
