import type { Json } from '../../contract/schema/schema.ts'
import { mapInner } from '../../openapi/json-schema.ts'
import { canonicalText, isJsonObject, type JsonObject } from '../../sets/canonical.ts'
import { formatPointer } from '../../wire/pointer.ts'
import { childOf, elementsOf, entriesOf, textIn } from './api-document.ts'
import {
  componentName,
  type OwnedPair,
  type OwnedSchema,
  objectOf,
  type SharedSchema,
} from './schema-book.ts'

/** A schema whose values of components are stubs. */
interface CutSchema {
  readonly schema: JsonObject
  /** The components of its stubs, by name. */
  readonly stubs: ReadonlySet<string>
}

/** The components around a schema to cut. */
interface CutContext {
  readonly components: ReadonlyMap<string, SharedSchema>
  /** The components that both documents have: those that may be stubs. */
  readonly common: ReadonlySet<string>
}

/**
 * Cuts a schema at its components: a value that a component describes is a stub, the same for equal
 * names. A component that is a part of the schema itself, as in `allOf`, is written out.
 */
export function cutSchema(schema: JsonObject, context: CutContext): CutSchema {
  const stubs = new Set<string>()
  const cut = objectOf(cutPart(schema, { ...context, stubs, isValue: false, depth: 0 }))
  return { schema: cut, stubs }
}

interface Cutting extends CutContext {
  readonly stubs: Set<string>
  /** The part describes a value of its own. */
  readonly isValue: boolean
  readonly depth: number
}

const maxDepth = 40

function cutPart(subschema: Json, cutting: Cutting): Json {
  if (!isJsonObject(subschema)) return subschema
  const { components, common, stubs, isValue, depth } = cutting
  if (depth > maxDepth) return { $dynamicRef: '#too-deep' }
  const deeper = { ...cutting, depth: depth + 1 }
  const name = componentName(subschema)
  const target = name === undefined ? undefined : components.get(name)
  if (name === undefined || target === undefined) return cutMembers(subschema, deeper)
  const isAlone = Object.keys(subschema).length === 1
  if (isAlone && isValue && common.has(name) && !isLeaf(target)) {
    stubs.add(name)
    return stubOf(name)
  }
  if (isAlone) return cutPart(target.schema, deeper)
  const { $ref: _, ...beside } = subschema
  const targetSchema = cutPart(target.schema, { ...deeper, isValue: false })
  return { allOf: [targetSchema, cutMembers(beside, { ...deeper, isValue: false })] }
}

// A component without references costs little.
function isLeaf({ text }: SharedSchema): boolean {
  return !text.includes('"$ref"') && text.length < 1000
}

function stubOf(name: string): JsonObject {
  const member = `(${name})`
  return {
    type: 'object',
    properties: { [member]: { const: name } },
    required: [member],
    additionalProperties: false,
  }
}

// The keywords whose schemas describe values of their own.
const valueKeywords = new Set([
  ...['items', 'prefixItems', 'additionalProperties', 'properties', 'patternProperties'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])

function cutMembers(schema: JsonObject, cutting: Cutting): JsonObject {
  // Beside other keywords, an alternative is a part of a whole.
  const isChoice = Object.keys(schema).length === 1
  const isValueOf = (keyword: string) =>
    valueKeywords.has(keyword) || (isChoice && /^(?:anyOf|oneOf)$/.test(keyword))
  const cut = mapInner(schema, (inner, _, keyword) =>
    // A part of JSON is JSON.
    cutPart(inner as Json, { ...cutting, isValue: isValueOf(keyword) }),
  )
  return cut as JsonObject
}

/** Tells whether a schema holds so many components that they are compared one by one. */
export function isLarge(components: ReadonlyMap<string, SharedSchema>): boolean {
  return components.size > mostComponents
}

// A value can hold each of them by many ways: their number grows with the ways.
const mostComponents = 40

/** A place within a component: `{ name: 'Pet', rest: '/name' }`. */
interface ComponentPlace {
  readonly name: string
  /** A JSON Pointer into the values of the component. */
  readonly pointer: string
}

/**
 * Names the component that describes a place of the values in both documents; `undefined` for none.
 * A place of one document only, such as a new field, is in a component that both have.
 */
export function componentOf(
  { old, new: next }: OwnedPair,
  pointer: readonly string[],
): ComponentPlace | undefined {
  const [oldPlace, newPlace] = [placeIn(old, pointer), placeIn(next, pointer)]
  if (oldPlace.steps.length === newPlace.steps.length) {
    const isSame =
      oldPlace.component?.name === newPlace.component?.name &&
      oldPlace.component?.pointer === newPlace.component?.pointer
    return isSame ? oldPlace.component : undefined
  }
  const isOld = oldPlace.steps.length < newPlace.steps.length
  const place = isOld ? oldPlace.component : newPlace.component
  return place && (isOld ? next : old).components.has(place.name) ? place : undefined
}

// Finds the innermost component: `/-/name` of a list of pets → `Pet` and `/name`.
function placeIn(owned: OwnedSchema, steps: readonly string[]): ComponentWalk {
  return walkTo(owned, { schema: owned.schema, steps, component: undefined, depth: 0 })
}

interface ComponentWalk {
  readonly schema: Json | undefined
  /** The steps that are left. */
  readonly steps: readonly string[]
  readonly component: ComponentPlace | undefined
  readonly depth: number
}

const maxWalk = 60

function walkTo(owned: OwnedSchema, walk: ComponentWalk): ComponentWalk {
  const { schema, steps } = walk
  if (!isJsonObject(schema) || walk.depth > maxWalk) return walk
  const deeper = { ...walk, depth: walk.depth + 1 }
  const [step, ...laterSteps] = steps
  const inner = step === undefined ? undefined : innerOf(schema, step)
  const ways: ComponentWalk[] =
    inner === undefined ? [] : [{ ...deeper, schema: inner, steps: laterSteps }]
  const name = componentName(schema)
  if (name !== undefined) {
    const target = owned.components.get(name)?.schema
    ways.push({ ...deeper, schema: target, component: { name, pointer: formatPointer(steps) } })
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    for (const subschema of elementsOf(childOf(schema, key)))
      ways.push({ ...deeper, schema: subschema })
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

/** A discriminator that names the form of a value in another way. */
export interface DiscriminatorChange {
  /** The component of the discriminator; `undefined` for the schema itself. */
  readonly component: string | undefined
  readonly from: Json
  readonly to: Json
}

/**
 * Finds the discriminators that changed: another field, or another form for a name. A further name
 * is a further alternative of its schema.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#discriminator-object
 */
export function discriminatorChanges({
  old,
  new: next,
}: OwnedPair): readonly DiscriminatorChange[] {
  const discriminators = { component: undefined, from: old.discriminator, to: next.discriminator }
  const shared = [...old.components].map(([component, { discriminator }]) => ({
    component,
    from: discriminator,
    to: next.components.get(component)?.discriminator ?? null,
  }))
  return [discriminators, ...shared].filter(
    ({ from, to }) => from !== null && to !== null && differ(from, to),
  )
}

function differ(from: Json, to: Json): boolean {
  if (textIn(from, 'propertyName') !== textIn(to, 'propertyName')) return true
  return entriesOf(childOf(from, 'mapping')).some(([name, target]) => {
    const newTarget = childOf(childOf(to, 'mapping'), name)
    return newTarget !== undefined && canonicalText(newTarget) !== canonicalText(target)
  })
}
