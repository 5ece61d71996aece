import type { Json } from '../../contract/schema/schema.ts'
import { mapInner } from '../../openapi/json-schema.ts'
import { isJsonObject } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import { childOf, elementsOf, entriesOf, followChain } from './json-node.ts'
import { withoutOwnAlternatives } from './own-alternatives.ts'

/** The values that a schema describes: those of requests, or those of responses. */
export type SchemaUse = 'request' | 'item'

/** How a schema of a document becomes JSON Schema 2020-12. */
export interface SchemaWalk {
  readonly dialect: '3.0' | '2020-12'
  readonly use: SchemaUse
  readonly root: JsonObject
  /** Returns the reference to write instead of one of the document; `undefined` for nothing. */
  readonly refer: (reference: string) => string | undefined
}

// Texts about values, and hints for tools: they allow and forbid nothing.
const annotations = new Set([
  'title',
  'description',
  'example',
  'examples',
  'xml',
  'externalDocs',
  'discriminator',
  '$comment',
  'nullable',
  'readOnly',
  'writeOnly',
])

// A client sends no field that only the server writes, and gets none that only it writes itself.
const leaving = { request: 'readOnly', item: 'writeOnly' } as const

const maxDepth = 100

/** A schema behind a reference that leads to nothing: its values are unknown. */
const unknown = { $dynamicRef: '#nowhere' }

/**
 * Changes a schema of a document to JSON Schema 2020-12: `nullable` to a type, limits to numbers,
 * without the fields that leave the requests or the responses, and without texts about values.
 *
 * @see https://spec.openapis.org/oas/v3.0.4.html#schema-object
 */
export function normaliseSchema(schema: Json, walk: SchemaWalk, depth = 0): Json {
  if (!isJsonObject(schema)) return schema
  if (depth > maxDepth) return unknown
  const reference = childOf(schema, '$ref')
  if (typeof reference === 'string' && walk.dialect === '3.0') {
    return referTo(walk.refer(reference))
  }
  const whole = withoutOwnAlternatives(withoutLeaving(schema, walk), walk.root)
  const kept = Object.entries(whole).filter(
    ([key]) => !annotations.has(key) && !key.startsWith('x-'),
  )
  const inner = mapInner(Object.fromEntries(kept), (part) =>
    normaliseSchema(jsonOf(part), walk, depth + 1),
  )
  const changed = Object.fromEntries(
    Object.entries(inner).map(([key, part]) => [key, jsonOf(part)]),
  )
  const { $ref: _, ...beside } = changed
  const own =
    typeof reference === 'string' ? { ...beside, ...referTo(walk.refer(reference)) } : changed
  return walk.dialect === '3.0' ? withNull(withLimits(own), schema) : own
}

function referTo(reference: string | undefined): JsonObject {
  return reference === undefined ? unknown : { $ref: reference }
}

// The walk changes parts of a document, which are JSON.
function jsonOf(part: unknown): Json {
  return part as Json
}

function withLimits(schema: JsonObject): JsonObject {
  return [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ].reduce<JsonObject>((changed, [limit = '', exclusive = '']) => {
    const isExclusive = childOf(changed, exclusive)
    if (typeof isExclusive !== 'boolean') return changed
    const { [limit]: bound, [exclusive]: _, ...rest } = changed
    if (bound === undefined) return rest
    return { ...rest, [isExclusive ? exclusive : limit]: bound }
  }, schema)
}

// Authors write `nullable` beside an `enum` or an `allOf` for values that may be null, though by
// the letter such a value is never null. A gate that read it so would miss their changes.
function withNull(schema: JsonObject, written: JsonObject): JsonObject {
  if (childOf(written, 'nullable') !== true) return schema
  const type = childOf(schema, 'type')
  if (typeof type !== 'string') {
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] }
  }
  const values = childOf(schema, 'enum')
  const isListed = !Array.isArray(values) || values.includes(null)
  const nullable = { ...schema, type: [type, 'null'] }
  return isListed ? nullable : { ...nullable, enum: [...elementsOf(values), null] }
}

function withoutLeaving(schema: JsonObject, walk: SchemaWalk): JsonObject {
  const names = leavingNames(schema, walk, new Set())
  if (names.size === 0) return schema
  const properties = childOf(schema, 'properties')
  const required = childOf(schema, 'required')
  const stays = ([name]: readonly [string, Json]) => !names.has(name)
  return {
    ...schema,
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(entriesOf(properties).filter(stays)) }
      : {}),
    ...(Array.isArray(required)
      ? { required: elementsOf(required).filter((name) => !names.has(String(name))) }
      : {}),
  }
}

// `required` may stand beside the `allOf` that declares the field.
function leavingNames(given: Json, walk: SchemaWalk, seen: Set<Json>): ReadonlySet<string> {
  const { node } = followChain(given, walk.root)
  if (node === undefined || seen.has(node)) return new Set()
  seen.add(node)
  const own = entriesOf(childOf(node, 'properties'))
    .filter(([, property]) => leaves(property, walk))
    .map(([name]) => name)
  const parts = elementsOf(childOf(node, 'allOf')).map((part) => leavingNames(part, walk, seen))
  return new Set([...own, ...parts.flatMap((names) => [...names])])
}

function leaves(property: Json, { use, root }: SchemaWalk): boolean {
  const key = leaving[use]
  if (childOf(property, key) === true) return true
  if (childOf(followChain(property, root).node, key) === true) return true
  return elementsOf(childOf(property, 'allOf')).some(
    (part) => childOf(followChain(part, root).node, key) === true,
  )
}
