import { controlIn, fieldElementsOf, findOne, isJson, make } from '../find.ts'
import { dataElementOf, fetchPage, formsOf, pageHolding, showData } from '../refresh.ts'
import { sendsField, showChanges, showRest } from './body.ts'
import { extraFieldsIn, fillField, jsonOf, rememberStored } from './field.ts'
import { linkTo, markField } from './issues.ts'

/** What another request has changed since the user opened an item. */
export interface StoredChanges {
  /** A line for each change without a choice, and how to go on. */
  readonly lines: readonly HTMLElement[]
  /** A row of a table for each field with two values. */
  readonly choices: readonly HTMLElement[]
}

/**
 * Updates the page, its forms and their `ETag` to the item that is stored now. A field takes the
 * stored value unless the user changed it.
 */
export async function mergeStored(form: HTMLElement): Promise<StoredChanges> {
  const place = pageHolding(form)
  const fresh = await fetchPage(place.url).catch(() => document.implementation.createHTMLDocument())
  const { etag } = fresh.querySelector<HTMLElement>('form[data-etag]')?.dataset ?? {}
  if (etag === form.dataset.etag) return { lines: [], choices: [] }
  if (etag === undefined || dataElementOf(fresh) === null)
    return { lines: [make('li', {}, 'Reload the page to see the stored item.')], choices: [] }
  // A deletion sends no fields.
  const isSaved = form.querySelector('[data-fields], [data-json]') !== null
  const changes = formsOf(place).flatMap((pageForm) => {
    if (pageForm.dataset.etag === undefined) return []
    pageForm.dataset.etag = etag
    const freshForm = fresh.querySelector<HTMLElement>(`form[data-kind="${pageForm.dataset.kind}"]`)
    if (freshForm === null) return []
    const hasChoices = isSaved || pageForm.dataset.touched !== undefined
    return merge(pageForm, { fresh: freshForm, hasChoices })
  })
  showData(fresh, place)
  const goOn = make(
    'li',
    {},
    'The page now shows the stored item.',
    isSaved ? ' Save again to go on.' : '',
  )
  const isChoice = ({ tagName }: HTMLElement): boolean => tagName === 'TR'
  return {
    lines: [...changes.filter((element) => !isChoice(element)), goOn],
    choices: changes.filter(isChoice),
  }
}

interface StoredForm {
  /** The form of the stored item. */
  readonly fresh: HTMLElement
  /** The user chooses one of two values of a field. */
  readonly hasChoices: boolean
}

function merge(form: HTMLElement, { fresh, hasChoices }: StoredForm): readonly HTMLElement[] {
  if (form.querySelector('[data-fields]') === null) return mergeJson(form, fresh)
  rememberStored(fresh)
  const stored = new Map(
    fieldElementsOf(fresh).map(({ dataset }) => [dataset.name, dataset.stored]),
  )
  const changes = fieldElementsOf(form).flatMap((field) => {
    const storedJson = stored.get(field.dataset.name) ?? ''
    if (storedJson === field.dataset.stored) return []
    return [mergeField(form, field, { storedJson, hasChoices })]
  })
  showChanges(form)
  return [...changes, ...mergeExtraFields(form, fresh)]
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

interface StoredField extends Pick<StoredForm, 'hasChoices'> {
  readonly storedJson: string
}

function mergeField(
  form: HTMLElement,
  field: HTMLElement,
  { storedJson, hasChoices }: StoredField,
): HTMLElement {
  const { name = '', stored = '' } = field.dataset
  const userJson = jsonOf(field)
  const isSame = userJson !== undefined && [stored, storedJson].includes(userJson)
  const isEdited = isJson(form) ? sendsField(form, name) : !isSame
  field.dataset.stored = storedJson
  if (isEdited) markField(field, storedText(storedJson))
  else fillJson(field, storedJson)
  if (!hasChoices || isJson(form) || userJson === undefined || userJson === storedJson)
    return changeLine(linkTo(field, name), storedJson, isEdited)
  return choiceRow(form, field, [
    { label: 'Take theirs', json: storedJson, isChosen: !isEdited },
    { label: 'Keep mine', json: userJson, isChosen: isEdited },
  ])
}

function fillJson(field: HTMLElement, json: string): void {
  fillField(field, json === '' ? undefined : JSON.parse(json))
}

interface Choice {
  readonly label: string
  readonly json: string
  readonly isChosen: boolean
}

// A radio button for each of the two values.
function choiceRow(form: HTMLElement, field: HTMLElement, choices: readonly Choice[]): HTMLElement {
  const { name = '' } = field.dataset
  const cells = choices.map(({ label, json, isChosen }) => {
    const attributes = { type: 'radio', name: `choice-${controlIn(field).id}` }
    const radio = make('input', isChosen ? { ...attributes, checked: '' } : attributes)
    radio.addEventListener('change', () => {
      fillJson(field, json)
      form.dataset.touched = ''
      showChanges(form)
    })
    const words = json === '' ? 'missing' : shortened(json)
    return make(
      'td',
      {},
      make('label', {}, radio, make('span', {}, label), make('code', {}, words)),
    )
  })
  return make('tr', {}, make('th', { scope: 'row' }, linkTo(field, name)), ...cells)
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
  return `is now ${shortened(json)}`
}

function shortened(json: string): string {
  return json.length > maxShown ? `${json.slice(0, maxShown).toWellFormed()}…` : json
}
