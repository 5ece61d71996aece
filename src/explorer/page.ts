import { lastNounOf } from '../contract/resource/api.ts'
import type { HttpResponse } from '../contract/resource/http.ts'
import { mainScript } from './assets.ts'
import type { PageData } from './data/page-data.ts'
import { dockOf } from './dock.ts'
import { endingOf } from './ending.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { breadcrumbsOf, labelOf } from './navigation.ts'
import { railOf } from './rail.ts'
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

/** Writes a page with its content, with the status of the response that it shows. */
export function pageOf(page: PageData, content: HtmlContent): HttpResponse {
  const { received } = page
  // A browser gets a start page at `/`, whatever a program gets there.
  const isFine = page.start !== undefined
  const status = isFine ? 200 : received.status
  // Headers like `WWW-Authenticate`, `Retry-After` and `Link` also apply to the page.
  const pageHeaders = isFine && received.status !== 200 ? {} : headersOfPage(page)
  // A host with other paths may try those first.
  const problem = isFine ? undefined : page.problem?.code
  return {
    status,
    headers: { ...pageHeaders, ...headers },
    body: documentOf(page, content).text,
    problem,
  }
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

// The script opens it. Without the script, the links of the page lead everywhere.
const paletteButton = html`<button type="button" class="needs-script go" data-palette hidden>
<span>Go to…</span> <kbd>Ctrl K</kbd></button>`

const railLink = html`<a class="rail-link" href="#rail" aria-label="Resources">☰</a>`

function documentOf(page: PageData, content: HtmlContent): Html {
  const { settings, base, target } = page
  const name = nameOf(page)
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
<header class="top">${target && railLink}
<a class="brand" href="${base}/">${settings.title}</a>
${breadcrumbsOf(page)}
${paletteButton}</header>
${railOf(page)}
<main id="main" tabindex="-1">
${endingOf(page)}
${content}
</main>
${page.start === undefined ? dockOf(page) : ''}
</body>
</html>
`
}

function nameOf(page: PageData): string {
  const { target, start, received, title } = page
  if (start !== undefined) return start || 'Start'
  if (target === undefined || received.status !== 200) return title
  const label = labelOf(page, target)
  return target.kind === 'collection' ? label : `${label} · ${lastNounOf(target.collection)}`
}
