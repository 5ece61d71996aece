import { createHash } from 'node:crypto'
import { followReference } from '../contract/schema/json-schema.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { essenceOf, essenceOfKeywords, schemasIn } from './keyword-names.ts'
import { shortKey, type ValueSet } from './value-set.ts'

/** Reads a schema inside a document. */
export type ReadSet = (schema: unknown) => ValueSet

/** A JSON Schema as keywords by name. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** A JSON Schema with what its references lead to. */
export interface SchemaDocument {
  readonly root: object
  /** Keywords beside `$ref` count, as since draft 2019-09. */
  readonly readsSiblings: boolean
  /** Returns the target of `$ref` of a schema; `undefined` for none, and for one that leads out. */
  readonly follow: (schema: SchemaNode) => unknown
  /** Returns the references of a schema, each with its target as that of `follow`. */
  readonly targetsOf: (schema: SchemaNode) => readonly (readonly [Reference, unknown])[]
  /** Returns a text that tells the schemas with the same values. */
  readonly keyOf: (schema: unknown) => string
  /** Follows references that stand alone, to the schema that they stand for. */
  readonly resolve: (schema: unknown) => unknown
  /** Adds a schema that was written after the document was read. */
  readonly adopt: (schema: unknown) => void
  /** Returns a text that tells the document from others. */
  readonly identity: () => string
}

// References that lead to each other without a value in between.
const mostHops = 50

const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** A keyword that leads to another schema. */
type Reference = (typeof references)[number]

/**
 * Reads the references of a JSON Schema.
 *
 * @param identify Returns a text that tells the document from others. Default a hash of the schema.
 */
export function readDocument(
  root: object,
  identify: () => string = () => identityOf(root),
): SchemaDocument {
  const draft = fieldOf(root, '$schema')
  const readsSiblings = !(typeof draft === 'string' && /draft-0[3-7]/.test(draft))
  const resources = findResources(root, { readsSiblings })
  const targets = new Map<object, unknown>()
  const follow = (schema: SchemaNode): unknown => {
    const { $ref } = schema
    if (typeof $ref !== 'string') return undefined
    if (!targets.has(schema)) targets.set(schema, targetFrom($ref, resources.of(schema), resources))
    return targets.get(schema)
  }
  const followMoving = (schema: SchemaNode, keyword: Reference): unknown =>
    movingTargetFrom(`${schema[keyword]}`, resources.of(schema), resources)
  const targetsOf = (schema: SchemaNode) =>
    references
      .filter((keyword) => typeof schema[keyword] === 'string')
      .map(
        (keyword) =>
          [keyword, keyword === '$ref' ? follow(schema) : followMoving(schema, keyword)] as const,
      )
  const resolve = (schema: unknown): unknown => {
    let target = schema
    for (let hops = 0; hops < mostHops && isReference(target); hops++)
      target = follow(target) ?? noTarget
    return target === noTarget || isReference(target) ? schema : target
  }
  let cachedText: string | undefined
  const identity = () => {
    cachedText ??= identify()
    return cachedText
  }
  const keyOf = createKeys({ readsSiblings, follow, resolve, identity, resources })
  const { adopt } = resources
  return { root, readsSiblings, follow, targetsOf, keyOf, resolve, adopt, identity }
}

const noTarget = Symbol('no target')

function isReference(schema: unknown): schema is SchemaNode {
  return isRecord(schema) && Object.keys(schema).length === 1 && typeof schema.$ref === 'string'
}

function identityOf(root: object): string {
  return createHash('sha256').update(JSON.stringify(root)).digest('hex')
}

/** A schema with an address of its own (`$id`), or the root: references start from it. */
interface SchemaResource {
  readonly root: object
  readonly address: string
  /** The schemas that it names by `$anchor` or `$dynamicAnchor`. */
  readonly anchors: Map<string, object>
  readonly dynamic: Set<string>
}

/** The resources of a document. */
interface SchemaResources {
  readonly all: ReadonlyMap<string, SchemaResource>
  /** Returns the resource that a schema is a part of. */
  readonly of: (schema: object) => SchemaResource
  /** Adds a schema, as a part of the root. */
  readonly adopt: (schema: unknown) => void
  /** Returns the schemas with `$ref` that came since the last call. */
  readonly takeFresh: () => readonly SchemaNode[]
}

