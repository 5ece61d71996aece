import type { MountedReference, Target } from '../../contract/resource/api.ts'
import { operations } from '../../convention/operations.ts'
import { fieldOf } from '../../convention/value.ts'
import type { ParsedCall } from '../../wire/request.ts'

/** A reference of a request, in words. Its members are public: `--json` prints them. */
export interface ExplainedReference {
  readonly field: string
  /** The name of the other resource. */
  readonly to: string
  /** The effect on the response. */
  readonly means: string
}

/** Explains the references that a read includes, or that a write checks. */
export function explainReferences(call: ParsedCall): readonly ExplainedReference[] {
  const { kind, target, parameters } = call
  if (operations[kind].takes !== 'nothing')
    return checkedReferences(target).map(({ field, to }) => ({
      field,
      to,
      means: `${field}, if given, must be the id of an item of ${to}, else 422 validation_failed`,
    }))
  const { include: names = [] } = parameters
  return target.collection.references
    .filter(({ as, isIncludable }) => isIncludable && names.includes(as))
    .map(({ field, to, as }) => ({
      field,
      to,
      means: `${as} is the item of ${to} whose id is ${field}, or null`,
    }))
}

/** Returns the ids in a valid body that the core looks for: `companies "7"`. */
export function referencedIn(body: unknown, target: Target): readonly string[] {
  const items: readonly unknown[] = [body].flat()
  const references = checkedReferences(target).flatMap(({ field, to }) =>
    items
      .map((item) => fieldOf(Object(item), field))
      .filter((id) => id !== undefined && id !== null)
      .map((id) => `${to} ${JSON.stringify(id)}`),
  )
  return [...new Set(references)]
}

// The core finds the parents of the path on its own.
function checkedReferences({ collection }: Target): readonly MountedReference[] {
  const { references, parameters, ancestors } = collection
  return references.filter(
    ({ field, target }) => ancestors[parameters.indexOf(field)]?.resource !== target.resource,
  )
}
