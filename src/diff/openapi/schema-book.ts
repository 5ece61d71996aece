import type { Json } from '../../contract/schema/schema.ts'
import { mapInner } from '../../openapi/json-schema.ts'
import { canonicalText, isJsonObject, type JsonObject } from '../../sets/canonical.ts'
import { plainForm } from '../../sets/plain-form.ts'
import { formatPointer } from '../../wire/pointer.ts'
import {
  type ApiDocument,
  childOf,
  elementsOf,
  entriesOf,
  followChain,
  nodeAt,
  textIn,
} from './api-document.ts'

/** A schema of a document as JSON Schema 2020-12 that needs no other text. */
export interface OwnedSchema {
  /** Without the components. */
  readonly schema: JsonObject
  /** The field that names the form of a value; `null` for none. */
  readonly discriminator: Json
  /** The components that it refers to, also through others, by name. */
  readonly components: ReadonlyMap<string, SharedSchema>
}

/** The schemas at one place of both documents. */
export interface OwnedPair {
  readonly old: OwnedSchema
  readonly new: OwnedSchema
}

/** A component of a document. */
export interface SharedSchema {
  readonly schema: JsonObject
  /** The field that names the form of a value; `null` for none. */
  readonly discriminator: Json
  /** Equal for equal schemas, apart from what they refer to. */
  readonly text: string
}

/** The schemas of a document, for requests or for responses. */
export interface SchemaBook {
  /** Reads a schema; `undefined` stands for any value. */
  read(schema: Json | undefined): OwnedSchema
}

interface Page extends SharedSchema {
  /** The names of the components that it refers to directly. */
  readonly names: readonly string[]
}

const prefix = '#/components/schemas/'

/** Makes the book of a document. It reads each component once. */
export function createSchemaBook(document: ApiDocument, use: SchemaUse): SchemaBook {
  const pages = new Map<string, Page>()
  const references = new Map<string, string>()
  const shared = (name: string): Page => {
    const cached = pages.get(name)
    if (cached) return cached
    const target = nodeAt(references.get(name) ?? '', document.root) ?? true
    const page = readPage(target, { document, use, references })
    pages.set(name, page)
    return page
  }
  const schemas = new Map<Json, OwnedSchema>()
  return {
    read(json = true) {
      const cachedSchema = schemas.get(json)
      if (cachedSchema) return cachedSchema
      const { schema, discriminator, names } = readPage(json, { document, use, references })
      const components = componentsFrom(names, shared)
      const owned = { schema, discriminator, components }
      schemas.set(json, owned)
      return owned
    },
  }
}

// All components that some lead to.
function componentsFrom(
  names: readonly string[],
  shared: (name: string) => Page,
): Map<string, SharedSchema> {
  const components = new Map<string, SharedSchema>()
  // A component that is visited adds names to the list.
  const waiting = [...names]
  for (const name of waiting) {
    if (components.has(name)) continue
    const page = shared(name)
    components.set(name, page)
    waiting.push(...page.names)
  }
  return components
}

interface PageSource {
  readonly document: ApiDocument
  readonly use: SchemaUse
  /** Collects the references by the names of their components. */
  readonly references: Map<string, string>
}

function readPage(json: Json, { document, use, references }: PageSource): Page {
  const { dialect, root, unreadable } = document
  const names = new Set<string>()
  const refer = (reference: string): string | undefined => {
    if (nodeAt(reference, root) === undefined) {
      unreadable.add(reference)
      return undefined
    }
    const name = nameOf(reference)
    names.add(name)
    references.set(name, reference)
    return `${prefix}${formatPointer([name]).slice(1)}`
  }
  const schema = objectOf(normaliseSchema(json, { dialect, use, root, refer }))
  const discriminator = childOf(json, 'discriminator') ?? null
  return { schema, discriminator, text: canonicalText(schema), names: [...names] }
}

// A reference to a part of a component, or into a path, is a component of its own.
function nameOf(reference: string): string {
  const name = reference.slice(prefix.length)
  const isPlain = reference.startsWith(prefix) && !/[/%~]/.test(name)
  return isPlain ? name : reference
}

/** Returns a schema as an object, also `true` and `false`. */
export function objectOf(schema: Json): JsonObject {
  if (isJsonObject(schema)) return schema
  return schema === false ? { not: {} } : {}
}

/** Returns the schema with its components beside it, so that each reference leads to one. */
export function rootOf({ schema, components }: OwnedSchema): JsonObject {
  if (components.size === 0) return schema
  const schemas = Object.fromEntries(
    [...components].map(([name, { schema }]) => [name, schema] as const),
  )
  return { ...schema, components: { schemas } }
}

/** Returns a schema without the references at its top. */
export function resolveTop({ schema, components }: OwnedSchema): JsonObject {
  let top = schema
  const seen = new Set<string>()
  for (;;) {
    const name = Object.keys(top).length === 1 ? componentName(top) : undefined
    const target = name === undefined || seen.has(name) ? undefined : components.get(name)?.schema
    if (name === undefined || target === undefined) return top
    seen.add(name)
    top = target
  }
}

