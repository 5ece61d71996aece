import { bodyOf } from '../../model/kinds.ts'
import type { Operation } from '../../model/operation.ts'
import type { Target } from '../../model/target.ts'
import type { Form } from './body.ts'

interface Reading extends Pick<Form, 'id' | 'at' | 'most' | 'judgeId'> {
  /** The id in the body of an item in a bulk. */
  readonly sent?: unknown
}

/** The parts of a task that the rules depend on. */
interface Addressed {
  readonly plan: { readonly ignored: readonly string[] }
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
  { plan, operation, target, parentIds }: Addressed,
  { id, sent, at, most, judgeId }: Reading,
): Form {
  const { kind, resource, scope } = operation
  const isNew = kind === 'create'
  const isPatch = bodyOf(kind)?.isPatch === true
  return {
    id,
    at,
    most,
    judgeId,
    schema: isNew ? resource.create : resource.update,
    given: isNew ? scope : { id: id ?? sent, ...scope },
    scope,
    // The fields that the server sets: a new item must lack them, an update may send them back.
    refused: isNew ? resource.readOnly : isPatch ? target.collection.includes : none,
    ignored: isNew ? none : plan.ignored,
    isNowhere:
      (target.kind === 'item' && operation.id === undefined) || parentIds.includes(undefined),
  }
}

const none: readonly never[] = Object.freeze([])
