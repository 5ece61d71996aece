import type { OperationKind } from '../../convention/operations.ts'
import { fieldOf } from '../../convention/value.ts'
import { idFor } from '../resource/id.ts'
import { ownerFieldsOf, type Resource } from '../resource/resource.ts'
import { schemasOf, typeOfSchemas, typesAndValuesOf } from '../schema/filter.ts'
import { jsonSchemaOf, propertiesOf } from '../schema/json-schema.ts'
import { namedFieldsOf, requiredInputFieldsOf, takenFieldsOf } from '../schema/required.ts'
import type { StandardSchema } from '../schema/schema.ts'

/** A declared resource, as its restricted fields see it. */
interface RestrictedResource
  extends Pick<Resource, 'restricted' | 'filled' | 'revision' | 'ownedBy'> {
  readonly schema: StandardSchema
  readonly create: StandardSchema
  readonly without: readonly OperationKind[]
}

/**
 * Returns the faults of the option `restricted`, each with its remedy.
 *
 * @see docs/requests.md, C9.4
 */
export function faultsOfRestricted(resource: RestrictedResource): readonly string[] {
  const { restricted, schema, create, filled, without } = resource
  if (restricted.length === 0) return []
  const fieldNames = namedFieldsOf(schema)
  const hasCreate = !without.includes('create')
  const requiredFields = requiredInputFieldsOf(create)
  return restricted.flatMap((field) => {
    const role = roleOf(field, resource)
    if (role !== undefined)
      return [`restricts "${field}", which is ${role}: leave it out of "restricted"`]
    if (fieldNames?.includes(field) === false)
      return [`restricts "${field}", which not each alternative of "schema" has: add it there`]
    return hasCreate && requiredFields.includes(field) && !filled.includes(field)
      ? [
          `restricts "${field}", which "create" requires: make it optional there, or write ` +
            `"filled: ['${field}']" if the adapter sets it, since only some clients may send it`,
        ]
      : []
  })
}

/** Returns the faults of paths that name a restricted field: they would tell the value. */
export function faultsOfRestrictedPaths(
  collections: readonly {
    readonly path: string
    readonly parameters: readonly string[]
    readonly resource: Pick<Resource, 'name' | 'restricted'>
  }[],
): readonly string[] {
  return collections.flatMap(({ path, parameters, resource }) =>
    parameters
      .filter((name) => resource.restricted.includes(name))
      .map(
        (field) =>
          `Path "${path}" names ":${field}", which "${resource.name}" restricts: the path would ` +
          'tell it. Leave it out of "restricted".',
      ),
  )
}

/** Returns the role by which every caller needs a field; `undefined` for none. */
function roleOf(
  field: string,
  resource: Pick<Resource, 'revision' | 'ownedBy'>,
): string | undefined {
  if (field === 'id') return 'the id'
  if (field === resource.revision) return 'the revision'
  return ownerFieldsOf(resource).includes(field) ? 'an owner field' : undefined
}

/** A declared resource, as its kept fields see it. */
interface KeepingResource extends Pick<Resource, 'keep' | 'readOnly' | 'revision' | 'ownedBy'> {
  readonly schema: StandardSchema
  readonly update: StandardSchema
}

/**
 * Returns the faults of the option `keep`, each with its remedy.
 *
 * @see docs/requests.md, C7.3
 */
export function faultsOfKeep(resource: KeepingResource): readonly string[] {
  return resource.keep.flatMap((field) => faultOfKeptField(field, resource) ?? [])
}

