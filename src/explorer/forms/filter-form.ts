import type { Collection, RelatedResource } from '../../contract/resource/api.ts'
import { type Filter, filterPathOf } from '../../contract/schema/filter.ts'
import { filtersIn, relatedIn } from '../../contract/values/related.ts'
import { filterOperatorNames, filterOperators } from '../../convention/filter-operators.ts'
import type { WrittenPair } from '../../wire/filter.ts'
import { readParametersOf, type TargetPage } from '../data/page-data.ts'
import { filterPairsOf, pairsOfUrl, urlOf } from '../data/page-url.ts'
import { type Html, type HtmlContent, html } from '../html.ts'
import { choicesFor, nameOfText } from '../linked-value.ts'
import { textHtml, visible } from '../value.ts'
import { filterIdOf, operatorWords, usualOperators, wordBetween } from './chips.ts'
import { hiddenInput } from './query-forms.ts'

/** Writes the form of the filters. It works without the script. */
export function filterFormOf(page: TargetPage): HtmlContent {
  const { target } = page
  const faults = faultsOf(page)
  const entries = entriesOf(page, faults)
  if (entries.length === 0) return undefined
  const { related } = target.collection
  const fields = fieldsWith(entries, related)
  const fieldsOf = (owner?: RelatedResource) => fields.filter((field) => field.owner === owner)
  const isOpen = faults.size > 0 ? html` open` : ''
  return html`<details class="filters menu" name="menu"${isOpen}><summary>+ filter</summary>
<form method="get" action="${urlOf(target, page)}" autocomplete="off">
${otherPairs(page, entries, faults).map(hiddenInput)}
${fieldsHtml(page, fieldsOf())}
${related.map((owner) => relatedFieldsHtml(page, owner, fieldsOf(owner)))}
<p class="buttons"><button type="submit">Filter</button></p></form></details>`
}

// The fields of another resource unfold, so that they never hide those of this one.
function relatedFieldsHtml(
  page: TargetPage,
  { reference }: RelatedResource,
  fields: readonly FilteredField[],
): HtmlContent {
  if (fields.length === 0) return undefined
  const isUsed = fields.some(({ entries }) => entries.some(isSet))
  return html`<details class="related-filters"${isUsed ? html` open` : ''}>
<summary><bdi>${reference.as}</bdi></summary>${fieldsHtml(page, fields)}</details>\n`
}

/** A filter of the form. */
interface FilterEntry {
  readonly name: string
  /** The id of its first control with a value. */
  readonly id: string
  readonly filter: Filter
  /** The values of the request. */
  readonly texts: readonly string[]
  /** The message of the problem with them. */
  readonly fault: string | undefined
}

// The filters that the resource offers, and the filters of the request.
function entriesOf(page: TargetPage, faults: ReadonlyMap<string, string>): readonly FilterEntry[] {
  const { collection } = page.target
  const pairs = filterPairsOf(page)
  return [...filtersIn(collection)].flatMap(([name, filter]) => {
    const texts = pairs.filter(([pairName]) => pairName === name).map(([, value]) => value)
    const isHidden = page.hidden.has(filterPathOf(filter.field.name).field)
    const isEntry = !isHidden && (texts.length > 0 || isOffered(filter, collection))
    const id = filterIdOf(collection, name)
    return isEntry ? [{ name, id, filter, texts, fault: faults.get(name) }] : []
  })
}

function faultsOf({ problem }: TargetPage): ReadonlyMap<string, string> {
  const issues = problem?.members.issues ?? []
  return new Map(issues.map(({ parameter = '', message }) => [parameter, message]))
}

// Without those that only some callers may send: of another resource, no page knows which.
function isOffered({ field }: Filter, { resource, related }: Collection): boolean {
  const owner = relatedIn(field.name, related)
  if (owner === undefined) return resource.filterable.includes(field)
  const { field: name } = filterPathOf(field.name.slice(owner.reference.as.length + 1))
  return !owner.resource.restricted.includes(name)
}

// The other parameters of the request, without those that have to change.
function otherPairs(
  page: TargetPage,
  entries: readonly FilterEntry[],
  faults: ReadonlyMap<string, unknown>,
): readonly WrittenPair[] {
  const { target, settings } = page
  const parameterNames = readParametersOf(target, settings) ?? []
  const filterNames = new Set(entries.map(({ name }) => name))
  return pairsOfUrl(page).filter(([name, value]) => {
    // Another page begins at its start.
    const isPosition = name === 'after' || name === 'offset'
    if (!parameterNames.includes(name) || isPosition || value === '') return false
    return !filterNames.has(name) && !faults.has(name)
  })
}

function isSet({ texts }: FilterEntry): boolean {
  return texts.length > 0
}

/** A field of the form. */
interface FilteredField {
  readonly name: string
  /** `undefined` for a field of the resource itself. */
  readonly owner: RelatedResource | undefined
  /** The usual filters, and those of the request. */
  readonly entries: readonly FilterEntry[]
  /** The rarer filters, which unfold. */
  readonly more: readonly FilterEntry[]
}

// They make a page longer. The operators of further fields come once their field has a filter.
const maxMore = 60

function fieldsWith(
  entries: readonly FilterEntry[],
  related: readonly RelatedResource[],
): readonly FilteredField[] {
  const names = new Set(entries.map(({ filter }) => filter.field.name))
  let number = 0
  return [...names].map((name) => {
    const all = entries.filter(({ filter }) => filter.field.name === name)
    const usual = all.filter(({ filter }) => rankOf(filter) < filterOperatorNames.length)
    const base = usual.length > 0 ? usual : all.slice(0, 1)
    const isFirst = (entry: FilterEntry): boolean => isSet(entry) || base.includes(entry)
    const more = all.filter((entry) => !isFirst(entry))
    number += more.length
    const isFull = number > maxMore && !all.some(isSet)
    const first = all
      .filter(isFirst)
      .toSorted((left, right) => rankOf(left.filter) - rankOf(right.filter))
    return { name, owner: relatedIn(name, related), entries: first, more: isFull ? [] : more }
  })
}

