import { type Filter, filtersOf } from '../contract/schema/filter.ts'
import { listOf } from '../contract/schema/json-schema.ts'
import type { FilterField, FilterOperator } from '../convention/filter-operators.ts'
import { maxSearchLength } from '../convention/limits.ts'
import {
  type ParameterName,
  type ParameterRow,
  parameters as table,
} from '../convention/operations.ts'
import type { WrittenPair } from '../wire/filter.ts'
import { formatQuery } from '../wire/query.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { readParametersOf, readRowsOf, type TargetPage } from './page-data.ts'
import {
  filterPairsOf,
  type PageParameters,
  pairsOfUrl,
  urlOf,
  withoutPosition,
} from './page-url.ts'
import { textHtml } from './value.ts'

/** Writes the form of the search, with a field for each parameter of text. */
export function searchFormOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  const { collection } = target
  const rows = readRowsOf(target, settings) ?? []
  const texts = rows.filter((name) => table[name].type === 'text')
  if (texts.length === 0) return undefined
  const entries = Object.entries(withoutPosition(parameters)).filter(
    ([name]) => !texts.some((text) => text === name),
  )
  const hiddenParameters: PageParameters = Object.fromEntries(entries)
  const hidden = [...new URLSearchParams(formatQuery(hiddenParameters))].map(hiddenInput)
  const isClear = texts.every((name) => parameters[name] === undefined)
  const clear = isClear ? '' : html` <a href="${urlOf(target, page, hiddenParameters)}">Clear</a>`
  const fields = texts.map((name) => {
    const what = html`Search <small>${collection.resource.searchable.join(', ')}</small>`
    const value = html`value="${String(parameters[name] ?? '')}"`
    const attributes = html`maxlength="${maxSearchLength}" ${value} autocomplete="off"`
    const button = html`\n<button type="submit">Search</button>${clear}`
    return html`<label for="${name}">${'needs' in table[name] ? what : name}</label>
<div class="entry"><input id="${name}" type="search" name="${name}" ${attributes}>${
      name === texts.at(-1) ? button : ''
    }</div>`
  })
  return html`<form class="search" role="search" method="get" action="${urlOf(target, page)}">
${hidden}
${fields}</form>`
}

/** Writes a form that chooses the items to include. It works without the script. */
export function includesFormOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  const names = (readRowsOf(target, settings) ?? []).filter(isIncluding)
  if (names.length === 0) return undefined
  return names.map((name) => {
    const choices = target.collection.includes.map((member) => {
      const checked = listOf(parameters[name]).includes(member) ? html` checked` : ''
      const attributes = html`type="checkbox" name="${name}" value="${member}"${checked}`
      return html`<label><input ${attributes}> <bdi>${member}</bdi></label>\n`
    })
    return html`<form class="includes" method="get" action="${urlOf(target, page)}">
${pairsWithLimit(page, name).map(hiddenInput)}<fieldset><legend>${name}</legend>
${choices}<button type="submit">Show</button></fieldset></form>`
  })
}

function isIncluding(name: ParameterName): boolean {
  const row: ParameterRow = table[name]
  return row.names === 'includes'
}

// A list with included items needs a limit. The page sends one.
function pairsWithLimit(page: TargetPage, name: ParameterName): readonly WrittenPair[] {
  const limit = /[?&]limit=(\d+)/.exec(page.sent.url)?.[1]
  const pairs = pairsOfUrl(page).filter(
    ([pairName, value]) => pairName !== name && pairName !== 'limit' && value !== '',
  )
  return limit === undefined ? pairs : [...pairs, ['limit', limit]]
}

/** Writes the form of the filters. It works without the script. */
export function filterFormOf(page: TargetPage): HtmlContent {
  const { target } = page
  const pairs = filterPairsOf(page)
  const filters = visibleFilters(page, pairs)
  if (filters.length === 0) return undefined
  const faults = faultsOf(page)
  const entries = filters.map(([name, filter]) => ({
    name,
    filter,
    text: pairs.find(([pairName]) => pairName === name)?.[1] ?? '',
    fault: faults.get(name),
  }))
  const isOpen = pairs.length > 0 ? html` open` : ''
  return html`<details class="filters"${isOpen}><summary>Filters</summary>
<form method="get" action="${urlOf(target, page)}">
${otherPairs(page, filters, faults).map(hiddenInput)}
<div class="fields">${entries.map(fieldOfFilter)}</div>
<p class="buttons"><button type="submit">Filter</button></p></form></details>`
}

