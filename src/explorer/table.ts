import { lastNounOf } from '../contract/resource/api.ts'
import type { SortField } from '../contract/resource/operation.ts'
import { dateOf, isMoment } from '../convention/format.ts'
import { maxSortFields } from '../convention/limits.ts'
import { fieldOf } from '../convention/value.ts'
import { methodsFor } from '../wire/path.ts'
import { readParametersOf, type TargetPage } from './data/page-data.ts'
import { idText, itemAt, type PageParameters, urlOf, withoutPosition } from './data/page-url.ts'
import { type FormField, fieldsByName } from './forms/fields.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { linkedId, nameFieldIn, orderOfNames } from './linked-value.ts'
import { valueHtml, visible } from './value.ts'

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
  const known = fieldsByName(page.settings.schemaOf(collection.resource.schema, 'output'))
  const fieldNames = columnsOf(page, items, known)
  const isShown = (name: string) => name === 'id' || !fields || fields.includes(name)
  // Members beside the id: the page may leave out the last columns.
  const shown = fieldNames.filter(isShown)
  // The card of a phone, and the question of a deletion, take the second column for the name.
  const name = nameFieldIn(collection.resource, shown)
  const first = name === undefined ? ['id'] : ['id', name]
  const all = [...new Set([...first, ...include, ...shown])]
  const columns = all.slice(0, maxColumns).map((name) => ({ name, field: known.get(name) }))
  const headings = columns.map(({ name }) => headingOf(page, name, parameters))
  const rows = items.map((item) => columns.map((column) => cellOf(page, item, column)))
  const lines = rows.map((cells) => html`<tr>${cells}\n`)
  const classes = columns.map((column, index) => {
    const length = lengthOf(rows.flatMap((cells) => cells[index] ?? []))
    return classesOf(column, index, Math.max(length, column.name.length + signLength))
  })
  const more = all.length - columns.length
  const note = html`<p class="note">Each item has ${more} more fields.
Its own page shows them.</p>`
  const region = html`role="region" aria-labelledby="items-caption" tabindex="0"`
  return html`<div class="scroll" ${region}${selectionOf(page)}>
<table class="items${classes.join('')}">
<caption id="items-caption" class="hidden">${lastNounOf(collection)}</caption>
<thead><tr>${headings}</tr></thead>
<tbody>${lines}</tbody></table></div>
${more > 0 ? note : ''}`
}

// The script adds a box to each row where a list takes ids.
function selectionOf({ target, settings, base }: TargetPage): HtmlContent {
  if (!readParametersOf(target, settings)?.includes('id')) return undefined
  const { registry } = settings
  const { kinds } = methodsFor(target, registry)
  const deletes = kinds.get('DELETE?') === 'deleteMany' ? html` data-deletes` : ''
  const most = Math.min(target.collection.resource.maxLimit, registry.limits.bulk)
  return html` data-list="${urlOf(target, { base })}" data-most="${most}"${deletes}`
}

// The sign of the order, behind the name.
const signLength = 2

// Widths of columns: for at most so many characters. The class of a width without letter is none.
const widths = [
  [6, 's'],
  [11, ''],
  [18, 'l'],
  [Number.POSITIVE_INFINITY, 'x'],
] as const

// The style sheet has a width and a side for the columns of these classes: `n3` is the third.
function classesOf(column: Column, index: number, length: number): string {
  const width = widths.find(([maxLength]) => length <= maxLength)?.[1] ?? ''
  // The page of an item shows a long id.
  const letter = index === 0 && width === 'x' ? 'l' : width
  const side = index > 0 && isNumeric(column) ? ` n${index + 1}` : ''
  return `${letter && ` ${letter}${index + 1}`}${side}`
}

