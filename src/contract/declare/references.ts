import { isRecord } from '../../convention/value.ts'
import type { Reference } from '../resource/resource.ts'
import { jsonSchemaOf } from '../schema/json-schema.ts'
import { type Outline, outlineOf } from '../schema/outline.ts'
import { isStandardSchema, type StandardSchema } from '../schema/schema.ts'

/** The schemas of an item and of its bodies. */
interface Schemas {
  readonly schema: StandardSchema
  readonly create?: StandardSchema
  readonly update?: StandardSchema
}

/**
 * Reads the option `references`.
 *
 * Returns the fault and what to write instead, as text, for an option that cannot be read.
 */
export function parseReferences(
  option: unknown,
  { schema, create, update }: Schemas,
): readonly Reference[] | string {
  if (!isRecord(option)) {
    return 'needs an object as "references": write "references: { company_id: \'companies\' }"'
  }
  const entries = Object.entries(option)
  if (entries.length === 0) return []
  const fields = fieldsOf(schema)
  // Some schemas do not tell their fields. PUT drops a member, so it must be no field of a body.
  const bodies = [create, update].flatMap((body) => [...(fieldsOf(body)?.keys() ?? [])])
  const takenNames = new Set(['id', ...Object.keys(option), ...(fields?.keys() ?? []), ...bodies])
  const references: Reference[] = []
  for (const [field, value] of entries) {
    const { to, as = memberNameOf(field) } = isRecord(value) ? value : { to: value }
    if (typeof to !== 'string') {
      return `references nothing by "${field}": write "${field}: 'companies'", a resource's name`
    }
    const fault = takenNames.has(String(as))
      ? `which is a field too: ${remedyFor(field)}`
      : faultOfMember(as, field, references)
    if (fault !== undefined) return `includes "${field}" as "${as}", ${fault}`
    references.push(Object.freeze({ field, to, as: String(as) }))
  }
  return references
}

/** Returns the member that holds the item of a reference: `company_id` → `company`. */
export function memberNameOf(field: string): string {
  return field.replace(/_?[iI]d$/, '')
}

function fieldsOf(schema: StandardSchema | undefined): Outline['fields'] {
  // Another check refuses a schema that is none.
  const json = isStandardSchema(schema) ? jsonSchemaOf(schema) : undefined
  return json && outlineOf(json).fields
}

function faultOfMember(
  as: unknown,
  field: string,
  references: readonly Reference[],
): string | undefined {
  const remedy = remedyFor(field)
  if (typeof as !== 'string' || !/^[^,]+$/.test(as) || as === '__proto__') {
    return `which is no name for a member: ${remedy}`
  }
  return references.some((reference) => reference.as === as)
    ? `as another reference: ${remedy}`
    : undefined
}

function remedyFor(field: string): string {
  return `write "${field}: { to: '…', as: '…' }" with another name`
}
