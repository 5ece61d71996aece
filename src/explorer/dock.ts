import { type HttpRequest, headerOf } from '../contract/resource/http.ts'
import type { PageData } from './data/page-data.ts'
import { type Html, html } from './html.ts'
import { curlCommand, formatSize, requestLines, responseLines } from './message.ts'

// Characters of a body that a page repeats.
const maxRepeated = 4000

/**
 * Writes the request and the response of a page: one line, which opens. The script adds the time,
 * and reads a body that the page does not repeat.
 */
export function dockOf({ sent, received, request, body }: PageData): Html {
  const origin = originOf(request)
  const command = curlCommand(sent, origin + sent.url)
  const isCut = (Array.isArray(body) && body.length > 0) || received.body.length > maxRepeated
  const shown = isCut ? { ...received, body: '…' } : received
  const whole = isCut
    ? html` data-whole="${sent.url}" data-headers="${JSON.stringify(sent.headers)}"`
    : ''
  const statusClass = received.status < 400 ? 'good' : 'bad'
  const method = html`<code class="method method-get">${sent.method}</code>`
  const url = html`<code class="url" dir="ltr">${sent.url}</code>`
  const status = html`<code class="status ${statusClass}">${received.status}</code>`
  const cost = html`<span class="cost">· ${formatSize(received.body)}</span>`
  const line = [method, ' ', status, ' ', cost, ' ', url]
  const region = html`tabindex="0" role="region" aria-label="Response"${whole}`
  return html`<footer class="dock"><details class="wire">
<summary><span class="hidden">Request and response: </span>${line}</summary>
<div class="parts"><div class="part">
<pre class="message"><code>${requestLines(sent)}</code></pre>
<div class="curl">
<pre class="message"><code data-curl data-origin="${origin}">${command}</code></pre>
<button type="button" class="needs-script copy" data-copy hidden>Copy</button></div></div>
<div class="part">
<pre class="message long-message" ${region}><code>${responseLines(shown)}</code></pre>
</div></div></details></footer>`
}

/**
 * Returns the origin of a request. The server can only guess it, for example behind a proxy. The
 * script corrects it.
 */
export function originOf({ headers, source }: HttpRequest): string {
  const host = headerOf({ headers }, 'host') ?? headerOf({ headers }, ':authority') ?? ''
  const isSecure =
    headerOf({ headers }, 'x-forwarded-proto') === 'https' ||
    Reflect.get(Object(Reflect.get(Object(source), 'socket')), 'encrypted') === true ||
    `${Reflect.get(Object(source), 'url')}`.startsWith('https:')
  return `${isSecure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}
