import { operationKinds } from '../../convention/operations.ts'
import { canonicalText } from '../canonical.ts'
import { placesOffering, type ResourcePair } from './context.ts'
import { type FoundChange, found } from './found.ts'
import { requestOf } from './witness.ts'

/** Compares whose the items of a resource are. */
export function compareOwnership(pair: ResourcePair): readonly FoundChange[] {
  const { ownedBy: from } = pair.old
  const { ownedBy: to } = pair.new
  const places = placesOffering(pair, operationKinds)
  // An old snapshot does not tell it.
  if (from === undefined || to === undefined || places === undefined) return []
  if (canonicalText(from) === canonicalText(to)) return []
  if (to === null) {
    const message = 'a caller reaches the items of all owners'
    return [found('ownership-dropped', places.at, { from, to, message })]
  }
  const { first } = places
  const kind = operationKinds.find((one) => first.old.operations.includes(one)) ?? 'list'
  const mounted = { ...first, snapshot: pair.comparison.old }
  const witness = requestOf(kind, mounted, { note: 'it reaches an item of another owner' })
  const message = 'a caller reaches only the items of its own'
  return [found('ownership-set', places.at, { from, to, message, witness })]
}
