import type { ValueSet } from '../sets/value-set.ts'
import type { PairComparison, SchemaPlace } from './comparison.ts'
import type { FlatSchema } from './flat.ts'

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
