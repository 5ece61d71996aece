import { type AdapterMethod, adapterMethods, methodSets } from '../../convention/adapter-methods.ts'
import { checkOptions } from '../../convention/declaration.ts'
import { bodySchemaOf, changesStored, kindsWithout, methodKeyOf } from '../../convention/kinds.ts'
import {
  distinctMismatches,
  type Mismatch,
  mismatchesOf,
  withMismatches,
} from '../../convention/mismatch.ts'
import {
  type OperationKind,
  operationKinds,
  operations,
  type TargetKind,
} from '../../convention/operations.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import type { Adapter, Binding, Methods, UncheckedAdapter } from './adapter.ts'
import type { Api, Collection } from './api.ts'
import { faultOfKeeping } from './keep.ts'
import { type AdapterShape, parentFieldOf } from './operation.ts'
import { ownerFieldsOf, type Resource } from './resource.ts'
import { bypassOf, faultOfRemoving, faultOfWrapping, storageMethodOf } from './siblings.ts'

const noReferences: Binding['joined'] = Object.freeze([])

type Rules = NonNullable<Binding['rules']>

/**
 * Binds a resource to an adapter.
 *
 * @param rules What callers may do to the items. Default: everything.
 * @throws {TypeError} For an adapter that wraps one method of two, or without operations, or
 *   without the `read` that read-only fields and revisions need, or without what rules need.
 */
export function bind(resource: Resource, adapter: Adapter, rules?: Rules): Binding {
  const fault = faultOfWrapping(adapter) ?? (rules?.delete && faultOfRemoving(adapter))
  if (fault !== undefined) throw new TypeError(`The adapter of "${resource.name}" ${fault}.`)
  const kinds = operationKinds
    .filter((kind) => isSupported(resource, adapter, kind))
    .filter((kind) => rules?.delete === undefined || hasRemoval(adapter, kind))
  const { name, readOnly, revision } = resource
  const keeping = { ...resource, isRuled: rules?.change !== undefined }
  const keepFault =
    faultOfKeeping(keeping, adapter, kinds) ?? faultOfRemoval(resource, adapter, { kinds, rules })
  if (keepFault !== undefined) throw new TypeError(`Resource "${name}" ${keepFault}.`)
  const readsBeforeWrites = kinds
    .filter(changesStored)
    .some((kind) => (bodySchemaOf(kind) ? readOnly.length > 0 : revision !== undefined))
  if (kinds.length === 0) {
    throw new TypeError(
      `The adapter of "${name}" does nothing: give it some of ${adapterMethods.join(', ')}.`,
    )
  }
  if (resource.idempotent && kinds.includes('create') && typeof adapter.read !== 'function') {
    throw new TypeError(`"${name}" is idempotent: give its adapter the "read" that it needs.`)
  }
  if (resource.putCreates && kinds.includes('update') && !kinds.includes('create')) {
    throw new TypeError(`"${name}" has "putCreates": give its adapter the "create" that it needs.`)
  }
  if (readsBeforeWrites && typeof adapter.read !== 'function') {
    throw new TypeError(
      `"${name}" has read-only fields or a revision: give its adapter the "read" that they need.`,
    )
  }
  const isGrouping = resource.countable.length > 0 && kinds.includes('count')
  if (
    isGrouping &&
    typeof adapter.list !== 'function' &&
    typeof bypassOf(adapter, 'countBy') !== 'function'
  ) {
    throw new TypeError(`"${name}" has "countable": give its adapter a "countBy" or a "list".`)
  }
  return { resource, adapter, rules, methods: methodsFor(kinds), joined: noReferences }
}

/** The methods that a rule for deletions needs; a deletion of one item can do with a revision. */
const removals: { readonly [Kind in OperationKind]?: readonly AdapterMethod[] } = {
  deleteAll: ['removeMany'],
  // A dry run judges the items of a list.
  deleteMany: ['removeMany', 'list'],
}

function hasRemoval(adapter: Adapter, kind: OperationKind): boolean {
  return (removals[kind] ?? []).every((method) => typeof adapter[method] === 'function')
}

interface Ruled {
  readonly kinds: readonly OperationKind[]
  readonly rules: Rules | undefined
}

