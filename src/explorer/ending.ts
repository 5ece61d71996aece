import { parseAnnouncement } from '../wire/lifecycle.ts'
import { parseLink } from '../wire/link.ts'
import type { PageData } from './data/page-data.ts'
import { isLocalPath } from './data/page-url.ts'
import { type Html, type HtmlContent, html } from './html.ts'

/**
 * Writes the banner of a page whose version or path is deprecated: the dates, the same page in the
 * version that takes its place, and the page for people. A retired version has the last one only.
 *
 * @see docs/requests.md, C7.4
 */
export function endingOf({ received, problem, start }: PageData): HtmlContent {
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