function fieldsHtml(page: TargetPage, fields: readonly FilteredField[]): Html {
  return html`<div class="fields">${fields.map((field) => fieldHtml(page, field))}</div>`
}

function fieldHtml(page: TargetPage, { name, entries, more }: FilteredField): Html {
  const controls = entries.flatMap((entry) => controlsOf(page, entry))
  if (more.length === 0) return html`${controls}`
  return html`${controls.slice(0, -1)}<div>${controls.at(-1)}
<details class="more"><summary>More operators<span class="hidden"> of ${name}</span></summary>
${more.flatMap((entry) => controlsOf(page, entry))}</details></div>`
}

// The usual filters come first, in their order.
function rankOf({ field, operator }: Filter): number {
  const rank = usualOperators(field).indexOf(operator)
  return rank < 0 ? filterOperatorNames.length : rank
}

/** One of the values of a filter. */
interface EntryValue {
  readonly text: string
  readonly id: string
  /** The attributes that lead to the items whose ids it may be. */
  readonly choices: HtmlContent
}

// A control for each value of the request. Where a filter takes several, an empty one follows.
function controlsOf(page: TargetPage, entry: FilterEntry): readonly Html[] {
  const { id, filter, texts, fault } = entry
  const { field, operator } = filter
  const note = fault && html`\n<p class="fault" id="${id}-fault">${textHtml(fault)}</p>`
  const labelOf = (words: string) => html`<bdi>${field.name}</bdi> <small>${words}</small>`
  const label = labelOf(operatorWords(field, operator))
  if (takesChoices(filter)) {
    return [
      html`<fieldset class="field choices"><legend>${label}</legend>
${checkboxesOf(entry)}${note}</fieldset>`,
    ]
  }
  const isOpen = texts.length === 0 || filterOperators[operator].repeats
  const values = isOpen ? [...texts, ''] : texts
  const isId = operator === 'eq' || operator === 'ne'
  const choices = isId ? choicesFor(page, field.name) : undefined
  return values.map((text, index) => {
    const value = { text, choices, id: index === 0 ? id : `${id}-${index}` }
    const words = index === 0 ? label : labelOf(wordBetween(operator))
    const name = choices && html`<output>${nameOfText(page, field.name, text)}</output>`
    return html`<div class="field"><label>${words}
${controlOfFilter(entry, value)}</label>${name}${index === 0 ? note : ''}</div>`
  })
}

function describedBy({ fault, id }: FilterEntry): HtmlContent {
  return fault && html` aria-invalid="true" aria-describedby="${id}-fault"`
}

// A longer list of values is a menu.
const maxChoices = 12

function takesChoices({ field: { values }, operator }: Filter): boolean {
  return values !== undefined && values.length <= maxChoices && filterOperators[operator].repeats
}

function checkboxesOf(entry: FilterEntry): Html {
  const { name, id, filter, texts } = entry
  const choices = new Set([...(filter.field.values ?? []).map(String), ...texts])
  const boxes = [...choices].map((value) => {
    const target = value === texts[0] ? html` id="${id}"` : ''
    const checked = texts.includes(value) ? html` checked` : ''
    const attributes = html`name="${name}" value="${value}"${checked}${describedBy(entry)}`
    const box = html`<input${target} type="checkbox" ${attributes}>`
    return html`<label>${box} <bdi>${visible(value)}</bdi></label>\n`
  })
  return html`${boxes}`
}

function controlOfFilter(entry: FilterEntry, { text, id, choices }: EntryValue): Html {
  const { name, filter } = entry
  const { field, operator } = filter
  // A chip leads to a control with a value.
  const target = text === '' ? '' : html` id="${id}"${describedBy(entry)}`
  const attributes = html`${target} name="${name}"${choices}`
  const isBoolean = field.type === 'boolean' || operator === 'null'
  const values = isBoolean ? [true, false] : field.values
  if (values !== undefined) return selectOf(values.map(String), text, attributes)
  const { type, isFit } = inputs.get(field.type) ?? plainInput
  // A browser shows no other text in such an input.
  const typeAttribute = text === '' || isFit.test(text) ? type : plainInput.type
  const value = text === '' ? '' : html` value="${text}"`
  return html`<input${attributes}${typeAttribute}${value}>`
}

interface FilterInput {
  readonly type: Html
  readonly isFit: RegExp
}

const plainInput: FilterInput = { type: html``, isFit: /(?:)/ }
const inputs: ReadonlyMap<string, FilterInput> = new Map([
  ['date', { type: html` type="date"`, isFit: /^\d{4}-\d\d-\d\d$/ }],
  ['integer', { type: html` type="number" step="1"`, isFit: /^-?\d{1,15}$/ }],
  ['number', { type: html` type="number" step="any"`, isFit: /^-?\d{1,15}(?:\.\d{1,15})?$/ }],
])

function selectOf(values: readonly string[], text: string, attributes: Html): Html {
  const all = ['', ...values, ...(text === '' || values.includes(text) ? [] : [text])]
  const options = all.map((value) => {
    const selected = value === text ? html` selected` : ''
    return html`<option value="${value}"${selected}>${value === '' ? 'any' : value}</option>`
  })
  return html`<select${attributes}>${options}</select>`
}
