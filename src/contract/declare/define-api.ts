import { attempt, isRecord, throwFaults } from '../../convention/declared.ts'
import { bodyOf, bodySchemaOf, kindsWithout } from '../../convention/kinds.ts'
import { faultOfNoun } from '../../convention/noun.ts'
import { readPaths } from '../../convention/version.ts'
import { type Api, type Collection, lastNounOf, type Versions } from '../resource/api.ts'
import { type Lifecycle, type LifecycleOptions, readLifecycle } from '../resource/lifecycle.ts'
import type { Mountable } from '../resource/mountable.ts'
import { register, storedAmong } from '../resource/named.ts'
import { faultsOfOwned, ownerFieldsIn, ownerTypesIn } from '../resource/owned.ts'
import { faultsOfViewOwners, ownersOf } from '../resource/owners.ts'
import type { Resource } from '../resource/resource.ts'
import { faultsOfRestrictedPaths } from '../resource/restricted.ts'
import { requiredFieldsOf } from '../schema/required.ts'
import { mountReferences } from './references.ts'
import { deprecationOf, successorOf } from './successor.ts'
import { readTemplate } from './template.ts'

/**
 * Declares an api: `{ v1: { '/companies/:company_id/employees': employees } }`.
 *
 * A template of path-to-regexp alternates plural nouns and parameters. A nested path needs the path
 * of its parents in the same version. Its parameter is the owner field: `/companies/7/employees`
 * has the employees whose `company_id` is `7`. A parameter further out can be a field of the parent
 * that it leads to (C1.3).
 *
 * The second argument says what becomes of versions: `{ lifecycle: { v1: { deprecated:
 * '2026-11-01', sunset: '2027-11-01', successor: 'v2' } } }` (C7.4).
 *
 * @throws {TypeError} For a name or a path against the convention. The message has a line for each
 *   fault, and says what to write.
 */
export function defineApi<const V extends Versions>(
  declaration: V & Mountable<V>,
  options: LifecycleOptions<NoInfer<V>> = {},
): Api<V> {
  const faults: Faults = []
  const declared = isRecord(declaration) ? declaration : {}
  const lifecycle = attempt(faults, () => readLifecycle(options, declared)) ?? noLifecycle
  const mounted = mountAll(declared, faults)
  const { versions, collections, resources } = mounted
  if (collections.length === 0 && faults.length === 0)
    faults.push('An api needs a path: write defineApi({ v1: { "/employees": employees } }).')
  const stored = attempt(faults, () => storedAmong(resources)) ?? resources
  // A forgotten owner has a message of its own.
  const owned = faultsOfOwned(resources, collections)
  faults.push(
    ...owned,
    ...faultsOfRestrictedPaths(collections),
    ...faultsOfViewOwners(collections),
    ...(owned.length > 0 ? [] : collections.flatMap(faultsOfRequired)),
  )
  const names = new Map([...stored, ...resources])
  for (const collection of collections) {
    if (collection.resource.references.length > 0)
      faults.push(...refer(collection, { collections, names }))
    if (lifecycle.lifecycle.size > 0) announce(collection, collections, lifecycle)
  }
  throwFaults(faults)
  const ownerFields = ownerFieldsIn(stored)
  const ownerTypes = ownerTypesIn(stored)
  const { messages = 'core' } = options
  const api = { declaration, versions, collections, resources, stored, ownerFields, ownerTypes }
  return Object.freeze({ ...api, messages, ...lifecycle })
}

type Faults = (string | TypeError)[]

// The faults of the lifecycle are thrown after all others are known.
const noLifecycle: Lifecycle = { lifecycle: new Map(), retired: new Map(), drafts: [] }

type Mounts = Pick<Api, 'versions' | 'collections' | 'resources'>

function mountAll(declared: Readonly<Record<string, unknown>>, faults: Faults): Mounts {
  const versions = new Map<string, ReadonlyMap<string, Collection>>()
  const collections: Collection[] = []
  const resources = new Map<string, Resource>()
  for (const [version, value] of Object.entries(declared)) {
    const roots = new Map<string, Collection>()
    const paths = attempt(faults, () => readPaths(version, value)) ?? {}
    const faulty: string[] = []
    // Parents first.
    const templates = Object.entries(paths).sort(([a], [b]) => depthOf(a) - depthOf(b))
    for (const [path, resource] of templates) {
      // The fault of a path is not that of the paths below it.
      const isBelow = faulty.some((above) => path.startsWith(`${above}/`))
      const place = collections.length
      const collection = isBelow
        ? undefined
        : attempt(faults, () => mount({ place, version, path, resource }, roots))
      if (collection === undefined) faulty.push(path)
      else collections.push(collection)
      if (isResource(resource)) attempt(faults, () => register(resource, resources))
    }
    versions.set(version, roots)
  }
  return { versions, collections, resources }
}

