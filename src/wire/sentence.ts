import { type JsonSchema, listOf, membersOf, typesOf } from '../contract/schema/json-schema.ts'
import { isOfFormat } from '../convention/format.ts'
import { nearestTo } from '../convention/nearest.ts'
import { quote } from '../convention/problem.ts'
import { fieldOf, isRecord } from '../convention/value.ts'

/** A value in a body, and the JSON Schema that it has to fit. */
interface ValueWithSchemas {
  readonly value: unknown
  readonly schemas: readonly JsonSchema[]
}

/** The sentence for a value that is missing. */
export const requiredText = 'is required'

/** A body with its JSON Schema, and the fields that its client may not send. */
export interface Described {
  readonly body: unknown
  readonly json: JsonSchema
  readonly hidden: readonly string[]
}

/**
 * Says why the value at a path does not fit a JSON Schema: `cannot be null`, `must be a number`.
 * Returns a sentence for each rule that the value breaks, and none for a value that fits: then only
 * the validator knows its rule.
 */
export function sentencesAt(
  path: readonly PropertyKey[],
  { body, json, hidden }: Described,
): readonly string[] {
  let current: ValueWithSchemas = { value: body, schemas: [json] }
  for (const [depth, key] of path.entries()) {
    if (typeof current.value !== 'object' || current.value === null) return none
    const name = String(key)
    const object: object = current.value
    const members = current.schemas.flatMap((schema) =>
      fittingMembers(membersOf(schema, json), object),
    )
    const value = fieldOf(object, name)
    const schemas = members.flatMap((member) => memberAt(member, name))
    if (value === undefined) return isRequired(members, name) ? [requiredText] : none
    const isUnknown = schemas.length === 0 && members.some(isClosed)
    if (isUnknown) return [unknownField(name, members, depth === 0 ? hidden : [])]
    current = { value, schemas }
  }
  return faultsOf(current, json)
}

const none: readonly string[] = []

// An alternative whose constants are others says nothing about the value, where some other fits.
function fittingMembers(members: readonly JsonSchema[], value: object): readonly JsonSchema[] {
  const isOther = (member: JsonSchema): boolean =>
    Object.entries(propertiesOf(member)).some(([name, property]) => {
      const constant = fieldOf(Object(property), 'const')
      return constant !== undefined && fieldOf(value, name) !== constant
    })
  const fit = members.filter((member) => !isOther(member))
  return fit.some((member) => Object.keys(propertiesOf(member)).length > 0) ? fit : members
}

function propertiesOf(schema: JsonSchema): object {
  return Object(fieldOf(schema, 'properties'))
}

function memberAt(schema: JsonSchema, name: string): readonly JsonSchema[] {
  const items = [fieldOf(schema, 'prefixItems')].flat()[Number(name)] ?? fieldOf(schema, 'items')
  const property = fieldOf(propertiesOf(schema), name)
  const inner = property ?? fieldOf(schema, 'additionalProperties')
  return [inner, /^\d+$/.test(name) ? items : undefined].filter(isRecord)
}

function isRequired(members: readonly JsonSchema[], name: string): boolean {
  return members.some((member) => listOf(fieldOf(member, 'required')).includes(name))
}

function isClosed(schema: JsonSchema): boolean {
  return fieldOf(schema, 'additionalProperties') === false
}

function unknownField(
  name: string,
  members: readonly JsonSchema[],
  hidden: readonly string[],
): string {
  const names = members.flatMap((member) => Object.keys(propertiesOf(member)))
  const near = nearestTo(
    name,
    names.filter((field) => !hidden.includes(field)),
  )
  return near === undefined
    ? 'is no known field'
    : `is no known field. Did you mean ${quote(near)}?`
}

function faultsOf({ value, schemas }: ValueWithSchemas, json: JsonSchema): readonly string[] {
  const alternatives = schemas.flatMap((schema) => membersOf(schema, json))
  const leaves = alternatives.filter((schema) => isLeaf(schema))
  if (leaves.length === 0) return none
  const types = new Set(leaves.flatMap(typesIn))
  const isOfType = leaves.filter((leaf) => fitsType(value, leaf))
  if (isOfType.length === 0) return [value === null ? 'cannot be null' : faultOfType(leaves, types)]
  const faults = isOfType.map((leaf) => faultsOfValueIn(value, leaf))
  const isChoice = isOfType.length > 1 && hasChoice(schemas, json)
  const all = [...new Set(faults.flat())]
  if (all.length === 0 || (isChoice && faults.some(({ length }) => length === 0))) return none
  if (isOfType.some((leaf) => valuesIn(leaf).length > 0))
    return [mustBeOneOf(leaves.flatMap(valuesIn))]
  return isChoice ? all.slice(0, 1) : all
}

function hasChoice(schemas: readonly JsonSchema[], json: JsonSchema): boolean {
  return schemas.some((schema) =>
    membersOf(schema, json).some((member) =>
      ['anyOf', 'oneOf'].some((name) => listOf(fieldOf(member, name)).length > 0),
    ),
  )
}

function isLeaf(schema: JsonSchema): boolean {
  return typesIn(schema).length > 0 || rules.some(({ name }) => Object.hasOwn(schema, name))
}

function valuesIn(schema: JsonSchema): readonly unknown[] {
  return Object.hasOwn(schema, 'const')
    ? [fieldOf(schema, 'const')]
    : listOf(fieldOf(schema, 'enum'))
}

