import { sendsField, showChanges, showRest } from './body.ts'
import { fillField, jsonOf } from './field.ts'
import { fieldElementsOf, findAll, findOne, isJson, make } from './find.ts'
import { linkTo, markField } from './issues.ts'
import { fetchPage, showData } from './refresh.ts'

/** Stores the initial values of a form, before the user changes them. */
export function rememberStored(form: HTMLElement): void {
  for (const field of fieldElementsOf(form)) field.dataset.stored = field.dataset.initial ?? ''
  const container = extraFieldsIn(form)
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
    const storedJson = stored.get(field.dataset.name) ?? ''
    return storedJson === field.dataset.stored ? [] : [mergeField(form, field, storedJson)]
  })
  showChanges(form)
  return [...lines, ...mergeExtraFields(form, fresh)]
}

// Merges a form of JSON alone: it takes the stored item, unless the user wrote into it.
function mergeJson(form: HTMLElement, fresh: HTMLElement): readonly HTMLElement[] {
  const textarea = form.querySelector('textarea')
  const storedJson = fresh.querySelector('textarea')?.defaultValue
  if (textarea === null || storedJson === undefined || storedJson === textarea.defaultValue)
    return []
  const isEdited = textarea.value !== textarea.defaultValue
  textarea.defaultValue = storedJson
  if (!isEdited) {
    textarea.value = storedJson
    return []
  }
  const box = findOne(form, '[data-json]')
  markField(box, 'was written for an earlier item')
  const words = ' was written for an earlier item. It would replace this one.'
  return [make('li', {}, linkTo(box, 'Your JSON'), words)]
}

function mergeField(form: HTMLElement, field: HTMLElement, storedJson: string): HTMLElement {
  const { name = '', stored } = field.dataset
  const isEdited = isJson(form)
    ? sendsField(form, name)
    : ![stored, storedJson].includes(jsonOf(field))
  field.dataset.stored = storedJson
  if (isEdited) markField(field, storedText(storedJson))
  else fillField(field, storedJson === '' ? undefined : JSON.parse(storedJson))
  return changeLine(linkTo(field, name), storedJson, isEdited)
}

// Merges the other fields, which the form sends unchanged.
function mergeExtraFields(form: HTMLElement, fresh: HTMLElement): readonly HTMLElement[] {
  const container = extraFieldsIn(form)
  const storedJson = extraFieldsIn(fresh)?.dataset.rest
  if (container === null || storedJson === undefined) return []
  const before = JSON.parse(container.dataset.stored ?? '{}')
  const after = JSON.parse(storedJson)
  const isEdited = isJson(form) || container.dataset.rest !== container.dataset.stored
  container.dataset.stored = storedJson
  if (!isEdited) showRest(form, after)
  return Object.keys({ ...before, ...after })
    .map((name) => [name, jsonIn(before, name), jsonIn(after, name)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, , is]) => changeLine(make('bdi', {}, name), is, isEdited))
}

function extraFieldsIn(form: HTMLElement): HTMLElement | null {
  return form.querySelector<HTMLElement>('[data-rest]')
}

function jsonIn(item: object, name: string): string {
  return JSON.stringify(Reflect.get(item, name)) ?? ''
}

function changeLine(name: HTMLElement, storedJson: string, isEdited: boolean): HTMLElement {
  const warning = isEdited ? ' Your value would replace it.' : ''
  return make('li', {}, name, ` ${storedText(storedJson)}.${warning}`)
}

const maxShown = 100

function storedText(json: string): string {
  if (json === '') return 'is missing now'
  return `is now ${json.length > maxShown ? `${json.slice(0, maxShown).toWellFormed()}…` : json}`
}
