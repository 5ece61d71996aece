import { type ConditionName, type OperationKind, operationKinds, operations } from './convention.ts'

/**
 * Returns the schema of a resource that an operation's body has to meet; `undefined` for no body.
 */
export function bodySchemaOf(kind: OperationKind): 'create' | 'update' | undefined {
  const { method, takes } = operations[kind]
  if (takes === 'nothing') return undefined
  return method === 'POST' ? 'create' : 'update'
}

/** Tells whether an operation changes items by their ids, so that each of them has to exist. */
export function changesStored(kind: OperationKind): boolean {
  const { safe, absent } = operations[kind]
  return !safe && absent !== undefined
}

/** Returns the operations that a resource offers, in the order of the table. */
export function kindsWithout(without: readonly OperationKind[]): readonly OperationKind[] {
  return operationKinds.filter((kind) => !without.includes(kind))
}

/** Tells whether a client can set a condition for an operation. */
export function isConditional(kind: OperationKind, name: ConditionName): boolean {
  const conditions: readonly ConditionName[] = operations[kind].conditions
  return conditions.includes(name)
}
