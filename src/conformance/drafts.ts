import { isRecord } from '../model/declared.ts'
import type { JsonSchema } from '../model/json-schema.ts'

type Draft = Readonly<Record<string, unknown>>

/**
 * Returns bodies that a JSON Schema accepts as far as it tells: with every property, and with the
 * required ones. A text holds `{n}` where any text fits.
 */
export function draftsForSchema(schema: JsonSchema | undefined): readonly Draft[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const entries = Object.entries(schema.properties).map(
    ([name, property]) => [name, valueFor(property)] as const,
  )
  const known = entries.filter(([, value]) => value !== undefined)
  return [
    Object.fromEntries(known),
    Object.fromEntries(known.filter(([name]) => required.includes(name))),
  ]
}

const formats: Readonly<Record<string, string>> = {
  email: '{n}@example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  time: '12:00:00',
  uri: 'https://example.com/{n}',
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
}

function valueFor(schema: unknown): unknown {
  if (!isRecord(schema)) return undefined
  const { type, enum: values, const: only, anyOf, format, minimum, properties } = schema
  if (only !== undefined) return only
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(anyOf)) return valueFor(anyOf[0])
  if (type === 'string') return typeof format === 'string' ? formats[format] : '{n}'
  if (type === 'number' || type === 'integer') return typeof minimum === 'number' ? minimum + 1 : 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  return isRecord(properties) ? draftsForSchema(schema)[0] : undefined
}
