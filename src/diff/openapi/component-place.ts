import type { Json } from '../../contract/schema/schema.ts'
import { formatPointer } from '../../wire/pointer.ts'
import { isJsonObject } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import { childOf, elementsOf } from './json-node.ts'
import { componentName, type OwnedPair, type OwnedSchema } from './schema-book.ts'

/** A place within a component: `{ name: 'Pet', rest: '/name' }`. */
export interface ComponentPlace {
  readonly name: string
  /** A JSON Pointer into the values of the component. */
  readonly rest: string
}

/**
 * Names the component that describes a place of the values in both documents; `undefined` for none.
 * A place of one document only, such as a new field, is in a component that both have.
 */
export function componentOf(
  { old, new: next }: OwnedPair,
  pointer: readonly string[],
): ComponentPlace | undefined {
  const [one, other] = [placeIn(old, pointer), placeIn(next, pointer)]
  if (one.steps.length === other.steps.length) {
    const isSame = one.found?.name === other.found?.name && one.found?.rest === other.found?.rest
    return isSame ? one.found : undefined
  }
  const isOld = one.steps.length < other.steps.length
  const found = isOld ? one.found : other.found
  return found && (isOld ? next : old).components.has(found.name) ? found : undefined
}

// Finds the innermost component: `/-/name` of a list of pets → `Pet` and `/name`.
function placeIn(owned: OwnedSchema, steps: readonly string[]): ComponentWalk {
  return walkTo(owned, { schema: owned.schema, steps, found: undefined, depth: 0 })
}

interface ComponentWalk {
  readonly schema: Json | undefined
  /** The steps that are left. */
  readonly steps: readonly string[]
  readonly found: ComponentPlace | undefined
  readonly depth: number
}

const maxWalk = 60

function walkTo(owned: OwnedSchema, walk: ComponentWalk): ComponentWalk {
  const { schema, steps } = walk
  if (!isJsonObject(schema) || walk.depth > maxWalk) return walk
  const deeper = { ...walk, depth: walk.depth + 1 }
  const [step, ...rest] = steps
  const inner = step === undefined ? undefined : innerOf(schema, step)
  const ways: ComponentWalk[] =
    inner === undefined ? [] : [{ ...deeper, schema: inner, steps: rest }]
  const name = componentName(schema)
  if (name !== undefined) {
    const target = owned.components.get(name)?.schema
    ways.push({ ...deeper, schema: target, found: { name, rest: formatPointer(steps) } })
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    for (const part of elementsOf(childOf(schema, key))) ways.push({ ...deeper, schema: part })
  }
  // A place that is in one document only has steps left in the other.
  return ways
    .map((way) => walkTo(owned, way))
    .reduce((best, way) => (way.steps.length < best.steps.length ? way : best), nearest(walk, ways))
}

// Without steps, a reference at the top names the place.
function nearest(walk: ComponentWalk, ways: readonly ComponentWalk[]): ComponentWalk {
  const [only, ...more] = ways
  return only !== undefined && more.length === 0 && only.steps.length === walk.steps.length
    ? only
    : walk
}

function innerOf(schema: JsonObject, step: string): Json | undefined {
  const property = childOf(childOf(schema, 'properties'), step)
  if (property !== undefined) return property
  const isElement = step === '-' || /^\d+$/.test(step)
  if (isElement && Object.hasOwn(schema, 'items')) return childOf(schema, 'items')
  return step === '*' ? childOf(schema, 'additionalProperties') : undefined
}
