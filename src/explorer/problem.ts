import { lastNounOf } from '../contract/resource/api.ts'
import type { Issue } from '../convention/problem.ts'
import type { PageData } from './data/page-data.ts'
import { targetAt, urlOf } from './data/page-url.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { textHtml } from './value.ts'

/** Shows a problem with its issues, the allowed words, and a link to go on. */
export function problemSectionOf(page: PageData): Html {
  const { received, problem, title } = page
  const { issues = [], allowed = [], supported = [], allow } = problem?.members ?? {}
  const lines = issues.map((issue) => issueLine(issue, page))
  const isInIssue = issues.some((issue) => issue.allowed !== undefined)
  return html`<div id="data" class="problem">
<p class="lead">${textHtml(problem?.message ?? title)}</p>
<p><code>${problem?.code ?? received.status}</code></p>
${lines.length === 0 ? '' : html`<ul class="issues">${lines}</ul>`}
${isInIssue ? '' : wordList('Allowed', allowed)}
${wordList('Versions', supported)}
${wordList('Methods', allow === undefined ? [] : [allow])}
${linkOutOf(page)}</div>
${received.status === 401 ? [usersOf(page), authorizationForm] : ''}`
}

function usersOf({ users }: PageData): HtmlContent {
  const buttons = Object.entries(users).map(
    ([name, secret]) => html`<button type="button" data-use="${secret}">${name}</button>\n`,
  )
  if (buttons.length === 0) return undefined
  return html`<section class="needs-script" aria-labelledby="users" hidden>
<h2 id="users">Users of this example</h2><p class="buttons">${buttons}</p></section>`
}

const secretAttributes = html`name="authorization" type="password" autocomplete="off"`

const authorizationForm = html`<form data-authorization class="needs-script" hidden>
<label for="authorization">Authorization</label>
<div class="entry">
<input id="authorization" ${secretAttributes} aria-describedby="authorization-hint">
<button type="submit">Use it</button></div>
<p class="note" id="authorization-hint">The whole value of the header, as in <code>Bearer …</code>.
This tab sends it until you close it.</p></form>`

function issueLine(
  { pointer, parameter, message, code, allowed = [] }: Issue,
  page: PageData,
): Html {
  const source = parameter === undefined ? pointer : `?${parameter}`
  const words = allowed.map((word, index) => [
    index === 0 ? '' : ', ',
    allowedWord(word, code, page),
  ])
  const label = source ? html`<code>${source}</code> ` : ''
  // The lead says it already.
  const isSaid = source !== undefined && message === page.problem?.message
  const text = isSaid ? '' : textHtml(message)
  const advice = words.length === 0 ? '' : [isSaid ? 'use ' : ': use ', words]
  return html`<li>${label}${text}${advice}</li>`
}

// Links a sortable field to the list in that order.
function allowedWord(word: string, code: string, page: PageData): Html {
  const { target } = page
  if (code !== 'sort_unknown_field' || target === undefined) return html`<code>${word}</code>`
  const url = urlOf(target, page, { sort: [{ field: word, direction: 'asc' }] })
  return html`<a href="${url}">${word}</a>`
}

function wordList(title: string, words: readonly string[]): HtmlContent {
  if (words.length === 0) return undefined
  return html`<p>${title}: ${words.map((word) => html`<code>${word}</code> `)}</p>`
}

function linkOutOf(page: PageData): HtmlContent {
  const { target, base } = page
  if (target === undefined) return html`<p>All collections:</p>`
  const noun = lastNounOf(target.collection)
  const isQuery = page.received.status === 400
  if (isQuery) return html`<p><a href="${urlOf(target, page)}">The same without parameters</a></p>`
  return target.kind === 'collection'
    ? html`<p><a href="${base}/">All collections</a></p>`
    : html`<p><a href="${urlOf(targetAt(target), page)}">All ${noun} here</a></p>`
}
