import type { Issue } from '../model/problem.ts'
import { parseProblem } from '../wire/problem.ts'
import { formatQuery } from '../wire/query.ts'
import { type Content, type Html, html } from './html.ts'
import { urlOf, type Visit } from './site.ts'
import { showText } from './value.ts'

/** Shows the problem that was answered: what it is, its issues, the words that would have been right, and where to go. */
export function showProblem(visit: Visit): Html {
  const { received, body, title } = visit
  const problem = parseProblem({ headers: received.headers, body })
  const { issues = [], allowed = [], supported = [], allow } = problem?.members ?? {}
  const lines = issues.map((issue) => lineOf(issue, visit))
  const isToldThere = issues.some((issue) => issue.allowed !== undefined)
  return html`<div id="data" class="problem">
<p class="lead">${showText(problem?.message ?? title)}</p>
<p><code>${problem?.code ?? received.status}</code></p>
${lines.length === 0 ? '' : html`<ul class="issues">${lines}</ul>`}
${isToldThere ? '' : wordsOf('Allowed', allowed)}${wordsOf('Versions', supported)}${wordsOf('Methods', allow === undefined ? [] : [allow])}
${wayOut(visit)}</div>
${received.status === 401 ? authorizationForm : ''}`
}

const authorizationForm = html`<form data-authorization class="needs-script" hidden>
<label for="authorization">Authorization</label>
<div class="entry"><input id="authorization" name="authorization" type="password" autocomplete="off" aria-describedby="authorization-hint"><button type="submit">Use it</button></div>
<p class="note" id="authorization-hint">The whole header field, as in <code>Bearer …</code>. This tab sends it along until it is closed.</p></form>`

function lineOf({ pointer, parameter, message, code, allowed = [] }: Issue, visit: Visit): Html {
  const place = parameter === undefined ? pointer : `?${parameter}`
  const words = allowed.map((word, at) => [at === 0 ? '' : ', ', wordOf(word, code, visit)])
  return html`<li>${place ? html`<code>${place}</code> ` : ''}${showText(message)}${words.length === 0 ? '' : [': use ', words]}</li>`
}

// A field to sort by is a link to the list in that order.
function wordOf(word: string, code: string, visit: Visit): Html {
  const { target } = visit
  if (code !== 'sort_unknown_field' || target === undefined) return html`<code>${word}</code>`
  const query = formatQuery({ sort: [{ field: word, direction: 'asc' }] })
  return html`<a href="${urlOf(target, visit)}?${query}">${word}</a>`
}

function wordsOf(title: string, words: readonly string[]): Content {
  if (words.length === 0) return undefined
  return html`<p>${title}: ${words.map((word) => html`<code>${word}</code> `)}</p>`
}

function wayOut(visit: Visit): Content {
  const { target, base } = visit
  if (target === undefined) return html`<p>What there is:</p>`
  const { collection, parents } = target
  const list = urlOf({ kind: 'collection', collection, parents, id: undefined }, visit)
  const isQuery = visit.received.status === 400
  if (isQuery) return html`<p><a href="${urlOf(target, visit)}">The same without parameters</a></p>`
  return target.kind === 'collection'
    ? html`<p><a href="${base}/">All collections</a></p>`
    : html`<p><a href="${list}">All ${collection.resource.name} here</a></p>`
}
