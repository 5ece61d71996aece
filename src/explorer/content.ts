import { type Collection, lastNounOf } from '../contract/resource/api.ts'
import { isMoment } from '../convention/format.ts'
import { bodyOf } from '../convention/kinds.ts'
import { operationKinds, operations } from '../convention/operations.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { parseLink } from '../wire/link.ts'
import { type PageData, parametersOf, type TargetPage } from './data/page-data.ts'
import {
  filterPairsOf,
  idText,
  isLocalPath,
  itemAt,
  type PageParameters,
  urlOf,
  withoutPosition,
} from './data/page-url.ts'
import { describeTarget } from './describe-target.ts'
import { facetsOf, groupsOf } from './facets.ts'
import { chipsOf, dropLinksOf } from './forms/chips.ts'
import { formFieldsOf } from './forms/fields.ts'
import { filterFormOf } from './forms/filter-form.ts'
import { createsHere, formOf, itemFormsOf, writeKindsOf } from './forms/form.ts'
import { firstItemOf, type Panels, panelsOf, withScript } from './forms/panels.ts'
import { columnsFormOf, exportFormOf, includesFormOf, searchFormOf } from './forms/query-forms.ts'
import { headOf, plainHead } from './head.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { linkedValue } from './linked-value.ts'
import { childrenOf, greetingOf, overviewOf, siblingLinksOf, startExampleOf } from './navigation.ts'
import { problemSectionOf } from './problem.ts'
import { tableOf } from './table.ts'
import { momentHtml } from './value.ts'

/** Writes the content of a page: items, one item, a count, a problem, or all collections. */
export function contentOf(page: PageData): HtmlContent {
  const { target, received } = page
  if (target === undefined) {
    const first = page.start === undefined ? problemPage(page) : greetingOf(page)
    const parts = [first, overviewOf(page), startExampleOf(page)]
    return html`<div class="overview">${parts}</div>`
  }
  const targetPage = { ...page, target }
  // A target without GET may support writes.
  if (received.status === 405) return writeOnly(targetPage)
  if (received.status === 400) return [problemPage(page), correctionOf(targetPage)]
  if (received.status !== 200) return [problemPage(page), creationOf(targetPage)]
  const reads = operationKinds.find((kind) => {
    const row = operations[kind]
    return row.method === 'GET' && row.target === target.kind
  })
  switch (reads && operations[reads].gives) {
    case 'items':
      return collection(targetPage)
    case 'count':
      return count(targetPage)
    default:
      return item(targetPage)
  }
}

function problemPage(page: PageData): HtmlContent {
  return [plainHead(page.title), problemSectionOf(page)]
}

function creationOf(page: TargetPage): HtmlContent {
  if (!createsHere(page)) return undefined
  return html`<section class="actions" aria-labelledby="actions">
<h2 id="actions">Create it here</h2>
${withScript(page, formOf('update', page))}</section>`
}

function writeOnly(page: TargetPage): HtmlContent {
  const { actions, panels } =
    page.target.kind === 'item' ? { actions: [], panels: changesOf(page) } : panelsOf(page, {})
  return [headOf(page, {}, actions), problemSectionOf(page), panels]
}

function collection(page: TargetPage): HtmlContent {
  const items: readonly object[] = Array.isArray(page.body) ? page.body : []
  const parameters = parametersOf(page)
  const writes = writesOf(page, parameters)
  const isEmpty = items.length === 0
  return [
    headOf(page, parameters, writes.actions),
    toolsOf(page, parameters),
    facetsOf(page, parameters),
    html`<div id="data">${isEmpty ? emptyOf(page, parameters) : tableOf(page, items, parameters)}
${pagerOf(page, items.length, parameters)}</div>`,
    writes.panels,
  ]
}

