import { parse } from 'path-to-regexp'
import { attempt } from '../../convention/declaration.ts'
import { faultOfNoun, ownerFieldOf } from '../../convention/noun.ts'
import type { OperationKind } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import { type Api, type Collection, lastNounOf, type MountedReference } from '../resource/api.ts'
import { type Deprecation, isVersion, type Lifecycle } from '../resource/lifecycle.ts'
import type { Resource } from '../resource/resource.ts'
import { ownersOf } from './field-roles.ts'

/** The faults of a declaration. */
export type Faults = (string | TypeError)[]

/** The collections of an api. */
export type MountedApi = Pick<Api, 'versions' | 'collections' | 'resources'>

/**
 * Mounts the resources of a declaration at their paths. Keeps the fault of a path, and leaves out
 * the path and those below it.
 */
export function mountCollections(
  declaration: Readonly<Record<string, unknown>>,
  faults: Faults,
): MountedApi {
  const versions = new Map<string, ReadonlyMap<string, Collection>>()
  const collections: Collection[] = []
  const resources = new Map<string, Resource>()
  for (const [version, value] of Object.entries(declaration)) {
    const roots = new Map<string, Collection>()
    const paths = attempt(faults, () => readPaths(version, value)) ?? {}
    const faultyPaths: string[] = []
    // Parents first.
    const templates = Object.entries(paths).sort(([a], [b]) => depthOf(a) - depthOf(b))
    for (const [path, resource] of templates) {
      // The fault of a path is not that of the paths below it.
      const isBelow = faultyPaths.some((parentPath) => path.startsWith(`${parentPath}/`))
      const place = collections.length
      const collection = isBelow
        ? undefined
        : attempt(faults, () => mount({ place, version, path, resource }, roots))
      if (collection === undefined) faultyPaths.push(path)
      else collections.push(collection)
      if (isResource(resource)) attempt(faults, () => register(resource, resources))
    }
    versions.set(version, roots)
  }
  return { versions, collections, resources }
}

/**
 * Returns the paths of a version. It has a name such as `v1`, and an object of paths.
 *
 * @throws {TypeError} For any other name or value.
 */
function readPaths(version: string, paths: unknown): Readonly<Record<string, unknown>> {
  if (!isVersion(version)) {
    throw new TypeError(`"${version}" is no version: write "v1", "v2" and so on.`)
  }
  if (isRecord(paths)) return paths
  throw new TypeError(
    `"${version}" needs paths: write defineApi({ ${version}: { "/employees": employees } }).`,
  )
}

function isResource(resource: unknown): resource is Resource {
  return isRecord(resource) && typeof resource.name === 'string' && Array.isArray(resource.without)
}

function readResource(path: string, resource: unknown): Resource {
  if (isResource(resource)) return resource
  throw new TypeError(`Path "${path}" has no resource: give it a result of defineResource.`)
}

interface MountDeclaration extends Pick<Collection, 'place' | 'version' | 'path'> {
  readonly resource: unknown
}

