import { membersOf, typesOf } from '../../contract/schema/json-schema.ts'
import { operationKinds } from '../../convention/operations.ts'
import { canonicalText, sortedTexts } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import { isSubset } from '../subset.ts'
import { placesOffering, type ResourcePair } from './context.ts'
import { type FoundChange, found } from './found.ts'
import { exchangeAt, offeredAt } from './shown.ts'
import { requestOf, sampleId, sampleOf } from './witness.ts'

/** Compares the ids of a resource. */
export function compareIds(pair: ResourcePair): readonly FoundChange[] {
  const { id: old } = pair.old
  const { id: after } = pair.new
  const places = placesOffering(pair, operationKinds)
  if (places === undefined || canonicalText(old) === canonicalText(after)) return []
  const facts = { from: old, to: after }
  const [oldType, newType] = [typeIn(old), typeIn(after)]
  if (oldType !== newType && oldType !== undefined && newType !== undefined) {
    const message = `an id is ${newType}, it was ${oldType}`
    const { item } = pair.new
    const answer = { ...Object(item && sampleOf(item)), id: sampleId(after) }
    const witness = exchangeAt(offeredAt(pair, places), 'item', answer)
    return [found('id-type-changed', places.at, { ...facts, message, witness })]
  }
  const narrowed = isSubset(old, after)
  const widened = isSubset(after, old)
  const changes: FoundChange[] = []
  if (narrowed.answer === 'unknown') {
    const { because } = narrowed
    const message = 'some ids may be refused now'
    const unknown = { ...facts, message, verdict: 'depends', because } as const
    changes.push(found('id-narrowed', places.at, unknown))
  }
  if (narrowed.answer === 'no') {
    const id = encodeURIComponent(String(narrowed.witness))
    const { target, method } = requestOf('list', { ...places.first, snapshot: pair.comparison.old })
    const message = `the id ${JSON.stringify(narrowed.witness)} is refused now`
    const witness = { method, target: `${target}/${id}` }
    changes.push(found('id-narrowed', places.at, { ...facts, message, witness }))
  }
  if (widened.answer === 'no') {
    const message = `an id may be ${JSON.stringify(widened.witness)}`
    changes.push(found('id-widened', places.at, { ...facts, message }))
  }
  return changes
}

// A number in a path is text all the same, but not in a body.
function typeIn(schema: JsonObject): string | undefined {
  const types = sortedTexts(
    membersOf(schema).flatMap((member) =>
      typesOf(member).map((type) => (type === 'string' ? 'text' : 'a number')),
    ),
  )
  return types.length === 1 ? types[0] : undefined
}
