import type { HttpRequest } from '../model/http.ts'
import { headerOf } from '../model/http.ts'
import { formatCurl } from './curl.ts'
import { formatReceived, formatSent } from './exchange.ts'
import { type Html, html } from './html.ts'
import type { Visit } from './site.ts'

/** Shows the request that was made for a page, as a command too, and its answer. */
export function wireOf({ sent, received, request }: Visit): Html {
  const origin = originOf(request)
  return html`<section class="wire" aria-labelledby="wire">
<h2 id="wire">Over the wire</h2>
<div class="parts"><div class="part"><h3>Request</h3>
<pre class="message"><code>${formatSent(sent)}</code></pre>
<div class="curl"><pre class="message"><code data-curl data-origin="${origin}">${formatCurl(sent, origin + sent.url)}</code></pre>
<button type="button" class="needs-script copy" data-copy hidden>Copy</button></div></div>
<div class="part"><h3>Answer</h3>
<pre class="message long-message" tabindex="0" role="region" aria-label="Answer"><code>${formatReceived(received)}</code></pre></div></div>
</section>`
}

// As far as the server can tell: behind a proxy, whether it was https is the proxy's to say. The script knows for sure.
function originOf({ headers, source }: HttpRequest): string {
  const host = headerOf({ headers }, 'host') ?? headerOf({ headers }, ':authority') ?? ''
  const isSecure =
    headerOf({ headers }, 'x-forwarded-proto') === 'https' ||
    Reflect.get(Object(Reflect.get(Object(source), 'socket')), 'encrypted') === true ||
    `${Reflect.get(Object(source), 'url')}`.startsWith('https:')
  return `${isSecure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}
