import { type Filter, filtersOf } from '../../contract/schema/filter.ts'
import { listOf } from '../../contract/schema/json-schema.ts'
import {
  type FilterField,
  type FilterOperator,
  filterOperators,
} from '../../convention/filter-operators.ts'
import { maxSearchLength } from '../../convention/limits.ts'
import {
  type ParameterName,
  type ParameterRow,
  parameters as table,
} from '../../convention/operations.ts'
import type { WrittenPair } from '../../wire/filter.ts'
import { formatQuery } from '../../wire/query.ts'
import { readParametersOf, readRowsOf, type TargetPage } from '../data/page-data.ts'
import {
  filterPairsOf,
  type PageParameters,
  pairsOfUrl,
  urlOf,
  withoutPosition,
} from '../data/page-url.ts'
import { type Html, type HtmlContent, html } from '../html.ts'
import { textHtml, visible } from '../value.ts'
import { operatorWords } from './chips.ts'

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
  const what = `Search ${collection.resource.searchable.join(', ')}`
  const fields = texts.map((name) => {
    const label = 'needs' in table[name] ? what : name
    const value = html`value="${String(parameters[name] ?? '')}"`
    const attributes = html`maxlength="${maxSearchLength}" ${value} autocomplete="off"`
    const names = html`placeholder="${label}" title="${label}"`
    return html`<label for="${name}" class="hidden">${label}</label>
<input id="${name}" type="search" name="${name}" ${attributes} ${names}>`
  })
  return html`<form class="search" role="search" method="get" action="${urlOf(target, page)}">
${hidden}
${fields}
<button type="submit">Search</button>${clear}</form>`
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
    return html`<details class="menu"><summary>+ related</summary>
<form class="includes" method="get" action="${urlOf(target, page)}">
${pairsWithLimit(page, name).map(hiddenInput)}<fieldset><legend>With each item</legend>
${choices}<button type="submit">Show</button></fieldset></form></details>`
  })
}

function isIncluding(name: ParameterName): boolean {
  const row: ParameterRow = table[name]
  return row.names === 'includes'
}

/** Writes a form that chooses the columns of a table. It works without the script. */
export function columnsFormOf(
  page: TargetPage,
  names: readonly string[],
  fields: readonly string[] | undefined,
): HtmlContent {
  const { target, settings } = page
  if (names.length === 0 || !readRowsOf(target, settings)?.includes('fields')) return undefined
  const choices = names.map((name) => {
    const checked = fields === undefined || fields.includes(name) ? html` checked` : ''
    const attributes = html`type="checkbox" name="fields" value="${name}"${checked}`
    return html`<label><input ${attributes}> <bdi>${name}</bdi></label>\n`
  })
  const others = pairsOfUrl(page).filter(([name, value]) => name !== 'fields' && value !== '')
  return html`<details class="menu"><summary>columns</summary>
<form class="columns" method="get" action="${urlOf(target, page)}">
${others.map(hiddenInput)}<fieldset><legend>Columns</legend>
${choices}<button type="submit">Show</button></fieldset></form></details>`
}

// Items of a request of an export.
const maxExported = 1000

/** Writes a form that exports all that matches. It needs the script. */
export function exportFormOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  if (!readRowsOf(target, settings)?.includes('limit')) return undefined
  const limit = Math.min(target.collection.resource.maxLimit, maxExported)
  const list = { ...withoutPosition(parameters), include: undefined, limit }
  const url = urlOf(target, page, list)
  const buttons = ['csv', 'json'].map((format) => {
    const data = html`data-format="${format}" data-export="${url}"`
    return html`<button type="button" ${data}>${format.toUpperCase()}</button>\n`
  })
  return html`<details class="menu needs-script" hidden><summary>export</summary>
<form class="columns"><fieldset><legend>All that matches, as</legend>
${buttons}</fieldset></form></details>`
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
    texts: pairs.filter(([pairName]) => pairName === name).map(([, value]) => value),
    fault: faults.get(name),
  }))
  const isOpen = faults.size > 0 ? html` open` : ''
  return html`<details class="filters menu"${isOpen}><summary>+ filter</summary>
<form method="get" action="${urlOf(target, page)}">
${otherPairs(page, filters, faults).map(hiddenInput)}
<div class="fields">${entries.map(fieldOfFilter)}</div>
<p class="buttons"><button type="submit">Filter</button></p></form></details>`
}

// A form sends a hidden input unchanged.
function hiddenInput([name, value]: WrittenPair): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
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
  readonly filter: Filter
  readonly texts: readonly string[]
  /** The message of the problem with it. */
  readonly fault: string | undefined
}

function fieldOfFilter(entry: FilterEntry, index: number): Html {
  const { filter, fault } = entry
  const { field, operator } = filter
  const id = `filter-${index}`
  const label = html`<bdi>${field.name}</bdi> <small>${operatorWords(field, operator)}</small>`
  const note = fault && html`\n<p class="fault" id="${id}-fault">${textHtml(fault)}</p>`
  const described = fault ? html` aria-invalid="true" aria-describedby="${id}-fault"` : ''
  if (takesChoices(filter)) {
    return html`<fieldset class="field choices" id="${id}"><legend>${label}</legend>
${checkboxesOf(entry, described)}${note}</fieldset>`
  }
  const attributes = html`id="${id}" name="${entry.name}"${described}`
  return html`<div class="field"><label for="${id}">${label}</label>
${controlOfFilter(entry, attributes)}${note}</div>`
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
