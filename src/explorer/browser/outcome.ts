import { formatCurl } from '../curl.ts'
import { formatReceived, formatSent } from '../exchange.ts'
import { offerCopy } from './copy.ts'
import { find, make } from './find.ts'
import type { Exchange } from './send.ts'

/** Where the outcome of a form is told. */
export function outcomeOf(form: HTMLElement): HTMLElement {
  return find(form.closest('.action') ?? document, '.outcome')
}

/** Tells that something is well, with the exchange that says so, and goes there. */
export function tell(
  form: HTMLElement,
  words: readonly (Node | string)[],
  exchange: Exchange,
): void {
  const place = outcomeOf(form)
  place.replaceChildren(
    make('p', { class: 'told good', role: 'status' }, ...words),
    wireOf(exchange),
  )
  place.focus()
}

/** Tells that something is wrong: what, a line for each fault, and the exchange where there was one. */
export function warn(form: HTMLElement, title: string, told: Warning): void {
  const { lines = [], exchange } = told
  const list = lines.length === 0 ? [] : [make('ul', {}, ...lines)]
  const alert = make('div', { class: 'told bad', role: 'alert' }, make('p', {}, title), ...list)
  outcomeOf(form).replaceChildren(alert, ...(exchange === undefined ? [] : [wireOf(exchange)]))
}

interface Warning {
  readonly lines?: readonly HTMLElement[]
  readonly exchange?: Exchange
}

function wireOf({ sent, received }: Exchange): HTMLElement {
  const command = make('code', {}, formatCurl(sent, location.origin + sent.url))
  const button = make('button', { type: 'button', class: 'copy' }, 'Copy')
  offerCopy(button, command)
  return make(
    'details',
    { class: 'wire', open: '' },
    make('summary', {}, 'Over the wire'),
    make(
      'div',
      { class: 'parts' },
      make(
        'div',
        { class: 'part' },
        make('pre', { class: 'message' }, make('code', {}, formatSent(sent))),
        make('div', { class: 'curl' }, make('pre', { class: 'message' }, command), button),
      ),
      make(
        'pre',
        {
          class: 'message long-message',
          tabindex: '0',
          role: 'region',
          'aria-label': 'Its answer',
        },
        make('code', {}, formatReceived(received)),
      ),
    ),
  )
}
