import { maxSearchLength } from '../convention/limits.ts'
import { operationKinds, operations, parameters as table } from '../convention/operations.ts'
import { fieldOf } from '../convention/value.ts'
import { parseLink } from '../wire/link.ts'
import { rowsFor } from '../wire/meaning.ts'
import { formatQuery } from '../wire/query.ts'
import { methodsFor } from '../wire/request.ts'
import { activeFiltersOf, filterFormOf, hiddenInput } from './filters.ts'
import { formsOf } from './form.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { includesFormOf, withoutIncluded } from './includes.ts'
import { linkedValue } from './linked-value.ts'
import { childrenOf, siblingLinksOf, treeOf } from './navigation.ts'
import {
  filterPairsOf,
  idText,
  isLocalPath,
  itemAt,
  type PageData,
  type PageParameters,
  parametersOf,
  type TargetPage,
  urlOf,
  withoutPosition,
} from './page-data.ts'
import { showProblem } from './problem.ts'
import { tableOf } from './table.ts'

/** Writes the content of a page: items, one item, a count, a problem, or all collections. */
export function contentOf(page: PageData): HtmlContent {
  const { target, received } = page
  if (target === undefined) {
    return page.isStart ? [greeting, treeOf(page)] : [showProblem(page), treeOf(page)]
  }
  const targetPage = { ...page, target }
  // A target without GET may support writes.
  if (received.status === 405) return [showProblem(page), formsOf(targetPage)]
  if (received.status === 400) return [showProblem(page), correctionOf(targetPage)]
  if (received.status !== 200) return showProblem(page)
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
    html`<div class="tools">${searchOf(page, parameters)}${includesFormOf(page, parameters)}
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

// Has a field for each parameter of text.
function searchOf(page: TargetPage, parameters: PageParameters): HtmlContent {
  const { target, settings } = page
  const { collection } = target
  const kind = methodsFor(target, settings.registry).kinds.get('GET')
  const names = kind === undefined ? [] : rowsFor(kind, collection)
  const texts = names.filter((name) => table[name].type === 'text')
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

function pagerOf(page: TargetPage, length: number, parameters: PageParameters): Html {
  const { next } = ownLinksIn(page)
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
function ownLinksIn({ received }: PageData): ReturnType<typeof parseLink> {
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
  const itemLink = isEnd && id !== undefined ? ownPage(page, id) : undefined
  return [
    isEnd || form ? html`<div class="tools">${form}${siblings}</div>` : undefined,
    isEnd ? activeFiltersOf(page, parameters) : undefined,
    html`<div id="data"><dl class="item">${lines}</dl>${itemLink}</div>`,
    id === undefined ? undefined : childrenOf(page, id),
    writesOf(page, parameters),
  ]
}

function ownPage(page: TargetPage, id: string): Html {
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
