import { fieldOf } from '../model/operation.ts'
import type { Field } from './fields.ts'
import { type Html, html } from './html.ts'

/** A field as it stands in a form. */
export interface Entry {
  readonly field: Field
  /** Unique in the page. */
  readonly id: string
  /** The item to change; `undefined` when a new one is made. */
  readonly item: object | undefined
}

const maxLine = 80
const maxRows = 12

/** Writes a field with its label, hints and the place of its faults. The script reads what `data-` says. */
export function controlOf(entry: Entry): Html {
  const { field, id, item } = entry
  const value = item === undefined ? undefined : fieldOf(item, field.name)
  // Empty where the item does not have it: JSON never is.
  const initial =
    item === undefined ? undefined : html` data-initial="${JSON.stringify(value) ?? ''}"`
  const hints = [field.isRequired ? 'required' : 'optional', ...field.hints].join(' · ')
  return html`<div class="field" data-name="${field.name}" data-type="${field.type}"${initial}>
<label for="${id}"><bdi>${field.name}</bdi></label>
<div class="entry">${inputOf(entry, value)}${stateOf(entry, value)}</div>
<p class="hint" id="${id}-hint">${hints}</p>
<p class="fault" id="${id}-fault" hidden></p>
</div>`
}

function inputOf({ field, id }: Entry, value: unknown): Html {
  const attributes = html`id="${id}" aria-describedby="${id}-hint ${id}-fault"`
  if (field.type === 'choice') return choiceOf(field, attributes, value)
  const text = textOf(field, value)
  if (field.type === 'json' || text.length > maxLine || /[\r\n]/.test(text)) {
    const rows = Math.min(text.split('\n').length + 1, maxRows)
    return html`<textarea ${attributes} rows="${rows}" spellcheck="false">\n${text}</textarea>`
  }
  if (field.type === 'number') {
    return html`<input ${attributes} type="text" inputmode="decimal" value="${text}">`
  }
  // An input for dates shows no text but a date.
  const isShown = field.input !== 'date' || text === '' || /^\d{4}-\d\d-\d\d$/.test(text)
  return html`<input ${attributes} type="${isShown ? field.input : 'text'}" value="${text}">`
}

function textOf(field: Field, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (field.type === 'json') return JSON.stringify(value, undefined, 2)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// Left out, null and the values, each written as JSON; a value that is none of them stays to be chosen.
function choiceOf(field: Field, attributes: Html, value: unknown): Html {
  const written = value === undefined ? '' : JSON.stringify(value)
  const known = field.choices.map((choice) => JSON.stringify(choice))
  const values = field.isNullable ? [...known, 'null'] : known
  const all = written === '' || values.includes(written) ? values : [written, ...values]
  const options = all.map(
    (choice) =>
      html`<option value="${choice}"${choice === written ? html` selected` : ''}>${labelOf(choice)}</option>`,
  )
  const none = field.isRequired ? 'Choose…' : '(left out)'
  return html`<select ${attributes}><option value="">${none}</option>${options}</select>`
}

function labelOf(json: string): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' && value !== '' ? value : json
}

// What is sent for a field that is empty: nothing, null or the empty text itself.
function stateOf({ field, id }: Entry, value: unknown): Html | undefined {
  if (field.type === 'choice' || (field.isRequired && !field.isNullable)) return undefined
  const state = value === undefined ? 'absent' : value === null ? 'null' : 'value'
  const states = [
    ['value', 'as entered'],
    ...(field.isRequired ? [] : [['absent', 'left out']]),
    ...(field.isNullable ? [['null', 'null']] : []),
  ] as const
  const chosen = field.isRequired && state === 'absent' ? 'value' : state
  const options = states.map(
    ([name, label]) =>
      html`<option value="${name}"${name === chosen ? html` selected` : ''}>${label}</option>`,
  )
  return html`<select class="state" id="${id}-state" aria-label="${field.name}: what is sent">${options}</select>`
}
