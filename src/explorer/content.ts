import { maxSearchLength } from '../model/convention.ts'
import { fieldOf } from '../model/operation.ts'
import { parseLink } from '../wire/link.ts'
import { parametersFor } from '../wire/meaning.ts'
import type { Parameters } from '../wire/parameters.ts'
import { formatQuery } from '../wire/query.ts'
import { methodsFor, parseRequest } from '../wire/request.ts'
import { formsOf } from './form.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { childrenOf, siblingLinksOf, treeOf } from './navigation.ts'
import { idText, isLocalPath, type PageData, type TargetPage, urlOf } from './page-data.ts'
import { showProblem } from './problem.ts'
import { linkedValue, tableOf } from './table.ts'

/** Writes the content of a page: items, one item, a count, a problem, or all collections. */
export function contentOf(page: PageData): HtmlContent {
  const { target } = page
  if (target === undefined) {
    return page.isStart ? [greeting, treeOf(page)] : [showProblem(page), treeOf(page)]
  }
  const known = { ...page, target }
  if (page.shownResponse.status !== 200) return failed(known)
  if (target.kind === 'collection') return collection(known)
  return target.kind === 'count' ? count(known) : item(known)
}

const greeting = html`<p class="note">Every path below is a resource.
Browsers get a page, other clients get JSON.</p>`

function failed(page: TargetPage): HtmlContent {
  // A target without GET may support writes.
  const isWritable = page.shownResponse.status === 405
  return [showProblem(page), isWritable ? formsOf(page) : undefined]
}

function collection(page: TargetPage): HtmlContent {
  const items: readonly object[] = Array.isArray(page.body) ? page.body : []
  const parameters = parametersOf(page)
  const empty = isNarrowed(parameters) ? 'No item matches.' : 'The collection is empty.'
  return [
    html`<div class="tools">${searchOf(page, parameters)}${siblingLinksOf(page, parameters)}</div>`,
    html`<div id="data">${
      items.length === 0 ? html`<p class="empty">${empty}</p>` : tableOf(page, items, parameters)
    }
${pagerOf(page, items.length, parameters)}</div>`,
    formsOf(page),
  ]
}

function isNarrowed({ q, after }: Parameters): boolean {
  return q !== undefined || after !== undefined
}

function parametersOf({ request, settings }: PageData): Parameters {
  return parseRequest({ method: 'GET', url: request.url }, settings.registry).parameters
}

function searchOf(page: TargetPage, { q, sort, limit }: Parameters): HtmlContent {
  const { target, settings } = page
  const { resource } = target.collection
  const kind = methodsFor(target, settings.registry).kinds.get('GET')
  if (kind === undefined || !parametersFor(kind, resource).includes('q')) return undefined
  const kept = formatQuery({
    ...(sort === undefined ? {} : { sort }),
    ...(limit === undefined ? {} : { limit }),
  })
  const hidden = kept === '' ? [] : kept.split('&').map((pair) => pair.split('='))
  const inputs = hidden.map(
    ([name, value = '']) =>
      html`<input type="hidden" name="${name ?? ''}" value="${decodeURIComponent(value)}">`,
  )
  const clear =
    q === undefined
      ? ''
      : html` <a href="${urlOf(target, page)}${kept === '' ? '' : `?${kept}`}">Clear</a>`
  const attributes = html`maxlength="${maxSearchLength}" value="${q ?? ''}" autocomplete="off"`
  return html`<form class="search" role="search" method="get" action="${urlOf(target, page)}">
${inputs}
<label for="q">Search <small>${resource.searchable.join(', ')}</small></label>
<div class="entry"><input id="q" type="search" name="q" ${attributes}>
<button type="submit">Search</button>${clear}</div></form>`
}

function pagerOf(page: TargetPage, length: number, parameters: Parameters): Html {
  const { next } = ownLinksIn(page)
  const { after, ...first } = parameters
  const query = formatQuery(first)
  const start = urlOf(page.target, page) + (query === '' ? '' : `?${query}`)
  const number = `${length.toLocaleString('en')} ${length === 1 ? 'item' : 'items'}`
  const asked = /[?&]limit=(\d+)/.exec(page.shownRequest.url)?.[1]
  const isCut = next !== undefined && Number(asked) !== parameters.limit
  const isWhole = length > 0 && next === undefined && after === undefined
  const words: readonly HtmlContent[] = [
    length === 0 ? '' : number,
    isWhole ? ', all of them' : '',
    isCut ? html`; the page requests <code>limit=${asked}</code>` : '',
  ]
  const links: readonly HtmlContent[] = [
    after === undefined ? '' : html`<li><a href="${start}" rel="first">Back to the start</a></li>`,
    next === undefined ? '' : html`<li><a href="${next}" rel="next">Next page</a></li>`,
  ]
  return html`<nav class="pager" aria-label="Pages"><p>${words}</p>
<ul>${links}</ul></nav>`
}

// Another layer may write any `Link`: the page only shows one to this server.
function ownLinksIn({ shownResponse: received }: PageData): ReturnType<typeof parseLink> {
  const links = parseLink(received.headers.link ?? '')
  return isLocalPath(links.next ?? '') ? links : {}
}

function item(page: TargetPage): HtmlContent {
  const { target } = page
  const shown = Object(page.body)
  // Another layer may have changed the item.
  const id = target.id ?? idText(target.collection, fieldOf(shown, 'id'))
  const names = Object.keys(shown)
  const lines = names.map((name) => {
    const value = linkedValue(page, name, fieldOf(shown, name))
    return html`<div class="fact"><dt><bdi>${name}</bdi></dt><dd>${value}</dd></div>`
  })
  const isEnd = target.kind === 'first' || target.kind === 'last'
  const own = isEnd && id !== undefined ? ownPage(page, id) : undefined
  return [
    isEnd ? html`<div class="tools">${siblingLinksOf(page, parametersOf(page))}</div>` : undefined,
    html`<div id="data"><dl class="item">${lines}</dl>${own}</div>`,
    id === undefined ? undefined : childrenOf(page, id),
    formsOf(page),
  ]
}

function ownPage(page: TargetPage, id: string): Html {
  const { collection, parents } = page.target
  const url = urlOf({ kind: 'item', collection, parents, id }, page)
  return html`<p><a href="${url}">Its own page</a>, with forms to change it</p>`
}

function count(page: TargetPage): HtmlContent {
  const number = Number(fieldOf(Object(page.body), 'count')).toLocaleString('en')
  const { name } = page.target.collection.resource
  const parameters = parametersOf(page)
  const of = parameters.q === undefined ? '' : ' match'
  return [
    html`<div class="tools">${searchOf(page, parameters)}${siblingLinksOf(page, parameters)}</div>`,
    html`<div id="data"><p class="count"><strong>${number}</strong> ${name}${of}</p></div>`,
  ]
}
