import { meant } from '../../convention/declaration.ts'
import { isRecord } from '../../convention/value.ts'
import type { Reference } from '../resource/resource.ts'
import type { States } from '../resource/states.ts'
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

/** The states that an option declares, at most one of them, or its faults. */
interface ParsedStates {
  readonly values: readonly [States?]
  readonly faults: readonly string[]
}

/** Reads the option `states`: `{ status: { draft: ['published'], published: [] } }`. */
export function parseStates(option: object = {}): ParsedStates {
  const [entry, other] = Object.entries(option).filter(([, table]) => table !== undefined)
  // An unknown field has a fault of its own.
  if (entry === undefined) return { values: [], faults: [] }
  const [field, table] = entry
  const lists: readonly (readonly [string, unknown])[] = isRecord(table)
    ? Object.entries(table)
    : []
  const isReadable = lists.length > 0 && lists.every(([, targets]) => Array.isArray(targets))
  const faults = isReadable
    ? []
    : ['needs moves by state: write "states: { status: { draft: [\'open\'], open: [] } }"']
  if (other !== undefined) faults.push(`has states of "${field}" and "${other[0]}": name one field`)
  const names = lists.map(([state]) => state)
  const moves = new Map<string, readonly string[]>()
  for (const [state, declared] of lists) {
    // The same state is no move.
    const targets = new Set<string>(Array.isArray(declared) ? declared : [])
    targets.delete(state)
    moves.set(state, Object.freeze([...targets]))
    if (/^\d+$/.test(state)) faults.push(`has a state "${state}": name it by a word`)
    for (const target of targets)
      if (!names.includes(target))
        faults.push(
          `moves from "${state}" to "${target}", which is no state: ${meant(target, names)}`,
        )
  }
  const [initial = ''] = names
  return faults.length > 0
    ? { values: [], faults }
    : { values: [Object.freeze({ field, initial, moves })], faults }
}
