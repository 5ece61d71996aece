import type { Target } from '../contract/resource/api.ts'
import { filterNameOf } from '../contract/schema/filter.ts'
import { filtersIn } from '../contract/values/related.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import type { WrittenPair } from '../wire/filter.ts'
import { readRowsOf, type TargetPage } from './data/page-data.ts'
import { filterPairsOf, type PageParameters, targetAt, urlOf } from './data/page-url.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { nameAt } from './linked-value.ts'
import { excerptHtml, valueHtml } from './value.ts'

// A page counts no further fields by itself.
const maxFacets = 4

/**
 * Writes a line for each field that the resource counts by, still without numbers: the script
 * reads them after the page is shown. Each name links to the page of the count.
 */
export function facetsOf(page: TargetPage, { q }: PageParameters): HtmlContent {
  const { target, settings, hidden } = page
  const { countable, restricted, total } = target.collection.resource
  const count = targetAt(target, 'count')
  if (total === false || !readRowsOf(count, settings)?.includes('by')) return undefined
  const fields = countable.filter((name) => !restricted.includes(name) && !hidden.has(name))
  if (fields.length === 0) return undefined
  const links = fields.map((field) => {
    const where = withoutFields([field], page)
    const url = urlOf(count, page, { q, where, by: [field] })
    return { field, link: html`<a href="${url}"><bdi>${field}</bdi></a>` }
  })
  const lines = links
    .slice(0, maxFacets)
    .map(({ field, link }) => html`<li data-facet="${field}">${link}</li>\n`)
  const others = links.slice(maxFacets).map(({ link }) => html` ${link}`)
  const line = others.length === 0 ? undefined : html`<li>Count by${others}</li>`
  return html`<ul class="facets" aria-label="Counts by value">${lines}${line}</ul>`
}

// A facet counts the items of each value, also of those that the page filters out.
function withoutFields(fields: readonly string[], page: TargetPage): readonly WrittenPair[] {
  const filters = filtersIn(page.target.collection)
  return filterPairsOf(page).filter(([name]) => {
    const field = filters.get(name)?.field.name
    return field === undefined || !fields.includes(field)
  })
}

/** Writes the groups of a count, each with a link to its items. */
export function groupsOf(page: TargetPage, { q, by = [] }: PageParameters): HtmlContent {
  const { body, target } = page
  const groups: unknown = fieldOf(Object(body), 'groups')
  if (!Array.isArray(groups)) return undefined
  const remaining = withoutFields(by, page)
  const lines = groups.filter(isRecord).map((group) => {
    const label = by.map((field, index) => [index > 0 ? ' · ' : '', labelOf(page, group, field)])
    const pairs = by.map((field) => pairOf(target, field, fieldOf(group, field)))
    const isWhole = pairs.every((pair) => pair !== undefined)
    const where = [...remaining, ...pairs.flatMap((pair) => (pair ? [pair] : []))]
    const url = urlOf(targetAt(target), page, { q, where })
    const text = isWhole ? html`<a href="${url}">${label}</a>` : html`<span>${label}</span>`
    const number = Number(fieldOf(group, 'count')).toLocaleString('en')
    return html`<li>${text} <small>${number}</small></li>\n`
  })
  const isCut = fieldOf(Object(body), 'more') === true
  const number = groups.length.toLocaleString('en')
  const note = isCut
    ? html`<p class="note">These are the ${number} largest groups.
A search or a filter leads to others.</p>`
    : undefined
  return html`<ul class="groups" aria-label="By ${by.join(' and ')}">${lines}</ul>${note}`
}

function labelOf(page: TargetPage, group: object, field: string): Html {
  const value = fieldOf(group, field)
  const name = nameAt(page, field, value)
  if (typeof value === 'string' && value !== '') return excerptHtml(name ?? value)
  return name === undefined ? valueHtml(value ?? null) : excerptHtml(name)
}

// The filter of a group's items. A form sends no empty text.
function pairOf(target: Target, field: string, value: unknown): WrittenPair | undefined {
  const filters = filtersIn(target.collection)
  const name = filterNameOf(field, value === null ? 'null' : 'eq')
  const text = value === null ? 'true' : `${value}`
  return filters.has(name) && text !== '' ? [name, text] : undefined
}
