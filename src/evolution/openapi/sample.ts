import type { Json } from '../../model/schema.ts'
import type { Witness } from '../change.ts'
import type { JsonObject } from '../snapshot.ts'
import { isSubset } from '../subset.ts'

const readable: readonly Json[] = [1, '1', 'a', true]

/** Returns a value of a schema, a short one if possible; `undefined` where none is known. */
export function sampleOf(schema: JsonObject): Witness | undefined {
  const known = readable.find((value) => isSubset({ const: value }, schema).answer === 'yes')
  if (known !== undefined) return { value: known }
  const found = isSubset(schema, false)
  return found.answer === 'no' ? { value: found.witness } : undefined
}