/** Tells whether two schemas are written alike, with all that they refer to. */
export function isAlike(schema: OwnedSchema, newSchema: OwnedSchema): boolean {
  if (schema.components.size !== newSchema.components.size) return false
  for (const [name, { text }] of schema.components) {
    if (newSchema.components.get(name)?.text !== text) return false
  }
  return canonicalText(schema.schema) === canonicalText(newSchema.schema)
}

/** Returns the name of the component that a schema refers to; `undefined` for none. */
export function componentName(schema: JsonObject): string | undefined {
  const reference = childOf(schema, '$ref')
  if (typeof reference !== 'string' || !reference.startsWith(prefix)) return undefined
  return reference.slice(prefix.length).replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The values that a schema describes: those of requests, or those of responses. */
export type SchemaUse = 'request' | 'item'

/** How a schema of a document becomes JSON Schema 2020-12. */
interface SchemaWalk {
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
function normaliseSchema(schema: Json, walk: SchemaWalk, depth = 0): Json {
  if (!isJsonObject(schema)) return schema
  if (depth > maxDepth) return unknown
  const reference = childOf(schema, '$ref')
  if (typeof reference === 'string' && walk.dialect === '3.0') {
    return referTo(walk.refer(reference))
  }
  const complete = withoutOwnAlternatives(withoutLeaving(schema, walk), walk.root)
  const entries = Object.entries(complete).filter(
    ([key]) => !annotations.has(key) && !key.startsWith('x-'),
  )
  const inner = mapInner(Object.fromEntries(entries), (subschema) =>
    normaliseSchema(jsonOf(subschema), walk, depth + 1),
  )
  const changed = Object.fromEntries(
    Object.entries(inner).map(([key, subschema]) => [key, jsonOf(subschema)]),
  )
  const { $ref: _, ...beside } = changed
  const properties =
    typeof reference === 'string' ? { ...beside, ...referTo(walk.refer(reference)) } : changed
  return walk.dialect === '3.0' ? withoutDialect(properties, schema) : properties
}

function referTo(reference: string | undefined): JsonObject {
  return reference === undefined ? unknown : { $ref: reference }
}

// The walk changes parts of a document, which are JSON.
function jsonOf(value: unknown): Json {
  return value as Json
}

// Authors write `nullable` beside an `enum` or an `allOf` for values that may be null, though by
// the letter such a value is never null. A gate that read it so would miss their changes.
function withoutDialect(schema: JsonObject, written: JsonObject): Json {
  const isNullable = childOf(written, 'nullable') === true
  const isTyped = childOf(written, 'type') !== undefined
  if (isNullable && !isTyped && Object.keys(schema).length > 0)
    return { anyOf: [jsonOf(plainForm(schema)), { type: 'null' }] }
  return jsonOf(plainForm({ ...schema, nullable: isNullable }))
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
function leavingNames(schema: Json, walk: SchemaWalk, seen: Set<Json>): ReadonlySet<string> {
  const { node } = followChain(schema, walk.root)
  if (node === undefined || seen.has(node)) return new Set()
  seen.add(node)
  const properties = entriesOf(childOf(node, 'properties'))
    .filter(([, property]) => leaves(property, walk))
    .map(([name]) => name)
  const parts = elementsOf(childOf(node, 'allOf')).map((subschema) =>
    leavingNames(subschema, walk, seen),
  )
  return new Set([...properties, ...parts.flatMap((names) => [...names])])
}

function leaves(property: Json, { use, root }: SchemaWalk): boolean {
  const key = leaving[use]
  if (childOf(property, key) === true) return true
  if (childOf(followChain(property, root).node, key) === true) return true
  return elementsOf(childOf(property, 'allOf')).some(
    (property) => childOf(followChain(property, root).node, key) === true,
  )
}

/**
 * Returns a schema whose `allOf` names no schema that has the schema itself as an alternative.
 *
 * Generators write a `Pet` that is `oneOf` `Cat` and `Dog`, and a `Cat` that is `allOf` `Pet` and
 * more. By the letter no value ends that circle. They mean the fields of `Pet` alone.
 */
function withoutOwnAlternatives(schema: JsonObject, root: JsonObject): JsonObject {
  const parts = childOf(schema, 'allOf')
  if (!Array.isArray(parts)) return schema
  return { ...schema, allOf: elementsOf(parts).map((subschema) => baseOf(subschema, root)) }
}

function baseOf(subschema: Json, root: JsonObject): Json {
  const reference = textIn(subschema, '$ref')
  const { node } = followChain(subschema, root)
  if (reference === undefined || !isJsonObject(node) || !returnsTo(node, root)) return subschema
  const { oneOf: _, anyOf: __, ...base } = node
  return base
}

// Tells whether an alternative of a schema leads to the schema, with no value in between.
function returnsTo(schema: JsonObject, root: JsonObject): boolean {
  const seen = new Set<Json>()
  const waiting = choicesOf(schema)
  for (const subschema of waiting) {
    const { node } = followChain(subschema, root)
    if (node === schema) return true
    if (node === undefined || seen.has(node)) continue
    seen.add(node)
    waiting.push(...choicesOf(node), ...elementsOf(childOf(node, 'allOf')))
  }
  return false
}

function choicesOf(schema: Json): Json[] {
  return ['oneOf', 'anyOf'].flatMap((key) => elementsOf(childOf(schema, key)))
}
