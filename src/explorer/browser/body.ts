import { fillField, readField } from './field.ts'
import { controlIn, find, findAll } from './find.ts'
import { readJson, roundedIn } from './json.ts'

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
  const message = roundedIn(value)
  return message === undefined ? { text: value } : { faults: [{ name: undefined, message }] }
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
  if (faults.length > 0) return { faults }
  const rest = Object.entries(restOf(form) ?? {})
  return { text: JSON.stringify(Object.fromEntries([...entries, ...rest])) }
}

function fillJson(form: HTMLElement): string | undefined {
  const body = readFields(form)
  if ('faults' in body)
    return body.faults.map(({ name, message }) => `${name} ${message}`).join('; ')
  controlIn(find(form, '[data-json]')).value = JSON.stringify(JSON.parse(body.text), undefined, 2)
  return undefined
}

function fillFields(form: HTMLElement): string | undefined {
  const text = controlIn(find(form, '[data-json]')).value
  const item = readJson(text)
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return 'This is no JSON object'
  const rounded = roundedIn(text)
  if (rounded !== undefined) return `A field ${rounded}`
  const values = new Map<string, unknown>(Object.entries(item))
  const fields = fieldsOf(form)
  const names = fields.map(({ dataset }) => dataset.name ?? '')
  const unknown = [...values].filter(([name]) => !names.includes(name))
  if (unknown.length > 0 && restOf(form) === undefined)
    return `There is no field for "${unknown[0]?.[0]}"`
  for (const field of fields) fillField(field, values.get(field.dataset.name ?? ''))
  keepRest(form, Object.fromEntries(unknown))
  return undefined
}

// What is sent along though no field shows it; `undefined` where nothing else may be.
function restOf(form: HTMLElement): object | undefined {
  const { rest } = find(form, '[data-fields]').dataset
  return rest === undefined ? undefined : Object(readJson(rest))
}

/** Keeps what is sent along though no field shows it, and names it. */
export function keepRest(form: HTMLElement, rest: object): void {
  const { dataset } = find(form, '[data-fields]')
  if (dataset.rest === undefined) return
  dataset.rest = JSON.stringify(rest)
  const names = Object.keys(rest)
  find(form, '[data-rest-note]').hidden = names.length === 0
  find(form, '[data-rest-names]').textContent = names.join(', ')
}

/** The fields of a form, whether they are shown or not. */
export function fieldsOf(form: HTMLElement): readonly HTMLElement[] {
  return findAll(form, '[data-fields] > .field')
}