function emptyOf(page: TargetPage, parameters: PageParameters): Html {
  const { q, where, offset = 0, after } = parameters
  const isLater = after !== undefined || offset > 0
  // The items that match stand on earlier pages.
  if (isLater && page.received.headers['x-total-count'] !== '0')
    return html`<p class="empty">No item is on this page.</p>`
  const isFiltered = q !== undefined || where !== undefined
  const content = isFiltered
    ? html`<p>No item matches.</p>${dropLinksOf(page, withoutPosition(parameters))}`
    : html`<p>The collection is empty.</p>${firstItemOf(page)}`
  return html`<div class="empty">${content}</div>`
}

function toolsOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const tools = [
    searchFormOf(page, parameters),
    filterFormOf(page),
    includesFormOf(page, parameters),
    columnsFormOf(page, columnNamesOf(page), parameters.fields),
    exportFormOf(page, parameters),
    chipsOf(page, withoutPosition(parameters)),
  ]
  return tools.every((tool) => tool === undefined)
    ? undefined
    : html`<div class="tools">${tools}</div>`
}

function columnNamesOf({ target, settings, hidden }: TargetPage): readonly string[] {
  const schema = settings.schemaOf(target.collection.resource.schema, 'output')
  const names = formFieldsOf(schema)?.map(({ name }) => name) ?? []
  return names.filter((name) => name !== 'id' && !hidden.has(name))
}

// The form shows the parameters that the server refused.
function correctionOf(page: TargetPage): HtmlContent {
  const filters = new Set(filterPairsOf(page).map(([name]) => name))
  const issues = page.problem?.members.issues ?? []
  const isOfFilter = issues.some(({ parameter = '' }) => filters.has(parameter))
  return isOfFilter ? html`<div class="tools">${filterFormOf(page)}</div>` : undefined
}

// A form of many items would send the fields of the page as whole items.
function writesOf(page: TargetPage, parameters: PageParameters): Panels {
  const { fields, ...others } = parameters
  if (fields === undefined) return panelsOf(page, parameters)
  const kinds = writeKindsOf(page).filter((kind) => bodyOf(kind)?.isMany !== true)
  const { actions, panels } = panelsOf(page, parameters, kinds)
  return { actions, panels: [allFieldsNote(page, others), panels] }
}

function allFieldsNote(page: TargetPage, parameters: PageParameters): Html {
  return html`<p class="note">The page shows some fields only.
<a href="${urlOf(page.target, page, parameters)}">Show all fields</a> to change them.</p>`
}

// The forms of an item, one after another.
function changesOf(page: TargetPage): HtmlContent {
  if (writeKindsOf(page).length === 0) return undefined
  return html`<section class="actions" id="edit" aria-labelledby="actions">
<h2 id="actions">Actions</h2>
${withScript(page, itemFormsOf(page))}</section>`
}

function itemChangesOf(page: TargetPage, { fields, ...others }: PageParameters): HtmlContent {
  if (fields !== undefined) return allFieldsNote(page, others)
  return changesOf({ ...page, body: withoutIncluded(page.body, page.target.collection) })
}

// Leaves out the members of included items: a client does not send them.
function withoutIncluded(body: unknown, { includes }: Collection): unknown {
  if (includes.length === 0 || !isRecord(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !includes.includes(name)))
}

function pagerOf(page: TargetPage, length: number, parameters: PageParameters): Html {
  const { next } = localLinksIn(page)
  const { after, offset = 0 } = parameters
  const start = urlOf(page.target, page, withoutPosition(parameters))
  const sentLimit = /[?&]limit=(\d+)/.exec(page.sent.url)?.[1]
  const isCut = next !== undefined && Number(sentLimit) !== parameters.limit
  const isLater = after !== undefined || offset > 0
  const words: readonly HtmlContent[] = [
    lengthOf(page, length, parameters),
    isCut ? html` · <code>limit=${sentLimit}</code>` : '',
  ]
  const links: readonly HtmlContent[] = [
    isLater ? html`<li><a href="${start}" rel="first">Back to the start</a></li>` : '',
    next === undefined ? '' : html`<li><a href="${next}" rel="next">Next page</a></li>`,
  ]
  return html`<nav class="pager" aria-label="Pages"><p>${words}</p>
<ul>${links}</ul></nav>`
}

