import { controlIn } from './find.ts'
import { readJson, roundedIn } from './json.ts'

/** What a field says: a value, nothing to be sent, or something that cannot be read. */
export type Reading =
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'absent' }
  | { readonly is: 'faulty'; readonly fault: string }

/**
 * Reads a field. One that nobody has touched says what the item had, to the letter, whatever an input makes of that.
 */
export function readField(field: HTMLElement): Reading {
  const { initial, shown } = field.dataset
  if (shown === stateOf(field) && initial !== undefined)
    return initial === '' ? { is: 'absent' } : read(initial)
  const state = stateSelect(field)?.value ?? 'value'
  if (state === 'absent') return { is: 'absent' }
  return state === 'null' ? { is: 'value', value: null } : readText(field)
}

/** What a field says, as JSON: `''` where nothing is sent, `undefined` where it cannot be read. */
export function jsonOf(field: HTMLElement): string | undefined {
  const reading = readField(field)
  if (reading.is === 'faulty') return undefined
  return reading.is === 'absent' ? '' : JSON.stringify(reading.value)
}

/** Puts a value into a field; `undefined` for none. */
export function fillField(field: HTMLElement, value: unknown): void {
  const control = controlIn(field)
  const select = stateSelect(field)
  if (select !== null)
    select.value = value === undefined ? 'absent' : value === null ? 'null' : 'value'
  control.value = textOf(value, field.dataset.type)
  field.dataset.initial = JSON.stringify(value) ?? ''
  remember(field)
}

/** Watches a field: whoever writes into it means to send that. */
export function watchField(field: HTMLElement): void {
  const select = stateSelect(field)
  remember(field)
  controlIn(field).addEventListener('input', () => {
    if (select !== null) select.value = 'value'
  })
}

function remember(field: HTMLElement): void {
  field.dataset.shown = stateOf(field)
}

function stateOf(field: HTMLElement): string {
  return JSON.stringify([controlIn(field).value, stateSelect(field)?.value ?? ''])
}

function stateSelect(field: HTMLElement): HTMLSelectElement | null {
  return field.querySelector<HTMLSelectElement>('select.state')
}

function readText(field: HTMLElement): Reading {
  const { value } = controlIn(field)
  switch (field.dataset.type) {
    case 'choice':
      return value === '' ? { is: 'absent' } : read(value)
    case 'number':
      return value.trim() === '' ? { is: 'absent' } : readNumber(value)
    case 'json':
      return value.trim() === '' ? { is: 'absent' } : read(value)
    default:
      return { is: 'value', value }
  }
}

// What is no number is sent as it is, for the api to say what it thinks of it.
function readNumber(text: string): Reading {
  const isNumber = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)
  if (!isNumber || !Number.isFinite(Number(text))) return { is: 'value', value: text }
  return exactly(text, Number(text))
}

function read(json: string): Reading {
  const value = readJson(json)
  return value === undefined ? { is: 'faulty', fault: 'is not JSON' } : exactly(json, value)
}

function exactly(text: string, value: unknown): Reading {
  const fault = roundedIn(text)
  return fault === undefined ? { is: 'value', value } : { is: 'faulty', fault }
}

function textOf(value: unknown, type: string | undefined): string {
  if (type === 'choice') return value === undefined ? '' : JSON.stringify(value)
  if (value === undefined || value === null) return ''
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value, undefined, 2)
}
