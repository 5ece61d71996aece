import { idFor } from './id.ts'
import { namedFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import type { StandardSchema } from './schema.ts'

/** A collection, as ownership sees it. */
interface Mount {
  readonly path: string
  readonly resource: Resource
  readonly parameters: readonly string[]
  readonly ancestors: readonly { readonly resource: Resource }[]
}

const none: readonly never[] = Object.freeze([])

/** Returns the fields of the caller's scope that a resource's items have. */
export function ownerFieldsOf({ ownedBy }: Pick<Resource, 'ownedBy'>): readonly string[] {
  return ownedBy === undefined || ownedBy === 'parent' ? none : ownedBy
}

/** Returns the fields that a scope of a collection can have: those of callers and of its path. */
export function scopeFieldsOf({
  resource,
  owners,
}: {
  readonly resource: Pick<Resource, 'ownedBy'>
  readonly owners: readonly string[]
}): readonly string[] {
  const fields = ownerFieldsOf(resource)
  return fields.length === 0 ? owners : [...new Set([...fields, ...owners])]
}

/** Returns the owner fields of all resources, each once. */
export function ownerFieldsIn(resources: ReadonlyMap<string, Resource>): readonly string[] {
  return Object.freeze([...new Set([...resources.values()].flatMap(ownerFieldsOf))])
}

/**
 * Returns the fault of the option `ownedBy`, with its remedy; `undefined` for none.
 *
 * @see docs/requests.md, C9.1
 */
export function faultOfOwners(resource: Declared): string | undefined {
  const { ownedBy, readOnly, schema, ids, without } = resource
  if (ownedBy === undefined) return undefined
  if (ownedBy.length > 0 && ids !== 'counted' && !without.includes('create')) {
    if (typeof idFor(resource, '1') === 'number')
      return (
        'is owned, and its ids are numbers: ids that count up tell each owner how many items ' +
        'there are. Use UUIDs, or accept that with "ids: \'counted\'"'
      )
  }
  if (ownedBy === 'parent') return undefined
  const named = namedFieldsOf(schema)
  for (const field of ownedBy) {
    if (typeof field !== 'string' || field === '__proto__' || named?.includes(field) === false)
      return `is owned by "${field}", which is no field of "schema": add it there`
    if (readOnly.includes(field))
      return (
        `is owned by "${field}", which is read-only: leave it out of "readOnly", since no client ` +
        'can write the field of another owner'
      )
  }
  return new Set(ownedBy).size < ownedBy.length
    ? 'names a field twice in "ownedBy": name it once'
    : undefined
}

/** A declared resource, as ownership sees it. */
type Declared = Pick<Resource, 'name' | 'id' | 'ids' | 'ownedBy' | 'readOnly' | 'without'> & {
  readonly schema: StandardSchema
}

/**
 * Checks that each resource of an api says whose its items are, as soon as one does, and that each
 * path to a resource of `'parent'` leads through an owned one.
 *
 * @throws {TypeError} For the first resource that does not; the message says what to write.
 * @see docs/requests.md, C9.1
 */
export function checkOwned(
  resources: ReadonlyMap<string, Resource>,
  collections: readonly Mount[],
): void {
  const all = [...resources.values()]
  const owned = all.find(({ ownedBy }) => ownedBy !== undefined)
  if (owned === undefined) return
  const example = all.flatMap(ownerFieldsOf)[0] ?? 'tenant_id'
  for (const { name, ownedBy } of all) {
    if (ownedBy !== undefined) continue
    throw new TypeError(
      `Resource "${name}" does not say whose its items are: write "ownedBy: ['${example}']", ` +
        '"ownedBy: \'parent\'" for the owner of its parent, or "ownedBy: []" for everybody\'s.',
    )
  }
  for (const collection of collections) {
    const fault = collection.resource.ownedBy === 'parent' ? faultOfPath(collection) : undefined
    if (fault !== undefined) throw new TypeError(fault)
  }
}

function faultOfPath({ path, resource, parameters, ancestors }: Mount): string | undefined {
  const { name } = resource
  const parent = ancestors.at(-1)?.resource
  const start = `Resource "${name}" is owned by its parent, but path "${path}"`
  if (parent === undefined) return `${start} has none: write "ownedBy: ['tenant_id']" instead.`
  // A parent that is owned by its own parent has a path of its own, which is checked too.
  const isOwned = ancestors.some(
    (above) => above.resource.ownedBy === 'parent' || ownerFieldsOf(above.resource).length > 0,
  )
  if (!isOwned) return `${start} leads through no owned resource: name the field of an owner.`
  const field = parameters.at(-1)
  const isNamed = resource.references.some((one) => one.field === field && one.to === parent.name)
  if (isNamed) return undefined
  return (
    `Resource "${name}" is owned by its parent, but no field references it: write ` +
    `"references: { ${field}: '${parent.name}' }".`
  )
}