function faultOfRemoval(
  { revision }: Resource,
  adapter: Adapter,
  { kinds, rules }: Ruled,
): string | undefined {
  const isJudged = typeof adapter.remove === 'function' || revision !== undefined
  if (rules?.delete === undefined || isJudged || !kinds.includes('delete')) return undefined
  return (
    'has a rule "delete", so a deletion has to judge what is stored: give its adapter "remove", ' +
    `declare a "revision", or write "without: ['delete']"`
  )
}

// Most resources support the same operations, and share their methods.
const methodTables = new Map<string, ReadonlyMap<TargetKind, Methods>>()

function methodsFor(kinds: readonly OperationKind[]): ReadonlyMap<TargetKind, Methods> {
  const name = kinds.join()
  const cached = methodTables.get(name)
  if (cached) return cached
  const targets = operationKinds.map((kind) => operations[kind].target)
  const methods = new Map(targets.map((target) => [target, methodsOf(target, kinds)]))
  methodTables.set(name, methods)
  return methods
}

function isSupported(resource: Resource, adapter: Adapter, kind: OperationKind): boolean {
  if (resource.without.includes(kind)) return false
  return methodSets[kind].some((set) =>
    set.every((requirement) =>
      requirement === 'revision'
        ? resource.revision !== undefined
        : typeof adapter[requirement] === 'function',
    ),
  )
}

function methodsOf(target: TargetKind, supportedKinds: readonly OperationKind[]): Methods {
  const kinds = new Map<string, OperationKind>()
  for (const kind of supportedKinds) {
    const row = operations[kind]
    if (row.target !== target) continue
    kinds.set(methodKeyOf(kind), kind)
    if (row.method === 'GET') kinds.set('HEAD', kind)
  }
  const methods = new Set([...kinds.keys()].map((key) => key.replace('?', '')))
  // Without a kind that takes a query, its problem is that of the parameters.
  const deleteAll = kinds.get('DELETE')
  if (deleteAll && !kinds.has('DELETE?')) kinds.set('DELETE?', deleteAll)
  return { kinds, allow: [...methods, 'OPTIONS'].join(', ') }
}

type Adapters = Readonly<Record<string, Adapter<AdapterShape>>>

/**
 * Binds every resource of an api to its adapter. Returns the bindings by the index of the
 * collection.
 *
 * @throws {TypeError} For a missing adapter, or one that lacks `read`; the message says what to
 *   write.
 */
export function bindAll(
  api: Api,
  adapters: Adapters,
  rulesByName: ReadonlyMap<string, Rules> = new Map(),
): readonly Binding[] {
  checkOptions('.adapters()', adapters, Object.fromEntries(api.stored))
  const storedAdapters = new Map<string, Adapter>()
  for (const [name, resource] of api.stored) {
    const adapter = fieldOf(adapters, name)
    if (!isRecord(adapter))
      throw new TypeError(
        `Resource "${name}" has no adapter: add "${name}: memoryAdapter()", or another.`,
      )
    storedAdapters.set(name, adapter)
    if (!api.resources.has(name)) bind(resource, adapter, rulesByName.get(name))
  }
  // A reference may name a view: its items are those of the stored resource.
  const allAdapters = new Map(storedAdapters)
  const bindings = new Map<string, Binding>()
  for (const [name, resource] of api.resources) {
    const baseAdapter = storedAdapters.get(resource.base.name) as Adapter
    allAdapters.set(name, baseAdapter)
    const { view } = resource
    const rules = rulesByName.get(resource.base.name)
    const adapter =
      view?.adapterOver({ ...view, messages: api.messages, rules }, resource, baseAdapter) ??
      baseAdapter
    bindings.set(name, bind(resource, adapter, rules))
    const reasonForRead =
      typeof adapter.read === 'function' ? undefined : reasonForReadOf(api, name, adapter)
    if (reasonForRead !== undefined) throw new TypeError(`Resource "${name}" ${reasonForRead}.`)
  }
  const adaptersByName: Adapters = Object.fromEntries(allAdapters)
  for (const resource of api.resources.values()) checkReferenced(resource, adaptersByName)
  for (const [name, resource] of api.stored)
    storedAdapters.get(name)?.join?.(resource, adaptersByName)
  return mountedBindings(api, bindings)
}

function mountedBindings(
  { collections }: Api,
  bindings: ReadonlyMap<string, Binding>,
): readonly Binding[] {
  const mounted = collections.map(({ resource }) => bindings.get(resource.name) as Binding)
  return collections.map((collection) => withJoined(collection, mounted))
}

