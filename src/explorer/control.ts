import { fieldOf } from '../convention/value.ts'
import type { FormField } from './fields.ts'
import { type Html, html } from './html.ts'

/** A field of a form, with its value. */
export interface FilledField {
  readonly field: FormField
  /** Unique in the page. */
  readonly id: string
  /** The item to update; `undefined` for a new one. */
  readonly item: object | undefined
  /** The form sends a merge patch. */
  readonly isPatch: boolean
  /** The field holds the id of another item. */
  readonly isReference: boolean
  /** Writes the list of suggestions with an id, if the field has one. */
  readonly suggestions: (id: string) => Html | undefined
}

const maxLine = 80
const maxRows = 12

/**
 * Writes a field with its label, hints and a line for errors. The script reads the `data-`
 * attributes.
 */
export function controlOf(entry: FilledField): Html {
  const { field, id, item, isReference } = entry
  const value = item === undefined ? undefined : fieldOf(item, field.name)
  // Empty for a missing field: JSON is never empty.
  const initial =
    item === undefined ? undefined : html` data-initial="${JSON.stringify(value) ?? ''}"`
  const hints = [field.isRequired ? 'required' : 'optional', ...field.hints].join(' · ')
  const type = html`data-type="${field.type}"${isReference ? html` data-reference` : ''}`
  return html`<div class="field" data-name="${field.name}" ${type}${initial}>
<label for="${id}"><bdi>${field.name}</bdi></label>
<div class="entry">${inputOf(entry, value)}${stateOf(entry, value)}</div>
<p class="hint" id="${id}-hint">${hints}</p>
<p class="fault" id="${id}-fault" hidden></p>
</div>`
}

function inputOf(entry: FilledField, value: unknown): Html {
  const { field, id, suggestions } = entry
  const attributes = html`id="${id}" aria-describedby="${id}-hint ${id}-fault"`
  if (field.type === 'choice') return choiceOf(entry, attributes, value)
  const text = textOf(field, value)
  if (field.type === 'json' || text.length > maxLine || /[\r\n]/.test(text)) {
    const rows = Math.min(text.split('\n').length + 1, maxRows)
    return html`<textarea ${attributes} rows="${rows}" spellcheck="false">\n${text}</textarea>`
  }
  const list = suggestions(`${id}-list`)
  const suggested = list === undefined ? attributes : html`${attributes} list="${id}-list"`
  if (field.type === 'number') {
    return html`<input ${suggested} type="text" inputmode="decimal" value="${text}">${list}`
  }
  // A date input only shows dates.
  const isShown = field.input !== 'date' || text === '' || /^\d{4}-\d\d-\d\d$/.test(text)
  return html`<input ${suggested} type="${isShown ? field.input : 'text'}" value="${text}">${list}`
}

function textOf(field: FormField, value: unknown): string {
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
