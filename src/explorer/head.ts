import { lastNounOf } from '../contract/resource/api.ts'
import { methodsFor } from '../wire/path.ts'
import type { TargetPage } from './data/page-data.ts'
import { type PageParameters, targetAt, urlOf } from './data/page-url.ts'
import { type Html, type HtmlContent, html } from './html.ts'
import { labelOf } from './navigation.ts'
import { headingHtml } from './value.ts'

/** Writes the head of a page about a target: its name, its number, and its actions. */
export function headOf(
  page: TargetPage,
  parameters: PageParameters,
  actions: readonly HtmlContent[],
): Html {
  const { target } = page
  const { kind, collection } = target
  const noun = lastNounOf(collection)
  const label = headingHtml(labelOf(page, target))
  const isEnd = kind !== 'collection' && kind !== 'item'
  const title = isEnd ? html`${noun} ${label}` : label
  const note =
    kind === 'item' ? html`<code>${target.id}</code> ${noun}` : numberOf(page, parameters)
  return html`<div class="head"><h1>${title}</h1><p class="of">${note}</p>
<div class="buttons">${actions}</div></div>`
}

/** Writes the head of any other page. */
export function plainHead(title: string): Html {
  return html`<div class="head"><h1>${title}</h1></div>`
}

// The script adds the number of all items to the number of those that match.
function numberOf(page: TargetPage, { q, where }: PageParameters): HtmlContent {
  const { target, received, settings } = page
  const total = received.headers['x-total-count'] ?? ''
  if (target.kind !== 'collection' || !/^\d{1,15}$/.test(total)) return undefined
  const number = Number(total).toLocaleString('en')
  if (q === undefined && where === undefined) return number
  const count = targetAt(target, 'count')
  const isCountable = methodsFor(count, settings.registry).kinds.has('GET')
  const attribute = isCountable ? html` data-total="${urlOf(count, page)}"` : ''
  return html`<span${attribute}>${number} match</span>`
}
