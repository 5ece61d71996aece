import type { Json } from '../../contract/schema/schema.ts'
import { formatPointer } from '../../wire/pointer.ts'
import { canonicalText, isJsonObject } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import type { ApiDocument } from './api-document.ts'
import { childOf, nodeAt } from './json-node.ts'
import { normaliseSchema, type SchemaUse } from './normalise-schema.ts'

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
  read(given: Json | undefined): OwnedSchema
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
    const known = pages.get(name)
    if (known) return known
    const target = nodeAt(references.get(name) ?? '', document.root) ?? true
    const page = readPage(target, { document, use, references })
    pages.set(name, page)
    return page
  }
  const known = new Map<Json, OwnedSchema>()
  return {
    read(given = true) {
      const found = known.get(given)
      if (found) return found
      const { schema, discriminator, names } = readPage(given, { document, use, references })
      const components = componentsFrom(names, shared)
      const owned = { schema, discriminator, components }
      known.set(given, owned)
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

function readPage(given: Json, { document, use, references }: PageSource): Page {
  const { dialect, root, untold } = document
  const names = new Set<string>()
  const refer = (reference: string): string | undefined => {
    if (nodeAt(reference, root) === undefined) {
      untold.add(reference)
      return undefined
    }
    const name = nameOf(reference)
    names.add(name)
    references.set(name, reference)
    return `${prefix}${formatPointer([name]).slice(1)}`
  }
  const schema = objectOf(normaliseSchema(given, { dialect, use, root, refer }))
  const discriminator = childOf(given, 'discriminator') ?? null
  return { schema, discriminator, text: canonicalText(schema), names: [...names] }
}

// A reference to a part of a component, or into a path, is a component of its own.
function nameOf(reference: string): string {
  const name = reference.slice(prefix.length)
  const isPlain = reference.startsWith(prefix) && !/[/%~]/.test(name)
  return isPlain ? name : reference
}

function objectOf(schema: Json): JsonObject {
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
export function isAlike(one: OwnedSchema, other: OwnedSchema): boolean {
  if (one.components.size !== other.components.size) return false
  for (const [name, { text }] of one.components) {
    if (other.components.get(name)?.text !== text) return false
  }
  return canonicalText(one.schema) === canonicalText(other.schema)
}

/** Returns the name of the component that a schema refers to; `undefined` for none. */
export function componentName(schema: JsonObject): string | undefined {
  const reference = childOf(schema, '$ref')
  if (typeof reference !== 'string' || !reference.startsWith(prefix)) return undefined
  return reference.slice(prefix.length).replaceAll('~1', '/').replaceAll('~0', '~')
}
