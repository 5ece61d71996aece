import { bind } from '../model/binding.ts'
import { type OperationKind, operationKinds, operations } from '../model/convention.ts'
import type { Operation } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { Writing } from './engine.ts'
import type { Table } from './table.ts'

const writings: { readonly [Kind in OperationKind]?: Writing } = {
  create: 'insert',
  update: 'update',
  updateMany: 'update',
  delete: 'delete',
  deleteAll: 'delete',
}

/**
 * Makes sure that a table takes the statements of an operation: a view may take none.
 *
 * @throws {ProblemError} `method_not_allowed`.
 */
export function checkTaken(table: Table, operation: Operation): void {
  if (!isTaken(table, operation.kind)) throw notTaken(table, operation)
}

/** The problem of an operation that a view does not take, with the methods that it does. */
export function notTaken(table: Table, operation: Operation, cause?: unknown): ProblemError {
  const { kind, resource } = operation
  const others = operationKinds.filter(
    (other) => isTaken(table, other) && writings[other] !== writings[kind],
  )
  const adapter = Object.fromEntries(others.map((other) => [other, () => undefined]))
  const allow = bind(resource, adapter).methods.get(operations[kind].target)?.allow ?? ''
  return problem('method_not_allowed', undefined, { allow, cause })
}

function isTaken({ described, engine, isTrusted }: Table, kind: OperationKind): boolean {
  const writing = writings[kind]
  if (writing === undefined) return true
  // Nothing would undo a write of two items.
  if (isTrusted && engine.hasBatches && writing !== 'insert') return false
  return described.takes[writing]
}
