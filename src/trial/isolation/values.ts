import type { Resource } from '../../contract/resource/resource.ts'
import { type JsonSchema, jsonSchemaOf } from '../../contract/schema/json-schema.ts'
import { isRecord } from '../../convention/value.ts'

/** Texts of restricted fields. No response may hold them. */
const hiddenTexts: readonly string[] = ['hiddenfirst', 'hiddensecond']

/** The same, and numbers that no response may hold. */
const hiddenMarks: readonly unknown[] = [...hiddenTexts, 7_310_457, 2_310_981]

/** Values of restricted fields to try where no schema tells what a field takes. */
export const hiddenValues: readonly unknown[] = [
  ...hiddenMarks,
  1,
  2,
  true,
  false,
  '2026-01-31',
  '2026-02-28',
  '2026-01-31T12:00:00Z',
  '2026-02-28T12:00:00Z',
  null,
]

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
  const valued = entries.filter(([, value]) => value !== undefined)
  return [
    Object.fromEntries(valued),
    Object.fromEntries(valued.filter(([name]) => required.includes(name))),
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

function listFor({ items, minItems, maxItems }: Draft): readonly unknown[] {
  const element = valueFor(items)
  // A format or a number can name something that must be there.
  const isPlain = typeof element === 'string' && /^x*\{n\}$/.test(element)
  const count = typeof minItems === 'number' ? minItems : 0
  return Array.from(
    { length: isPlain && maxItems !== 0 ? Math.max(1, count) : count },
    () => element,
  )
}

// Each has a text or a number that no other value has.
function valuesForProperty(schema: unknown): readonly unknown[] {
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

/** Returns values to try for a field of a resource. */
export function valuesForField(resource: Resource | undefined, field: string): readonly unknown[] {
  const schema = resource?.update ?? resource?.create
  const json = schema && jsonSchemaOf(schema, { direction: 'input' })
  const properties = isRecord(json) && isRecord(json.properties) ? json.properties : {}
  return valuesForProperty(properties[field])
}

/** Returns bodies of new items of a resource. */
export function draftsOf(resource: Resource | undefined): readonly Draft[] {
  if (resource?.create === undefined) return []
  const { states } = resource
  const drafts = draftsForSchema(jsonSchemaOf(resource.create, { direction: 'input' }))
  if (states === undefined) return drafts
  return drafts.map((draft) =>
    Object.hasOwn(draft, states.field) ? { ...draft, [states.field]: states.initial } : draft,
  )
}
