import type { JsonSchema } from '../../contract/schema/json-schema.ts'
import { isRecord } from '../../convention/value.ts'
import { hiddenMarks, hiddenTexts, hiddenValues } from '../isolation/values.ts'

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
  duration: 'P1D',
  hostname: '{n}.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/{n}',
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
}

function valueFor(schema: unknown): unknown {
  if (!isRecord(schema)) return undefined
  const { enum: values, const: only, anyOf, oneOf, properties } = schema
  if (only !== undefined) return only
  if (Array.isArray(values)) return values[0]
  const choices = [anyOf, oneOf].find((list) => Array.isArray(list))
  if (Array.isArray(choices)) return valueFor(choices[0])
  const [type] = [schema.type].flat()
  if (type === 'null') return null
  if (type === 'string') return textFor(schema)
  if (type === 'number' || type === 'integer') return numberFor(schema)
  if (type === 'boolean') return true
  if (type === 'array') return listFor(schema)
  return isRecord(properties) ? draftsForSchema(schema)[0] : undefined
}

// A mark has about ten letters.
function textFor({ format, minLength, maxLength }: JsonSchema & Draft): string | undefined {
  if (typeof format === 'string') return formats[format]
  const filling = typeof minLength === 'number' ? 'x'.repeat(minLength) : ''
  return typeof maxLength === 'number' && maxLength < 20 + filling.length
    ? 'x'.repeat(Math.max(filling.length, Math.min(1, maxLength)))
    : `${filling}{n}`
}

function numberFor({ minimum, exclusiveMinimum, maximum, multipleOf }: Draft): number {
  if (typeof multipleOf === 'number') return multipleOf
  const least = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum
  // JSON Schema of an integer has its smallest safe value as the least.
  const value = typeof least === 'number' && least > 0 - 2 ** 31 ? least + 1 : 1
  return typeof maximum === 'number' ? Math.min(value, maximum) : value
}

function listFor({ items, minItems }: Draft): readonly unknown[] {
  const count = typeof minItems === 'number' ? minItems : 0
  return Array.from({ length: count }, () => valueFor(items))
}

/** Returns values of a property to try, each with a text or a number that no other value has. */
export function valuesForProperty(schema: unknown): readonly unknown[] {
  const values = isRecord(schema) && Array.isArray(schema.enum) ? schema.enum : []
  const value = valueFor(schema)
  const marked =
    value === undefined
      ? []
      : hiddenTexts.map((text): unknown =>
          JSON.parse(JSON.stringify(value).replaceAll('{n}', text)),
        )
  return [...values, ...hiddenMarks, ...marked, ...hiddenValues]
}
