import type { Json } from '../model/schema.ts'
import { createFind } from './sets/find.ts'
import { readSet } from './sets/read-set.ts'
import { complementOf, type ValueSet } from './sets/value-set.ts'
import type { JsonObject } from './snapshot.ts'

/** Whether each value of one JSON Schema is one of another. */
export type SubsetAnswer =
  | { readonly answer: 'yes' }
  /** `witness` is a value of the first that the second excludes. */
  | { readonly answer: 'no'; readonly witness: Json }
  /** `guess` may be a witness: this library cannot judge a keyword. */
  | { readonly answer: 'unknown'; readonly because: string; readonly guess?: Json }

/** Tells whether each value of a JSON Schema is also one of another. */
export function isSubset(one: JsonObject | boolean, other: JsonObject | boolean): SubsetAnswer {
  return isWithin(readSet(one), readSet(other))
}

/** Tells whether each value of a set is also one of another. */
export function isWithin(one: ValueSet, other: ValueSet): SubsetAnswer {
  const found = createFind()([one, complementOf(other)])
  switch (found.is) {
    case 'none':
      return { answer: 'yes' }
    case 'value':
      return { answer: 'no', witness: found.value }
    case 'unknown': {
      const { is: _, ...rest } = found
      return { answer: 'unknown', ...rest }
    }
  }
}
