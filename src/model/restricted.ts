import { type AdapterMethod, methodSets } from './adapter-methods.ts'
import type { OperationKind } from './convention.ts'
import { jsonSchemaOf, listOf } from './json-schema.ts'
import { ownerFieldsOf } from './owned.ts'
import { namedFieldsOf } from './required.ts'
import type { Resource } from './resource.ts'
import type { StandardSchema } from './schema.ts'
import { fieldOf } from './value.ts'

/** A declared resource, as its restricted fields see it. */
interface Restricting extends Pick<Resource, 'restricted' | 'filled' | 'revision' | 'ownedBy'> {
  readonly schema: StandardSchema
  readonly create: StandardSchema
  readonly without: readonly OperationKind[]
}

/**
 * Returns the fault of the option `restricted`, with its remedy; `undefined` for none.
 *
 * @see docs/requests.md, C9.4
 */
export function faultOfRestricted(resource: Restricting): string | undefined {
  const { restricted, schema, create, filled, without } = resource
  if (restricted.length === 0) return undefined
  const named = namedFieldsOf(schema)
  const isCreated = !without.includes('create')
  const sent = listOf(fieldOf(Object(jsonSchemaOf(create, { direction: 'input' })), 'required'))
  for (const field of restricted) {
    const role = roleOf(field, resource)
    if (role !== undefined)
      return `restricts "${field}", which is ${role}: leave it out of "restricted"`
    if (named?.includes(field) === false)
      return `restricts "${field}", which is no field of "schema": add it there`
    if (isCreated && sent.includes(field) && !filled.includes(field))
      return (
        `restricts "${field}", which "create" requires: make it optional there, or write ` +
        `"filled: ['${field}']" if the adapter sets it, since only some clients may send it`
      )
  }
  return undefined
}

/**
 * Checks that no path names a restricted field: it would tell the value.
 *
 * @throws {TypeError} For the first path that does.
 */
export function checkRestrictedPaths(
  collections: readonly {
    readonly path: string
    readonly parameters: readonly string[]
    readonly resource: Pick<Resource, 'name' | 'restricted'>
  }[],
): void {
  for (const { path, parameters, resource } of collections) {
    const field = parameters.find((name) => resource.restricted.includes(name))
    if (field === undefined) continue
    throw new TypeError(
      `Path "${path}" names ":${field}", which "${resource.name}" restricts: the path would tell ` +
        'it. Leave it out of "restricted".',
    )
  }
}

function roleOf(field: string, resource: Restricting): string | undefined {
  if (field === 'id') return 'the id'
  if (field === resource.revision) return 'the revision'
  return ownerFieldsOf(resource).includes(field) ? 'an owner field' : undefined
}

/** The kinds that replace items, with those that change them. */
const replacing = [
  ['update', 'patch', 'modify'],
  ['updateMany', 'patchMany', 'modifyMany'],
] as const

type Methods = { readonly [Method in AdapterMethod]?: unknown }

/**
 * Returns the fault of an adapter that could lose a restricted field at a replacement, with its
 * remedy; `undefined` for none.
 */
export function faultOfKeeping(
  { restricted, revision }: Pick<Resource, 'restricted' | 'revision'>,
  adapter: Methods,
  kinds: readonly OperationKind[],
): string | undefined {
  if (restricted.length === 0) return undefined
  const open = replacing.find(
    ([kind, changing]) =>
      kinds.includes(kind) &&
      !methodSets[changing].some((set) =>
        set.every((need) =>
          need === 'revision' ? revision !== undefined : typeof adapter[need] === 'function',
        ),
      ),
  )
  if (open === undefined) return undefined
  const [kind, , method] = open
  return (
    `restricts "${restricted[0]}", so "${kind}" has to keep what is stored: give its adapter ` +
    `"read" and "${method}", declare a "revision", or write "without: ['${kind}']"`
  )
}

/** Tells whether the items of a resource depend on `.reveal()`, beside those that they include. */
export function isRestricted({ restricted }: Pick<Resource, 'restricted'>): boolean {
  return restricted.length > 0
}

/** Tells whether a registry reveals fields, or has to hide those of a resource. */
export function needsReveal(resource: Resource, { reveal }: { readonly reveal: unknown }): boolean {
  return reveal !== undefined || isRestricted(resource)
}

/**
 * Tells whether a body replaces items with fields that its client does not see: the core puts in
 * the stored ones before it validates.
 */
export function keepsHidden({
  row,
  resource,
}: {
  readonly row: { readonly method: string }
  readonly resource: Resource
}): boolean {
  return row.method === 'PUT' && isRestricted(resource)
}
