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

const example = "{ status: { draft: ['published'], published: [] } }"

/** Reads the option `states`: `{ status: { draft: ['published'], published: [] } }`. */
export function parseStates(option: unknown): ParsedStates {
  if (option === undefined) return { values: [], faults: [] }
  if (!isRecord(option)) return faulty(`takes an object as "states": write "states: ${example}"`)
  const [entry, ...others] = Object.entries(option).filter(([, table]) => table !== undefined)
  // An unknown field has a fault of its own.
  if (entry === undefined) return { values: [], faults: [] }
  const [field, table] = entry
  if (others.length > 0) {
    const fields = [entry, ...others].map(([name]) => `"${name}"`)
    return faulty(`has states of ${fields.join(' and ')}: one field of an item holds its state`)
  }
  if (!isRecord(table) || Object.keys(table).length === 0)
    return faulty(`has no states of "${field}": write "states: ${example}"`)
  const faults = Object.entries(table).flatMap(([state, moves]) =>
    faultsOfState(state, moves, Object.keys(table)),
  )
  if (faults.length > 0) return { values: [], faults }
  const moves = new Map(
    Object.entries(table as Readonly<Record<string, readonly string[]>>).map(
      ([state, targets]) => [state, Object.freeze([...new Set(targets)])] as const,
    ),
  )
  const [initial = ''] = moves.keys()
  return { values: [Object.freeze({ field, initial, moves })], faults: [] }
}

function faulty(fault: string): ParsedStates {
  return { values: [], faults: [fault] }
}

function faultsOfState(
  state: string,
  moves: unknown,
  states: readonly string[],
): readonly string[] {
  if (/^(?:0|[1-9]\d*)$/.test(state))
    return [`has a state "${state}", and an object puts numbers first: use a word`]
  if (!Array.isArray(moves))
    return [
      `has no list of moves from "${state}": write "${state}: ['published']", or "${state}: []"`,
    ]
  if (moves.includes(state))
    return [`moves from "${state}" to itself: leave it out, the same state is no move`]
  return moves
    .filter((target) => !states.includes(target))
    .map(
      (target) =>
        `moves from "${state}" to "${target}", which is no state: ${meant(`${target}`, states)}`,
    )
}
