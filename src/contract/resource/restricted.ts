import type { OperationKind } from '../../convention/operations.ts'
import { namedFieldsOf, sentFieldsOf } from '../schema/required.ts'
import type { StandardSchema } from '../schema/schema.ts'
import { ownerFieldsOf } from './owned.ts'
import type { Resource } from './resource.ts'

/** A declared resource, as its restricted fields see it. */
interface Restricting extends Pick<Resource, 'restricted' | 'filled' | 'revision' | 'ownedBy'> {
  readonly schema: StandardSchema
  readonly create: StandardSchema
  readonly without: readonly OperationKind[]
}

/**
 * Returns the faults of the option `restricted`, each with its remedy.
 *
 * @see docs/requests.md, C9.4
 */
export function faultsOfRestricted(resource: Restricting): readonly string[] {
  const { restricted, schema, create, filled, without } = resource
  if (restricted.length === 0) return []
  const named = namedFieldsOf(schema)
  const isCreated = !without.includes('create')
  const sent = sentFieldsOf(create)
  return restricted.flatMap((field) => {
    const role = roleOf(field, resource)
    if (role !== undefined)
      return [`restricts "${field}", which is ${role}: leave it out of "restricted"`]
    if (named?.includes(field) === false)
      return [`restricts "${field}", which not each alternative of "schema" has: add it there`]
    return isCreated && sent.includes(field) && !filled.includes(field)
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
export function roleOf(
  field: string,
  resource: Pick<Resource, 'revision' | 'ownedBy'>,
): string | undefined {
  if (field === 'id') return 'the id'
  if (field === resource.revision) return 'the revision'
  return ownerFieldsOf(resource).includes(field) ? 'an owner field' : undefined
}

/** Tells whether the items of a resource depend on `.reveal()`, beside those that they include. */
export function isRestricted({ restricted }: Pick<Resource, 'restricted'>): boolean {
  return restricted.length > 0
}

/** Tells whether a registry reveals fields, or has to hide those of a resource. */
export function needsReveal(resource: Resource, { reveal }: { readonly reveal: unknown }): boolean {
  return reveal !== undefined || isRestricted(resource)
}
