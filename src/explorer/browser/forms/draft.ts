import { tryParseJson } from '../../../convention/value.ts'
import { controlIn, fieldAt, fieldElementsOf, findOne, isJson, make } from '../find.ts'
import { controlStateOf, fillState } from './field.ts'

/** What the user has written into a form, and not sent. */
interface Draft {
  readonly time: number
  /** The revision of the item that the user saw. */
  readonly etag: string | undefined
  /** The JSON of a form that shows it. */
  readonly json: string | undefined
  /** The changed fields: their controls, and the values that were stored. */
  readonly fields: readonly (readonly [name: string, state: string, stored: string | undefined])[]
}

const key = 'nounful.drafts'
const maxDrafts = 20

/** Stores what the user has written into a form, until the tab is closed. */
export function storeDraft(form: HTMLFormElement): void {
  const fields = fieldElementsOf(form).flatMap((field) => {
    const { name = '', stored } = field.dataset
    const state = controlStateOf(field)
    return state === field.dataset.shown ? [] : [[name, state, stored] as const]
  })
  const json = isJson(form) ? controlIn(findOne(form, '[data-json]')).value : undefined
  const draft: Draft = { time: Date.now(), etag: form.dataset.etag, json, fields }
  const olderDrafts = readDrafts().filter(([id]) => id !== idOf(form))
  const isEmpty = json === undefined && fields.length === 0
  writeDrafts(isEmpty ? olderDrafts : [[idOf(form), draft] as const, ...olderDrafts])
}

/** Forgets the draft of a form. */
export function forgetDraft(form: HTMLFormElement): void {
  form.querySelector('.draft')?.remove()
  const drafts = readDrafts()
  const remaining = drafts.filter(([id]) => id !== idOf(form))
  if (remaining.length < drafts.length) writeDrafts(remaining)
}

interface DraftEvents {
  /** The form has changed. */
  readonly change: () => void
  /** The user wants the stored values. */
  readonly discard: () => void
}

/**
 * Fills a form with the draft of it. If the item has changed since, the form sends the revision of
 * the draft: the server then refuses it, and the user sees both values.
 */
export function restoreDraft(form: HTMLFormElement, { change, discard }: DraftEvents): void {
  const draft = readDrafts().find(([id]) => id === idOf(form))?.[1]
  if (draft === undefined) return
  const { etag } = form.dataset
  const isOlder = draft.etag !== etag
  for (const [name, state, stored] of draft.fields) {
    const field = fieldAt(form, name)
    if (field === undefined) continue
    fillState(field, state)
    if (isOlder && stored !== undefined) field.dataset.stored = stored
  }
  if (draft.json !== undefined) {
    if (!isJson(form)) form.querySelector<HTMLElement>('[data-toggle]')?.click()
    if (isJson(form)) controlIn(findOne(form, '[data-json]')).value = draft.json
  }
  if (draft.etag !== undefined) form.dataset.etag = draft.etag
  form.dataset.touched = ''
  form.closest('details')?.toggleAttribute('open', true)
  const time = new Date(draft.time).toTimeString().slice(0, 5)
  const button = make('button', { type: 'button' }, 'Discard it')
  const note = { class: 'notice amber draft', role: 'status' }
  form.prepend(make('div', note, `This is your draft of ${time}. `, button))
  button.addEventListener('click', () => {
    forgetDraft(form)
    discard()
  })
  change()
}

function idOf({ dataset: { kind, url } }: HTMLElement): string {
  return `${kind} ${url}`
}

type Entries = readonly (readonly [id: string, draft: Draft])[]

function readDrafts(): Entries {
  try {
    const entries = tryParseJson(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(entries) ? entries : []
  } catch {
    return []
  }
}

function writeDrafts(entries: Entries): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(entries.slice(0, maxDrafts)))
  } catch {
    // The page may not store data, or there is too much of it.
  }
}
