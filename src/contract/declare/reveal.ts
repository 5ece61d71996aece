import { isRecord } from '../../convention/value.ts'
import type { Api, Collection } from '../resource/api.ts'
import { isRestricted, type Resource } from '../resource/resource.ts'
import { variantWithout } from '../resource/variant.ts'
import type { ShapeIn } from '../values/caller.ts'

/** The result of `.reveal()`: the restricted fields that a caller sees, by resource. */
export type RevealedFields<A extends Api> = {
  readonly [S in ShapeIn<A> as [S['restricted']] extends [never]
    ? never
    : S['name']]?: readonly S['restricted'][]
}

/** The restricted fields that a caller sees, by the name of the resource, as the core checked. */
export type Revealed = ReadonlyMap<string, readonly string[]>

/** The fields of a caller who sees no restricted one. */
export const nothingRevealed: Revealed = /* @__PURE__ */ new Map()

type Resources = Pick<Api, 'resources' | 'stored'>

/**
 * Checks the result of `.reveal()`, and returns the fields of the stored resources. `undefined` and
 * `null` reveal nothing. The name of a view reveals the fields that its fields come from.
 *
 * @throws {TypeError} For a resource that the api does not have, a field that it does not restrict,
 *   and a value that is no list.
 */
export function readRevealed(result: unknown, { resources, stored }: Resources): Revealed {
  if (result === undefined || result === null) return nothingRevealed
  if (!isRecord(result)) {
    throw new TypeError(
      `.reveal() gave ${String(result)}: return { employees: ['salary'] }, or {}.`,
    )
  }
  const revealed = new Map<string, readonly string[]>()
  for (const [name, list] of Object.entries(result)) {
    const resource = stored.get(name) ?? resources.get(name)
    if (resource === undefined)
      throw new TypeError(
        `.reveal() names "${name}", which is no resource: use ${[...stored.keys()].join(', ')}.`,
      )
    const { name: baseName } = resource.base
    const fields = fieldsOf(resource, list).flatMap((field) => sourcesOf(field, resource))
    revealed.set(baseName, [...(revealed.get(baseName) ?? []), ...fields])
  }
  return revealed

  function fieldsOf({ name, restricted }: Resource, list: unknown): readonly string[] {
    // A condition that fails leaves the resource out.
    if (list === undefined) return []
    if (!Array.isArray(list))
      throw new TypeError(`.reveal() gave no list of fields for "${name}": write [].`)
    const unknownField = list.find((field) => !restricted.includes(field))
    if (unknownField === undefined && list.every((field) => typeof field === 'string')) return list
    throw new TypeError(
      `.reveal() names "${String(unknownField)}" of "${name}", which is not restricted: ` +
        (restricted.length > 0 ? `use ${restricted.join(', ')}.` : 'leave the resource out.'),
    )
  }
}

// A field of a view is restricted where one of the base resource is.
function sourcesOf(field: string, resource: Resource): readonly string[] {
  const sources = resource.view?.sourcesOf(field) ?? [field]
  return sources.filter((source) => resource.base.restricted.includes(source))
}

/** Makes every restricted field of an api visible. */
export function revealAll({ stored }: Api): Revealed {
  return new Map([...stored].map(([name, { restricted }]) => [name, restricted]))
}

/**
 * Checks that an api has restricted fields, for a registry with `.reveal()`.
 *
 * @throws {TypeError} When it has none.
 */
export function checkReveal({ stored }: Api, reveal: unknown): void {
  const isRestricted = [...stored.values()].some(({ restricted }) => restricted.length > 0)
  if (isRestricted || reveal === undefined) return
  throw new TypeError(
    'The registry has a .reveal(), but no resource has a restricted field: write "restricted: ' +
      "['salary']\" in defineResource.",
  )
}

const variants = new WeakMap<Collection, Map<string, Collection>>()

// A caller with a set of its own must not grow the memory.
const maxVariants = 16

/**
 * Returns a collection as a caller sees it: its resource without the restricted fields that are not
 * revealed. The core keeps it, so that everything that it parses and compiles for one set of fields
 * serves only that set.
 */
export function visibleCollection(collection: Collection, revealed: Revealed): Collection {
  const { resource, related } = collection
  if (!isRestricted(resource) && !related.some((other) => isRestricted(other.resource)))
    return collection
  const hiddenFields = hiddenOf(resource, revealed)
  const hiddenRelated = related.map((other) => hiddenOf(other.resource, revealed))
  const cacheKey = JSON.stringify([hiddenFields, ...hiddenRelated])
  const collectionVariants = variants.get(collection) ?? new Map<string, Collection>()
  const cached = collectionVariants.get(cacheKey)
  if (cached) return cached
  const variant = withoutFields(collection, hiddenFields, hiddenRelated)
  variants.set(collection, collectionVariants)
  if (collectionVariants.size < maxVariants) collectionVariants.set(cacheKey, variant)
  return variant
}

function hiddenOf(resource: Resource, revealed: Revealed): readonly string[] {
  const visibleSources = revealed.get(resource.base.name) ?? []
  return resource.restricted.filter((field) => !isVisible(field, resource, visibleSources))
}

function isVisible(field: string, resource: Resource, visibleSources: readonly string[]): boolean {
  return sourcesOf(field, resource).every((source) => visibleSources.includes(source))
}

function withoutFields(
  collection: Collection,
  hiddenFields: readonly string[],
  hiddenRelated: readonly (readonly string[])[],
): Collection {
  const references = collection.references.filter(({ field }) => !hiddenFields.includes(field))
  const related = collection.related.flatMap(({ reference, resource: relatedResource }, index) =>
    hiddenFields.includes(reference.field)
      ? []
      : {
          reference,
          resource: variantWithout(relatedResource, hiddenRelated[index] as readonly string[]),
        },
  )
  const includes = references.filter(({ isIncludable }) => isIncludable).map(({ as }) => as)
  const resource = variantWithout(collection.resource, hiddenFields)
  return Object.freeze({ ...collection, resource, references, includes, related })
}