// A form sends a hidden input unchanged.
function hiddenInput([name, value]: WrittenPair): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** Writes the filters of the request, each with a link that removes it. */
export function activeFiltersOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const pairs = filterPairsOf(page)
  if (pairs.length === 0) return undefined
  const lines = pairs.map((pair) => {
    const [name, value] = pair
    const url = urlOf(page.target, page, {
      ...parameters,
      where: pairs.filter((candidate) => candidate !== pair),
    })
    const label = html`aria-label="Remove ${name}=${value}"`
    const link = html`<a href="${url}" ${label}>Remove</a>`
    return html`<li><code>${name}</code> ${textHtml(value)} ${link}</li>`
  })
  return html`<ul class="active-filters" aria-label="Filters of this page">${lines}</ul>`
}

type NamedFilter = readonly [name: string, filter: Filter]

// The form has one or two filters of each field, and those of the URL.
function visibleFilters(
  { target, hidden }: TargetPage,
  pairs: readonly WrittenPair[],
): readonly NamedFilter[] {
  const { resource } = target.collection
  if (resource.filterable.length === 0) return []
  const names = new Set(pairs.map(([name]) => name))
  const all = [...filtersOf(resource)].filter(([, { field }]) => !hidden.has(field.name))
  const fields = new Set(all.map(([, { field }]) => field))
  return [...fields].flatMap((field) => {
    const filters = all.filter(([, filter]) => filter.field === field)
    const usual = filters.filter(([, { operator }]) => usualOperators(field).includes(operator))
    const [first] = filters
    const isListed = resource.filterable.includes(field)
    const base = usual.length > 0 || first === undefined ? usual : [first]
    return filters.filter((filter) => names.has(filter[0]) || (isListed && base.includes(filter)))
  })
}

const ranges: readonly string[] = ['number', 'integer', 'date', 'date-time', 'time']

function usualOperators({ type, values }: FilterField): readonly FilterOperator[] {
  if (values !== undefined) return []
  return ranges.includes(type) ? ['gte', 'lte'] : ['contains']
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
  return pairsOfUrl(page).filter(([name, value]) => {
    const isFirst = !seen.has(name)
    seen.add(name)
    // Another page begins at its start.
    const isPosition = name === 'after' || name === 'offset'
    if (!parameterNames.includes(name) || isPosition || value === '') return false
    return filterNames.has(name) ? !isFirst : !faults.has(name)
  })
}

function faultsOf({ problem }: TargetPage): ReadonlyMap<string, string> {
  const issues = problem?.members.issues ?? []
  return new Map(issues.map(({ parameter = '', message }) => [parameter, message]))
}

interface FilterEntry {
  readonly name: string
  readonly filter: Filter
  readonly text: string
  /** The message of the problem with it. */
  readonly fault: string | undefined
}

const words: Partial<Record<FilterOperator, string>> = { gte: 'from', lte: 'to' }

function fieldOfFilter(entry: FilterEntry, index: number): Html {
  const { filter, fault } = entry
  const { field, operator } = filter
  const id = `filter-${index}`
  const word = operator === 'eq' ? '' : html` <small>${words[operator] ?? operator}</small>`
  const note = fault && html`\n<p class="fault" id="${id}-fault">${textHtml(fault)}</p>`
  const described = fault ? html` aria-invalid="true" aria-describedby="${id}-fault"` : ''
  const attributes = html`id="${id}" name="${entry.name}"${described}`
  return html`<div class="field"><label for="${id}"><bdi>${field.name}</bdi>${word}</label>
${controlOfFilter(entry, attributes)}${note}</div>`
}

function controlOfFilter({ filter: { field }, text }: FilterEntry, attributes: Html): Html {
  const values = field.type === 'boolean' ? [true, false] : field.values
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
