import { curlCommand } from '../curl.ts'
import { requestLines, responseLines } from '../message.ts'
import { offerCopy } from './copy.ts'
import { findOne, make } from './find.ts'
import type { RoundTrip } from './send.ts'

/** Returns the element that shows the outcome of a form. */
export function outcomeOf(form: HTMLElement): HTMLElement {
  return findOne(form.closest('.action') ?? document, '.outcome')
}

/** Shows a success with its request and response, and moves the focus there. */
export function showSuccess(
  form: HTMLElement,
  words: readonly (Node | string)[],
  trip: RoundTrip,
): void {
  const outcome = outcomeOf(form)
  const notice = make('p', { class: 'notice good', role: 'status' }, ...words)
  outcome.replaceChildren(notice, httpDetails(trip))
  outcome.focus()
}

/** Shows a failure, with a line for each issue, and the request and response if there are any. */
export function showFailure(form: HTMLElement, title: string, details: FailureDetails): void {
  const { lines = [], trip } = details
  const list = lines.length === 0 ? [] : [make('ul', {}, ...lines)]
  const alert = make('div', { class: 'notice bad', role: 'alert' }, make('p', {}, title), ...list)
  outcomeOf(form).replaceChildren(alert, ...(trip === undefined ? [] : [httpDetails(trip)]))
}

interface FailureDetails {
  readonly lines?: readonly HTMLElement[]
  readonly trip?: RoundTrip
}

function httpDetails({ request, response }: RoundTrip): HTMLElement {
  const command = make('code', {}, curlCommand(request, location.origin + request.url))
  const button = make('button', { type: 'button', class: 'copy' }, 'Copy')
  offerCopy(button, command)
  const curl = make('div', { class: 'curl' }, message(command), button)
  const sent = make(
    'div',
    { class: 'part' },
    message(make('code', {}, requestLines(request))),
    curl,
  )
  const received = message(make('code', {}, responseLines(response)), {
    class: 'message long-message',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Its response',
  })
  return make(
    'details',
    { class: 'wire', open: '' },
    make('summary', {}, 'Request and response'),
    make('div', { class: 'parts' }, sent, received),
  )
}

function message(
  code: HTMLElement,
  attributes: Parameters<typeof make>[1] = { class: 'message' },
): HTMLElement {
  return make('pre', attributes, code)
}
