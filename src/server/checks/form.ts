import type { Target } from '../../contract/resource/api.ts'
import type { Operation, Scope } from '../../contract/resource/operation.ts'
import { ownerFieldsOf } from '../../contract/resource/resource.ts'
import { bodyOf } from '../../convention/kinds.ts'
import type { OpenOwner } from '../../wire/owners.ts'
import { isForeign, scopeOfPath } from '../operations.ts'
import type { Form } from './body.ts'

interface ItemOfBody extends Pick<Form, 'id' | 'at' | 'most' | 'judgeId'> {
  /** The id in the body of an item in a bulk. */
  readonly sent?: unknown
}

/** The parts of a task that the rules of a body depend on. */
export interface FormSource {
  readonly plan: Pick<Form, 'ignored' | 'messages'>
  readonly operation: Operation
  readonly target: Target
  readonly parentIds: readonly unknown[]
}

/** Judges no id: one in the path needs no judgement. */
export function judgeNoId(): readonly never[] {
  return none
}

/** Returns the rules for one item of a body. */
export function formFor(
  { plan, operation, target, parentIds }: FormSource,
  { id, sent, at, most, judgeId }: ItemOfBody,
): Form {
  const { kind, resource } = operation
  const { fixed, open } = ownersIn(operation, target)
  const isNew = kind === 'create'
  const isPatch = bodyOf(kind)?.isPatch === true
  return {
    id,
    at,
    most,
    messages: plan.messages,
    judgeId,
    resource,
    schema: isNew ? resource.create : resource.update,
    pathFields: isNew ? fixed : { id: id ?? sent, ...fixed },
    scope: fixed,
    inPath: target.collection.parameters,
    open,
    isPart: isPatch,
    // The fields that the server sets: a new item must lack them, an update may send them back.
    refused: refusedIn(
      resource,
      isNew ? resource.readOnly : isPatch ? target.collection.includes : none,
    ),
    ignored: isNew ? none : plan.ignored,
    isNowhere:
      (target.kind === 'item' && operation.id === undefined) ||
      parentIds.includes(undefined) ||
      isForeign(operation.scope, target),
  }
}

// A field that the client does not see is not its own to send, even as it is stored.
function refusedIn({ restricted }: Operation['resource'], fields: Form['refused']) {
  const hidden = restricted.filter((field) => !fields.includes(field))
  return hidden.length === 0 ? fields : [...fields, ...hidden]
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
