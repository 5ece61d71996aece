import { curlCommand, requestLines, responseLines } from '../../message.ts'
import { authorizationForm } from '../authorization.ts'
import { offerCopy } from '../copy.ts'
import { findOne, make } from '../find.ts'
import type { RoundTrip } from '../send.ts'
import { noResponse } from '../toast.ts'

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
  const notice = make('div', { class: 'notice good', role: 'status' }, ...words)
  outcome.replaceChildren(notice, httpDetails(trip, form))
  outcome.focus()
}

/** Shows a failure, with a line for each issue, and the request and response if there are any. */
export function showFailure(form: HTMLElement, title: string, details: FailureDetails): void {
  const { lines = [], choices = [], trip } = details
  const list = lines.length === 0 ? [] : [make('ul', {}, ...lines)]
  const content = [make('p', {}, title), ...choiceTable(choices), ...list]
  const alert = make('div', { class: 'notice bad', role: 'alert' }, ...content)
  // The user may replace an expired token, and keep the input.
  const access = trip?.response.status === 401 ? [authorizationForm()] : []
  const http = trip === undefined ? [] : [httpDetails(trip, form)]
  outcomeOf(form).replaceChildren(alert, ...access, ...http)
}

/** Says that no response came, and moves the focus there. The form keeps the input. */
export function showNoResponse(form: HTMLElement): void {
  showFailure(form, `${noResponse()} Nothing that you entered is lost: send it again.`, {})
  outcomeOf(form).focus()
}

/** Disables the buttons that send a form, and says why; `''` enables them. */
export function disableForm(form: HTMLElement, reason: string): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[type="submit"]')) {
    button.disabled = reason !== ''
    button.title = reason
  }
}

interface FailureDetails {
  readonly lines?: readonly HTMLElement[]
  /** Rows with the stored value of a field, and the user's. */
  readonly choices?: readonly HTMLElement[]
  readonly trip?: RoundTrip
}

function choiceTable(rows: readonly HTMLElement[]): readonly HTMLElement[] {
  if (rows.length === 0) return []
  const caption = make('caption', {}, 'Changed by another request since you opened it.')
  const headings = ['Field', 'Theirs', 'Mine'].map((text) => make('th', { scope: 'col' }, text))
  const head = make('thead', {}, make('tr', {}, ...headings))
  return [make('table', { class: 'choices' }, caption, head, make('tbody', {}, ...rows))]
}

function httpDetails({ request, response }: RoundTrip, form: HTMLElement): HTMLElement {
  const command = make('code', {}, curlCommand(request, location.origin + request.url))
  const button = make('button', { type: 'button', class: 'copy' }, 'Copy')
  offerCopy(button, command)
  const message = { class: 'message' }
  const lines = make('pre', message, make('code', {}, requestLines(request)))
  const curl = make('div', { class: 'curl' }, make('pre', message, command), button)
  const region = { class: 'message long-message', tabindex: '0', role: 'region' }
  const labelled = { ...region, 'aria-label': 'Its response' }
  const received = make('pre', labelled, make('code', {}, responseLines(response)))
  const sent = make('div', { class: 'part' }, lines, curl)
  const parts = make('div', { class: 'parts' }, sent, received)
  const summary = make('summary', {}, 'Request and response')
  const details = make('details', { class: 'wire' }, summary, parts)
  // A panel is narrow.
  details.toggleAttribute('open', form.closest('dialog') === null)
  return details
}
