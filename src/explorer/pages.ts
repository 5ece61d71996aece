import { maxSearchLength } from '../model/convention.ts'
import { fieldOf } from '../model/operation.ts'
import { parseLink } from '../wire/link.ts'
import { parametersFor } from '../wire/meaning.ts'
import type { Parameters } from '../wire/parameters.ts'
import { formatQuery } from '../wire/query.ts'
import { methodsFor, parseRequest } from '../wire/request.ts'
import { formsOf } from './form.ts'
import { type Content, type Html, html } from './html.ts'
import { childrenOf, endsOf, treeOf } from './place.ts'
import { showProblem } from './problem.ts'
import { isOwn, textOfId, urlOf, type Visit, type VisitOf } from './site.ts'
import { linkedValue, tableOf } from './table.ts'

/** Writes what a page is about: items, an item, a number of items, a problem, or what there is at all. */
export function contentOf(visit: Visit): Content {
  const { target } = visit
  if (target === undefined) {
    return visit.isStart ? [greeting, treeOf(visit)] : [showProblem(visit), treeOf(visit)]
  }
  const known = { ...visit, target }
  if (visit.received.status !== 200) return failed(known)
  if (target.kind === 'collection') return collection(known)
  return target.kind === 'count' ? count(known) : item(known)
}

const greeting = html`<p class="note">Every path below is a resource. A browser sees it as a page; whoever does not ask for HTML gets it as JSON.</p>`

function failed(visit: VisitOf): Content {
  // What cannot be read may yet be written.
  const isWritable = visit.received.status === 405
  return [showProblem(visit), isWritable ? formsOf(visit) : undefined]
}

function collection(visit: VisitOf): Content {
  const items: readonly object[] = Array.isArray(visit.body) ? visit.body : []
  const parameters = parametersOf(visit)
  return [
    html`<div class="tools">${searchOf(visit, parameters)}${endsOf(visit, parameters)}</div>`,
    html`<div id="data">${
      items.length === 0
        ? html`<p class="empty">${isNarrowed(parameters) ? 'Nothing matches.' : 'There is nothing here yet.'}</p>`
        : tableOf(visit, items, parameters)
    }
${pagerOf(visit, items.length, parameters)}</div>`,
    formsOf(visit),
  ]
}

function isNarrowed({ q, after }: Parameters): boolean {
  return q !== undefined || after !== undefined
}

function parametersOf({ request, site }: Visit): Parameters {
  return parseRequest({ method: 'GET', url: request.url }, site.registry).parameters
}

function searchOf(visit: VisitOf, { q, sort, limit }: Parameters): Content {
  const { target, site } = visit
  const { resource } = target.collection
  const kind = methodsFor(target, site.registry).kinds.get('GET')
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
      : html` <a href="${urlOf(target, visit)}${kept === '' ? '' : `?${kept}`}">Clear</a>`
  return html`<form class="search" role="search" method="get" action="${urlOf(target, visit)}">${inputs}
<label for="q">Search <small>${resource.searchable.join(', ')}</small></label>
<div class="entry"><input id="q" type="search" name="q" maxlength="${maxSearchLength}" value="${q ?? ''}" autocomplete="off"><button type="submit">Search</button>${clear}</div></form>`
}

function pagerOf(visit: VisitOf, length: number, parameters: Parameters): Html {
  const { next } = ownLinksIn(visit)
  const { after, ...first } = parameters
  const query = formatQuery(first)
  const start = urlOf(visit.target, visit) + (query === '' ? '' : `?${query}`)
  const number = `${length.toLocaleString('en')} ${length === 1 ? 'item' : 'items'}`
  const asked = /[?&]limit=(\d+)/.exec(visit.sent.url)?.[1]
  const isCut = next !== undefined && Number(asked) !== parameters.limit
  return html`<nav class="pager" aria-label="Pages"><p>${length === 0 ? '' : number}${length > 0 && next === undefined && after === undefined ? ', all there are' : ''}${isCut ? html`; the page asks for <code>limit=${asked}</code> at a time` : ''}</p>
<ul>${after === undefined ? '' : html`<li><a href="${start}" rel="first">Back to the start</a></li>`}${next === undefined ? '' : html`<li><a href="${next}" rel="next">Next page</a></li>`}</ul></nav>`
}

// A layer behind may write any `Link`: only one to a place of this server is offered.
function ownLinksIn({ received }: Visit): ReturnType<typeof parseLink> {
  const links = parseLink(received.headers.link ?? '')
  return isOwn(links.next ?? '') ? links : {}
}

function item(visit: VisitOf): Content {
  const { target } = visit
  const shown = Object(visit.body)
  // A layer may have put anything into the answer, also where the path names the item.
  const id = target.id ?? textOfId(target.collection, fieldOf(shown, 'id'))
  const names = Object.keys(shown)
  const lines = names.map(
    (name) =>
      html`<div class="fact"><dt><bdi>${name}</bdi></dt><dd>${linkedValue(visit, name, fieldOf(shown, name))}</dd></div>`,
  )
  const isEnd = target.kind === 'first' || target.kind === 'last'
  const own = isEnd && id !== undefined ? ownPage(visit, id) : undefined
  return [
    isEnd ? html`<div class="tools">${endsOf(visit, parametersOf(visit))}</div>` : undefined,
    html`<div id="data"><dl class="item">${lines}</dl>${own}</div>`,
    id === undefined ? undefined : childrenOf(visit, id),
    formsOf(visit),
  ]
}

function ownPage(visit: VisitOf, id: string): Html {
  const { collection, parents } = visit.target
  const url = urlOf({ kind: 'item', collection, parents, id }, visit)
  return html`<p><a href="${url}">Its own page</a>, where it can be changed</p>`
}

function count(visit: VisitOf): Content {
  const number = fieldOf(Object(visit.body), 'count')
  const parameters = parametersOf(visit)
  const of = parameters.q === undefined ? '' : ' match'
  return [
    html`<div class="tools">${searchOf(visit, parameters)}${endsOf(visit, parameters)}</div>`,
    html`<div id="data"><p class="count"><strong>${Number(number).toLocaleString('en')}</strong> ${visit.target.collection.resource.name}${of}</p></div>`,
  ]
}
