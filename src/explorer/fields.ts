import { type JsonSchema, listOf, membersOf } from '../model/json-schema.ts'
import { fieldOf } from '../model/operation.ts'

/** A field of a form, made from its JSON Schema. */
export interface Field {
  readonly name: string
  /** How it is written: as a line of text, as a number, as one of some values, as JSON. */
  readonly type: 'text' | 'number' | 'choice' | 'json'
  /** The kind of input for a text: `date`, `email`, `url`, else `text`. */
  readonly input: 'text' | 'date' | 'email' | 'url'
  /** Of a choice: the values. */
  readonly choices: readonly unknown[]
  readonly isRequired: boolean
  readonly isNullable: boolean
  /** What to know of it, in a few words each. */
  readonly hints: readonly string[]
}

/**
 * The fields of the items that a JSON Schema describes, in its order; `undefined` where it is not one object of known fields.
 */
export function fieldsOf(schema: JsonSchema | undefined): readonly Field[] | undefined {
  if (schema === undefined) return undefined
  const members = membersOf(schema)
  // One of several kinds of object: which fields there are depends on the others.
  if (members.some(isAlternative)) return undefined
  const required = new Set(members.flatMap((member) => listOf(fieldOf(member, 'required'))))
  const fields = members.flatMap((member) =>
    Object.entries(Object(fieldOf(member, 'properties'))).map(([name, property]) =>
      toField(name, membersOf(Object(property), schema), required.has(name)),
    ),
  )
  return fields.length === 0 ? undefined : fields
}

/** Tells whether a JSON Schema lets fields pass that it does not name. */
export function isOpen(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true
  const others = ['additionalProperties', 'unevaluatedProperties']
  return membersOf(schema).every((member) => others.every((key) => fieldOf(member, key) !== false))
}

function isAlternative(member: JsonSchema): boolean {
  return ['anyOf', 'oneOf'].some((key) => listOf(fieldOf(member, key)).length > 1)
}

// biome-ignore format: a row stays a line
const inputs: ReadonlyMap<unknown, Field['input']> = new Map([['date', 'date'], ['email', 'email'], ['uri', 'url']])

function toField(name: string, members: readonly JsonSchema[], mustBeThere: boolean): Field {
  const types = new Set(members.flatMap(typesOf))
  const values = choicesOf(members, types)
  const isNullable = types.delete('null') || values.includes(null)
  const choices = values.filter((value) => value !== null)
  const format = told(members, 'format')
  return {
    name,
    type: typeOf(types, choices),
    input: inputs.get(format) ?? 'text',
    choices,
    isRequired: mustBeThere && told(members, 'default') === undefined,
    isNullable,
    hints: hintsOf(members, types),
  }
}

function typeOf(types: ReadonlySet<unknown>, choices: readonly unknown[]): Field['type'] {
  if (choices.length > 0) return 'choice'
  const [type] = types
  const isNumber = [...types].every((one) => one === 'number' || one === 'integer')
  if (types.size > 0 && isNumber) return 'number'
  return types.size === 1 && type === 'string' ? 'text' : 'json'
}

function typesOf(member: JsonSchema): readonly unknown[] {
  const type = fieldOf(member, 'type')
  return Array.isArray(type) ? type : type === undefined ? [] : [type]
}

// All the values there are; none where another alternative lets through more than some.
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

function told(members: readonly JsonSchema[], key: string): unknown {
  return members.map((member) => fieldOf(member, key)).find((value) => value !== undefined)
}

const bounds = [
  ['minimum', 'at least', ''],
  ['exclusiveMinimum', 'more than', ''],
  ['maximum', 'at most', ''],
  ['exclusiveMaximum', 'less than', ''],
  ['multipleOf', 'a multiple of', ''],
  ['minLength', 'at least', ' characters'],
  ['maxLength', 'at most', ' characters'],
] as const

function hintsOf(members: readonly JsonSchema[], types: ReadonlySet<unknown>): readonly string[] {
  const description = told(members, 'description')
  const format = told(members, 'format')
  const preset = told(members, 'default')
  const hints = bounds.flatMap(([key, words, unit]) => {
    const bound = told(members, key)
    // What every double meets is no bound.
    if (typeof bound !== 'number' || Math.abs(bound) >= Number.MAX_SAFE_INTEGER) return []
    return bound === 1 && key === 'minLength' ? ['not empty'] : [`${words} ${bound}${unit}`]
  })
  return [
    ...(typeof description === 'string' ? [description] : []),
    typeof format === 'string' ? format : [...types].join(' or '),
    ...hints,
    ...(preset === undefined ? [] : [`${JSON.stringify(preset)} if left out`]),
  ].filter((hint) => hint !== '')
}
