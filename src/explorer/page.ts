import { lastNounOf, type Target } from '../contract/resource/api.ts'
import { type HttpRequest, type HttpResponse, headerOf } from '../contract/resource/http.ts'
import { parseAnnouncement } from '../wire/lifecycle.ts'
import { parseLink } from '../wire/link.ts'
import { mainScript } from './assets.ts'
import { contentOf } from './content.ts'
import { describeTarget } from './describe-target.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { curlCommand, formatStatus, requestLines, responseLines } from './message.ts'
import { breadcrumbsOf, labelOf } from './navigation.ts'
import type { PageData } from './page-data.ts'
import { isLocalPath } from './page-url.ts'
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
  const { received } = page
  // A browser gets a start page at `/`, whatever a program gets there.
  const isFine = page.start !== undefined
  const status = isFine ? 200 : received.status
  // Headers like `WWW-Authenticate`, `Retry-After` and `Link` also apply to the page.
  const pageHeaders = isFine && received.status !== 200 ? {} : headersOfPage(page)
  // A host with other paths may try those first.
  const problem = isFine ? undefined : page.problem?.code
  return { status, headers: { ...pageHeaders, ...headers }, body: documentOf(page).text, problem }
}

// The page is no version of an item, and its own preference is not the client's.
function headersOfPage({ received, sent }: PageData): HttpResponse['headers'] {
  const { etag, 'content-length': length, vary = '', ...apiHeaders } = received.headers
  const { 'x-total-count': total, 'preference-applied': applied, ...plain } = apiHeaders
  const isPreferenceOfPage = sent.headers.prefer !== undefined
  const names = vary
    .split(',')
    .map((element) => element.trim())
    .filter((name) => !(isPreferenceOfPage && /^prefer$/i.test(name)))
  const varying = names.join(', ')
  return { ...(isPreferenceOfPage ? plain : apiHeaders), ...(varying !== '' && { vary: varying }) }
}

function documentOf(page: PageData): Html {
  const { settings, base, target } = page
  const name = nameOf(page)
  const isFound = target !== undefined && page.received.status !== 404
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
${endingOf(page)}
${contentOf(page)}
${isFound ? describeTarget({ ...page, target }) : ''}
${page.start === undefined ? httpSectionOf(page) : ''}
</main>
</body>
</html>
`
}

function nameOf({ target, start, received, title }: PageData): string {
  if (start !== undefined) return start || 'Start'
  if (target === undefined || received.status !== 200) return title
  return [...collectionOf(target), labelOf(target)].join(' ')
}

function collectionOf({ kind, collection }: Target): readonly string[] {
  return kind === 'collection' ? [] : [lastNounOf(collection)]
}

function titleOf(page: PageData, name: string): Html {
  const { start, received, sent, target } = page
  if (start !== undefined) return html`<h1>Collections</h1>`
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

function httpSectionOf({ sent, received, request }: PageData): Html {
  const origin = originOf(request)
  const command = curlCommand(sent, origin + sent.url)
  const region = html`tabindex="0" role="region" aria-label="Response"`
  const response = html`<code>${responseLines(received)}</code>`
  return html`<section class="wire" aria-labelledby="wire">
<h2 id="wire">Request and response</h2>
<div class="parts"><div class="part"><h3>Request</h3>
<pre class="message"><code>${requestLines(sent)}</code></pre>
<div class="curl">
<pre class="message"><code data-curl data-origin="${origin}">${command}</code></pre>
<button type="button" class="needs-script copy" data-copy hidden>Copy</button></div></div>
<div class="part"><h3>Response</h3>
<pre class="message long-message" ${region}>${response}</pre></div></div>
</section>`
}

// The server can only guess its origin, for example behind a proxy. The script corrects it.
function originOf({ headers, source }: HttpRequest): string {
  const host = headerOf({ headers }, 'host') ?? headerOf({ headers }, ':authority') ?? ''
  const isSecure =
    headerOf({ headers }, 'x-forwarded-proto') === 'https' ||
    Reflect.get(Object(Reflect.get(Object(source), 'socket')), 'encrypted') === true ||
    `${Reflect.get(Object(source), 'url')}`.startsWith('https:')
  return `${isSecure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}

/**
 * Writes the banner of a page whose version or path is deprecated: the dates, the same page in the
 * version that takes its place, and the page for people. A retired version has the last one only.
 *
 * @see docs/requests.md, C7.4
 */
function endingOf({ received, problem, start }: PageData): HtmlContent {
  const { headers } = received
  const announced = start === '' ? undefined : parseAnnouncement(headers)
  const isRetired = problem?.code === 'retired_version'
  const { 'successor-version': successor = '', deprecation = '' } = parseLink(headers.link ?? '')
  // Another layer may write any `Link`.
  const docs = /^https?:\/\//i.test(deprecation) || isLocalPath(deprecation) ? deprecation : ''
  const toDocs = docs === '' ? '' : html` <a href="${docs}">Read about the end</a>.`
  if (announced === undefined) return isRetired && docs !== '' ? banner(toDocs) : undefined
  const { deprecatedAt, sunsetAt } = announced
  const until = sunsetAt === undefined ? '' : html`, and may be gone ${spanFrom(sunsetAt)}`
  const toSuccessor = isLocalPath(successor)
    ? html` <a href="${successor}" rel="successor-version"><code>${successor}</code></a>
takes its place.`
    : ''
  return banner(html`This path is <strong>deprecated</strong> ${spanFrom(deprecatedAt)}${until}.
${toSuccessor}${toDocs}`)
}

function banner(content: HtmlContent): Html {
  return html`<aside class="ending" aria-label="Deprecation"><p>${content}</p></aside>`
}

function spanFrom(seconds: number): Html {
  const day = dayOf(seconds)
  return seconds * 1000 <= Date.now() ? html`since ${day}` : html`from ${day} on`
}

// A header may hold a moment beyond those of the calendar.
function dayOf(seconds: number): Html {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return html`<code>@${seconds}</code>`
  const text = date.toISOString()
  return html`<time datetime="${text}">${text.replace(/T.*/, '')}</time>`
}
