import type { SortField } from '../contract/resource/operation.ts'
import { maxSortFields } from '../convention/limits.ts'
import { fieldOf } from '../convention/value.ts'
import { formFieldsOf } from './fields.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { linkedValue, linkToId } from './linked-value.ts'
import type { TargetPage } from './page-data.ts'
import { type PageParameters, urlOf, withoutPosition } from './page-url.ts'
import { tooltipOf } from './value.ts'

// The page of an item shows more fields.
const maxColumns = 30

/** Writes items as a table. A heading links to the sorted list, an id to its item. */
export function tableOf(
  page: TargetPage,
  items: readonly object[],
  parameters: PageParameters,
): Html {
  const { collection } = page.target
  const { fields, include = [] } = parameters
  const fieldNames = columnsOf(page, items)
  const isShown = (name: string) => name === 'id' || !fields || fields.includes(name)
  // Members beside the id: the page may leave out the last columns.
  const all = [...new Set(['id', ...include, ...fieldNames.filter(isShown)])]
  const columns = all.slice(0, maxColumns)
  const headings = columns.map((field) => headingOf(page, field, parameters))
  const lines = items.map((item) => {
    const cells = columns.map((field) => cellOf(page, item, field))
    return html`<tr>${cells}</tr>\n`
  })
  const more = all.length - columns.length
  const note = html`<p class="note">Each item has ${more} more fields.
Its own page shows them.</p>`
  return html`<div class="scroll" role="region" aria-labelledby="items-caption" tabindex="0">
<table class="items">
<caption id="items-caption" class="hidden">${collection.resource.name}</caption>
<thead><tr>${headings}</tr></thead>
<tbody>${lines}</tbody></table></div>
${more > 0 ? note : ''}`
}

/** Returns the fields of items, `id` first, from the schema, else from the items. */
function columnsOf({ settings, target, hidden }: TargetPage, items: readonly object[]): string[] {
  const { resource } = target.collection
  const schemaFields = formFieldsOf(settings.schemaOf(resource.schema, 'output'))?.map(
    ({ name }) => name,
  )
  const names = new Set(schemaFields ?? items.flatMap((item) => Object.keys(item)))
  for (const name of ['id', ...hidden]) names.delete(name)
  return ['id', ...names]
}

function headingOf(page: TargetPage, field: string, parameters: PageParameters): Html {
  const { collection } = page.target
  const name = html`<bdi>${field}</bdi>`
  const isSortable = field === 'id' || collection.resource.sortable.includes(field)
  if (!isSortable) return html`<th scope="col">${name}</th>`
  const { sort = [] } = parameters
  const index = sort.findIndex((by) => by.field === field)
  const direction = sort[index]?.direction
  const next = toggled(sort, field)
  const newParameters = {
    ...withoutPosition(parameters),
    sort: next.length === 0 ? undefined : next,
  }
  const url = urlOf(page.target, page, newParameters)
  // Only one column may have `aria-sort`; the rest has a text.
  const aria = index === 0 ? html` aria-sort="${direction}ending"` : ''
  const link = html`<a class="sort" href="${url}">${name}${signOf(index, sort)}</a>`
  return html`<th scope="col"${aria}>${link}</th>`
}

function signOf(index: number, sort: readonly SortField[]): HtmlContent {
  const by = sort[index]
  if (by === undefined) return html`<span class="sign" aria-hidden="true">↕</span>`
  const arrow = by.direction === 'asc' ? '↑' : '↓'
  const words = index === 0 ? '' : html`<span class="hidden"> (then ${by.direction}ending)</span>`
  const position = sort.length > 1 ? index + 1 : ''
  return html`<span class="sign is-on" aria-hidden="true">${arrow}${position}</span>${words}`
}

// A click sorts ascending, first of all fields; then descending; then no longer by this field.
function toggled(sort: readonly SortField[], field: string): readonly SortField[] {
  const now = sort.find((by) => by.field === field)
  if (now === undefined)
    return [{ field, direction: 'asc' } as const, ...sort].slice(0, maxSortFields)
  if (now.direction === 'desc') return sort.filter((by) => by !== now)
  return sort.map((by) => (by === now ? { field, direction: 'desc' } : by))
}

function cellOf(page: TargetPage, item: object, field: string): Html {
  const value = fieldOf(item, field)
  const tooltip = tooltipOf(value)
  const title = tooltip === undefined ? '' : html` title="${tooltip}"`
  if (field !== 'id') return html`<td${title}>${linkedValue(page, item, field)}</td>`
  return html`<th scope="row"${title}>${linkToId(page, page.target, value)}</th>`
}
