import { lastNounOf } from '../model/api.ts'
import type { HttpResponse } from '../model/http.ts'
import type { Target } from '../model/target.ts'
import { parseProblem } from '../wire/problem.ts'
import { mainScript } from './assets.ts'
import { contentOf } from './content.ts'
import { describeTarget } from './describe-target.ts'
import { type Html, html } from './html.ts'
import { httpSectionOf } from './http-section.ts'
import { formatStatus } from './message.ts'
import { breadcrumbsOf, labelOf } from './navigation.ts'
import type { PageData } from './page-data.ts'
import { assetUrl } from './serve-asset.ts'

// Allows only the explorer's own style and script, and requests to this server.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers: HttpResponse['headers'] = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  // Another caller may have other permissions.
  'cache-control': 'no-store',
}

/** Writes a page, with the status of the response that it shows. */
export function pageOf(page: PageData): HttpResponse {
  const { shownResponse: received } = page
  const status = page.isStart ? 200 : page.response.status
  // Headers like `WWW-Authenticate`, `Retry-After` and `Link` also apply to the page.
  const { etag: _, 'content-length': __, ...kept } = page.isStart ? {} : received.headers
  // A host with other paths may try those first.
  const problem = page.isStart
    ? undefined
    : parseProblem({ ...page.response, body: page.body })?.code
  return { status, headers: { ...kept, ...headers }, body: documentOf(page).text, problem }
}

function documentOf(page: PageData): Html {
  const { settings, base, target } = page
  const name = nameOf(page)
  const isFound = target !== undefined && page.shownResponse.status !== 404
  const asset = (file: string): string => base + assetUrl(settings.assets, file)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} · ${settings.title}</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('style.css')}">
<script type="module" src="${asset(mainScript)}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><a class="brand" href="${base}/">${settings.title}</a>
${breadcrumbsOf(page)}
<button type="button" class="forget" data-forget hidden>Forget the authorization</button></header>
<main id="main" tabindex="-1">
${titleOf(page, name)}
${contentOf(page)}
${isFound ? describeTarget({ ...page, target }) : ''}
${page.isStart ? '' : httpSectionOf(page)}
</main>
</body>
</html>
`
}

function nameOf({ target, isStart, shownResponse: received, title }: PageData): string {
  if (isStart) return 'Start'
  if (target === undefined || received.status !== 200) return title
  return [...collectionOf(target), labelOf(target)].join(' ')
}

function collectionOf({ kind, collection }: Target): readonly string[] {
  return kind === 'collection' ? [] : [lastNounOf(collection)]
}

function titleOf(page: PageData, name: string): Html {
  const { isStart, shownResponse: received, shownRequest: sent, target } = page
  if (isStart) return html`<h1>Collections</h1>`
  const isFine = received.status < 400
  const title = isFine && target !== undefined ? headingOf(target) : name
  const method = html`<code class="method method-get">${sent.method}</code>`
  const url = html`<code class="url" dir="ltr">${sent.url}</code>`
  const statusClass = isFine ? 'good' : 'bad'
  const status = html`<code class="status ${statusClass}">${formatStatus(received)}</code>`
  return html`<div class="title"><h1>${title}</h1>
<p class="request">${method} ${url} ${status}</p></div>`
}

function headingOf(target: Target): Html {
  const nouns = collectionOf(target).map((noun) => html`<small>${noun}</small> `)
  return html`${nouns}<bdi>${labelOf(target)}</bdi>`
}
