import { bind } from '../model/binding.ts'
import { type OperationKind, operationKinds, operations } from '../model/convention.ts'
import type { Operation } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { WriteKind } from './engine.ts'
import type { Table } from './table.ts'

const writeKinds: { readonly [Kind in OperationKind]?: WriteKind } = {
  create: 'insert',
  update: 'update',
  updateMany: 'update',
  delete: 'delete',
  deleteAll: 'delete',
}

/**
 * Checks that a table supports the statements of an operation. A view may not.
 *
 * @throws {ProblemError} `method_not_allowed`.
 */
export function checkSupported(table: Table, operation: Operation): void {
  if (!isSupported(table, operation.kind)) throw notSupported(table, operation)
}

/** Returns the problem of an unsupported operation, with the supported methods. */
export function notSupported(table: Table, operation: Operation, cause?: unknown): ProblemError {
  const { kind, resource } = operation
  const others = operationKinds.filter(
    (other) => isSupported(table, other) && writeKinds[other] !== writeKinds[kind],
  )
  const adapter = Object.fromEntries(others.map((other) => [other, () => undefined]))
  const allow = bind(resource, adapter).methods.get(operations[kind].target)?.allow ?? ''
  return problem('method_not_allowed', undefined, { allow, cause })
}

function isSupported({ described, engine, isTrusted }: Table, kind: OperationKind): boolean {
  const writing = writeKinds[kind]
  if (writing === undefined) return true
  // The engine could not undo a write of two items.
  if (isTrusted && engine.hasBatches && writing !== 'insert') return false
  return described.supports[writing]
}
