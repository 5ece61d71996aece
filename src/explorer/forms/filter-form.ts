import type { Collection, RelatedResource } from '../../contract/resource/api.ts'
import { type Filter, filterPathOf } from '../../contract/schema/filter.ts'
import { filtersIn, relatedIn } from '../../contract/values/related.ts'
import {
  type FilterField,
  type FilterOperator,
  filterOperatorNames,
  filterOperators,
} from '../../convention/filter-operators.ts'
import type { WrittenPair } from '../../wire/filter.ts'
import { readParametersOf, type TargetPage } from '../data/page-data.ts'
import { filterPairsOf, pairsOfUrl, urlOf } from '../data/page-url.ts'
import { type Html, type HtmlContent, html } from '../html.ts'
import { suggestionsFor } from '../linked-value.ts'
import { textHtml, visible } from '../value.ts'
import { operatorWords } from './chips.ts'
import { hiddenInput } from './query-forms.ts'

/** Writes the form of the filters. It works without the script. */
export function filterFormOf(page: TargetPage): HtmlContent {
  const { target } = page
  const pairs = filterPairsOf(page)
  const filters = visibleFilters(page, pairs)
  if (filters.length === 0) return undefined
  const faults = faultsOf(page)
  const entries = filters.map(([name, filter], index) => ({
    ...{ name, filter, index, fault: faults.get(name) },
    texts: pairs.filter(([pairName]) => pairName === name).map(([, value]) => value),
  }))
  const { related } = target.collection
  const entriesOf = (owner?: RelatedResource) =>
    entries.filter(({ filter }) => relatedIn(filter.field.name, related) === owner)
  const isOpen = faults.size > 0 ? html` open` : ''
  return html`<details class="filters menu" name="menu"${isOpen}><summary>+ filter</summary>
<form method="get" action="${urlOf(target, page)}">
${otherPairs(page, filters, faults).map(hiddenInput)}
${fieldsOf(page, entriesOf())}
${related.map((owner) => relatedFieldsOf(page, owner, entriesOf(owner)))}
<p class="buttons"><button type="submit">Filter</button></p></form></details>`
}

function fieldsOf(page: TargetPage, entries: readonly FilterEntry[]): Html {
  return html`<div class="fields">${entries.map((entry) => fieldOfFilter(page, entry))}</div>`
}

// The fields of another resource unfold, so that they never hide those of this one.
function relatedFieldsOf(
  page: TargetPage,
  { reference }: RelatedResource,
  entries: readonly FilterEntry[],
): HtmlContent {
  if (entries.length === 0) return undefined
  const isUsed = entries.some(({ texts, fault }) => texts.length > 0 || fault !== undefined)
  return html`<details class="related-filters"${isUsed ? html` open` : ''}>
<summary><bdi>${reference.as}</bdi></summary>${fieldsOf(page, entries)}</details>\n`
}

type NamedFilter = readonly [name: string, filter: Filter]

// The form has one or two filters of each field, and those of the URL.
function visibleFilters(
  { target: { collection }, hidden }: TargetPage,
  pairs: readonly WrittenPair[],
): readonly NamedFilter[] {
  const names = new Set(pairs.map(([name]) => name))
  const all = [...filtersIn(collection)].filter(
    ([, { field }]) => !hidden.has(filterPathOf(field.name).field),
  )
  if (!all.some((filter) => isOffered(filter, collection))) return []
  const fields = new Set(all.map(([, { field }]) => field.name))
  return [...fields].flatMap((name) => {
    const filters = all.filter(([, { field }]) => field.name === name)
    const usual = filters.filter(([, { field, operator }]) =>
      usualOperators(field).includes(operator),
    )
    const base = usual.length > 0 ? usual : filters.slice(0, 1)
    return filters
      .filter(
        (filter) =>
          names.has(filter[0]) || (isOffered(filter, collection) && base.includes(filter)),
      )
      .toSorted((left, right) => rankOf(left) - rankOf(right))
  })
}

// Without those that only some callers may send: of another resource, no page knows which.
function isOffered([, { field }]: NamedFilter, { resource, related }: Collection): boolean {
  const owner = relatedIn(field.name, related)
  if (owner === undefined) return resource.filterable.includes(field)
  const { field: name } = filterPathOf(field.name.slice(owner.reference.as.length + 1))
  return !owner.resource.restricted.includes(name)
}

const numbers: readonly string[] = ['number', 'integer']
const times: readonly string[] = ['date', 'date-time', 'time']

// People ask for a time before a day, and for a number up to another.
function usualOperators({ type, values }: FilterField): readonly FilterOperator[] {
  if (values !== undefined) return []
  if (times.includes(type)) return ['lt', 'gte']
  return numbers.includes(type) ? ['gte', 'lte'] : ['contains']
}

// The usual filters come first, in their order.
function rankOf([, { field, operator }]: NamedFilter): number {
  const rank = usualOperators(field).indexOf(operator)
  return rank < 0 ? filterOperatorNames.length : rank
}