function typesIn(schema: JsonSchema): readonly unknown[] {
  const types = typesOf(schema)
  return types.length > 0 ? types : [...new Set(valuesIn(schema).map(typeNameOf))]
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function fitsType(value: unknown, schema: JsonSchema): boolean {
  const types = typesIn(schema)
  const isInteger = types.includes('integer') && Number.isInteger(value)
  return types.length === 0 || isInteger || types.includes(typeNameOf(value))
}

const typeTexts: ReadonlyMap<unknown, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
])

function faultOfType(leaves: readonly JsonSchema[], types: ReadonlySet<unknown>): string {
  const values = leaves.flatMap(valuesIn)
  const isListed = leaves.every((leaf) => valuesIn(leaf).length > 0 || isNull(leaf))
  if (isListed && values.length > 0) return mustBeOneOf(values)
  const texts = [...typeTexts].flatMap(([type, text]) => (types.has(type) ? text : []))
  return texts.length === 0 ? 'must be null' : `must be ${texts.join(' or ')}`
}

/** Says which values are allowed: `must be one of open, paid`. */
export function mustBeOneOf(values: Iterable<unknown>): string {
  const texts = [...new Set(values)].filter((value) => value !== null).map(String)
  return texts.length === 1 ? `must be ${texts[0]}` : `must be one of ${texts.join(', ')}`
}

function isNull(schema: JsonSchema): boolean {
  return typesIn(schema).every((type) => type === 'null')
}

function faultsOfValueIn(value: unknown, schema: JsonSchema): readonly string[] {
  const values = valuesIn(schema)
  if (values.length > 0) return values.includes(value) ? none : [mustBeOneOf(values)]
  return rules.flatMap(({ name, breaks, say }) => {
    const bound = fieldOf(schema, name)
    return bound !== undefined && breaks(value, bound, schema) ? say(bound, schema) : []
  })
}

/** A keyword of JSON Schema, with the sentence for a value that breaks it. */
interface Rule {
  readonly name: string
  breaks(value: unknown, bound: unknown, schema: JsonSchema): boolean
  say(bound: unknown, schema: JsonSchema): string
}

function ofLength(name: string, kind: 'string' | 'array', word: string): Rule {
  const isLeast = name.startsWith('min')
  const opposite = isLeast ? name.replace('min', 'max') : name.replace('max', 'min')
  return {
    name,
    breaks: (value, bound) => {
      if (typeNameOf(value) !== kind) return false
      const length = Array.isArray(value) ? value.length : [...String(value)].length
      return isLeast ? length < Number(bound) : length > Number(bound)
    },
    say: (bound, schema) => {
      const words = bound === 1 ? word : `${word}s`
      if (fieldOf(schema, opposite) === bound) return `must have ${bound} ${words}`
      if (isLeast && bound === 1) return 'must not be empty'
      return `must have at ${isLeast ? 'least' : 'most'} ${bound} ${words}`
    },
  }
}

function ofNumber(
  name: string,
  text: string,
  breaks: (value: number, bound: number) => boolean,
): Rule {
  return {
    name,
    breaks: (value, bound) => typeof value === 'number' && breaks(value, Number(bound)),
    say: (bound) => `must be ${text} ${bound}`,
  }
}

const formats: ReadonlyMap<unknown, string> = new Map([
  ['email', 'an email address'],
  ['uuid', 'a UUID'],
  ['date', 'a date, as in 2020-12-31'],
  ['date-time', 'a date with time, as in 2020-12-31T23:59:59Z'],
  ['time', 'a time, as in 23:59:59'],
  ['duration', 'a duration, as in P1DT12H'],
  ['uri', 'a URL, as in https://example.org'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['hostname', 'a host name'],
])

// The least text of each format that JSON Schema has no pattern for.
const syntaxes: ReadonlyMap<unknown, (text: string) => boolean> = new Map([
  ['email', (text) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text)],
  ['uri', (text) => URL.canParse(text)],
])

// No rule for a pattern without a format: its author says best what it means.
const rules: readonly Rule[] = [
  ofLength('minLength', 'string', 'character'),
  ofLength('maxLength', 'string', 'character'),
  {
    name: 'format',
    breaks: (value, format, schema) =>
      typeof value === 'string' &&
      formats.has(format) &&
      (!isOfFormat(format, value) ||
        syntaxes.get(format)?.(value) === false ||
        lacksPattern(value, fieldOf(schema, 'pattern'))),
    say: (format) => `must be ${formats.get(format)}`,
  },
  ofNumber('minimum', 'at least', (value, bound) => value < bound),
  ofNumber('maximum', 'at most', (value, bound) => value > bound),
  ofNumber('exclusiveMinimum', 'greater than', (value, bound) => value <= bound),
  ofNumber('exclusiveMaximum', 'less than', (value, bound) => value >= bound),
  ofNumber('multipleOf', 'a multiple of', (value, bound) => !isMultiple(value, bound)),
  ofLength('minItems', 'array', 'element'),
  ofLength('maxItems', 'array', 'element'),
  {
    name: 'uniqueItems',
    breaks: (value, isUnique) => Array.isArray(value) && isUnique === true && hasTwins(value),
    say: () => 'must not hold a value twice',
  },
]

function isMultiple(value: number, bound: number): boolean {
  const ratio = value / bound
  return Math.abs(ratio - Math.round(ratio)) <= Number.EPSILON * Math.max(1, Math.abs(ratio))
}

function hasTwins(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => JSON.stringify(value))).size < values.length
}

function lacksPattern(value: string, pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  try {
    return !new RegExp(pattern, 'u').test(value)
  } catch {
    // A pattern of another dialect.
    return false
  }
}
