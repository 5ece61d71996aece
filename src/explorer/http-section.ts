import { type HttpRequest, headerOf } from '../model/http.ts'
import { curlCommand } from './curl.ts'
import { type Html, html } from './html.ts'
import { requestLines, responseLines } from './message.ts'
import type { PageData } from './page-data.ts'

/** Shows the request of a page, also as a curl command, and its response. */
export function httpSectionOf({
  shownRequest: sent,
  shownResponse: received,
  request,
}: PageData): Html {
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
