import type { Collection } from '../../contract/resource/api.ts'
import type { SortField } from '../../contract/resource/operation.ts'
import type { Filter } from '../../contract/schema/filter.ts'
import { filtersIn } from '../../contract/values/related.ts'
import type { FilterField, FilterOperator } from '../../convention/filter-operators.ts'
import type { TargetPage } from '../data/page-data.ts'
import { filterPairsOf, type PageParameters, urlOf } from '../data/page-url.ts'
import { type Html, type HtmlContent, html } from '../html.ts'
import { nameOfText } from '../linked-value.ts'
import { visible } from '../value.ts'

type Words = Readonly<Record<Exclude<FilterOperator, 'null'>, string>>

const textWords: Words = {
  eq: 'is',
  ne: 'is not',
  gt: 'after',
  gte: 'from',
  lt: 'before',
  lte: 'up to',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  has: 'has',
}

const numberWords: Words = {
  ...textWords,
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
}

/** What the filters of some types of fields have in common. */
interface FilterStyle {
  readonly words: Words
  /** The operators that people use most, in their order. */
  readonly usual: readonly FilterOperator[]
}

const textStyle: FilterStyle = { words: textWords, usual: ['contains'] }
const numberStyle: FilterStyle = { words: numberWords, usual: ['gte', 'lte'] }
// People ask for a time before a day.
const timeStyle: FilterStyle = {
  words: { ...textWords, gte: 'on or after', lte: 'on or before' },
  usual: ['lt', 'gte'],
}

const styles: ReadonlyMap<FilterField['type'], FilterStyle> = new Map([
  ['number', numberStyle],
  ['integer', numberStyle],
  ['date', timeStyle],
  ['date-time', timeStyle],
  ['time', timeStyle],
])

function styleOf({ type }: Pick<FilterField, 'type'>): FilterStyle {
  return styles.get(type) ?? textStyle
}

/** Returns the words for an operator on a field: `before`, `is not`, `at least`. */
export function operatorWords(field: Pick<FilterField, 'type'>, operator: FilterOperator): string {
  return operator === 'null' ? 'is empty' : styleOf(field).words[operator]
}

/** Returns the operators that people use most on a field; `[]` where it lists its values. */
export function usualOperators(field: FilterField): readonly FilterOperator[] {
  return field.values === undefined ? styleOf(field).usual : []
}

/** Returns the word between the values of a filter: they are alternatives. */
export function wordBetween(operator: FilterOperator): string {
  return operator === 'ne' ? 'nor' : 'or'
}

/** Returns the id of the control of a filter in a page. */
export function filterIdOf(collection: Collection, name: string): string {
  return `filter-${[...filtersIn(collection).keys()].indexOf(name)}`
}

/**
 * Writes the filters and the order of the request as chips. A filter links its control, and a sort
 * field the other direction. Each has a link that removes it.
 */
export function chipsOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const chips = [...filterChips(page, parameters), ...sortChips(page, parameters)]
  if (chips.length === 0) return undefined
  return html`<ul class="chips" aria-label="Filters and order">${chips}</ul>`
}

/** Writes a link that drops the search, one for each filter, and one for all of them. */
export function dropLinksOf(page: TargetPage, parameters: PageParameters): Html {
  const { q } = parameters
  const urlWithout = (dropped: PageParameters) =>
    urlOf(page.target, page, { ...parameters, ...dropped })
  const search = html`the search for <bdi>${visible(q ?? '')}</bdi>`
  const links = [
    ...(q === undefined ? [] : [dropLink(urlWithout({ q: undefined }), search)]),
    ...filtersInWords(page, parameters).map(({ field, words, url }) =>
      dropLink(url, html`<bdi>${field}</bdi> <bdi>${words}</bdi>`),
    ),
  ]
  const bare = urlWithout({ q: undefined, where: undefined })
  const all = links.length > 1 ? dropLink(bare, html`all of them`) : undefined
  return html`<ul class="ends">${links}${all}</ul>`
}

function dropLink(url: string, label: Html): Html {
  return html`<li><a href="${url}">Drop ${label}</a></li>\n`
}

/** A filter of a request, in words. */
interface FilterInWords {
  readonly name: string
  readonly field: string
  /** The operator and the values: `before 1990-01-01`. */
  readonly words: string
  /** The URL of the page without the filter. */
  readonly url: string
}

function filtersInWords(page: TargetPage, parameters: PageParameters): readonly FilterInWords[] {
  const pairs = filterPairsOf(page)
  const filters = filtersIn(page.target.collection)
  return [...new Set(pairs.map(([name]) => name))].map((name) => {
    const values = pairs.filter(([pairName]) => pairName === name).map(([, value]) => value)
    const where = pairs.filter(([pairName]) => pairName !== name)
    const url = urlOf(page.target, page, { ...parameters, where })
    const filter = filters.get(name)
    const words = filter === undefined ? '' : phraseOf(page, filter, values)
    return { name, field: filter?.field.name ?? name, words, url }
  })
}

// The name of an item stands before its id.
function phraseOf(
  page: TargetPage,
  { field, operator }: Filter,
  values: readonly string[],
): string {
  if (operator === 'null') return values[0] === 'false' ? 'is not empty' : 'is empty'
  const written = values.map((value) => {
    const name = nameOfText(page, field.name, value)
    return visible(name === undefined ? value : `${name} (${value})`)
  })
  return `${operatorWords(field, operator)} ${written.join(` ${wordBetween(operator)} `)}`
}

function filterChips(page: TargetPage, parameters: PageParameters): readonly Html[] {
  return filtersInWords(page, parameters).map(({ name, field, words, url }) => {
    const control = `#${filterIdOf(page.target.collection, name)}`
    return chipOf({ field, words, url: control, title: 'Change it', without: url })
  })
}

function sortChips(page: TargetPage, parameters: PageParameters): readonly Html[] {
  const { sort = [] } = parameters
  const urlWith = (fields: readonly SortField[]) =>
    urlOf(page.target, page, { ...parameters, sort: fields.length === 0 ? undefined : fields })
  return sort.map((by) => {
    const isAscending = by.direction === 'asc'
    const turned = { ...by, direction: isAscending ? 'desc' : 'asc' } as const
    return chipOf({
      field: by.field,
      words: isAscending ? '↑' : '↓',
      url: urlWith(sort.map((candidate) => (candidate === by ? turned : candidate))),
      title: `Sort ${turned.direction}ending`,
      without: urlWith(sort.filter((candidate) => candidate !== by)),
    })
  })
}

interface Chip {
  readonly field: string
  readonly words: string
  readonly url: string
  readonly title: string
  /** The URL of the page without it. */
  readonly without: string
}

function chipOf({ field, words, url, title, without }: Chip): Html {
  const name = `Remove ${field} ${words}`
  const remove = html`<a href="${without}" aria-label="${name}" title="${name}">×</a>`
  const text = html`<b><bdi>${field}</bdi></b> <bdi>${words}</bdi>`
  return html`<li><a href="${url}" title="${title}">${text}</a> ${remove}</li>`
}
