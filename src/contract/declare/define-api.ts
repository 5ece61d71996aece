import { attempt, throwFaults } from '../../convention/declaration.ts'
import { bodyOf, bodySchemaOf, kindsWithout } from '../../convention/kinds.ts'
import { isRecord } from '../../convention/value.ts'
import type { Api, Collection, Mountable, Versions } from '../resource/api.ts'
import { type Lifecycle, type LifecycleOptions, readLifecycle } from '../resource/lifecycle.ts'
import { requiredFieldsOf } from '../schema/required.ts'
import {
  announceEnd,
  connectReferences,
  type Faults,
  mountAll,
  storedAmong,
} from './collections.ts'
import {
  faultsOfOwned,
  faultsOfRestrictedPaths,
  faultsOfViewOwners,
  ownerFieldsIn,
  ownerTypesIn,
} from './field-roles.ts'

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
      faults.push(...connectReferences(collection, { collections, names }))
    if (lifecycle.lifecycle.size > 0) announceEnd(collection, collections, lifecycle)
  }
  throwFaults(faults)
  const ownerFields = ownerFieldsIn(stored)
  const ownerTypes = ownerTypesIn(stored)
  const { messages = 'core' } = options
  const api = { declaration, versions, collections, resources, stored, ownerFields, ownerTypes }
  return Object.freeze({ ...api, messages, ...lifecycle })
}

// The faults of the lifecycle are thrown after all others are known.
const noLifecycle: Lifecycle = { lifecycle: new Map(), retired: new Map(), drafts: [] }

/**
 * Returns the faults of writes at a path that leave out a field that an item requires: neither has
 * the client to send it, nor does the server set it.
 */
function faultsOfRequired({ path, resource, owners }: Collection): readonly string[] {
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
      `${target} does not require ${inQuotes(open, '"')} as "schema" does: require ${it} there. ` +
        `If the adapter sets ${it}, write "filled: [${inQuotes(open, "'")}]" or "readOnly". ` +
        `Or write "without: [${inQuotes(offered, "'")}]".`,
    ]
  })
}

function inQuotes(names: readonly string[], quote: string): string {
  return names.map((name) => quote + name + quote).join(', ')
}
