import type { Json } from '../model/schema.ts'
import type { JsonObject } from './snapshot.ts'

/** Whether each value of one JSON Schema is one of another. */
export type SubsetAnswer =
  | { readonly answer: 'yes' }
  /** `witness` is a value of the first that the second excludes. */
  | { readonly answer: 'no'; readonly witness: Json }
  | { readonly answer: 'unknown'; readonly because: string }

/** Tells whether each value of a JSON Schema is also one of another. */
export function isSubset(_one: JsonObject | boolean, _other: JsonObject | boolean): SubsetAnswer {
  throw new Error('Not yet.')
}
