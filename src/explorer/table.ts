import type { Collection } from '../model/api.ts'
import { maxSortFields } from '../model/convention.ts'
import { fieldOf, type SortField } from '../model/operation.ts'
import type { Parameters } from '../wire/parameters.ts'
import { formatQuery } from '../wire/query.ts'
import { fieldsOf } from './fields.ts'
import { type Content, type Html, html } from './html.ts'
import { type Site, textOfId, urlOf, type Visit, type VisitOf } from './site.ts'
import { showValue, wideTextOf } from './value.ts'

// More are on the page of the item.
const mostColumns = 30

/** Writes items as a table: a column a field, sorted by a click on its heading, each id a link to its item. */
export function tableOf(visit: VisitOf, items: readonly object[], parameters: Parameters): Html {
  const { collection } = visit.target
  const all = columnsOf(visit.site, collection, items)
  const columns = all.slice(0, mostColumns)
  const headings = columns.map((field) => headingOf(visit, field, parameters))
  const lines = items.map((item) => {
    const cells = columns.map((field) => cellOf(visit, item, field))
    return html`<tr>${cells}</tr>\n`
  })
  const more = all.length - columns.length
  return html`<div class="scroll" role="region" aria-labelledby="items-caption" tabindex="0">
<table class="items"><caption id="items-caption" class="hidden">${collection.resource.name}</caption>
<thead><tr>${headings}</tr></thead>
<tbody>${lines}</tbody></table></div>
${more > 0 ? html`<p class="note">Each item has ${more} more fields, which its own page shows.</p>` : ''}`
}

/** The fields of a resource's items, `id` first: as its schema tells, else as the items have them. */
function columnsOf(site: Site, { resource }: Collection, items: readonly object[]): string[] {
  const known = fieldsOf(site.schemaOf(resource.schema, 'output'))?.map(({ name }) => name)
  const names = new Set(known ?? items.flatMap((item) => Object.keys(item)))
  names.delete('id')
  return ['id', ...names]
}

function headingOf(visit: VisitOf, field: string, parameters: Parameters): Html {
  const { collection } = visit.target
  const name = html`<bdi>${field}</bdi>`
  if (!collection.resource.sortable.includes(field)) return html`<th scope="col">${name}</th>`
  const { sort = [] } = parameters
  const place = sort.findIndex((by) => by.field === field)
  const direction = sort[place]?.direction
  const { after: _, sort: __, ...kept } = parameters
  const next = toggled(sort, field)
  const query = formatQuery(next.length === 0 ? kept : { ...kept, sort: next })
  const url = urlOf(visit.target, visit) + (query === '' ? '' : `?${query}`)
  // One column at most may have `aria-sort`; the others say it in words.
  const aria = place === 0 ? html` aria-sort="${direction}ending"` : ''
  return html`<th scope="col"${aria}><a class="sort" href="${url}">${name}${signOf(place, sort)}</a></th>`
}

function signOf(place: number, sort: readonly SortField[]): Content {
  const by = sort[place]
  if (by === undefined) return html`<span class="sign" aria-hidden="true">↕</span>`
  const arrow = by.direction === 'asc' ? '↑' : '↓'
  const words = place === 0 ? '' : html`<span class="hidden"> (then ${by.direction}ending)</span>`
  return html`<span class="sign is-on" aria-hidden="true">${arrow}${sort.length > 1 ? place + 1 : ''}</span>${words}`
}

// Ascending and first, then descending, then not at all; the other fields stay behind it.
function toggled(sort: readonly SortField[], field: string): readonly SortField[] {
  const now = sort.find((by) => by.field === field)
  if (now === undefined)
    return [{ field, direction: 'asc' } as const, ...sort].slice(0, maxSortFields)
  if (now.direction === 'desc') return sort.filter((by) => by !== now)
  return sort.map((by) => (by === now ? { field, direction: 'desc' } : by))
}

function cellOf(visit: VisitOf, item: object, field: string): Html {
  const value = fieldOf(item, field)
  const whole = wideTextOf(value)
  const title = whole === undefined ? '' : html` title="${whole}"`
  if (field !== 'id') return html`<td${title}>${linkedValue(visit, field, value)}</td>`
  const { collection, parents } = visit.target
  return html`<th scope="row"${title}>${linkOf(visit, { collection, parents }, value)}</th>`
}

/** Shows a field's value; one that names the item which owns, as `company_id` does, as a link to that. */
export function linkedValue(visit: VisitOf, field: string, value: unknown): Html {
  const owner = ownerBy(visit.target.collection, field, visit.site)
  return owner === undefined || value === undefined || value === null
    ? showValue(value)
    : linkOf(visit, { collection: owner, parents: [] }, value)
}

/** Shows an id as a link to its item, where it can be one. */
function linkOf(
  visit: Visit,
  { collection, parents }: { readonly collection: Collection; readonly parents: readonly string[] },
  value: unknown,
): Html {
  const id = textOfId(collection, value)
  if (id === undefined) return showValue(value)
  const url = urlOf({ kind: 'item', collection, parents, id }, visit)
  return html`<a href="${url}"><bdi>${id}</bdi></a>`
}

// A collection at the top whose items own this resource's, in the same version, by that field.
function ownerBy(
  { resource, version }: Collection,
  field: string,
  { registry }: Site,
): Collection | undefined {
  return registry.api.collections.find(
    (other) =>
      other.resource === resource &&
      other.version === version &&
      other.parameters.length === 1 &&
      other.parameters[0] === field,
  )?.ancestors[0]
}
