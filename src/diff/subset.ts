import type { Json } from '../contract/schema/schema.ts'
import { createFind } from './sets/find.ts'
import { isImplied } from './sets/implied.ts'
import { readSet } from './sets/read-set.ts'
import { complementOf, type Found, type ValueSet } from './sets/value-set.ts'
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
  return isInside(readSet(one), readSet(other))
}

/** Tells whether each value of a set is also one of another, by a search. */
export function isInside(one: ValueSet, other: ValueSet, find = createFind()): SubsetAnswer {
  if (isImplied(one, other)) return { answer: 'yes' }
  return answerOf(find([one, complementOf(other)]))
}

/** Returns the answer of a search for what is in one set and not in another. */
export function answerOf(found: Found): SubsetAnswer {
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
