import { sendsField, showChanges, showRest } from './body.ts'
import { fillField, jsonOf } from './field.ts'
import { fieldElementsOf, findAll, findOne, isJson, make } from './find.ts'
import { linkTo, markField } from './issues.ts'
import { fetchPage, showData } from './refresh.ts'

/** Stores the initial values of a form, before the user changes them. */
export function rememberStored(form: HTMLElement): void {
  for (const field of fieldElementsOf(form)) field.dataset.stored = field.dataset.initial ?? ''
  const container = restIn(form)
  if (container !== null) container.dataset.stored = container.dataset.rest
}

/**
 * Updates the page, its forms and their `ETag` to the item that is stored now. A field takes the
 * stored value unless the user changed it.
 *
 * @returns A line for each changed field, and how to go on; none when the item is unchanged.
 */
export async function mergeStored(form: HTMLElement): Promise<readonly HTMLElement[]> {
  const fresh = await fetchPage().catch(() => document.implementation.createHTMLDocument())
  const { etag } = fresh.querySelector<HTMLElement>('form[data-etag]')?.dataset ?? {}
  if (etag === form.dataset.etag) return []
  if (etag === undefined) return [make('li', {}, 'Reload the page to see the stored item.')]
  const lines = findAll(document, 'form[data-etag]').flatMap((pageForm) => {
    pageForm.dataset.etag = etag
    const freshForm = fresh.querySelector<HTMLElement>(`form[data-kind="${pageForm.dataset.kind}"]`)
    return freshForm === null ? [] : merge(pageForm, freshForm)
  })
  showData(fresh)
  return [...lines, make('li', {}, 'The page now shows the stored item. Send again to go on.')]
}

function merge(form: HTMLElement, fresh: HTMLElement): readonly HTMLElement[] {
  if (form.querySelector('[data-fields]') === null) return mergeJson(form, fresh)
  rememberStored(fresh)
  const stored = new Map(
    fieldElementsOf(fresh).map(({ dataset }) => [dataset.name, dataset.stored]),
  )
  const lines = fieldElementsOf(form).flatMap((field) => {
    const now = stored.get(field.dataset.name) ?? ''
    return now === field.dataset.stored ? [] : [mergeField(form, field, now)]
  })
  showChanges(form)
  return [...lines, ...mergeRest(form, fresh)]
}

// Merges a form of JSON alone: it takes the stored item, unless the user wrote into it.
function mergeJson(form: HTMLElement, fresh: HTMLElement): readonly HTMLElement[] {
  const textarea = form.querySelector('textarea')
  const now = fresh.querySelector('textarea')?.defaultValue
  if (textarea === null || now === undefined || now === textarea.defaultValue) return []
  const isOwn = textarea.value !== textarea.defaultValue
  textarea.defaultValue = now
  if (!isOwn) {
    textarea.value = now
    return []
  }
  const box = findOne(form, '[data-json]')
  markField(box, 'was written for an earlier item')
  const words = ' was written for an earlier item. It would replace this one.'
  return [make('li', {}, linkTo(box, 'Your JSON'), words)]
}

function mergeField(form: HTMLElement, field: HTMLElement, now: string): HTMLElement {
  const { name = '', stored } = field.dataset
  const isOwn = isJson(form) ? sendsField(form, name) : ![stored, now].includes(jsonOf(field))
  field.dataset.stored = now
  if (isOwn) markField(field, isNow(now))
  else fillField(field, now === '' ? undefined : JSON.parse(now))
  return lineOf(linkTo(field, name), now, isOwn)
}

// Merges the other fields, which the form sends unchanged.
function mergeRest(form: HTMLElement, fresh: HTMLElement): readonly HTMLElement[] {
  const container = restIn(form)
  const now = restIn(fresh)?.dataset.rest
  if (container === null || now === undefined) return []
  const [before, after] = [container.dataset.stored ?? '{}', now].map((json) => JSON.parse(json))
  const isOwn = isJson(form) || container.dataset.rest !== container.dataset.stored
  container.dataset.stored = now
  if (!isOwn) showRest(form, after)
  return Object.keys({ ...before, ...after })
    .map((name) => [name, jsonIn(before, name), jsonIn(after, name)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, , is]) => lineOf(make('bdi', {}, name), is, isOwn))
}

function restIn(form: HTMLElement): HTMLElement | null {
  return form.querySelector<HTMLElement>('[data-rest]')
}

function jsonIn(item: object, name: string): string {
  return JSON.stringify(Reflect.get(item, name)) ?? ''
}

function lineOf(name: HTMLElement, now: string, isOwn: boolean): HTMLElement {
  const warning = isOwn ? ' Your value would replace it.' : ''
  return make('li', {}, name, ` ${isNow(now)}.${warning}`)
}

const maxShown = 100

function isNow(json: string): string {
  if (json === '') return 'is missing now'
  return `is now ${json.length > maxShown ? `${json.slice(0, maxShown).toWellFormed()}…` : json}`
}
