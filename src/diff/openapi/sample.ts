import type { Json } from '../../contract/schema/schema.ts'
import type { Witness } from '../change.ts'
import type { JsonObject } from '../snapshot.ts'
import { isSubset } from '../subset.ts'
import { childOf, elementsOf } from './json-node.ts'

const readable: readonly Json[] = [1, '1', 'a', true]

/**
 * Returns a value of a schema, a short one if possible; `undefined` where none is known.
 *
 * @param wish Further keywords that the value meets where it can.
 */
export function shortSampleOf(schema: JsonObject, wish: JsonObject = {}): Witness | undefined {
  const own = elementsOf(childOf(schema, 'allOf'))
  const narrow = { ...schema, allOf: [...own, wish] }
  const known = readable.find((value) => isSubset({ const: value }, narrow).answer === 'yes')
  if (known !== undefined) return { value: known }
  for (const candidate of [narrow, schema]) {
    const found = isSubset(candidate, false)
    if (found.answer === 'no') return { value: found.witness }
  }
  return undefined
}
