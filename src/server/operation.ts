import type { Collection } from '../model/api.ts'
import type { OperationKind } from '../model/convention.ts'
import { idFor } from '../model/id.ts'
import { noQuery, type Operation, type Query, type Scope } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import type { Target } from '../model/target.ts'
import { noParents } from '../wire/path.ts'

const noScope: Scope = Object.freeze({})

/** Tells when nobody waits for the answer any more. */
interface Signalled {
  readonly signal: AbortSignal
}

interface Asked {
  readonly kind: OperationKind
  readonly target: Target
  readonly query: Query
}

/**
 * An operation while it is carried out. One class, every field set in one order, whatever the kind;
 * `signal` is looked up only when somebody asks, since making one costs more than a read.
 */
export class RequestedOperation implements Operation {
  readonly kind: OperationKind
  readonly resource: Resource
  /** Where its collection stands in the api. */
  readonly place: number
  readonly version: string
  readonly path: string
  readonly scope: Scope
  readonly id: string | number | undefined
  readonly query: Query
  item: object | undefined = undefined
  items: readonly Item[] | undefined = undefined
  maxAffected: number | undefined = undefined
  ifRevision: unknown = undefined
  declare readonly signal: AbortSignal
  readonly #asked: Asked
  readonly #exchange: Signalled

  // An own member, so that `{ ...operation, scope }` has it too.
  static readonly #signal: PropertyDescriptor & ThisType<RequestedOperation> = {
    enumerable: true,
    get() {
      return this.#exchange.signal
    },
  }

  constructor(asked: Asked, exchange: Signalled) {
    const { kind, target, query } = asked
    const { place, resource, version, path } = target.collection
    this.kind = kind
    this.resource = resource
    this.place = place
    this.version = version
    this.path = path
    this.scope = scopeOf(target)
    this.id = target.id === undefined ? undefined : idFor(resource, target.id)
    this.query = query
    this.#asked = asked
    this.#exchange = exchange
    Object.defineProperty(this, 'signal', RequestedOperation.#signal)
  }

  /** What was asked for, without the ids: `/v1/companies/:company_id/employees/:id`. */
  get template(): string {
    const { kind } = this.#asked.target
    const place = kind === 'item' ? '/:id' : `/${kind}`
    return `/${this.version}${this.path}${kind === 'collection' ? '' : place}`
  }

  /** Tells whether the path holds a text that is no id, so that it names nothing. */
  isNowhere(): boolean {
    const { collection, parents, id } = this.#asked.target
    if (id !== undefined && this.id === undefined) return true
    return collection.ancestors.some(
      ({ resource }, depth) => idFor(resource, parents[depth] as string) === undefined,
    )
  }

  /** Another operation on the same place. */
  reask(changes: {
    readonly kind: OperationKind
    readonly id: string | undefined
    readonly query: Query | undefined
  }): RequestedOperation {
    const { target, query } = this.#asked
    const { collection, parents } = target
    const { kind, id } = changes
    const place: Target = id === undefined ? target : { kind: 'item', collection, parents, id }
    return new RequestedOperation(
      { kind, target: place, query: changes.query ?? query },
      this.#exchange,
    )
  }

  /** The read of an ancestor, that tells whether it is there. */
  readOfAncestor(depth: number): RequestedOperation | undefined {
    const { target } = this.#asked
    const collection = target.collection.ancestors[depth]
    const id = target.parents[depth]
    if (!collection || id === undefined) return undefined
    const parents = depth === 0 ? noParents : target.parents.slice(0, depth)
    return new RequestedOperation(
      { kind: 'read', target: { kind: 'item', collection, parents, id }, query: noQuery },
      this.#exchange,
    )
  }
}

function scopeOf({ collection, parents }: Target): Scope {
  if (parents.length === 0) return noScope
  const scope: Record<string, string | number> = {}
  // A path has an id, and its template a field, for each of the ancestors.
  for (let depth = 0; depth < parents.length; depth++) {
    const { resource } = collection.ancestors[depth] as Collection
    const id = parents[depth] as string
    // An id that names nothing is found out when the parent is looked for.
    scope[collection.parameters[depth] as string] = idFor(resource, id) ?? id
  }
  return scope
}
