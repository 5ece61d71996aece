import {
  type BodyName,
  bodies,
  type ConditionName,
  type OperationKind,
  operationKinds,
  operations,
} from './operations.ts'

/** The body of an operation; `undefined` for no body. */
export function bodyOf(kind: OperationKind): (typeof bodies)[BodyName] | undefined {
  const { takes } = operations[kind]
  return takes === 'nothing' ? undefined : bodies[takes]
}

/**
 * Returns the schema of a resource that an operation's body has to meet; `undefined` for no body.
 */
export function bodySchemaOf(kind: OperationKind): 'create' | 'update' | undefined {
  const { method, takes } = operations[kind]
  if (takes === 'nothing') return undefined
  return method === 'POST' ? 'create' : 'update'
}

/**
 * Returns the operation that creates an item which another one does not find; `undefined` for none.
 * It needs `putCreates` of the resource.
 */
export function creatingKindOf(kind: OperationKind): OperationKind | undefined {
  return kind === 'update' ? 'create' : undefined
}

/** The names of the rules of a resource, by method. No rule is about reading. */
const ruleNames = {
  GET: undefined,
  POST: 'create',
  PUT: 'change',
  PATCH: 'change',
  DELETE: 'delete',
} as const

/** The name of a rule of a resource: what a caller may do to an item. */
export type RuleName = NonNullable<(typeof ruleNames)[keyof typeof ruleNames]>

/** Returns the name of the rule that an operation asks; `undefined` for none. */
export function ruleNameOf(kind: OperationKind): RuleName | undefined {
  return ruleNames[operations[kind].method]
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

/**
 * Returns kinds with those that patch what they replace: a resource without `update` takes no
 * `patch` either.
 */
export function withPatches(kinds: readonly OperationKind[]): readonly OperationKind[] {
  const replacing = operationKinds.filter((kind) => operations[kind].method === 'PUT')
  const targets = replacing
    .filter((kind) => kinds.includes(kind))
    .map((kind) => operations[kind].target)
  const patches = operationKinds.filter(
    (kind) => bodyOf(kind)?.isPatch && targets.includes(operations[kind].target),
  )
  return [...new Set([...kinds, ...patches])]
}

/**
 * Returns the operations that a resource goes without: one without `update` has no `patch`, and one
 * without `delete` no `deleteMany`.
 */
export function withoutImplied(kinds: readonly OperationKind[]): readonly OperationKind[] {
  const all = withPatches(kinds)
  return all.includes('delete') ? [...new Set([...all, 'deleteMany' as const])] : all
}

/** Tells whether a client can set a condition for an operation. */
export function isConditional(kind: OperationKind, name: ConditionName): boolean {
  const conditions: readonly ConditionName[] = operations[kind].conditions
  return conditions.includes(name)
}

/**
 * Returns the key of a kind among those of its target: its method, and `?` for a kind that needs a
 * query.
 */
export function methodKeyOf(kind: OperationKind): string {
  const { method, selects } = operations[kind]
  return selects ? `${method}?` : method
}
