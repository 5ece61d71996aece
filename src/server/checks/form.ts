import type { Target } from '../../contract/resource/api.ts'
import { isId, isIdOf } from '../../contract/resource/id.ts'
import type { Operation, Scope } from '../../contract/resource/operation.ts'
import { ownerFieldsOf } from '../../contract/resource/resource.ts'
import type { Issue } from '../../convention/problem.ts'
import { fieldOf } from '../../convention/value.ts'
import type { BodyRules } from '../../wire/body.ts'
import { issueAt } from '../../wire/issues.ts'
import type { OpenOwner } from '../../wire/owners.ts'
import { isForeign, scopeOfPath } from '../operations.ts'
import type { Form } from './body.ts'

/** One item of a body. */
interface ItemOfBody extends Pick<Form, 'id' | 'at' | 'most'> {
  /** Default: a new item has an id of its resource, or none; another body may hold any. */
  readonly judgeId?: Form['judgeId']
  /** The id in the body of an item in a bulk. */
  readonly sent?: unknown
}

/** The parts of a task that the rules of a body depend on. */
export interface FormSource {
  readonly plan: { readonly bodyRules: BodyRules }
  readonly operation: Operation
  readonly target: Target
  readonly parentIds: readonly unknown[]
}

/** Judges no id: one in the path needs no judgement. */
export function judgeNoId(): readonly never[] {
  return none
}

/** Judges the id of a new item. A body sends it by itself too, since the schema may know no ids. */
export function judgeNewId(
  body: object,
  item: object | undefined,
  { at, resource }: Pick<Form, 'at' | 'resource'>,
): readonly Issue[] {
  const hasId = Object.hasOwn(body, 'id') || (item !== undefined && Object.hasOwn(item, 'id'))
  if (!hasId) return none
  const sent = fieldOf(body, 'id')
  if (typeof sent === 'string' && !isId(sent)) {
    return [
      issueAt(at, 'id', { code: 'reserved_id', message: 'is reserved: no item can have this id' }),
    ]
  }
  const id = item === undefined ? undefined : fieldOf(item, 'id')
  if (id === undefined || isIdOf(id, resource)) return none
  return [issueAt(at, 'id', { code: 'invalid_id', message: 'must be an id of this resource' })]
}

/** Returns the rules for one item of a body. */
export function formFor(
  { plan, operation, target, parentIds }: FormSource,
  { id, sent, at, most, judgeId }: ItemOfBody,
): Form {
  const { resource, scope } = operation
  const isFree = resource.ownedBy === undefined
  const { fixed, open } = isFree ? { fixed: scope, open: none } : ownersIn(operation, target)
  const isForeigner = !isFree && isForeign(scope, target)
  const isUnknown = target.kind === 'item' && operation.id === undefined
  const isNew = operation.kind === 'create'
  return {
    ...plan.bodyRules,
    id,
    at,
    most,
    judgeId: judgeId ?? (isNew ? judgeNewId : judgeNoId),
    pathFields: isNew ? fixed : { id: id ?? sent, ...fixed },
    scope: fixed,
    open,
    isNowhere: isUnknown || isForeigner || parentIds.includes(undefined),
  }
}

/** Returns the rules for an item of a bulk. All but its own are those of the whole bulk. */
export function formOfItem(
  bulk: Form,
  { id, sent, at, most, judgeId }: Required<ItemOfBody>,
): Form {
  // The path fields of a new item are its scope.
  const isNew = bulk.pathFields === bulk.scope
  const pathFields = isNew ? bulk.scope : { id: id ?? sent, ...bulk.scope }
  return { ...bulk, id, at, most, judgeId, pathFields }
}

// The owner fields with one value, and those that a body has to name.
function ownersIn(
  { resource, scope, parents }: Operation,
  target: Target,
): {
  readonly fixed: Scope
  readonly open: readonly OpenOwner[]
} {
  const fields = ownerFieldsOf(resource)
  if (fields.length === 0) return { fixed: scope, open: none }
  if (isForeign(scope, target))
    return { fixed: scopeOfPath(target.collection, parents), open: none }
  const open = fields.flatMap((field) => {
    const among = scope[field]
    return among === undefined || typeof among === 'object' ? { field, among } : []
  })
  if (open.length === 0) return { fixed: scope, open: none }
  const fixedEntries = Object.entries(scope).filter(([, value]) => typeof value !== 'object')
  return { fixed: Object.fromEntries(fixedEntries), open }
}

const none: readonly never[] = Object.freeze([])
