import { followReference } from '../../contract/schema/json-schema.ts'
import { isRecord } from '../../convention/value.ts'
import { schemasIn } from './keyword-names.ts'

/** A schema with an address of its own (`$id`), or the root: references start from it. */
export interface SchemaResource {
  readonly root: object
  readonly address: string
  /** The schemas that it names by `$anchor` or `$dynamicAnchor`. */
  readonly anchors: Map<string, object>
  readonly dynamic: Set<string>
}

/** A schema that refers to another one. */
type PartWithReference = Readonly<Record<string, unknown>>

/** The resources of a document. */
export interface SchemaResources {
  readonly all: ReadonlyMap<string, SchemaResource>
  /** Returns the resource that a schema is a part of. */
  readonly of: (schema: object) => SchemaResource
  /** Adds a schema, as a part of the root. */
  readonly adopt: (schema: unknown) => void
  /** Returns the schemas with `$ref` that came since the last call. */
  readonly takeFresh: () => readonly PartWithReference[]
}

// Makes an address of each `$id`, also of a relative one.
const base = 'schema:///'

/** Finds the resources of a document. */
export function findResources(
  root: object,
  { readsSiblings }: { readonly readsSiblings: boolean },
): SchemaResources {
  const first = resourceOf(root, base)
  const all = new Map([[first.address, first]])
  const owners = new Map<object, SchemaResource>()
  const fresh: PartWithReference[] = []
  const visit = (part: unknown, outer: SchemaResource): void => {
    if (!isRecord(part) || owners.has(part)) return
    const { $id, $anchor, $dynamicAnchor } = part
    const isNamed = readsSiblings || part.$ref === undefined
    const isResource = isNamed && part !== root && typeof $id === 'string' && !$id.startsWith('#')
    const own = isResource ? resourceOf(part, outer.address) : outer
    if (isResource) all.set(own.address, own)
    owners.set(part, own)
    if (typeof part.$ref === 'string') fresh.push(part)
    if (typeof $anchor === 'string') own.anchors.set($anchor, part)
    if (typeof $dynamicAnchor === 'string') {
      own.anchors.set($dynamicAnchor, part)
      own.dynamic.add($dynamicAnchor)
    }
    // Until draft 7, an anchor was an `$id`.
    if (typeof $id === 'string' && $id.startsWith('#')) own.anchors.set($id.slice(1), part)
    const shelves = ['$defs', 'definitions'].flatMap((name) => Object.values(Object(part[name])))
    for (const inner of [...schemasIn(part), ...shelves]) visit(inner, own)
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
export function targetFrom(
  reference: string,
  from: SchemaResource,
  { all }: SchemaResources,
): unknown {
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
export function movingTargetFrom(
  reference: string,
  from: SchemaResource,
  resources: SchemaResources,
): unknown {
  const all = [...resources.all.values()]
  const [, name = ''] = reference.split('#')
  const isSettled =
    name === '' ? all.length === 1 : all.filter((one) => one.dynamic.has(name)).length < 2
  return isSettled ? targetFrom(reference, from, resources) : undefined
}

function addressOf(reference: string, outer: string): string {
  const [address = ''] = reference.split('#')
  return URL.canParse(address, outer) ? new URL(address, outer).href : address
}
