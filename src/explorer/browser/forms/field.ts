import { tryParseJson } from '../../../convention/value.ts'
import { controlIn, fieldElementsOf } from '../find.ts'
import { precisionLossIn } from './json.ts'

/** The state of a field: a value, no value to send, or invalid text. */
export type FieldValue =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'absent' }
  | { readonly is: 'invalid'; readonly error: string }

/**
 * Reads a field. A field that the user did not change has exactly the value of the item, even if
 * its control shows another.
 */
export function readField(field: HTMLElement): FieldValue {
  const { initial, shown } = field.dataset
  if (shown === controlStateOf(field) && initial !== undefined)
    return initial === '' ? { is: 'absent' } : parseValue(initial)
  const state = stateSelect(field)?.value ?? 'value'
  if (state === 'absent') return { is: 'absent' }
  return state === 'null' ? { is: 'value', value: null } : readText(field)
}

/** Returns the value of a field as JSON: `''` without a value, `undefined` for invalid text. */
export function jsonOf(field: HTMLElement): string | undefined {
  const read = readField(field)
  if (read.is === 'invalid') return undefined
  return read.is === 'absent' ? '' : JSON.stringify(read.value)
}

/** Sets the value of a field; `undefined` for no value. */
export function fillField(field: HTMLElement, value: unknown): void {
  const select = stateSelect(field)
  if (select !== null)
    select.value = value === undefined ? 'absent' : value === null ? 'null' : 'value'
  setText(field, controlText(value, field.dataset.type))
  field.dataset.initial = JSON.stringify(value) ?? ''
  remember(field)
}

/**
 * Watches a field. Once the user writes into it, the form sends its value. Once the user empties
 * it, the form leaves it out, or sends `null`, if it can.
 */
export function watchField(field: HTMLElement): void {
  const select = stateSelect(field)
  remember(field)
  const control = controlIn(field)
  control.addEventListener('input', () => {
    if (select === null) return
    const states = control.value === '' ? ['absent', 'null'] : []
    select.value = states.find((state) => hasOption(field, state)) ?? 'value'
  })
}

/** Stores the initial values of a form, before the user changes them. */
export function rememberStored(form: HTMLElement): void {
  for (const field of fieldElementsOf(form)) field.dataset.stored = field.dataset.initial ?? ''
  const container = extraFieldsIn(form)
  if (container !== null) container.dataset.stored = container.dataset.rest
}

/** Returns the element with the fields that a form sends unchanged; `null` for none. */
export function extraFieldsIn(form: HTMLElement): HTMLElement | null {
  return form.querySelector<HTMLElement>('[data-rest]')
}

/** Tells whether `null` is a value of a field. */
export function takesNull(field: HTMLElement): boolean {
  return hasOption(field, 'null')
}

function hasOption(field: HTMLElement, value: string): boolean {
  return field.querySelector(`option[value="${value}"]`) !== null
}

/** Returns the stored value of a field; `undefined` for none. */
export function storedIn({ dataset: { stored = '' } }: HTMLElement): unknown {
  return stored === '' ? undefined : JSON.parse(stored)
}

/** Sets what {@link controlStateOf} returns. */
export function fillState(field: HTMLElement, state: string): void {
  const [text = '', choice = ''] = JSON.parse(state)
  const select = stateSelect(field)
  setText(field, text)
  if (select !== null) select.value = choice
}

// The name beside a reference is that of the item before.
function setText(field: HTMLElement, text: string): void {
  const control = controlIn(field)
  const name = field.querySelector('output')
  if (name !== null && control.value !== text) name.textContent = ''
  control.value = text
}

function remember(field: HTMLElement): void {
  field.dataset.shown = controlStateOf(field)
}

/** Returns the text of a field's control, and what it sends for no value, as one text. */
export function controlStateOf(field: HTMLElement): string {
  return JSON.stringify([controlIn(field).value, stateSelect(field)?.value ?? ''])
}

function stateSelect(field: HTMLElement): HTMLSelectElement | null {
  return field.querySelector<HTMLSelectElement>('select.state')
}

function readText(field: HTMLElement): FieldValue {
  const { value } = controlIn(field)
  switch (field.dataset.type) {
    case 'choice':
      return value === '' ? { is: 'absent' } : parseValue(value)
    case 'number':
      return value.trim() === '' ? { is: 'absent' } : readNumber(value)
    case 'json':
      return value.trim() === '' ? { is: 'absent' } : parseValue(value)
    default:
      return value === '' && field.dataset.reference !== undefined
        ? withoutReference(field)
        : { is: 'value', value }
  }
}

// The empty text is the id of no item.
function withoutReference(field: HTMLElement): FieldValue {
  return takesNull(field) ? { is: 'value', value: null } : { is: 'absent' }
}

// Sends other text unchanged: the API rejects it.
function readNumber(text: string): FieldValue {
  const isNumber = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)
  if (!isNumber || !Number.isFinite(Number(text))) return { is: 'value', value: text }
  return exactly(text, Number(text))
}

function parseValue(json: string): FieldValue {
  const value = tryParseJson(json)
  return value === undefined ? { is: 'invalid', error: 'is not JSON' } : exactly(json, value)
}

function exactly(text: string, value: unknown): FieldValue {
  const error = precisionLossIn(text)
  return error === undefined ? { is: 'value', value } : { is: 'invalid', error }
}

function controlText(value: unknown, type: string | undefined): string {
  if (type === 'choice') return value === undefined ? '' : JSON.stringify(value)
  if (value === undefined || value === null) return ''
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value, undefined, 2)
}
