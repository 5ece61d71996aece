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
  mountCollections,
  storedResourcesOf,
} from './collections.ts'
import {
  faultsOfOwnership,
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
  const versionTable = isRecord(declaration) ? declaration : {}
  const lifecycle = attempt(faults, () => readLifecycle(options, versionTable)) ?? noLifecycle
  const mountedApi = mountCollections(versionTable, faults)
  const { versions, collections, resources } = mountedApi
  if (collections.length === 0 && faults.length === 0)
    faults.push('An api needs a path: write defineApi({ v1: { "/employees": employees } }).')
  const stored = attempt(faults, () => storedResourcesOf(resources)) ?? resources
  // A forgotten owner has a message of its own.
  const ownerFaults = faultsOfOwnership(resources, collections)
  faults.push(
    ...ownerFaults,
    ...faultsOfRestrictedPaths(collections),
    ...faultsOfViewOwners(collections),
    ...(ownerFaults.length > 0 ? [] : collections.flatMap(faultsOfRequired)),
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
  const { schema, readOnly, filled, keep, without, ownedBy, restricted, states } = resource
  // The items of a view come from its base.
  if (resource.view !== undefined) return []
  const ownerFieldNames = typeof ownedBy === 'object' ? ownedBy : []
  const serverFields = new Set([
    'id',
    ...owners,
    ...ownerFieldNames,
    ...readOnly,
    ...filled,
    ...restricted,
  ])
  return (['create', 'update'] as const).flatMap((body) => {
    // A patch keeps the fields that it does not name.
    const kinds = kindsWithout(without).filter(
      (kind) => bodySchemaOf(kind) === body && !bodyOf(kind)?.isPatch,
    )
    if (kinds.length === 0 || resource[body] === schema) return []
    const bodyFields = requiredFieldsOf(resource[body])
    const unset = (bodyFields && requiredFieldsOf(schema))?.filter(
      (field) =>
        !serverFields.has(field) &&
        !bodyFields.includes(field) &&
        !(body === 'update' && keep.includes(field)) &&
        // A new item begins in the first state.
        !(body === 'create' && field === states?.field),
    )
    if (unset === undefined || unset.length === 0) return []
    const them = unset.length === 1 ? 'it' : 'them'
    const offer = `Path "${path}" offers ${kinds.join(', ')}, but its "${body}"`
    return [
      `${offer} does not require ${inQuotes(unset, '"')} as "schema" does: ` +
        `require ${them} there. If the adapter sets ${them}, write ` +
        `"filled: [${inQuotes(unset, "'")}]" or "readOnly". ` +
        `Or write "without: [${inQuotes(kinds, "'")}]".`,
    ]
  })
}

function inQuotes(names: readonly string[], quote: string): string {
  return names.map((name) => quote + name + quote).join(', ')
}
