import type { Binding, UncheckedAdapter } from '../contract/resource/adapter.ts'
import type { Collection, MountedReference } from '../contract/resource/api.ts'
import type { UncheckedRules } from '../contract/resource/item-rules.ts'
import { keepsStored } from '../contract/resource/keep.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { isRestricted, ownerFieldsOf, type Resource } from '../contract/resource/resource.ts'
import { isKeeping, isSkipping } from '../contract/resource/siblings.ts'
import { isFilters } from '../contract/schema/filter.ts'
import { bodyOf, creatingKindOf, ruleNameOf } from '../convention/kinds.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { type BodyRules, bodyRulesFor } from '../wire/body.ts'
import { type QueryRules, queryRulesFor } from '../wire/meaning.ts'

/** Everything about a kind of operation at a path that is known before any request. */
export interface Plan {
  readonly kind: OperationKind
  /** The row of the convention. */
  readonly row: (typeof operations)[OperationKind]
  /** The body that the kind takes; `undefined` for none. */
  readonly body: ReturnType<typeof bodyOf>
  readonly resource: Resource
  readonly adapter: UncheckedAdapter
  /** A request without a query and a body says everything by its path and its method. */
  readonly isBare: boolean
  /** The rules for its query. */
  readonly rules: QueryRules
  /** The parents, outermost first. */
  readonly parents: readonly Parent[]
  /** The references that a write has to check, or that a read can include. */
  readonly references: readonly MountedReference[]
  /** The rules for the items of its body. */
  readonly bodyRules: BodyRules
  /** The core merges a body with the stored item, and then validates: a patch, a field to keep. */
  readonly isMerging: boolean
  /** The adapter takes an array of bodies too. */
  readonly takesMany: boolean
  /** The response depends on the fields that the caller sees. */
  readonly isRevealing: boolean
  /** The core reads the stored item before it changes it, whatever the request. */
  readonly dependsOnStored: boolean
  /**
   * The adapter's method does not guard the read-only fields. The core calls `modify` or
   * `modifyMany` instead. Else it tries again after a change of them meanwhile.
   */
  readonly isGuarded: boolean
  /** The states that the core itself judges: a view leaves them to its base. */
  readonly states: Resource['states']
  /** The rules that the core itself asks: a view leaves them to its base. */
  readonly itemRules: UncheckedRules | undefined
  /** The kind has a rule, here or at the base. */
  readonly isRuled: boolean
  /** The items that leave were stored, are gone, are new, or replace others. */
  readonly source: 'stored' | 'deleted' | 'new' | 'replaced'
  /** The plan of the operation that creates an absent item; `undefined` for 404. */
  readonly creation: Plan | undefined
  /** The query filters or sorts by fields of related items. */
  readonly isRelating: boolean
  /** The adapter's `list` leaves out the first items itself. */
  readonly isSkipping: boolean
}

/** A collection in whose items a path leads further. */
interface Parent {
  readonly collection: Collection
  readonly adapter: UncheckedAdapter | undefined
}

/** Makes the plan of a kind of operation at a path. */
export function planFor(kind: OperationKind, collection: Collection, registry: Registry): Plan {
  const { place, resource, ancestors } = collection
  // A target with methods has a binding.
  const { adapter, rules: itemRules } = registry.bindings[place] as Binding
  const row = operations[kind]
  const body = bodyOf(kind)
  const states = resource.view === undefined ? resource.states : undefined
  const isReplaced =
    row.takes !== 'nothing' && (resource.readOnly.length > 0 || states !== undefined)
  const isRuled = hasRule(kind, itemRules)
  const creating = resource.putCreates ? creatingKindOf(kind) : undefined
  const references = referencesToFollow(collection, row)
  return {
    kind,
    row,
    body,
    dependsOnStored: ancestors.length > 0 || ownerFieldsOf(resource).length > 0 || isReplaced,
    isGuarded: isRuled || (isReplaced && (states !== undefined || !isKept(kind, adapter))),
    states,
    itemRules: resource.view === undefined ? itemRules : undefined,
    isRuled,
    creation: creating && planFor(creating, collection, registry),
    isSkipping: isSkipping(adapter.list),
    source: sourceOf(kind),
    references,
    isRelating: false,
    isRevealing: dependsOnReveal(collection, row, references),
    bodyRules: bodyRulesFor(kind, collection, registry.api.messages),
    isMerging: body?.isPatch === true || keepsStored({ row, resource }),
    takesMany: body?.orMany !== undefined && typeof adapter[body.orMany] === 'function',
    resource,
    adapter,
    rules: queryRulesFor(kind, collection),
    isBare: row.takes === 'nothing' && row.conditions.length === 0 && !row.counts,
    parents: ancestors.map((ancestor) => ({
      collection: ancestor,
      adapter: registry.bindings[ancestor.place]?.adapter,
    })),
  }
}

function isKept(kind: OperationKind, { update }: UncheckedAdapter): boolean {
  return kind === 'update' && isKeeping(update)
}

function hasRule(kind: OperationKind, rules: UncheckedRules | undefined): boolean {
  const name = ruleNameOf(kind)
  return name !== undefined && rules?.[name] !== undefined
}

/** Makes the plan of a caller who sees fewer fields. The steps stay, and have less to do. */
export function planOfCaller(plan: Plan, collection: Collection): Plan {
  const { resource, references } = collection
  const { kind, row, body, bodyRules, creation } = plan
  return {
    ...plan,
    resource,
    references: plan.references.filter((reference) => references.includes(reference)),
    bodyRules: bodyRulesFor(kind, collection, bodyRules.messages),
    isMerging: body?.isPatch === true || keepsStored({ row, resource }),
    creation: creation && planOfCaller(creation, collection),
  }
}

/** Returns the origin of the items that leave. */
export function sourceOf(kind: OperationKind): Plan['source'] {
  if (kind === 'delete') return 'deleted'
  if (kind === 'create') return 'new'
  return operations[kind].takes === 'nothing' ? 'stored' : 'replaced'
}

// The path holds a reference to a parent already.
function referencesToFollow(
  { references, parameters, ancestors }: Collection,
  { takes, parameters: parameterNames }: Plan['row'],
): Plan['references'] {
  if (takes === 'nothing') {
    const names: readonly string[] = parameterNames
    return names.includes('include') ? references.filter(({ isIncludable }) => isIncludable) : []
  }
  return references.filter(
    ({ field, target }) => ancestors[parameters.indexOf(field)]?.resource !== target.resource,
  )
}

function dependsOnReveal(
  { resource, related }: Collection,
  { parameters }: Plan['row'],
  references: Plan['references'],
): boolean {
  return (
    isRestricted(resource) ||
    references.some(namesRestricted) ||
    (parameters.some(isFilters) && related.some(isOfRestricted))
  )
}

function isOfRestricted({ resource }: Pick<Plan, 'resource'>): boolean {
  return isRestricted(resource)
}

function namesRestricted({ target }: Plan['references'][number]): boolean {
  return isRestricted(target.resource)
}
