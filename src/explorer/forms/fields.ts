import { type JsonSchema, listOf, membersOf } from '../../contract/schema/json-schema.ts'
import { fieldOf } from '../../convention/value.ts'
import { type Html, html } from '../html.ts'

/** A field of a form, from its JSON Schema. */
export interface FormField {
  readonly name: string
  /** A line of text, a number, one of some values, or JSON. */
  readonly type: 'text' | 'number' | 'choice' | 'json'
  /** The type of the input element for a text. */
  readonly input: 'text' | 'date' | 'email' | 'url'
  /** The format of a text, like `date-time`. */
  readonly format: string | undefined
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

/** Returns the fields of {@link formFieldsOf} by name; none for another schema. */
export function fieldsByName(schema: JsonSchema | undefined): ReadonlyMap<string, FormField> {
  return new Map(formFieldsOf(schema)?.map((field) => [field.name, field]))
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
    format: typeof format === 'string' ? format : undefined,
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

/** A field of a form, with its value. */
interface FilledField {
  readonly field: FormField
  /** Unique in the page. */
  readonly id: string
  /** The item to update; `undefined` for a new one. */
  readonly item: object | undefined
  /** The form sends a merge patch. */
  readonly isPatch: boolean
  /** The noun of the item whose id the field holds; `undefined` for another field. */
  readonly reference: string | undefined
  /** The attributes that lead to the items whose ids the field may hold. */
  readonly choices: Html | undefined
  /** The name of the item whose id the field holds. */
  readonly name: string | undefined
}

const maxLine = 80
const maxRows = 12
// The characters that a panel shows on a row.
const rowLength = 50

/**
 * Writes a field with its label, hints and a line for errors. The script reads the `data-`
 * attributes.
 */
export function controlOf(entry: FilledField): Html {
  const { field, id, item, reference, choices, name } = entry
  const value = item === undefined ? undefined : fieldOf(item, field.name)
  // Empty for a missing field: JSON is never empty.
  const initial =
    item === undefined ? undefined : html` data-initial="${JSON.stringify(value) ?? ''}"`
  const words = [field.isRequired ? 'required' : 'optional', ...field.hints]
  const hints = [...words, ...(reference === undefined ? [] : [`→ ${reference}`])].join(' · ')
  const isReference = reference === undefined ? '' : html` data-reference`
  const type = html`data-type="${field.type}"${isReference}`
  const note = choices && html`<output>${name}</output>`
  const states = html`${zoneOf(entry, value)}${stateOf(entry, value)}`
  return html`<div class="field" data-name="${field.name}" ${type}${initial}>
<label for="${id}"><bdi>${field.name}</bdi></label>
<p class="hint" id="${id}-hint">${hints}</p>
<div class="entry">${inputOf(entry, value)}${states}</div>${note}
<p class="fault" id="${id}-fault" hidden></p>
</div>`
}

function inputOf(entry: FilledField, value: unknown): Html {
  const { field, id, choices } = entry
  const zone = zoneOf(entry, value) === undefined ? '' : ` ${id}-zone`
  const attributes = html`id="${id}" aria-describedby="${id}-hint${zone} ${id}-fault"`
  if (field.type === 'choice') return choiceOf(entry, attributes, value)
  const text = inputText(field, value)
  if (field.type === 'json' || text.length > maxLine || /[\r\n]/.test(text)) {
    const lines = text.split('\n').map(({ length }) => Math.floor(length / rowLength) + 1)
    const rows = Math.min(lines.reduce((sum, number) => sum + number) + 1, maxRows)
    return html`<textarea ${attributes} rows="${rows}" spellcheck="false">\n${text}</textarea>`
  }
  if (field.type === 'number') {
    return html`<input ${attributes} type="text" inputmode="decimal" value="${text}"${choices}>`
  }
  if (field.format === 'date-time') {
    const example = html`placeholder="2026-01-31T12:00:00Z"`
    return html`<input ${attributes} type="text" value="${text}" ${example}>`
  }
  // A date input only shows dates.
  const isShown = field.input !== 'date' || text === '' || /^\d{4}-\d\d-\d\d$/.test(text)
  const type = isShown ? field.input : 'text'
  return html`<input ${attributes} type="${type}" value="${text}"${choices}>`
}

// The text of a moment ends with its zone, most often that of UTC.
function zoneOf({ field, id }: FilledField, value: unknown): Html | undefined {
  const hasOffset = typeof value === 'string' && !/z$/i.test(value)
  if (field.format !== 'date-time' || field.type !== 'text' || hasOffset) return undefined
  return html`<span class="zone" id="${id}-zone">UTC</span>`
}

function inputText(field: FormField, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (field.type === 'json') return JSON.stringify(value, undefined, 2)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// Options: no value, the choices, null, and the current value, each as JSON.
function choiceOf(entry: FilledField, attributes: Html, value: unknown): Html {
  const { field } = entry
  const written = value === undefined ? '' : JSON.stringify(value)
  const choices = field.choices.map((choice) => JSON.stringify(choice))
  const values = field.isNullable ? [...choices, 'null'] : choices
  const all = written === '' || values.includes(written) ? values : [written, ...values]
  const options = all.map((choice) => {
    const selected = choice === written ? html` selected` : ''
    return html`<option value="${choice}"${selected}>${labelOf(choice)}</option>`
  })
  const label = field.isRequired ? 'Choose…' : '(left out)'
  const none = isKept(entry, value) ? '' : html`<option value="">${label}</option>`
  return html`<select ${attributes}>${none}${options}</select>`
}

// `null` in a patch is the new value where the schema takes it, so that the field stays.
function isKept({ field, isPatch }: FilledField, value: unknown): boolean {
  return isPatch && field.isNullable && value !== undefined
}

function labelOf(json: string): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' && value !== '' ? value : json
}

// Selects what the form sends for an empty field: no value, null or the empty text.
function stateOf(entry: FilledField, value: unknown): Html | undefined {
  const { field, id } = entry
  if (field.type === 'choice' || (field.isRequired && !field.isNullable)) return undefined
  const state = value === undefined ? 'absent' : value === null ? 'null' : 'value'
  const states = [
    ['value', 'as entered'],
    ...(field.isRequired || isKept(entry, value) ? [] : [['absent', 'left out']]),
    ...(field.isNullable ? [['null', 'null']] : []),
  ] as const
  const chosen = field.isRequired && state === 'absent' ? 'value' : state
  const options = states.map(
    ([name, label]) =>
      html`<option value="${name}"${name === chosen ? html` selected` : ''}>${label}</option>`,
  )
  const attributes = html`id="${id}-state" aria-label="${field.name}: value to send"`
  return html`<select class="state" ${attributes}>${options}</select>`
}