// A cursor does not tell how many items are before it.
function lengthOf(
  { received }: PageData,
  length: number,
  { after, offset = 0 }: PageParameters,
): string {
  const total = received.headers['x-total-count'] ?? ''
  const isCounted = /^\d{1,15}$/.test(total)
  const number = written(length)
  if (!isCounted) return length === 0 ? '' : `${number} ${length === 1 ? 'item' : 'items'}`
  const all = written(Number(total))
  if (length === 0) return all === '0' ? '' : `0 of ${all}`
  if (after !== undefined) return `${number} of ${all}`
  return `${written(offset + 1)}–${written(offset + length)} of ${all}`
}

function written(number: number): string {
  return number.toLocaleString('en')
}

// Another layer may write any `Link`: the page only shows one to this server.
function localLinksIn({ received }: PageData): ReturnType<typeof parseLink> {
  const links = parseLink(received.headers.link ?? '')
  return isLocalPath(links.next ?? '') ? links : {}
}

function item(page: TargetPage): HtmlContent {
  const { target } = page
  const fields = Object(page.body)
  const parameters = parametersOf(page)
  // Another layer may have changed the item.
  const id = target.id ?? idText(target.collection, fieldOf(fields, 'id'))
  const moments = momentFieldsOf(page)
  const now = Date.now()
  const lines = Object.keys(fields).map((name) => {
    const text = moments.has(name) ? fieldOf(fields, name) : undefined
    const isText = typeof text === 'string' && isMoment(text)
    const value = isText ? momentHtml(text, now) : linkedValue(page, fields, name)
    return html`<div class="fact"><dt><bdi>${name}</bdi></dt><dd>${value}</dd></div>`
  })
  const isEnd = target.kind !== 'item'
  const ofEnd = isEnd ? [filterFormOf(page), chipsOf(page, parameters)] : []
  const tools = [includesFormOf(page, parameters), ...ofEnd]
  const siblings = isEnd ? siblingLinksOf(page, parameters) : undefined
  const itemLink = isEnd && id !== undefined ? itemPageLink(page, id) : undefined
  return [
    headOf(page, parameters, [siblings]),
    tools.every((tool) => tool === undefined) ? undefined : html`<div class="tools">${tools}</div>`,
    html`<div id="data"><dl class="item">${lines}</dl>${itemLink}</div>`,
    id === undefined ? undefined : childrenOf(page, id),
    isEnd ? undefined : itemChangesOf(page, parameters),
    describeTarget(page),
  ]
}

// The fields that hold moments, by the schema of the items.
function momentFieldsOf({ target, settings }: TargetPage): ReadonlySet<string> {
  const fields = formFieldsOf(settings.schemaOf(target.collection.resource.schema, 'output')) ?? []
  return new Set(fields.filter(({ format }) => format === 'date-time').map(({ name }) => name))
}

function itemPageLink(page: TargetPage, id: string): Html {
  const url = urlOf(itemAt(page.target, id), page)
  return html`<p><a href="${url}">Its own page</a>, with forms to change it</p>`
}

function count(page: TargetPage): HtmlContent {
  const number = Number(fieldOf(Object(page.body), 'count')).toLocaleString('en')
  const noun = lastNounOf(page.target.collection)
  const parameters = parametersOf(page)
  const isNarrowed = parameters.q !== undefined || parameters.where !== undefined
  const of = isNarrowed ? ' match' : ''
  return [
    headOf(page, parameters, [siblingLinksOf(page, parameters)]),
    toolsOf(page, parameters),
    html`<div id="data"><p class="count"><strong>${number}</strong> ${noun}${of}</p>
${groupsOf(page, parameters)}</div>`,
    describeTarget(page),
  ]
}
