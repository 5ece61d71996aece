import { type JsonSchema, listOf, membersOf } from '../contract/schema/json-schema.ts'
import { fieldOf } from '../convention/value.ts'

/** A field of a form, from its JSON Schema. */
export interface FormField {
  readonly name: string
  /** A line of text, a number, one of some values, or JSON. */
  readonly type: 'text' | 'number' | 'choice' | 'json'
  /** The type of the input element for a text. */
  readonly input: 'text' | 'date' | 'email' | 'url'
  /** The values of a choice. */
  readonly choices: readonly unknown[]
  readonly isRequired: boolean
  readonly isNullable: boolean
  /** Limits and format, each in a few words. */
  readonly hints: readonly string[]
}

/**
 * Returns the fields of an object schema in their order; `undefined` for any other schema, and for
 * one with alternatives.
 */
export function formFieldsOf(schema: JsonSchema | undefined): readonly FormField[] | undefined {
  if (schema === undefined) return undefined
  const members = membersOf(schema)
  // The fields of alternatives depend on each other's values.
  if (members.some(isAlternative)) return undefined
  const required = new Set(members.flatMap((member) => listOf(fieldOf(member, 'required'))))
  const fields = members.flatMap((member) =>
    Object.entries(Object(fieldOf(member, 'properties'))).map(([name, property]) =>
      toField(name, membersOf(Object(property), schema), required.has(name)),
    ),
  )
  return fields.length === 0 ? undefined : fields
}

/** Tells whether a JSON Schema allows fields that it does not name. */
export function allowsOtherFields(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true
  const openKeywords = ['additionalProperties', 'unevaluatedProperties']
  return membersOf(schema).every((member) =>
    openKeywords.every((key) => fieldOf(member, key) !== false),
  )
}

function isAlternative(member: JsonSchema): boolean {
  return ['anyOf', 'oneOf'].some((key) => listOf(fieldOf(member, key)).length > 1)
}

const inputs: ReadonlyMap<unknown, FormField['input']> = new Map([
  ['date', 'date'],
  ['email', 'email'],
  ['uri', 'url'],
])

function toField(name: string, members: readonly JsonSchema[], isListed: boolean): FormField {
  const types = new Set(members.flatMap(typesOf))
  const values = choicesOf(members, types)
  const isNullable = types.delete('null') || values.includes(null)
  const choices = values.filter((value) => value !== null)
  const format = firstValue(members, 'format')
  return {
    name,
    type: typeOf(types, choices),
    input: inputs.get(format) ?? 'text',
    choices,
    isRequired: isListed && firstValue(members, 'default') === undefined,
    isNullable,
    hints: hintsOf(members, types),
  }
}

function typeOf(types: ReadonlySet<unknown>, choices: readonly unknown[]): FormField['type'] {
  if (choices.length > 0) return 'choice'
  const [type] = types
  const isNumber = [...types].every((type) => type === 'number' || type === 'integer')
  if (types.size > 0 && isNumber) return 'number'
  return types.size === 1 && type === 'string' ? 'text' : 'json'
}

function typesOf(member: JsonSchema): readonly unknown[] {
  const type = fieldOf(member, 'type')
  return Array.isArray(type) ? type : type === undefined ? [] : [type]
}

// Returns every allowed value; `[]` when an alternative allows more than a list of values.
function choicesOf(
  members: readonly JsonSchema[],
  types: ReadonlySet<unknown>,
): readonly unknown[] {
  if (types.size > 0 && [...types].every((type) => type === 'boolean' || type === 'null'))
    return types.has('boolean') ? [true, false] : []
  const ends = members.filter((member) => !isBox(member) && fieldOf(member, 'type') !== 'null')
  const lists = ends.map((member) =>
    Object.hasOwn(member, 'const') ? [fieldOf(member, 'const')] : listOf(fieldOf(member, 'enum')),
  )
  return lists.every((list) => list.length > 0) ? [...new Set(lists.flat())] : []
}

function isBox(member: JsonSchema): boolean {
  return ['anyOf', 'oneOf', 'allOf', '$ref'].some((key) => Object.hasOwn(member, key))
}

function firstValue(members: readonly JsonSchema[], key: string): unknown {
  return members.map((member) => fieldOf(member, key)).find((value) => value !== undefined)
}

const limitHints = [
  ['minimum', 'at least', ''],
  ['exclusiveMinimum', 'more than', ''],
  ['maximum', 'at most', ''],
  ['exclusiveMaximum', 'less than', ''],
  ['multipleOf', 'a multiple of', ''],
  ['minLength', 'at least', ' characters'],
  ['maxLength', 'at most', ' characters'],
] as const

function hintsOf(members: readonly JsonSchema[], types: ReadonlySet<unknown>): readonly string[] {
  const description = firstValue(members, 'description')
  const format = firstValue(members, 'format')
  const preset = firstValue(members, 'default')
  const hints = limitHints.flatMap(([key, words, unit]) => {
    const bound = firstValue(members, key)
    // Every double is within such a limit.
    if (typeof bound !== 'number' || Math.abs(bound) >= Number.MAX_SAFE_INTEGER) return []
    return bound === 1 && key === 'minLength' ? ['not empty'] : [`${words} ${bound}${unit}`]
  })
  return [
    ...(typeof description === 'string' ? [description] : []),
    typeof format === 'string' ? format : [...types].join(' or '),
    ...hints,
    ...(preset === undefined ? [] : [`${JSON.stringify(preset)} by default`]),
  ].filter((hint) => hint !== '')
}
