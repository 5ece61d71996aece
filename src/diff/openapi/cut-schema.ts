import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import { elementsOf, entriesOf } from './json-node.ts'
import { componentName, type SharedSchema } from './schema-book.ts'

/** A schema whose values of components are stubs. */
export interface CutSchema {
  readonly schema: JsonObject
  /** The components of its stubs, by name. */
  readonly stubs: ReadonlySet<string>
}

/** The components around a schema to cut. */
export interface CutContext {
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

function cutPart(part: Json, cutting: Cutting): Json {
  if (!isJsonObject(part)) return part
  const { components, common, stubs, isValue, depth } = cutting
  if (depth > maxDepth) return { $dynamicRef: '#too-deep' }
  const deeper = { ...cutting, depth: depth + 1 }
  const name = componentName(part)
  const target = name === undefined ? undefined : components.get(name)
  if (name === undefined || target === undefined) return cutMembers(part, deeper)
  const isAlone = Object.keys(part).length === 1
  if (isAlone && isValue && common.has(name) && !isLeaf(target)) {
    stubs.add(name)
    return stubOf(name)
  }
  if (isAlone) return cutPart(target.schema, deeper)
  const { $ref: _, ...beside } = part
  const own = cutPart(target.schema, { ...deeper, isValue: false })
  return { allOf: [own, cutMembers(beside, { ...deeper, isValue: false })] }
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

const values = ['items', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']
const valueMaps = ['properties', 'patternProperties']
const choices = ['anyOf', 'oneOf']
const own = ['not', 'if', 'then', 'else', 'contains', 'propertyNames']

function cutMembers(part: JsonObject, cutting: Cutting): JsonObject {
  const isChoice = Object.keys(part).length === 1
  const value = { ...cutting, isValue: true }
  const whole = { ...cutting, isValue: false }
  const listed = (list: Json, how: Cutting) => elementsOf(list).map((one) => cutPart(one, how))
  const mapped = (map: Json, how: Cutting) =>
    Object.fromEntries(entriesOf(map).map(([name, one]) => [name, cutPart(one, how)]))
  const cutMember = (key: string, member: Json): Json => {
    if (values.includes(key)) return cutPart(member, value)
    if (valueMaps.includes(key)) return mapped(member, value)
    if (key === 'prefixItems') return listed(member, value)
    // Beside other keywords, an alternative is a part of a whole.
    if (choices.includes(key)) return listed(member, isChoice ? value : whole)
    if (key === 'allOf') return listed(member, whole)
    if (key === 'dependentSchemas') return mapped(member, whole)
    return own.includes(key) ? cutPart(member, whole) : member
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, member]) => [key, cutMember(key, member)]),
  )
}

function objectOf(schema: Json): JsonObject {
  return isJsonObject(schema) ? schema : schema === false ? { not: {} } : {}
}

/** Tells whether a schema holds so many components that they are compared one by one. */
export function isLarge(components: ReadonlyMap<string, SharedSchema>): boolean {
  return components.size > mostComponents
}

// A value can hold each of them by many ways: their number grows with the ways.
const mostComponents = 40