function mount(
  { place, version, path, resource: value }: MountDeclaration,
  roots: Map<string, Collection>,
): Collection {
  const { nouns, parameters } = readTemplate(path)
  const resource = readResource(path, value)
  let siblings = roots
  const ancestors: Collection[] = []
  for (const noun of nouns.slice(0, -1)) {
    const parent = siblings.get(noun)
    if (!parent) throw missingParentError(path, version)
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
  const members = {
    place,
    version,
    path,
    resource,
    parameters: parameters.length === 0 ? none : parameters,
    ancestors: ancestors.length === 0 ? none : ancestors,
    children: noChildren,
    references: none,
    includes: none,
    related: none,
    deprecation: undefined,
    successor: undefined,
  }
  const collection: Collection = { ...members, owners: ownersOf(members) }
  siblings.set(noun, collection)
  return collection
}

function missingParentError(path: string, version: string): TypeError {
  const parentPath = path.slice(0, path.lastIndexOf('/:'))
  return new TypeError(
    `Path "${path}" needs its parents: declare "${parentPath}" in ${version} too.`,
  )
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

function depthOf(path: string): number {
  return path.split('/').length
}

const example = '/companies/:company_id/employees'

/** The parts of a path template, outermost first. */
interface Template {
  readonly nouns: readonly string[]
  /** One fewer than nouns. */
  readonly parameters: readonly string[]
}

/**
 * Reads a path template: nouns and parameters in turn, beginning and ending with a noun.
 *
 * @throws {TypeError} For any other path; the message says what to write instead.
 */
function readTemplate(path: string): Template {
  const nouns: string[] = []
  const parameters: string[] = []
  for (const token of tokensOf(path)) {
    if (token.type === 'param') parameters.push(token.name)
    else if (token.type === 'text') {
      const noun = /^\/([^/]+)\/?$/.exec(token.value)?.[1]
      if (noun !== undefined) nouns.push(noun)
    }
  }
  const segments = nouns.map(
    (noun, place) => `/${noun}${parameters[place] === undefined ? '' : `/:${parameters[place]}`}`,
  )
  if (segments.join('') !== path || nouns.length !== parameters.length + 1) {
    throw new TypeError(
      `Path "${path}" does not alternate nouns and parameters: write it like "${example}".`,
    )
  }
  const repeated = parameters.find((name, place) => parameters.indexOf(name) !== place)
  if (repeated !== undefined) {
    throw new TypeError(
      `Path "${path}" names ":${repeated}" twice: each parameter is a field of its own.`,
    )
  }
  // An item's own id names no owner, and objects lose `__proto__`.
  const place = parameters.findIndex((name) => name === 'id' || name === '__proto__')
  if (place >= 0) {
    const name = parameters[place]
    const correctPath = path.replace(`/:${name}/`, `/:${ownerFieldOf(`${nouns[place]}`)}/`)
    const fault =
      name === 'id'
        ? 'has to name the field that owns'
        : `names ":${name}", a field that objects lose`
    throw new TypeError(`Path "${path}" ${fault}: write "${correctPath}".`)
  }
  return { nouns, parameters }
}

function tokensOf(path: string): ReturnType<typeof parse>['tokens'] {
  try {
    return parse(path).tokens
  } catch (error) {
    throw new TypeError(
      `Path "${path}" is no template of path-to-regexp (${error}): write it like "${example}".`,
      { cause: error },
    )
  }
}

/** Returns the resources that need an adapter, by name: those that are no views, and bases. */
export function storedResourcesOf(
  resources: ReadonlyMap<string, Resource>,
): ReadonlyMap<string, Resource> {
  const stored = new Map<string, Resource>()
  for (const resource of resources.values()) register(resource.base, stored)
  return stored
}

/**
 * Adds a resource by its name.
 *
 * @throws {TypeError} For another resource of the same name.
 */
function register(resource: Resource, resources: Map<string, Resource>): void {
  const { name } = resource
  const namesake = resources.get(name)
  if (namesake !== undefined && namesake !== resource) {
    const unusedName = unusedNameFor(name, resources)
    throw new TypeError(
      `Two resources have the name "${name}": rename one to "${unusedName}". Its path can stay.`,
    )
  }
  resources.set(name, resource)
}

// `people_v3` is taken: `people_v4`.
function unusedNameFor(name: string, resources: ReadonlyMap<string, Resource>): string {
  const [, noun = name, version = '1'] = /^(.*)_v(\d+)$/.exec(name) ?? []
  let next = Number(version) + 1
  while (resources.has(`${noun}_v${next}`)) next++
  return `${noun}_v${next}`
}

/** Sets the references of a collection, and returns their faults. */
export function connectReferences(
  collection: Collection,
  { collections, names }: { collections: readonly Collection[]; names: Api['resources'] },
): readonly string[] {
  const { references, related, faults } = mountReferences(collection, collections, names)
  const includes = references.filter(({ isIncludable }) => isIncludable).map(({ as }) => as)
  Object.assign(collection, { references, includes, related })
  return faults
}

/**
 * Finds the collections that the references of a collection lead to. A name stands for the stored
 * resource, which each version shows in its own form. The path with the fewest parents counts, in
 * the same version where it has one.
 *
 * @param names The resources of the api and the stored ones, by name.
 */
function mountReferences(
  { resource, version }: Collection,
  collections: readonly Collection[],
  names: Api['resources'],
) {
  const mountedReferences = resource.references.map((reference) => {
    const base = names.get(reference.to)?.base
    const mounts = collections
      .filter((mount) => mount.resource.base === base)
      .sort((a, b) => a.parameters.length - b.parameters.length)
    return { ...targetOfReference(mounts, { to: reference.to, version }), reference }
  })
  const mounted = mountedReferences.flatMap(({ target, isInVersion, reference }) => {
    if (target === undefined) return []
    const to = isInVersion ? target.resource.name : reference.to
    const isIncludable = isInVersion && offers(target.resource, 'read')
    return [{ isInVersion, reference: { ...reference, to, target, isIncludable } }]
  })
  return {
    references: mounted.map(({ reference }) => reference),
    related: mounted
      .filter(({ isInVersion, reference }) => isInVersion && isFilterable(reference, resource))
      .map(({ reference }) => ({ reference, resource: reference.target.resource })),
    faults: mountedReferences
      .filter(({ reference }) => !names.has(reference.to))
      .map(
        ({ reference }) =>
          `Resource "${resource.name}" references "${reference.to}", which the api does not ` +
          'have: mount it, or name another resource.',
      ),
  }
}

// Several views of one resource in a version are a target by their name only.
function targetOfReference(
  mounts: readonly Collection[],
  { to, version }: { readonly to: string; readonly version: string },
): { readonly target: Collection | undefined; readonly isInVersion: boolean } {
  const inVersion = mounts.filter((mount) => mount.version === version)
  const isNamed = ({ resource }: Collection): boolean => resource.name === to
  const [first] = inVersion
  const namesake = inVersion.find(isNamed)
  const isInVersion =
    namesake !== undefined || new Set(inVersion.map(({ resource }) => resource)).size === 1
  return { target: namesake ?? first ?? mounts.find(isNamed) ?? mounts[0], isInVersion }
}

// A view finds the items of ids only in a field with the values of its base.
function isFilterable({ field, as, target }: MountedReference, { view }: Resource): boolean {
  const isName = !/[.:]/.test(as)
  const isPlain = view === undefined || view.plainOf(field) !== undefined
  return isName && isPlain && offers(target.resource, 'list')
}

function offers({ without }: Resource, kind: OperationKind): boolean {
  return !without.includes(kind)
}

/** Sets the announced end of a collection, and its successor. Parents come first. */
export function announceEnd(
  collection: Collection,
  collections: readonly Collection[],
  { lifecycle }: Lifecycle,
): void {
  const deprecation = deprecationOf(collection, lifecycle)
  const successor = successorOf(collection, collections, deprecation?.successor)
  Object.assign(collection, { deprecation, successor })
}

/** Returns the announced end of a path: its own, that of the nearest parent, or its version's. */
function deprecationOf(
  { version, path, ancestors }: Collection,
  rows: ReadonlyMap<string, Deprecation>,
): Deprecation | undefined {
  return rows.get(version + path) ?? ancestors.at(-1)?.deprecation ?? rows.get(version)
}

/**
 * Returns the collection of another version that has the same items below the same parents, as the
 * bases tell; `undefined` for none or several.
 */
function successorOf(
  collection: Collection,
  collections: readonly Collection[],
  version: string | undefined,
): Collection | undefined {
  const chain = baseChain(collection)
  const [successor, ...otherSuccessors] = collections.filter(
    (candidate) => candidate.version === version && isSameChain(baseChain(candidate), chain),
  )
  return otherSuccessors.length > 0 ? undefined : successor
}

function baseChain({ resource, ancestors }: Collection): readonly Resource[] {
  return [...ancestors.map((ancestor) => ancestor.resource.base), resource.base]
}

function isSameChain(chain: readonly Resource[], expected: readonly Resource[]): boolean {
  return chain.length === expected.length && chain.every((base, depth) => base === expected[depth])
}
