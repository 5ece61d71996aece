import { isRecord, tryParseJson } from '../../../convention/value.ts'
import { type Control, controlIn, fieldElementsOf, findOne, isJson } from '../find.ts'
import { type FieldValue, fillField, jsonOf, readField, storedIn, takesNull } from './field.ts'
import { patched, patchOf, precisionLossIn } from './json.ts'

// An error that the script finds before it sends the form.
interface FieldError {
  /** The name of the field; `undefined` for the JSON as a whole. */
  readonly name: string | undefined
  readonly message: string
}

/** The request body of a form, or its errors. */
export type FormBody =
  | { readonly text: string | undefined }
  | { readonly errors: readonly FieldError[] }

/**
 * Reads the body of a form from its fields or its JSON, whichever the user sees. The text is
 * `undefined` for a form without a body. The form of selected items has its patch for each.
 */
export function readFormBody(form: HTMLElement): FormBody {
  if (form.querySelector('[data-json]') === null) return { text: undefined }
  const body = isJson(form) ? readJson(form) : readFields(form)
  const { items } = form.dataset
  if (items === undefined || 'errors' in body) return body
  const patch = tryParseJson(body.text ?? '')
  if (!isRecord(patch)) return { errors: [{ name: undefined, message: 'is no JSON object' }] }
  const bodies = JSON.parse(items).map((item: object) => ({ ...patch, ...item }))
  return { text: JSON.stringify(bodies) }
}

// The form sends a merge patch of the stored item.
function isPatch({ dataset }: HTMLElement): boolean {
  return dataset.patch !== undefined
}

/** Tells whether the JSON of a form writes a field: a patch leaves the other fields as they are. */
export function sendsField(form: HTMLElement, name: string): boolean {
  return !isPatch(form) || Object.hasOwn(Object(tryParseJson(jsonControl(form).value)), name)
}

function jsonControl(form: HTMLElement): Control {
  return controlIn(findOne(form, '[data-json]'))
}

/**
 * Switches between fields and JSON, and keeps the values.
 *
 * @returns Why that is impossible; `undefined` after the switch.
 */
export function toggleJson(form: HTMLElement): string | undefined {
  const error = isJson(form) ? fillFields(form) : fillJson(form)
  if (error !== undefined) return error
  const box = findOne(form, '[data-json]')
  box.hidden = !box.hidden
  findOne(form, '[data-fields]').hidden = !box.hidden
  return undefined
}

function readJson(form: HTMLElement): FormBody {
  const { value } = jsonControl(form)
  const message = precisionLossIn(value)
  return message === undefined ? { text: value } : { errors: [{ name: undefined, message }] }
}

function readFields(form: HTMLElement): { text: string } | { errors: readonly FieldError[] } {
  const errors: FieldError[] = []
  const entries: (readonly [name: string, value: unknown])[] = []
  for (const field of fieldElementsOf(form)) {
    const name = field.dataset.name ?? ''
    const value = readField(field)
    if (value.is === 'invalid') errors.push({ name, message: value.error })
    const sent = sentBy(form, field, value)
    if (sent !== undefined) entries.push([name, sent])
  }
  if (errors.length > 0) return { errors }
  const extraFields = Object.entries(restOf(form) ?? {})
  return { text: JSON.stringify(Object.fromEntries([...entries, ...extraFields])) }
}

// A patch holds the fields that differ from the stored item.
function sentBy(form: HTMLElement, field: HTMLElement, read: FieldValue): unknown {
  if (read.is === 'invalid') return undefined
  const value = read.is === 'value' ? read.value : undefined
  return isPatch(form) ? patchOf(storedIn(field), value) : value
}

function fillJson(form: HTMLElement): string | undefined {
  const body = readFields(form)
  if ('errors' in body) return errorText(body.errors)
  jsonControl(form).value = indented(body.text)
  return undefined
}

/** Shows the patch that a form would send, if it is one of fields. */
export function showChanges(form: HTMLElement): void {
  const line = form.querySelector('[data-changes]')
  if (line === null) return
  const body = readFields(form)
  line.textContent = 'errors' in body ? errorText(body.errors) : indented(body.text)
  const fields = fieldElementsOf(form)
  for (const field of fields)
    field.toggleAttribute('data-changed', jsonOf(field) !== field.dataset.stored)
  const number = fields.filter(({ dataset }) => dataset.changed !== undefined).length
  const words = number === 1 ? '1 change' : `${number} changes`
  // The style sheet writes it beside the buttons.
  findOne(form, '.buttons').dataset.edits = number === 0 ? '' : words
}

function errorText(errors: readonly FieldError[]): string {
  return errors.map(({ name, message }) => `${name} ${message}`).join('; ')
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2)
}

function fillFields(form: HTMLElement): string | undefined {
  const text = jsonControl(form).value
  const item = tryParseJson(text)
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return 'This is no JSON object'
  const rounded = precisionLossIn(text)
  if (rounded !== undefined) return `A field ${rounded}`
  const values = new Map<string, unknown>(Object.entries(item))
  const fields = fieldElementsOf(form)
  const names = fields.map(({ dataset }) => dataset.name ?? '')
  const unknown = [...values].filter(([name]) => !names.includes(name))
  if (unknown.length > 0 && restOf(form) === undefined)
    return `The form has no field "${unknown[0]?.[0]}"`
  for (const field of fields) fillField(field, valueFrom(form, field, values))
  showRest(form, Object.fromEntries(unknown))
  return undefined
}

// The value of a field that a body gives it.
function valueFrom(
  form: HTMLElement,
  field: HTMLElement,
  body: ReadonlyMap<string, unknown>,
): unknown {
  const { name = '' } = field.dataset
  const value = body.get(name)
  if (!isPatch(form) || (value === null && takesNull(field))) return value
  return body.has(name) ? patched(storedIn(field), value) : storedIn(field)
}

// Returns the other fields, which the form sends unchanged; `undefined` if none are allowed.
function restOf(form: HTMLElement): object | undefined {
  const json = findOne(form, '[data-fields]').dataset.rest
  return json === undefined ? undefined : Object(tryParseJson(json))
}

/** Stores other fields, which the form sends unchanged, and shows their names. */
export function showRest(form: HTMLElement, extraFields: object): void {
  const { dataset } = findOne(form, '[data-fields]')
  if (dataset.rest === undefined) return
  dataset.rest = JSON.stringify(extraFields)
  const names = Object.keys(extraFields)
  findOne(form, '[data-rest-note]').hidden = names.length === 0
  findOne(form, '[data-rest-names]').textContent = names.join(', ')
}
