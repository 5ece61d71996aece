import { namedFieldsOf } from '../schema/required.ts'
import type { Resource } from './resource.ts'

interface Mounted {
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
export function ownersOf(mounted: Mounted): readonly string[] {
  const { path, resource, parameters, ancestors } = mounted
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
  collections: readonly (Mounted & { readonly owners: readonly string[] })[],
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
