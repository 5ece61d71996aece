import { type OperationKind, operationKinds } from './convention.ts'
import { idFor } from './id.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { faultOfKeep } from './keep.ts'
import { faultOfName } from './noun.ts'
import { propertiesOf } from './outline.ts'
import { faultOfOwners } from './owned.ts'
import { requiredFieldsOf } from './required.ts'
import type { OwnedBy } from './resource.ts'
import { faultOfRestricted } from './restricted.ts'
import type { StandardSchema } from './schema.ts'

/** The options of a resource that name fields. */
// biome-ignore format: one list
export const fieldLists = [
  'sortable', 'searchable', 'readOnly', 'filled', 'keep', 'restricted',
] as const

/** A declared resource with its defaults, before the checks. */
export type DeclaredResource = Readonly<Record<(typeof fieldLists)[number], readonly string[]>> & {
  readonly name: string
  readonly schema: StandardSchema
  readonly create: StandardSchema
  readonly update: StandardSchema
  readonly id: StandardSchema<unknown, string | number> | undefined
  readonly plural: boolean
  readonly maxLimit: number
  readonly defaultLimit: number | undefined
  readonly without: readonly OperationKind[]
  readonly idempotent: boolean
  readonly ownedBy: OwnedBy | undefined
  readonly ids: 'counted' | undefined
  readonly revision: string | undefined
}

/**
 * Returns the fault of a declared resource, with its remedy; `undefined` for none.
 *
 * @param hasCreate The declaration has a schema of its own for POST.
 */
export function faultOfResource(
  resource: DeclaredResource,
  hasCreate: boolean,
): string | undefined {
  return (
    faultOfName(resource.name, resource.plural) ??
    faultOfSchemas(resource, hasCreate) ??
    faultOfFields(resource) ??
    faultOfWithout(resource) ??
    faultOfLimits(resource) ??
    faultOfIdempotent(resource) ??
    faultOfOwners(resource) ??
    faultOfRestricted(resource) ??
    faultOfKeep(resource)
  )
}

function faultOfSchemas(resource: DeclaredResource, hasCreate: boolean): string | undefined {
  for (const key of ['schema', 'create', 'update', 'id'] as const) {
    const schema = resource[key]
    const isOptional = key === 'id' && schema === undefined
    if (!isOptional && typeof schema?.['~standard']?.validate !== 'function') {
      return `has a "${key}" that is no Standard Schema: write it with zod, valibot or arktype`
    }
  }
  if (resource.readOnly.length > 0 && !hasCreate && !resource.without.includes('create')) {
    return 'has read-only fields: declare a "create" schema without them, for POST'
  }
  return undefined
}

function faultOfWithout({ without }: DeclaredResource): string | undefined {
  const unknown = without.find((kind) => !operationKinds.includes(kind))
  return unknown === undefined
    ? undefined
    : `is without "${unknown}", which is no operation: name some of ${operationKinds.join(', ')}`
}

function faultOfIdempotent({ name, id, idempotent, create }: DeclaredResource): string | undefined {
  const uuid = '00000000-0000-5000-8000-000000000000'
  if (!idempotent) return undefined
  if (idFor({ name, id }, uuid) !== uuid)
    return 'is idempotent, but its "id" takes no UUID: write "id: z.uuid()", or leave out "id"'
  return asksForId(create)
    ? 'is idempotent, so a key becomes the id: declare a "create" schema without "id", for POST'
    : undefined
}

function asksForId(create: StandardSchema): boolean {
  const properties = propertiesOf(jsonSchemaOf(create) ?? {})
  const hasDefault = properties.some(([name, id]) => name === 'id' && Object.hasOwn(id, 'default'))
  return !hasDefault && requiredFieldsOf(create)?.includes('id') === true
}

function faultOfLimits({ maxLimit, defaultLimit = 1 }: DeclaredResource): string | undefined {
  const isPositive = (limit: number): boolean => Number.isSafeInteger(limit) && limit > 0
  if (!isPositive(maxLimit)) return `has a "maxLimit" of ${maxLimit}: use a whole number from 1`
  if (isPositive(defaultLimit) && defaultLimit <= maxLimit) return undefined
  const most = `${maxLimit}, its "maxLimit"`
  return `has a "defaultLimit" of ${defaultLimit}: use a whole number from 1 to ${most}`
}

function faultOfFields(declared: DeclaredResource): string | undefined {
  for (const key of fieldLists) {
    const fields = declared[key]
    if (fields.includes('__proto__')) {
      return `names a field "__proto__" in "${key}": objects lose such a field, name it otherwise`
    }
    if (new Set(fields).size < fields.length) return `names a field twice in "${key}": name it once`
  }
  const unsortable = declared.sortable.find((field) => !/^[^-,][^,]*$/.test(field))
  return unsortable === undefined
    ? undefined
    : `cannot sort by "${unsortable}": use a field name without a comma or a leading "-"`
}
