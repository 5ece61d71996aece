import { schemasOf, typeOfSchemas } from '../schema/filter.ts'
import { jsonSchemaOf } from '../schema/json-schema.ts'
import { namedFieldsOf } from '../schema/required.ts'
import type { StandardSchema } from '../schema/schema.ts'
import { idFor } from './id.ts'
import type { Resource } from './resource.ts'

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

/** Returns the type of each owner field's values, where the schemas of all resources tell one. */
export function ownerTypesIn(resources: ReadonlyMap<string, Resource>) {
  const types = new Map<string, 'string' | 'number'>()
  for (const field of ownerFieldsIn(resources)) {
    const owned = [...resources.values()].filter((resource) =>
      ownerFieldsOf(resource).includes(field),
    )
    const [type, ...furtherTypes] = new Set(owned.map(({ schema }) => typeOfField(schema, field)))
    if (type !== undefined && furtherTypes.length === 0) types.set(field, type)
  }
  return types
}

function typeOfField(schema: StandardSchema, field: string): 'string' | 'number' | undefined {
  const type = typeOfSchemas(schemasOf(jsonSchemaOf(schema) ?? {}, field))
  if (type === undefined || type === 'boolean') return undefined
  return type === 'number' || type === 'integer' ? 'number' : 'string'
}

/**
 * Returns the faults of the option `ownedBy`, each with its remedy.
 *
 * @see docs/requests.md, C9.1
 */
export function faultsOfOwnedBy(resource: Declared): readonly string[] {
  const { ownedBy, readOnly, schema } = resource
  if (ownedBy === undefined) return []
  const counted = faultsOfCountedIds(resource)
  if (ownedBy === 'parent') return counted
  const named = namedFieldsOf(schema)
  const fields = [...new Set(ownedBy)].flatMap((field) => {
    if (typeof field !== 'string' || field === '__proto__' || named?.includes(field) === false)
      return [`is owned by "${field}", which not each alternative of "schema" has: add it there`]
    return readOnly.includes(field)
      ? [
          `is owned by "${field}", which is read-only: leave it out of "readOnly", since no ` +
            'client can write the field of another owner',
        ]
      : []
  })
  const isTwice = new Set(ownedBy).size < ownedBy.length
  const twice = isTwice ? ['names a field twice in "ownedBy": name it once'] : []
  return [...counted, ...fields, ...twice]
}

function faultsOfCountedIds(resource: Declared): readonly string[] {
  const { ownedBy = [], ids, without } = resource
  if (ownedBy.length === 0 || ids === 'counted' || without.includes('create')) return []
  return typeof idFor(resource, '1') === 'number'
    ? [
        'is owned, and its ids are numbers: ids that count up tell each owner how many items ' +
          'there are. Use UUIDs, or accept that with "ids: \'counted\'"',
      ]
    : []
}

/** A declared resource, as ownership sees it. */
type Declared = Pick<Resource, 'name' | 'id' | 'ids' | 'ownedBy' | 'readOnly' | 'without'> & {
  readonly schema: StandardSchema
}

/**
 * Returns the faults of resources that do not say whose their items are, as soon as one of an api
 * does, and of paths to a resource of `'parent'` that lead through no owned one.
 *
 * @see docs/requests.md, C9.1
 */
export function faultsOfOwned(
  resources: ReadonlyMap<string, Resource>,
  collections: readonly Mount[],
): readonly string[] {
  const all = [...resources.values()]
  const names = new Map([
    ...all.map((resource) => [resource.base.name, resource.base] as const),
    ...resources,
  ])
  if (all.every(({ ownedBy }) => ownedBy === undefined)) return []
  const example = all.flatMap(ownerFieldsOf)[0] ?? 'tenant_id'
  const silent = all.filter(({ ownedBy }) => ownedBy === undefined)
  return [
    ...silent.map(
      ({ name }) =>
        `Resource "${name}" does not say whose its items are: write "ownedBy: ['${example}']", ` +
        '"ownedBy: \'parent\'" for the owner of its parent, or "ownedBy: []" for everybody\'s.',
    ),
    ...collections
      .filter(({ resource }) => resource.ownedBy === 'parent')
      .flatMap((collection) => faultOfPath(collection, names) ?? []),
  ]
}

function faultOfPath(
  { path, resource, parameters, ancestors }: Mount,
  names: ReadonlyMap<string, Resource>,
): string | undefined {
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
  const reference = resource.references.find((candidate) => candidate.field === field)
  // Each version shows the parents in its own form.
  if (reference && names.get(reference.to)?.base === parent.base) return undefined
  return (
    `Resource "${name}" is owned by its parent, but no field references it: write ` +
    `"references: { ${field}: '${parent.name}' }".`
  )
}
