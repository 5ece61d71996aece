import type { Adapter } from './adapter.ts'
import {
  type OperationKind,
  operationKinds,
  operations,
  reservedWords,
  type TargetKind,
} from './convention.ts'
import { bodySchemaOf, changesStored } from './kinds.ts'
import type { Operation } from './operation.ts'
import type { Resource } from './resource.ts'

// TypeScript compares a method's parameters both ways, so that an adapter of any shape fits.
interface Unchecked {
  method(operation: Operation, context: unknown): unknown
}

/** An adapter as the core calls it. The core checks every result. */
export type UncheckedAdapter = { readonly [Kind in OperationKind]?: Unchecked['method'] } & Pick<
  Adapter,
  'ready'
>

/** The operations of a target by method, and its `Allow`. */
export interface Methods {
  readonly kinds: ReadonlyMap<string, OperationKind>
  readonly allow: string
}

/** A resource bound to its adapter, with the operations that both support. */
export interface Binding {
  readonly resource: Resource
  readonly adapter: UncheckedAdapter
  /** By kind of target. */
  readonly methods: ReadonlyMap<TargetKind, Methods>
}

/**
 * Binds a resource to an adapter.
 *
 * @throws {TypeError} For an adapter without operations, or without the `read` that read-only
 *   fields and revisions need.
 */
export function bind(resource: Resource, adapter: Adapter): Binding {
  const kinds = operationKinds.filter((kind) => isSupported(resource, adapter, kind))
  const { name, readOnly, revision } = resource
  const dependsOnStored = kinds
    .filter(changesStored)
    .some((kind) => (bodySchemaOf(kind) ? readOnly.length > 0 : revision !== undefined))
  if (kinds.length === 0) {
    throw new TypeError(
      `The adapter of "${name}" does nothing: give it some of ${operationKinds.join(', ')}.`,
    )
  }
  if (dependsOnStored && typeof adapter.read !== 'function') {
    throw new TypeError(
      `"${name}" has read-only fields or a revision: give its adapter the "read" that they need.`,
    )
  }
  return { resource, adapter, methods: methodsFor(kinds) }
}

// Most resources support the same operations, and share their methods.
const known = new Map<string, ReadonlyMap<TargetKind, Methods>>()

function methodsFor(kinds: readonly OperationKind[]): ReadonlyMap<TargetKind, Methods> {
  const name = kinds.join()
  const shared = known.get(name)
  if (shared) return shared
  const targets = operationKinds.map((kind) => operations[kind].target)
  const methods = new Map(targets.map((target) => [target, methodsOf(target, kinds)]))
  known.set(name, methods)
  return methods
}

/**
 * Tells whether the resource offers an operation, and the adapter has it or the core can derive it.
 */
function isSupported(resource: Resource, adapter: Adapter, kind: OperationKind): boolean {
  if (resource.without.includes(kind)) return false
  return (
    typeof adapter[kind] === 'function' || (isDerived(kind) && typeof adapter.list === 'function')
  )
}

// The core can answer the operation of a reserved word from the list.
function isDerived(kind: OperationKind): boolean {
  return reservedWords.some((word) => word === operations[kind].target)
}

function methodsOf(target: TargetKind, supported: readonly OperationKind[]): Methods {
  const kinds = new Map<string, OperationKind>()
  for (const kind of supported) {
    const { method, target: place } = operations[kind]
    if (place !== target) continue
    kinds.set(method, kind)
    if (method === 'GET') kinds.set('HEAD', kind)
  }
  return { kinds, allow: [...kinds.keys(), 'OPTIONS'].join(', ') }
}
