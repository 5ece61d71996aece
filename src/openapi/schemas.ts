import { followReference, type JsonSchema } from '../contract/schema/json-schema.ts'
import { isRecord } from '../convention/value.ts'
import {
  hasNoInner,
  isComponentReference,
  isGeneratedName,
  mapInner,
  type Node,
  nameInReference,
  refTo,
  withType,
} from './json-schema.ts'
import { toTypeName } from './names.ts'

/** The origin of a schema: its owner, direction and document. */
interface Origin {
  /** The prefix for the names of its unnamed references: `Employee`. */
  readonly owner: string
  readonly direction: 'input' | 'output'
  /** The document that its references are relative to. */
  readonly root: JsonSchema
  /** The part of the document for a whole item. */
  readonly body: JsonSchema
  /** The shared name of the body. Default: `schemas` names it at its first reference. */
  readonly sharedName?: string
}

/** The schemas that a document shares. */
export interface Schemas {
  /** By name, in order of creation. */
  readonly shared: Readonly<Record<string, unknown>>
  /** Reserves a name, or a numbered one if the name is taken. */
  reserve(name: string): string
  /** Sets the schema of a reserved name. */
  set(name: string, schema: Node): void
  /** Returns a schema whose references all lead to shared schemas. */
  rewrite(schema: unknown, origin: Origin): unknown
}

/**
 * Makes a collection of shared schemas.
 *
 * A validator's JSON Schema is its own document, with relative references. Here its parts become
 * components of one document. Equal parts share a name; different parts with one name get two.
 */
export function createSchemas(shared: Readonly<Record<string, Node>>): Schemas {
  const store: Store = { shared: { ...shared }, names: new Map() }
  return {
    shared: store.shared,
    reserve: (name) => reserveIn(store, name),
    set: (name, schema) => {
      store.shared[name] = schema
    },
    rewrite: (schema, origin) => rewrite(schema, { ...origin, store, fieldPath: '' }),
  }
}

interface Store {
  readonly shared: Record<string, unknown>
  /** By fingerprint. */
  readonly names: Map<string, string>
}

interface RewriteContext extends Origin {
  readonly store: Store
  /** The names of the fields on the way to this schema, joined. */
  readonly fieldPath: string
}

function rewrite(schema: unknown, context: RewriteContext): unknown {
  if (!isRecord(schema)) return schema
  const inner = mapInner(
    withType(withoutPattern(withoutDocumentKeywords(schema))),
    (inner, field = '') =>
      rewrite(inner, { ...context, fieldPath: context.fieldPath + toTypeName(field) }),
  )
  const { $ref, ...siblings } = inner
  if (typeof $ref !== 'string' || !$ref.startsWith('#') || isComponentReference($ref)) return inner
  return { ...hoist($ref, context), ...siblings }
}

// Shares the target of a reference, and returns the new reference.
function hoist(reference: string, context: RewriteContext): Node {
  const { store, root, body, sharedName } = context
  const target = followReference(reference, root)
  if (sharedName !== undefined && target === body) return refTo(sharedName)
  if (!isRecord(target)) return { description: `Refers to ${reference}, which does not exist.` }
  if (isGeneratedName(reference) && hasNoInner(target))
    return withType(withoutDocumentKeywords(target))
  const name = nameFor(reference, target, context)
  const fingerprint = `${isGeneratedName(reference) ? '' : name} ${fingerprintOf(reference, root)}`
  const componentName = store.names.get(fingerprint)
  if (componentName !== undefined) return refTo(componentName)
  const isTaken = Object.hasOwn(store.shared, name) && !name.endsWith('Input')
  const uniqueName = reserveIn(
    store,
    isTaken && context.direction === 'input' ? `${name}Input` : name,
  )
  store.names.set(fingerprint, uniqueName)
  store.shared[uniqueName] = rewrite(target, { ...context, fieldPath: '' })
  return refTo(uniqueName)
}

function reserveIn({ shared }: Store, name: string): string {
  const uniqueName = freeName(name, shared)
  shared[uniqueName] = undefined
  return uniqueName
}

function freeName(name: string, namespace: object): string {
  if (!Object.hasOwn(namespace, name)) return name
  for (let number = 2; ; number++) {
    if (!Object.hasOwn(namespace, name + number)) return name + number
  }
}

// Removes the keywords of a whole document.
function withoutDocumentKeywords({
  $schema,
  $id,
  $defs,
  $patches,
  definitions,
  ...schema
}: Node): Node {
  return schema
}

// The formats of JSON Schema 2020-12 that a pattern says again, in many more characters.
const formats = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri ' +
    'uri-reference iri iri-reference uuid uri-template json-pointer relative-json-pointer regex'
  ).split(' '),
)
const longestPattern = 60

// Validators write the whole pattern beside a format. A short one may be a rule of its own.
function withoutPattern({ pattern, ...schema }: Node): Node {
  if (pattern === undefined) return schema
  const isLong = typeof pattern === 'string' && pattern.length > longestPattern
  return isLong && formats.has(String(schema.format)) ? schema : { ...schema, pattern }
}

function nameFor(
  reference: string,
  target: Node,
  { owner, body, fieldPath }: RewriteContext,
): string {
  if (target === body) return `${owner}Input`
  if (isGeneratedName(reference)) return owner + fieldPath
  return toTypeName(nameInReference(reference)) || owner + fieldPath
}

// Writes the target of a reference, with numbers in place of names.
function fingerprintOf(start: string, root: JsonSchema): string {
  const references = [start]
  const texts: string[] = []
  const print = (schema: unknown): unknown => {
    if (!isRecord(schema)) return schema
    const inner = mapInner(withoutDocumentKeywords(schema), print)
    const { $ref } = inner
    if (typeof $ref !== 'string' || followReference($ref, root) === undefined) return inner
    const index = references.indexOf($ref)
    if (index < 0) references.push($ref)
    return { ...inner, $ref: index < 0 ? references.length - 1 : index }
  }
  for (const reference of references) {
    texts.push(JSON.stringify(print(followReference(reference, root))))
  }
  return texts.join()
}
