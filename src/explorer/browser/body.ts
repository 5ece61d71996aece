import { tryParseJson } from '../message.ts'
import { fillField, readField } from './field.ts'
import { type Control, controlIn, findAll, findOne } from './find.ts'
import { precisionLossIn } from './json.ts'

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
 * `undefined` for a form without a body.
 */
export function readFormBody(form: HTMLElement): FormBody {
  if (form.querySelector('[data-json]') === null) return { text: undefined }
  return isJson(form) ? readJson(form) : readFields(form)
}

/** Tells whether a form shows JSON instead of fields. */
export function isJson(form: HTMLElement): boolean {
  return form.querySelector('[data-json]:not([hidden])') !== null
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
    if (value.is === 'value') entries.push([name, value.value])
  }
  if (errors.length > 0) return { errors }
  const rest = Object.entries(restOf(form) ?? {})
  return { text: JSON.stringify(Object.fromEntries([...entries, ...rest])) }
}

function fillJson(form: HTMLElement): string | undefined {
  const body = readFields(form)
  if ('errors' in body)
    return body.errors.map(({ name, message }) => `${name} ${message}`).join('; ')
  jsonControl(form).value = JSON.stringify(JSON.parse(body.text), undefined, 2)
  return undefined
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
  for (const field of fields) fillField(field, values.get(field.dataset.name ?? ''))
  showRest(form, Object.fromEntries(unknown))
  return undefined
}

// Returns the other fields, which the form sends unchanged; `undefined` if none are allowed.
function restOf(form: HTMLElement): object | undefined {
  const { rest } = findOne(form, '[data-fields]').dataset
  return rest === undefined ? undefined : Object(tryParseJson(rest))
}

/** Stores other fields, which the form sends unchanged, and shows their names. */
export function showRest(form: HTMLElement, rest: object): void {
  const { dataset } = findOne(form, '[data-fields]')
  if (dataset.rest === undefined) return
  dataset.rest = JSON.stringify(rest)
  const names = Object.keys(rest)
  findOne(form, '[data-rest-note]').hidden = names.length === 0
  findOne(form, '[data-rest-names]').textContent = names.join(', ')
}

/** Returns the fields of a form, hidden or not. */
export function fieldElementsOf(form: HTMLElement): readonly HTMLElement[] {
  return findAll(form, '[data-fields] > .field')
}
