import { fillField, readField } from './field.ts'
import { controlIn, find, findAll } from './find.ts'
import { readJson } from './json.ts'

// Found before anything is sent.
interface Fault {
  /** The field it is in; `undefined` for the JSON as a whole. */
  readonly name: string | undefined
  readonly message: string
}

/** The body that a form makes, or why it makes none. */
export type Body = { readonly text: string } | { readonly faults: readonly Fault[] }

/** Reads the body of a form, from its fields or, where those are put away, from its JSON. */
export function readBody(form: HTMLElement): Body {
  return isJson(form) ? readBox(form) : readFields(form)
}

/** Tells whether a form is filled in as JSON. */
export function isJson(form: HTMLElement): boolean {
  return !find(form, '[data-json]').hidden
}

/**
 * Goes from the fields to JSON, or back, and takes along what is filled in.
 *
 * @returns Why it cannot be done; `undefined` when it was.
 */
export function toggleJson(form: HTMLElement): string | undefined {
  const fault = isJson(form) ? fillFields(form) : fillJson(form)
  if (fault !== undefined) return fault
  const box = find(form, '[data-json]')
  box.hidden = !box.hidden
  find(form, '[data-fields]').hidden = !box.hidden
  return undefined
}

function readBox(form: HTMLElement): Body {
  const { value } = controlIn(find(form, '[data-json]'))
  return { text: value }
}

function readFields(form: HTMLElement): Body {
  const faults: Fault[] = []
  const entries: (readonly [name: string, value: unknown])[] = []
  for (const field of fieldsOf(form)) {
    const name = field.dataset.name ?? ''
    const reading = readField(field)
    if (reading.is === 'faulty') faults.push({ name, message: reading.fault })
    if (reading.is === 'value') entries.push([name, reading.value])
  }
  return faults.length > 0 ? { faults } : { text: JSON.stringify(Object.fromEntries(entries)) }
}

function fillJson(form: HTMLElement): string | undefined {
  const body = readFields(form)
  if ('faults' in body)
    return body.faults.map(({ name, message }) => `${name} ${message}`).join('; ')
  controlIn(find(form, '[data-json]')).value = JSON.stringify(JSON.parse(body.text), undefined, 2)
  return undefined
}

function fillFields(form: HTMLElement): string | undefined {
  const item = readJson(controlIn(find(form, '[data-json]')).value)
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return 'This is no JSON object'
  const values = new Map<string, unknown>(Object.entries(item))
  const fields = fieldsOf(form)
  const names = fields.map(({ dataset }) => dataset.name ?? '')
  const unknown = [...values.keys()].find((name) => !names.includes(name))
  if (unknown !== undefined) return `There is no field for "${unknown}"`
  for (const field of fields) fillField(field, values.get(field.dataset.name ?? ''))
  return undefined
}

function fieldsOf(form: HTMLElement): readonly HTMLElement[] {
  return findAll(form, '[data-fields] > .field')
}