function isResource(resource: unknown): resource is Resource {
  return isRecord(resource) && typeof resource.name === 'string' && Array.isArray(resource.without)
}

function readResource(path: string, resource: unknown): Resource {
  if (isResource(resource)) return resource
  throw new TypeError(`Path "${path}" has no resource: give it a result of defineResource.`)
}

interface Mounting extends Pick<Collection, 'place' | 'version' | 'path'> {
  readonly resource: unknown
}

function mount(
  { place, version, path, resource: declared }: Mounting,
  roots: Map<string, Collection>,
): Collection {
  const { nouns, parameters } = readTemplate(path)
  const resource = readResource(path, declared)
  let siblings = roots
  const ancestors: Collection[] = []
  for (const noun of nouns.slice(0, -1)) {
    const parent = siblings.get(noun)
    if (!parent) throw lackingParents(path, version)
    ancestors.push(parent)
    siblings = childrenOf(parent)
  }
  const noun = lastNounOf({ path })
  const fault = faultOfNoun(noun, resource.plural)
  if (fault !== undefined) throw new TypeError(`Path "${path}": "${noun}" ${fault}.`)
  if (siblings.has(noun)) {
    throw new TypeError(
      `Path "${path}" is declared twice in ${version}, with different parameters: keep one.`,
    )
  }
  const mounted = {
    place,
    version,
    path,
    resource,
    parameters: parameters.length === 0 ? none : parameters,
    ancestors: ancestors.length === 0 ? none : ancestors,
    children: noChildren,
    references: none,
    includes: none,
    deprecation: undefined,
    successor: undefined,
  }
  const collection: Collection = { ...mounted, owners: ownersOf(mounted) }
  siblings.set(noun, collection)
  return collection
}

function lackingParents(path: string, version: string): TypeError {
  const missing = path.slice(0, path.lastIndexOf('/:'))
  return new TypeError(`Path "${path}" needs its parents: declare "${missing}" in ${version} too.`)
}

// Most of thousands of collections have none.
const none: readonly never[] = Object.freeze([])
const noChildren: ReadonlyMap<string, Collection> = new Map()

// Until `defineApi` returns, a collection can still get children.
function childrenOf(parent: Collection): Map<string, Collection> {
  if (parent.children !== noChildren) return parent.children as Map<string, Collection>
  const children = new Map<string, Collection>()
  Object.assign(parent, { children })
  return children
}

function refer(
  collection: Collection,
  { collections, names }: { collections: readonly Collection[]; names: Api['resources'] },
): readonly string[] {
  const { references, faults } = mountReferences(collection, collections, names)
  const includes = references.filter(({ isIncludable }) => isIncludable).map(({ as }) => as)
  Object.assign(collection, { references, includes })
  return faults
}

function announce(
  collection: Collection,
  collections: readonly Collection[],
  { lifecycle }: Lifecycle,
): void {
  const deprecation = deprecationOf(collection, lifecycle)
  const successor = successorOf(collection, collections, deprecation?.successor)
  Object.assign(collection, { deprecation, successor })
}

function depthOf(path: string): number {
  return path.split('/').length
}

interface Mounted {
  readonly path: string
  readonly resource: Resource
  readonly owners: readonly string[]
}

/**
 * Returns the faults of writes at a path that leave out a field that an item requires: neither has
 * the client to send it, nor does the server set it.
 */
function faultsOfRequired({ path, resource, owners }: Mounted): readonly string[] {
  const { schema, readOnly, filled, keep, without, ownedBy, restricted } = resource
  // The items of a view come from its base.
  if (resource.view !== undefined) return []
  const owned = typeof ownedBy === 'object' ? ownedBy : []
  const set = new Set(['id', ...owners, ...owned, ...readOnly, ...filled, ...restricted])
  return (['create', 'update'] as const).flatMap((body) => {
    // A patch keeps the fields that it does not name.
    const offered = kindsWithout(without).filter(
      (kind) => bodySchemaOf(kind) === body && !bodyOf(kind)?.isPatch,
    )
    if (offered.length === 0 || resource[body] === schema) return []
    const sent = requiredFieldsOf(resource[body])
    const open = (sent && requiredFieldsOf(schema))?.filter(
      (field) =>
        !set.has(field) && !sent.includes(field) && !(body === 'update' && keep.includes(field)),
    )
    if (open === undefined || open.length === 0) return []
    const it = open.length === 1 ? 'it' : 'them'
    const target = `Path "${path}" offers ${offered.join(', ')}, but its "${body}"`
    return [
      `${target} does not require ${listed(open, '"')} as "schema" does: require ${it} there. ` +
        `If the adapter sets ${it}, write "filled: [${listed(open, "'")}]" or "readOnly". ` +
        `Or write "without: [${listed(offered, "'")}]".`,
    ]
  })
}

function listed(names: readonly string[], quote: string): string {
  return names.map((name) => quote + name + quote).join(', ')
}