/** Returns the fault of a field in the option `keep`; `undefined` for none. */
export function faultOfKeptField(
  field: string,
  resource: Omit<KeepingResource, 'keep'>,
): string | undefined {
  const { schema, update, readOnly } = resource
  const role = readOnly.includes(field) ? 'read-only' : roleOf(field, resource)
  if (role !== undefined) return `keeps "${field}", which is ${role}: leave it out of "keep"`
  if (namedFieldsOf(schema)?.includes(field) === false)
    return `keeps "${field}", which not each alternative of "schema" has: add it there`
  if (takenFieldsOf(update)?.includes(field) === false)
    return `keeps "${field}", which "update" does not take: add it there, as optional`
  return requiredInputFieldsOf(update).includes(field)
    ? `keeps "${field}", which "update" requires: make it optional there`
    : undefined
}

/** A declared resource, as its states see it. */
export interface StatefulResource
  extends Pick<Resource, 'states' | 'readOnly' | 'revision' | 'ownedBy'> {
  readonly schema: StandardSchema
  readonly create: StandardSchema
  readonly update: StandardSchema
  readonly without: readonly OperationKind[]
}

/**
 * Returns the faults of the option `states` beside its schemas, each with its remedy.
 *
 * @see docs/requests.md, C3.15
 */
export function faultsOfStates(resource: StatefulResource): readonly string[] {
  const { states, schema, create, update, readOnly, without } = resource
  if (states === undefined) return []
  const { field, initial, moves } = states
  const fault = (reason: string): readonly string[] => [`has states of "${field}", which ${reason}`]
  const role = readOnly.includes(field) ? 'read-only' : roleOf(field, resource)
  if (role !== undefined) return fault(`is ${role}: leave it out of "states"`)
  if (namedFieldsOf(schema)?.includes(field) === false)
    return fault('not each alternative of "schema" has: add it there')
  const isMoved = !without.includes('update') || !without.includes('updateMany')
  if (isMoved && takenFieldsOf(update)?.includes(field) === false)
    return fault('"update" does not take: add it there')
  const names = [...moves.keys()]
  const { types, values = names } = typesAndValuesOf(schema, field)
  if (types.some((type) => type !== 'string')) return fault('is no text: use z.enum')
  const differing = names
    .filter((state) => !values.includes(state))
    .concat(values.map(String).filter((value) => !moves.has(value)))
  if (differing.length > 0)
    return fault(`differs in ${differing.join(', ')}: name the values of its schema`)
  const start = without.includes('create') ? initial : defaultOf(create, field, initial)
  return start === initial ? [] : fault(`begins in "${start}" by "create": put that state first`)
}

function defaultOf(schema: StandardSchema, field: string, initial: string): unknown {
  const [, property = {}] =
    propertiesOf(jsonSchemaOf(schema) ?? {}).find(([name]) => name === field) ?? []
  return Object.hasOwn(property, 'default') ? fieldOf(property, 'default') : initial
}

/** A collection, as ownership sees it. */
interface Mount {
  readonly path: string
  readonly resource: Resource
  readonly parameters: readonly string[]
  readonly ancestors: readonly { readonly resource: Resource }[]
}

/** Returns the owner fields of all resources, each once. */
export function ownerFieldsIn(resources: ReadonlyMap<string, Resource>): readonly string[] {
  return Object.freeze([...new Set([...resources.values()].flatMap(ownerFieldsOf))])
}

