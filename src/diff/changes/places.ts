import type { ValueSet } from '../sets/value-set.ts'
import type { PairComparison, SchemaPlace } from './comparison.ts'
import { type FlatSchema, isAnnotation } from './flat.ts'
import type { ValueStep } from './steps.ts'

/** One value for the old side, and one for the new. */
export interface Pair<Value> {
  readonly old: Value
  readonly new: Value
}

/** A place with both schemas flat, and their values as clients know them. */
export interface FlatPlace extends SchemaPlace {
  readonly flat: Pair<FlatSchema>
  readonly whole: Pair<ValueSet>
}

/** Names each change of a place and of the places below. */
export type Walk = (place: SchemaPlace, comparison: PairComparison) => void

/** Returns the place one step below a place. */
export function placeBelow(
  { steps, around, flat, whole }: FlatPlace,
  { step, ...schemas }: Pair<unknown> & { readonly step: ValueStep },
  { side }: PairComparison,
): SchemaPlace {
  const left = side === 'request' ? 'old' : 'new'
  const mayBuild = step.to === 'member' || step.to === 'elements'
  return {
    steps: [...steps, step],
    ...schemas,
    around:
      mayBuild && around !== undefined
        ? { sets: [...around.sets, whole[left]], isFree: around.isFree && isFree(flat[left]) }
        : undefined,
  }
}

// Keywords that hold or fail whatever the value of a declared member or of an element is.
const independent: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'minItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
])

function isFree({ node, more }: FlatSchema): boolean {
  return (
    more.length === 0 &&
    Object.keys(node).every((keyword) => independent.has(keyword) || isAnnotation(keyword))
  )
}
