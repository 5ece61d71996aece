import type { Json } from '../../contract/schema/schema.ts'
import {
  type JsonType,
  type Keyword,
  noValue,
  setOf,
  typeOfValue,
  type ValueSet,
} from './value-set.ts'

/**
 * Returns a set for each value of a type, which holds this value alone: an object differs from it
 * in a member, a list in an element.
 */
export function structuresOf(values: readonly Json[], type: JsonType): readonly ValueSet[] {
  return values.filter((value) => typeOfValue(value) === type).map(structureOf)
}

function structureOf(value: Json): ValueSet {
  const only = (inner: Json) => setOf({ kind: 'values', values: [inner] })
  if (Array.isArray(value)) {
    const first = value.map(only)
    return setOf(
      { kind: 'minItems', count: first.length },
      { kind: 'elements', first, rest: noValue },
    )
  }
  const entries = Object.entries(Object(value)).map(
    ([name, inner]) => [name, only(inner as Json)] as const,
  )
  return setOf(...entries.map(([name]): Keyword => ({ kind: 'required', name })), {
    kind: 'members',
    members: { properties: new Map(entries), patterns: [], rest: noValue },
  })
}
