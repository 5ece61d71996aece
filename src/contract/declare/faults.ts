import { kindsWithout } from '../../convention/kinds.ts'
import { faultOfName } from '../../convention/noun.ts'
import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { idFor } from '../resource/id.ts'
import { faultsOfKeep } from '../resource/keep.ts'
import { faultsOfOwnedBy } from '../resource/owned.ts'
import type { OwnedBy } from '../resource/resource.ts'
import { faultsOfRestricted } from '../resource/restricted.ts'
import { jsonSchemaOf } from '../schema/json-schema.ts'
import { propertiesOf } from '../schema/outline.ts'
import { requiredFieldsOf } from '../schema/required.ts'
import { isStandardSchema, type StandardSchema } from '../schema/schema.ts'

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
  readonly bounded: boolean
  readonly total: boolean | undefined
  readonly idempotent: boolean
  readonly ownedBy: OwnedBy | undefined
  readonly ids: 'counted' | undefined
  readonly revision: string | undefined
}

/**
 * Returns the faults of a declared resource, each with its remedy.
 *
 * @param hasCreate The declaration has a schema of its own for POST.
 */
export function faultsOfResource(
  resource: DeclaredResource,
  hasCreate: boolean,
): readonly string[] {
  const name = faultOfName(resource.name, resource.plural)
  const schemas = faultsOfSchemas(resource)
  const faults = [
    ...(name === undefined ? [] : [name]),
    ...schemas,
    ...faultsOfFields(resource),
    ...faultsOfWithout(resource),
    ...faultsOfUseless(resource),
    ...faultsOfLimits(resource),
  ]
  // The other faults are those of readable schemas.
  if (schemas.length > 0) return faults
  return [
    ...faults,
    ...faultsOfReadOnly(resource, hasCreate),
    ...faultsOfIdempotent(resource),
    ...faultsOfOwnedBy(resource),
    ...faultsOfRestricted(resource),
    ...faultsOfKeep(resource),
  ]
}

function faultsOfSchemas(resource: DeclaredResource): readonly string[] {
  const keys = ['schema', 'create', 'update', 'id'] as const
  const faulty = keys.filter((key) => {
    const schema = resource[key]
    // A schema that the declaration leaves out is another one, which is judged by itself.
    const earlierSchemas = keys.slice(0, keys.indexOf(key)).map((name) => resource[name])
    const isJudged = earlierSchemas.includes(schema) || (key === 'id' && schema === undefined)
    return !isJudged && !isStandardSchema(schema)
  })
  return faulty.map(
    (key) => `has a "${key}" that is no Standard Schema: write it with zod, valibot or arktype`,
  )
}

function faultsOfReadOnly(
  { readOnly, without }: DeclaredResource,
  hasCreate: boolean,
): readonly string[] {
  return readOnly.length > 0 && !hasCreate && !without.includes('create')
    ? ['has read-only fields: declare a "create" schema without them, for POST']
    : []
}

function faultsOfWithout({ without }: DeclaredResource): readonly string[] {
  const unknown = without.filter((kind) => !operationKinds.includes(kind))
  const faults = unknown.map(
    (kind) =>
      `is without "${kind}", which is no operation: name some of ${operationKinds.join(', ')}`,
  )
  return kindsWithout(without).length > 0
    ? faults
    : [...faults, 'offers no operation: leave some out of "without", or name some in "offers"']
}

/** The operation without which an option does nothing. */
export const neededKind = { bounded: 'deleteAll', total: 'list', idempotent: 'create' } as const

function faultsOfUseless(resource: DeclaredResource): readonly string[] {
  const { without, bounded, total, idempotent } = resource
  const named = { bounded, total: total !== undefined, idempotent }
  return (Object.keys(neededKind) as (keyof typeof neededKind)[])
    .filter((name) => named[name] && without.includes(neededKind[name]))
    .map((name) => `has "${name}", but offers no "${neededKind[name]}": leave "${name}" out`)
}
function faultsOfIdempotent(resource: DeclaredResource): readonly string[] {
  const { name, id, idempotent, create } = resource
  const uuid = '00000000-0000-5000-8000-000000000000'
  if (!idempotent) return []
  if (idFor({ name, id }, uuid) !== uuid)
    return ['is idempotent, but its "id" takes no UUID: write "id: z.uuid()", or leave out "id"']
  return asksForId(create)
    ? ['is idempotent, so a key becomes the id: declare a "create" schema without "id", for POST']
    : []
}

function asksForId(create: StandardSchema): boolean {
  const properties = propertiesOf(jsonSchemaOf(create) ?? {})
  const hasDefault = properties.some(([name, id]) => name === 'id' && Object.hasOwn(id, 'default'))
  return !hasDefault && requiredFieldsOf(create)?.includes('id') === true
}

function faultsOfLimits({ maxLimit, defaultLimit = 1 }: DeclaredResource): readonly string[] {
  const isPositive = (limit: number): boolean => Number.isSafeInteger(limit) && limit > 0
  if (!isPositive(maxLimit)) return [`has a "maxLimit" of ${maxLimit}: use a whole number from 1`]
  if (isPositive(defaultLimit) && defaultLimit <= maxLimit) return []
  const most = `${maxLimit}, its "maxLimit"`
  return [`has a "defaultLimit" of ${defaultLimit}: use a whole number from 1 to ${most}`]
}

function faultsOfFields(declared: DeclaredResource): readonly string[] {
  const faults = fieldLists.flatMap((key) => {
    const fields = declared[key]
    if (fields.includes('__proto__'))
      return [`names a field "__proto__" in "${key}": objects lose such a field, name it otherwise`]
    const isTwice = new Set(fields).size < fields.length
    return isTwice ? [`names a field twice in "${key}": name it once`] : []
  })
  const unsortable = declared.sortable.filter((field) => !/^[^-,][^,]*$/.test(field))
  return [
    ...faults,
    ...unsortable.map(
      (field) => `cannot sort by "${field}": use a field name without a comma or a leading "-"`,
    ),
  ]
}