// The most characters of a cell. A pill has sides as wide as one.
function lengthOf(cells: readonly Html[]): number {
  const lengths = cells.map(
    ({ text }) => text.replace(/<[ab]\b[^<>]*>/g, '  ').replace(/<[^<>]*>|&#?\w+/g, '').length,
  )
  return Math.max(...lengths)
}

/** Returns the fields of items, `id` first, from the schema, else from the items. */
function columnsOf(
  { hidden }: TargetPage,
  items: readonly object[],
  known: ReadonlyMap<string, unknown>,
): string[] {
  const schemaFields = known.size > 0 ? [...known.keys()] : undefined
  const names = new Set(schemaFields ?? items.flatMap((item) => Object.keys(item)))
  for (const name of ['id', ...hidden]) names.delete(name)
  return ['id', ...names]
}

function headingOf(page: TargetPage, field: string, parameters: PageParameters): Html {
  const { collection } = page.target
  const name = html`<bdi>${field}</bdi>`
  const isSortable = field === 'id' || collection.resource.sortable.includes(field)
  const { sort = [], include = [] } = parameters
  const order = isSortable ? field : orderOfNames(page, field, include)
  if (order === undefined) return html`<th scope="col">${name}</th>`
  const index = sort.findIndex((by) => by.field === order)
  const direction = sort[index]?.direction
  const next = toggled(sort, order)
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

// HTML closes a cell and a row by the next one.
function cellOf(page: TargetPage, item: object, column: Column): Html {
  if (column.name !== 'id') return html`<td>${cellContent(page, item, column)}`
  return html`<th scope="row">${idLink(page, fieldOf(item, 'id'))}`
}

function idLink(page: TargetPage, value: unknown): Html {
  const id = idText(page.target.collection, value)
  if (id === undefined) return valueHtml(value)
  return html`<a href="${urlOf(itemAt(page.target, id), page)}">${id}</a>`
}

/** A column of a table: a field, with its schema if the resource tells it. */
interface Column {
  readonly name: string
  readonly field: FormField | undefined
}

// A cell is one line. The page of the item shows all of a value.
const maxText = 160
const maxTitle = 100

/**
 * Writes the content of a cell, by the schema of its column: an enum as a pill, a boolean as a
 * sign, a moment in UTC, the number of items of an array. The id of another item is a link.
 */
function cellContent(page: TargetPage, item: object, column: Column): Html {
  const value = fieldOf(item, column.name)
  if (value === undefined) return html`<i>–</i>`
  if (value === null) return html`<i>null</i>`
  return linkedId(page, item, column.name) ?? plainContent(value, column.field)
}

/** Tells whether the values of a column are numbers. */
function isNumeric({ field }: Column): boolean {
  return field?.type === 'number'
}

function plainContent(value: unknown, field: FormField | undefined): Html {
  switch (typeof value) {
    case 'boolean':
      return html`<abbr role="img" title="${`${value}`}">${value ? '✓' : '·'}</abbr>`
    case 'string':
      return textContent(value, field)
    case 'object':
      return nested(Object(value))
    default:
      return html`${`${value}`}`
  }
}

function textContent(text: string, field: FormField | undefined): Html {
  if (text === '') return html`<i>empty</i>`
  if (field?.type === 'choice') return html`<b>${lineOf(text, maxText)}</b>`
  if (field?.format === 'date-time' && isMoment(text)) return minuteHtml(text)
  return html`${lineOf(text, maxText)}`
}

// In UTC, as precise as a minute.
function minuteHtml(text: string): Html {
  const short = dateOf(text).toISOString().replace('T', ' ').slice(0, 16)
  return html`<time title="${text}">${short}</time>`
}

function nested(value: object): Html {
  const number = Array.isArray(value) ? value.length : 0
  const items = number === 1 ? '1 item' : `${number.toLocaleString('en')} items`
  const title = lineOf(JSON.stringify(value), maxTitle)
  return html`<abbr title="${title}">${Array.isArray(value) ? items : '{…}'}</abbr>`
}

function lineOf(text: string, length: number): string {
  return visible(text.length > length ? `${text.slice(0, length)}…` : text)
}