/** Returns the type of each owner field's values, where the schemas of all resources tell one. */
export function ownerTypesIn(resources: ReadonlyMap<string, Resource>) {
  const types = new Map<string, 'string' | 'number'>()
  for (const field of ownerFieldsIn(resources)) {
    const ownedResources = [...resources.values()].filter((resource) =>
      ownerFieldsOf(resource).includes(field),
    )
    const [type, ...furtherTypes] = new Set(
      ownedResources.map(({ schema }) => typeOfField(schema, field)),
    )
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
export function faultsOfOwnedBy(resource: OwnedResource): readonly string[] {
  const { ownedBy, readOnly, schema } = resource
  if (ownedBy === undefined) return []
  const countedFaults = faultsOfCountedIds(resource)
  if (ownedBy === 'parent') return countedFaults
  const fieldNames = namedFieldsOf(schema)
  const fieldFaults = [...new Set(ownedBy)].flatMap((field) => {
    if (typeof field !== 'string' || field === '__proto__' || fieldNames?.includes(field) === false)
      return [`is owned by "${field}", which not each alternative of "schema" has: add it there`]
    return readOnly.includes(field)
      ? [
          `is owned by "${field}", which is read-only: leave it out of "readOnly", since no ` +
            'client can write the field of another owner',
        ]
      : []
  })
  const hasRepetition = new Set(ownedBy).size < ownedBy.length
  const repetitionFaults = hasRepetition ? ['names a field twice in "ownedBy": name it once'] : []
  return [...countedFaults, ...fieldFaults, ...repetitionFaults]
}

function faultsOfCountedIds(resource: OwnedResource): readonly string[] {
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
type OwnedResource = Pick<Resource, 'name' | 'id' | 'ids' | 'ownedBy' | 'readOnly' | 'without'> & {
  readonly schema: StandardSchema
}

/**
 * Returns the faults of resources that do not say whose their items are, as soon as one of an api
 * does, and of paths to a resource of `'parent'` that lead through no owned one.
 *
 * @see docs/requests.md, C9.1
 */
export function faultsOfOwnership(
  resources: ReadonlyMap<string, Resource>,
  collections: readonly Mount[],
): readonly string[] {
  const resourceList = [...resources.values()]
  const names = new Map([
    ...resourceList.map((resource) => [resource.base.name, resource.base] as const),
    ...resources,
  ])
  if (resourceList.every(({ ownedBy }) => ownedBy === undefined)) return []
  const example = resourceList.flatMap(ownerFieldsOf)[0] ?? 'tenant_id'
  const ownerlessResources = resourceList.filter(({ ownedBy }) => ownedBy === undefined)
  return [
    ...ownerlessResources.map(
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
    (ancestor) =>
      ancestor.resource.ownedBy === 'parent' || ownerFieldsOf(ancestor.resource).length > 0,
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

interface MountedPath {
  readonly path: string
  readonly resource: Resource
  readonly parameters: readonly string[]
  readonly ancestors: readonly { readonly path: string }[]
}

/**
 * Returns the parameters of a path that are fields of its items, outermost first: all of them where
 * the schema does not tell its fields.
 *
 * The others are fields of the parents that they lead to: the chain of parents holds them (C1.3).
 *
 * @throws {TypeError} For a parameter that is a field of neither; the message says what to write.
 */
export function ownersOf(mountedPath: MountedPath): readonly string[] {
  const { path, resource, parameters, ancestors } = mountedPath
  const fields = parameters.length === 0 ? undefined : namedFieldsOf(resource.schema)
  if (fields === undefined) return parameters
  const parentFields = parameters.filter((name) => !fields.includes(name))
  if (parentFields.length === 0) return parameters
  for (const name of parentFields) {
    const parent = ancestors[parameters.indexOf(name) + 1]
    if (parent !== undefined && path.startsWith(`${parent.path}/`)) continue
    const remedy = parent === undefined ? '' : `, or begin the path with "${parent.path}"`
    throw new TypeError(
      `Path "${path}" names ":${name}", but the items of "${resource.name}" have no such field: ` +
        `add "${name}" to "schema"${remedy}.`,
    )
  }
  return parameters.filter((name) => fields.includes(name))
}

/** Returns the faults of paths to a view whose parameters are no plain fields of its base. */
export function faultsOfViewOwners(
  collections: readonly (MountedPath & { readonly owners: readonly string[] })[],
): readonly string[] {
  return collections.flatMap(({ path, resource, owners }) => {
    const { name, view } = resource
    const fields = view ? owners.filter((owner) => view.plainOf(owner) === undefined) : []
    return fields.map(
      (field) =>
        `Path "${path}" names ":${field}", which the view "${name}" makes of other values: link ` +
        `it to one field of "${resource.base.name}".`,
    )
  })
}