// Makes an address of each `$id`, also of a relative one.
const base = 'schema:///'

/** Finds the resources of a document. */
function findResources(
  root: object,
  { readsSiblings }: { readonly readsSiblings: boolean },
): SchemaResources {
  const first = resourceOf(root, base)
  const all = new Map([[first.address, first]])
  const owners = new Map<object, SchemaResource>()
  const fresh: SchemaNode[] = []
  const visit = (subschema: unknown, outer: SchemaResource): void => {
    if (!isRecord(subschema) || owners.has(subschema)) return
    const { $id, $anchor, $dynamicAnchor } = subschema
    const isNamed = readsSiblings || subschema.$ref === undefined
    const isResource =
      isNamed && subschema !== root && typeof $id === 'string' && !$id.startsWith('#')
    const resource = isResource ? resourceOf(subschema, outer.address) : outer
    if (isResource) all.set(resource.address, resource)
    owners.set(subschema, resource)
    if (typeof subschema.$ref === 'string') fresh.push(subschema)
    if (typeof $anchor === 'string') resource.anchors.set($anchor, subschema)
    if (typeof $dynamicAnchor === 'string') {
      resource.anchors.set($dynamicAnchor, subschema)
      resource.dynamic.add($dynamicAnchor)
    }
    // Until draft 7, an anchor was an `$id`.
    if (typeof $id === 'string' && $id.startsWith('#'))
      resource.anchors.set($id.slice(1), subschema)
    const shelves = ['$defs', 'definitions'].flatMap((name) =>
      Object.values(Object(subschema[name])),
    )
    for (const inner of [...schemasIn(subschema), ...shelves]) visit(inner, resource)
  }
  visit(root, first)
  return {
    all,
    of: (schema) => owners.get(schema) ?? first,
    adopt: (schema) => visit(schema, first),
    takeFresh: () => fresh.splice(0),
  }
}

function resourceOf(root: object, outer: string): SchemaResource {
  const id = '$id' in root && typeof root.$id === 'string' ? root.$id : ''
  return { root, address: addressOf(id, outer), anchors: new Map(), dynamic: new Set() }
}

/** Returns what a reference in a resource leads to; `undefined` for nothing in the document. */
function targetFrom(reference: string, from: SchemaResource, { all }: SchemaResources): unknown {
  const mark = reference.indexOf('#')
  const [address, fragment] =
    mark === -1 ? [reference, ''] : [reference.slice(0, mark), reference.slice(mark + 1)]
  const resource = address === '' ? from : all.get(addressOf(address, from.address))
  if (resource === undefined) return undefined
  return fragment === '' || fragment.startsWith('/')
    ? followReference(`#${fragment}`, resource.root)
    : resource.anchors.get(fragment)
}

/**
 * Returns what `$dynamicRef` or `$recursiveRef` in a resource leads to. `undefined` for nothing,
 * and where several resources have such an anchor: then the schemas around a value choose one.
 */
function movingTargetFrom(
  reference: string,
  from: SchemaResource,
  resources: SchemaResources,
): unknown {
  const all = [...resources.all.values()]
  const [, name = ''] = reference.split('#')
  const isSettled =
    name === ''
      ? all.length === 1
      : all.filter((candidate) => candidate.dynamic.has(name)).length < 2
  return isSettled ? targetFrom(reference, from, resources) : undefined
}

function addressOf(reference: string, outer: string): string {
  const [address = ''] = reference.split('#')
  return URL.canParse(address, outer) ? new URL(address, outer).href : address
}

/** The references of a document. */
interface References {
  readonly readsSiblings: boolean
  readonly follow: (schema: SchemaNode) => unknown
  readonly resolve: (schema: unknown) => unknown
  readonly identity: () => string
  readonly resources: SchemaResources
}

// Each level takes some frames of the stack; a text needs none.
const mostOpen = 300

