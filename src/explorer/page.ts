import type { HttpResponse } from '../model/http.ts'
import type { Target } from '../model/target.ts'
import { parseProblem } from '../wire/problem.ts'
import { urlOfAsset } from './asset.ts'
import { mainScript } from './assets.ts'
import { descriptionOf } from './describe.ts'
import { formatStatus } from './exchange.ts'
import { type Html, html } from './html.ts'
import { contentOf } from './pages.ts'
import { crumbsOf, labelOf, nounOf } from './place.ts'
import type { Visit } from './site.ts'
import { wireOf } from './wire.ts'

// Nothing but the explorer's own style and script, and no request to anywhere else.
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

/** The header fields of every page. */
const headers: HttpResponse['headers'] = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  // It shows what one caller may see at one time.
  'cache-control': 'no-store',
}

/** Writes the page of a visit, with the status of the answer that it shows. */
export function pageOf(visit: Visit): HttpResponse {
  const { received } = visit
  const status = visit.isStart ? 200 : visit.answer.status
  // What an answer says beside its body (`WWW-Authenticate`, `Retry-After`, `ETag`, `Link`) holds for its page too.
  const { etag: _, 'content-length': __, ...kept } = visit.isStart ? {} : received.headers
  // A host that has other paths may try those first.
  const problem = visit.isStart
    ? undefined
    : parseProblem({ ...visit.answer, body: visit.body })?.code
  return { status, headers: { ...kept, ...headers }, body: documentOf(visit).text, problem }
}

function documentOf(visit: Visit): Html {
  const { site, base, target } = visit
  const name = nameOf(visit)
  const asset = (file: string): string => base + urlOfAsset(site.assets, file)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} · ${site.title}</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('style.css')}">
<script type="module" src="${asset(mainScript)}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><a class="brand" href="${base}/">${site.title}</a>${crumbsOf(visit)}<button type="button" class="forget" data-forget hidden>Forget the authorization</button></header>
<main id="main" tabindex="-1">
${titleOf(visit, name)}
${contentOf(visit)}
${target === undefined || visit.received.status === 404 ? '' : descriptionOf({ ...visit, target })}
${visit.isStart ? '' : wireOf(visit)}
</main>
</body>
</html>
`
}

function nameOf({ target, isStart, received, title }: Visit): string {
  if (isStart) return 'Start'
  if (target === undefined || received.status !== 200) return title
  return [...collectionOf(target), labelOf(target)].join(' ')
}

// What an id, or a reserved word, is one of.
function collectionOf({ kind, collection }: Target): readonly string[] {
  return kind === 'collection' ? [] : [nounOf(collection)]
}

function titleOf(visit: Visit, name: string): Html {
  const { isStart, received, sent, target } = visit
  if (isStart) return html`<h1>What there is</h1>`
  const isFine = received.status < 400
  const title =
    isFine && target !== undefined
      ? html`${collectionOf(target).map((noun) => html`<small>${noun}</small> `)}<bdi>${labelOf(target)}</bdi>`
      : name
  return html`<div class="title"><h1>${title}</h1>
<p class="request"><code class="method method-get">${sent.method}</code> <code class="url" dir="ltr">${sent.url}</code> <code class="status ${isFine ? 'good' : 'bad'}">${formatStatus(received)}</code></p></div>`
}