// The other parameters of the request, without those that have to change.
function otherPairs(
  page: TargetPage,
  filters: readonly NamedFilter[],
  faults: ReadonlyMap<string, unknown>,
): readonly WrittenPair[] {
  const { target, settings } = page
  const parameterNames = readParametersOf(target, settings) ?? []
  const seen = new Set<string>()
  const filterNames = new Set(filters.map(([name]) => name))
  const wholeNames = new Set(
    filters.filter(([, filter]) => takesChoices(filter)).map(([name]) => name),
  )
  return pairsOfUrl(page).filter(([name, value]) => {
    const isFirst = !seen.has(name)
    seen.add(name)
    // Another page begins at its start.
    const isPosition = name === 'after' || name === 'offset'
    if (!parameterNames.includes(name) || isPosition || value === '') return false
    if (filterNames.has(name)) return !isFirst && !wholeNames.has(name)
    return !faults.has(name)
  })
}

function faultsOf({ problem }: TargetPage): ReadonlyMap<string, string> {
  const issues = problem?.members.issues ?? []
  return new Map(issues.map(({ parameter = '', message }) => [parameter, message]))
}

interface FilterEntry {
  readonly name: string
  /** The place among the filters of the form. */
  readonly index: number
  readonly filter: Filter
  readonly texts: readonly string[]
  /** The message of the problem with it. */
  readonly fault: string | undefined
}

function fieldOfFilter(page: TargetPage, entry: FilterEntry): Html {
  const { filter, fault, index } = entry
  const { field, operator } = filter
  const id = `filter-${index}`
  const label = html`<bdi>${field.name}</bdi> <small>${operatorWords(field, operator)}</small>`
  const note = fault && html`\n<p class="fault" id="${id}-fault">${textHtml(fault)}</p>`
  const described = fault ? html` aria-invalid="true" aria-describedby="${id}-fault"` : ''
  if (takesChoices(filter)) {
    return html`<fieldset class="field choices" id="${id}"><legend>${label}</legend>
${checkboxesOf(entry, described)}${note}</fieldset>`
  }
  const isId = operator === 'eq' || operator === 'ne'
  const suggestions = isId ? suggestionsFor(page, field.name, `${id}-list`) : undefined
  const list = suggestions && html` list="${id}-list"`
  const attributes = html`id="${id}" name="${entry.name}"${list}${described}`
  return html`<div class="field"><label for="${id}">${label}</label>
${controlOfFilter(entry, attributes)}${suggestions}${note}</div>`
}

// A longer list of values is a menu.
const maxChoices = 12

function takesChoices({ field: { values }, operator }: Filter): boolean {
  return values !== undefined && values.length <= maxChoices && filterOperators[operator].repeats
}

function checkboxesOf({ name, filter, texts }: FilterEntry, described: HtmlContent): Html {
  const choices = new Set([...(filter.field.values ?? []).map(String), ...texts])
  const boxes = [...choices].map((value) => {
    const checked = texts.includes(value) ? html` checked` : ''
    const attributes = html`type="checkbox" name="${name}" value="${value}"${checked}${described}`
    return html`<label><input ${attributes}> <bdi>${visible(value)}</bdi></label>\n`
  })
  return html`${boxes}`
}

function controlOfFilter({ filter, texts }: FilterEntry, attributes: Html): Html {
  const { field, operator } = filter
  const [text = ''] = texts
  const isBoolean = field.type === 'boolean' || operator === 'null'
  const values = isBoolean ? [true, false] : field.values
  if (values !== undefined) return selectOf(values.map(String), text, attributes)
  const { type, isFit } = inputs.get(field.type) ?? plainInput
  // A browser shows no other text in such an input.
  const typeAttribute = text === '' || isFit.test(text) ? type : html`type="text"`
  return html`<input ${attributes} ${typeAttribute} value="${text}" autocomplete="off">`
}

interface FilterInput {
  readonly type: Html
  readonly isFit: RegExp
}

const plainInput: FilterInput = { type: html`type="text"`, isFit: /(?:)/ }
const inputs: ReadonlyMap<string, FilterInput> = new Map([
  ['date', { type: html`type="date"`, isFit: /^\d{4}-\d\d-\d\d$/ }],
  ['integer', { type: html`type="number" step="1"`, isFit: /^-?\d{1,15}$/ }],
  ['number', { type: html`type="number" step="any"`, isFit: /^-?\d{1,15}(?:\.\d{1,15})?$/ }],
])

function selectOf(values: readonly string[], text: string, attributes: Html): Html {
  const all = ['', ...values, ...(text === '' || values.includes(text) ? [] : [text])]
  const options = all.map((value) => {
    const selected = value === text ? html` selected` : ''
    return html`<option value="${value}"${selected}>${value === '' ? 'any' : value}</option>`
  })
  return html`<select ${attributes}>${options}</select>`
}
