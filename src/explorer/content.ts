import type { Collection } from '../contract/resource/api.ts'
import { operationKinds, operations } from '../convention/operations.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { parseLink } from '../wire/link.ts'
import { formsOf } from './form.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { linkedValue } from './linked-value.ts'
import { childrenOf, siblingLinksOf, treeOf } from './navigation.ts'
import { type PageData, parametersOf, type TargetPage } from './page-data.ts'
import {
  filterPairsOf,
  idText,
  isLocalPath,
  itemAt,
  type PageParameters,
  urlOf,
  withoutPosition,
} from './page-url.ts'
import { problemSectionOf } from './problem.ts'
import { activeFiltersOf, filterFormOf, includesFormOf, searchFormOf } from './query-forms.ts'
import { tableOf } from './table.ts'

/** Writes the content of a page: items, one item, a count, a problem, or all collections. */
export function contentOf(page: PageData): HtmlContent {
  const { target, received } = page
  if (target === undefined) {
    const first = page.start === undefined ? problemSectionOf(page) : greeting
    return [first, documentsOf(page), treeOf(page)]
  }
  const targetPage = { ...page, target }
  // A target without GET may support writes.
  if (received.status === 405) return [problemSectionOf(page), formsOf(targetPage)]
  if (received.status === 400) return [problemSectionOf(page), correctionOf(targetPage)]
  if (received.status !== 200) return problemSectionOf(page)
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

const greeting = html`<p class="note">Every path below is a resource.
Browsers get a page, other clients get JSON.</p>`

// The documents that the layers below the explorer have added.
function documentsOf({ body, start }: PageData): HtmlContent {
  const documents = start === undefined ? {} : fieldOf(Object(body), 'documents')
  const links = Object.entries(Object(documents)).flatMap(([name, path]) =>
    isLocalPath(`${path}`) ? [html`<li><a href="${`${path}`}">${name}</a></li>`] : [],
  )
  return links.length === 0 ? undefined : html`<ul aria-label="Documents">${links}</ul>`
}

function collection(page: TargetPage): HtmlContent {
  const items: readonly object[] = Array.isArray(page.body) ? page.body : []
  const parameters = parametersOf(page)
  const { q, where, offset, after } = parameters
  const isNarrowed = [q, where, offset, after].some((value) => value !== undefined)
  const empty = isNarrowed ? 'No item matches.' : 'The collection is empty.'
  return [
    toolsOf(page, parameters),
    html`<div id="data">${
      items.length === 0 ? html`<p class="empty">${empty}</p>` : tableOf(page, items, parameters)
    }
${pagerOf(page, items.length, parameters)}</div>`,
    writesOf(page, parameters),
  ]
}

function toolsOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  return [
    html`<div class="tools">${searchFormOf(page, parameters)}${includesFormOf(page, parameters)}
${siblingLinksOf(page, parameters)}</div>`,
    filterFormOf(page),
    activeFiltersOf(page, withoutPosition(parameters)),
  ]
}

// The form shows the parameters that the server refused.
function correctionOf(page: TargetPage): HtmlContent {
  const filters = new Set(filterPairsOf(page).map(([name]) => name))
  const issues = page.problem?.members.issues ?? []
  const isOfFilter = issues.some(({ parameter = '' }) => filters.has(parameter))
  return isOfFilter ? filterFormOf(page) : undefined
}

// A form would send the fields of the page as the whole item.
function writesOf(page: TargetPage, { fields, ...parameters }: PageParameters): HtmlContent {
  const body = withoutIncluded(page.body, page.target.collection)
  if (fields === undefined) return formsOf({ ...page, body })
  const url = urlOf(page.target, page, parameters)
  return html`<p class="note">The page shows some fields only.
<a href="${url}">Show all fields</a> to change them.</p>`
}

// Leaves out the members of included items: a client does not send them.
function withoutIncluded(body: unknown, collection: Collection): unknown {
  const { includes } = collection
  if (includes.length === 0) return body
  if (Array.isArray(body)) return body.map((item) => withoutIncluded(item, collection))
  if (!isRecord(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !includes.includes(name)))
}

function pagerOf(page: TargetPage, length: number, parameters: PageParameters): Html {
  const { next } = localLinksIn(page)
  const { after, offset = 0 } = parameters
  const start = urlOf(page.target, page, withoutPosition(parameters))
  const sentLimit = /[?&]limit=(\d+)/.exec(page.sent.url)?.[1]
  const isCut = next !== undefined && Number(sentLimit) !== parameters.limit
  const isLater = after !== undefined || offset > 0
  const isWhole = length > 0 && next === undefined && !isLater
  const words: readonly HtmlContent[] = [
    lengthOf(page, length, parameters),
    isWhole ? ', all of them' : '',
    isCut ? html`; the page requests <code>limit=${sentLimit}</code>` : '',
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
  const all = Number(total)
  const items = (isCounted ? all : length) === 1 ? 'item' : 'items'
  const number = written(length)
  if (!isCounted || (all === length && offset === 0))
    return length === 0 ? '' : `${number} ${items}`
  if (after !== undefined || length === 0) return `${number} of ${written(all)} ${items}`
  return `${written(offset + 1)} to ${written(offset + length)} of ${written(all)} ${items}`
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
  const names = Object.keys(fields)
  const lines = names.map((name) => {
    const value = linkedValue(page, fields, name)
    return html`<div class="fact"><dt><bdi>${name}</bdi></dt><dd>${value}</dd></div>`
  })
  const isEnd = target.kind !== 'item'
  const form = includesFormOf(page, parameters)
  const siblings = isEnd ? siblingLinksOf(page, parameters) : undefined
  const itemLink = isEnd && id !== undefined ? itemPageLink(page, id) : undefined
  return [
    isEnd || form ? html`<div class="tools">${form}${siblings}</div>` : undefined,
    isEnd ? activeFiltersOf(page, parameters) : undefined,
    html`<div id="data"><dl class="item">${lines}</dl>${itemLink}</div>`,
    id === undefined ? undefined : childrenOf(page, id),
    writesOf(page, parameters),
  ]
}

function itemPageLink(page: TargetPage, id: string): Html {
  const url = urlOf(itemAt(page.target, id), page)
  return html`<p><a href="${url}">Its own page</a>, with forms to change it</p>`
}

function count(page: TargetPage): HtmlContent {
  const number = Number(fieldOf(Object(page.body), 'count')).toLocaleString('en')
  const { name } = page.target.collection.resource
  const parameters = parametersOf(page)
  const isNarrowed = parameters.q !== undefined || parameters.where !== undefined
  const of = isNarrowed ? ' match' : ''
  return [
    toolsOf(page, parameters),
    html`<div id="data"><p class="count"><strong>${number}</strong> ${name}${of}</p></div>`,
  ]
}