function withJoined({ place, related }: Collection, bindings: readonly Binding[]): Binding {
  const binding = bindings[place] as Binding
  const storageAt = (at: number): object | undefined => {
    const adapter = bindings[at]?.adapter
    return adapter?.list && storageMethodOf(adapter)?.()
  }
  const storage = related.length > 0 ? storageAt(place) : undefined
  if (storage === undefined) return binding
  const isInReach = (target: Collection): boolean => {
    const parent = target.ancestors.at(-1)
    if (storageAt(target.place) !== storage) return false
    return parent === undefined || (parentFieldOf(target) !== undefined && isInReach(parent))
  }
  const references = related.map(({ reference }) => reference)
  return { ...binding, joined: references.filter(({ target }) => isInReach(target)) }
}

function checkReferenced(resource: Resource, adapters: Adapters): void {
  for (const { field, to } of resource.references) {
    const adapter = adapters[to]
    if (typeof adapter?.list === 'function' || typeof adapter?.read === 'function') continue
    throw new TypeError(
      `Resource "${resource.name}" references "${to}" by "${field}", so the adapter of "${to}" ` +
        'needs "list" or "read".',
    )
  }
}

// Says why a resource needs `read`; `undefined` for a resource that does not.
function reasonForReadOf(api: Api, name: string, adapter: Adapter): string | undefined {
  const { collections } = api
  const isNamed = ({ resource }: Pick<Collection, 'resource'>): boolean => resource.name === name
  if (collections.some(({ ancestors }) => ancestors.some(isNamed))) {
    return 'owns others, so its adapter needs "read" to tell which there are'
  }
  const ownedCollection = collections.find(
    (mount) =>
      isNamed(mount) && (mount.ancestors.length > 0 || ownerFieldsOf(mount.resource).length > 0),
  )
  if (ownedCollection === undefined) return undefined
  const isWritable = kindsWithout(ownedCollection.resource.without).some(
    (kind) => changesStored(kind) && isSupported(ownedCollection.resource, adapter, kind),
  )
  // An adapter that forgets the scope would let one owner write the items of another.
  return isWritable
    ? 'is owned, so its adapter needs "read" to keep writes inside their scope'
    : undefined
}

/** A resource with its adapter, and its collections. */
export interface ServedResource {
  readonly resource: Resource
  readonly adapter: UncheckedAdapter
  readonly mounts: readonly Collection[]
}

/** Returns each resource of a registry once. */
export function servedResourcesOf(
  api: Api,
  bindings: readonly Binding[],
): readonly ServedResource[] {
  return [...new Set(bindings)].map(({ resource, adapter }) => {
    const mounts = api.collections.filter((mount) => mount.resource === resource)
    return { resource, adapter, mounts }
  })
}

/**
 * Lets every adapter check its storage, and waits for all of them.
 *
 * @throws {AggregateError} With every mismatch: in a line of the message, and as data among its
 *   `mismatches`.
 */
export async function checkReady(api: Api, bindings: readonly Binding[]): Promise<void> {
  const checks = servedResourcesOf(api, bindings).map(async ({ resource, adapter, mounts }) => {
    try {
      await adapter.ready?.(resource, mounts)
      return []
    } catch (error) {
      return [{ error, mismatches: mismatchesOf(error, resource.name) }]
    }
  })
  const failures = (await Promise.all(checks)).flat()
  if (failures.length === 0) return
  const mismatches = failures.flatMap((failure) => failure.mismatches)
  const lines = mismatches.map(({ resource, message }) => `${resource}: ${message}`)
  const errors = failures.map(({ error }) => error)
  const message = `The storage does not fit the contract:\n${lines.join('\n')}`
  throw withMismatches(new AggregateError(errors, message), mismatches)
}

/** Returns the advice of all adapters: what works with a limit. The storages are ready. */
export async function collectAdvice(
  api: Api,
  bindings: readonly Binding[],
): Promise<readonly Mismatch[]> {
  const requests = servedResourcesOf(api, bindings).map(({ resource, adapter }) =>
    adapter.advise?.(resource),
  )
  const advice = await Promise.all(requests)
  return distinctMismatches(advice.flatMap((mismatches) => mismatches ?? []))
}
