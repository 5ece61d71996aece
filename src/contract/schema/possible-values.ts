import { fieldOf } from '../../convention/value.ts'
import {
  foldSchema,
  type JsonSchema,
  jsonSchemaOf,
  listOf,
  propertiesOf,
  typesOf,
} from './json-schema.ts'
import type { StandardSchema } from './schema.ts'

/**
 * The values that a schema takes, as a set of tokens: a type (`string`), a single value (`="new"`),
 * `missing` for no value, `no object` for no object around it, `any` for values that the schema
 * does not tell. A number is an `integer` or a `fraction`.
 */
export type PossibleValues = ReadonlySet<string>

const noObject = 'no object'
const unknownValues: PossibleValues = new Set(['any'])
const unknownMember: PossibleValues = new Set(['any', 'missing'])
const noValues: PossibleValues = new Set()

/**
 * Returns the values at a path of the objects that a schema returns: `['address', 'city']`. A
 * schema without a JSON Schema tells none of them.
 */
export function possibleValuesAt(schema: StandardSchema, path: readonly string[]): PossibleValues {
  const lenient = { libraryOptions: { unrepresentable: 'any' } }
  const json = jsonSchemaOf(schema) ?? jsonSchemaOf(schema, lenient) ?? {}
  return valuesAt(json, json, path)
}

function valuesAt(json: unknown, root: JsonSchema, path: readonly string[]): PossibleValues {
  const anyValue = path.length === 0 ? unknownValues : unknownMember
  return foldSchema<PossibleValues>(json, root, {
    anything: anyValue,
    nothing: noValues,
    loop: anyValue,
    join: (schema, all, choices) =>
      [...all, ...choices.map(union)].reduce(
        intersection,
        path.length === 0 ? valuesOf(schema) : memberOf(schema, root, path),
      ),
  })
}

function valuesOf(schema: JsonSchema): PossibleValues {
  if (Object.hasOwn(schema, 'const')) return new Set([tokenOf(fieldOf(schema, 'const'))])
  const values = fieldOf(schema, 'enum')
  if (Array.isArray(values)) return new Set(values.map(tokenOf))
  const types = typesOf(schema)
  return types.length === 0 ? unknownValues : new Set(types.flatMap(tokensOfType))
}

function tokensOfType(type: unknown): readonly string[] {
  if (type === 'number') return ['integer', 'fraction']
  return type === 'boolean' ? ['=true', '=false'] : [String(type)]
}

function memberOf(
  schema: JsonSchema,
  root: JsonSchema,
  [name = '', ...path]: readonly string[],
): PossibleValues {
  const types = typesOf(schema)
  if (types.length > 0 && !types.includes('object')) return new Set([noObject])
  const property = propertiesOf(schema).find(([field]) => field === name)?.[1]
  const hasPatterns = Object.hasOwn(schema, 'patternProperties')
  const otherSchema = hasPatterns ? undefined : fieldOf(schema, 'additionalProperties')
  const values = valuesAt(property ?? otherSchema, root, path)
  const isRequired = listOf(fieldOf(schema, 'required')).includes(name)
  const absentToken = path.length === 0 ? 'missing' : noObject
  const nonObject = types.length < 2 ? [] : [noObject]
  return new Set([...values, ...(isRequired ? [] : [absentToken]), ...nonObject])
}

/** Returns the token of a value. */
export function tokenOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'object' ? 'object' : `=${JSON.stringify(value)}`
}

/** Returns the value of a token; for the token of a type, a value that is no text. */
export function valueOfToken(token: string): unknown {
  if (token === 'missing') return undefined
  if (token === 'null') return null
  return token.startsWith('=') ? JSON.parse(token.slice(1)) : 0
}

/** Tells whether some values have those of a token among them. */
export function coversToken(values: PossibleValues, token: string): boolean {
  if (values.has(token)) return true
  if (token === 'missing' || token === noObject) return values.has('missing')
  return values.has('any') || values.has(typeOfToken(token))
}

// A single value has a type: `="new"` is a `string`.
function typeOfToken(token: string): string {
  if (token.startsWith('="')) return 'string'
  if (/^=-?\d+$/.test(token)) return 'integer'
  return /^=-?\d/.test(token) ? 'fraction' : token
}

function union(choices: readonly PossibleValues[]): PossibleValues {
  return new Set(choices.flatMap((values) => [...values]))
}

function intersection(a: PossibleValues, b: PossibleValues): PossibleValues {
  return new Set([
    ...[...a].filter((token) => coversToken(b, token)),
    ...[...b].filter((token) => coversToken(a, token)),
  ])
}

const descriptions: ReadonlyMap<string, string> = new Map([
  ['string', 'any text'],
  ['integer', 'a number'],
  ['fraction', 'a number with a fraction'],
  ['object', 'an object'],
  ['array', 'a list'],
])

/** Describes the values of a token: `any text`, `"new"`. */
export function describeToken(token: string): string {
  return descriptions.get(token) ?? token.replace(/^=/, '')
}