/** Makes the function that returns a text that tells the schemas with the same values. */
function createKeys(references: References): (schema: unknown) => string {
  const { readsSiblings, follow, resolve } = references
  const isOfParts = createPartsCheck(references)
  const keys = new Map<unknown, string>()
  const open = new Set<unknown>()
  const keyOf = (written: unknown): string => {
    const schema = resolve(written)
    const before = keys.get(schema)
    if (before !== undefined) return before
    const isShallow = open.size < mostOpen && !open.has(schema)
    const hasParts = isShallow && isRecord(schema) && isOfParts(schema)
    open.add(schema)
    const key = shortKey(hasParts ? keyOfParts(schema) : textOf(schema, references))
    open.delete(schema)
    keys.set(schema, key)
    return key
  }
  const keyOfParts = (schema: SchemaNode): string => {
    if (schema.$ref !== undefined && !readsSiblings) return keyOf(follow(schema))
    const inner = (subschema: unknown) => (isRecord(subschema) ? keyOf(subschema) : subschema)
    const nameOf = () => keyOf(follow(schema))
    return JSON.stringify(essenceOfKeywords(schema, { inner, nameOf }))
  }
  return keyOf
}

// The key of a schema is made of the keys of its parts. One that holds itself has a text.
function createPartsCheck({
  follow,
  resolve,
  resources,
}: References): (schema: SchemaNode) => boolean {
  const referred = new Set<unknown>()
  return (schema) => {
    for (const subschema of resources.takeFresh()) {
      const target = follow(subschema)
      if (target !== undefined) referred.add(resolve(target))
    }
    const isMoving = schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined
    const isBroken = typeof schema.$ref === 'string' && follow(schema) === undefined
    if (isMoving || isBroken) return false
    return !referred.has(schema) || ![...reachOf(schema, follow).targets.values()].includes(schema)
  }
}

function textOf(schema: unknown, { readsSiblings, follow, identity }: References): string {
  const reach = reachOf(schema, follow)
  const texts = [essenceText(schema, reach), readsSiblings ? '' : ' of $ref alone']
  return texts.join('') + (reach.isOpen ? ` in ${identity()}` : '')
}

interface Reach {
  /** The targets of the references in a schema, also through others. */
  readonly targets: ReadonlyMap<unknown, unknown>
  /** The rest of its document tells its values too. */
  readonly isOpen: boolean
  /** One reference leads to two schemas: each starts from another address. */
  readonly isMixed: boolean
}

function reachOf(schema: unknown, follow: References['follow']): Reach {
  const targets = new Map<unknown, unknown>()
  const reach = { targets, isOpen: false, isMixed: false }
  // A stack of its own: references may form a chain of any length.
  const parts = [schema]
  const collect = (subschema: unknown): void => {
    if (!isRecord(subschema)) return
    const { $ref, $dynamicRef, $recursiveRef } = subschema
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) reach.isOpen = true
    if (typeof $ref === 'string') {
      const target = follow(subschema)
      const isNew = !targets.has($ref)
      if (target === undefined) reach.isOpen = true
      else if (isNew) targets.set($ref, target)
      else if (targets.get($ref) !== target) reach.isMixed = true
      if (isNew) parts.push(target)
    }
    for (const inner of schemasIn(subschema)) parts.push(inner)
  }
  while (parts.length > 0) collect(parts.pop())
  return reach
}

let mixed = 0

// The names of references say nothing, only the order in which they come.
function essenceText(schema: unknown, { targets, isMixed }: Reach): string {
  if (isMixed) return `mixed ${++mixed}`
  const names = new Map<unknown, number>()
  const nameOf = (reference: unknown): unknown => {
    if (!targets.has(reference)) return reference
    const name = names.get(reference) ?? names.size
    names.set(reference, name)
    return name
  }
  // The first essence brings lists into an order, which numbers the references.
  const renamed = (subschema: unknown): unknown => essenceOf(essenceOf(subschema), nameOf)
  const parts = [renamed(schema)]
  // Grows while it is read.
  for (const reference of names.keys()) parts.push(renamed(targets.get(reference)))
  return parts.map((subschema) => JSON.stringify(subschema)).join(' where ')
}
