import { formatStatus } from '../../message.ts'
import { relatedNumbers } from '../counts.ts'
import { controlIn, fieldAt, findAll, findOne, make } from '../find.ts'
import { isItemOf } from '../item.ts'
import { conflict, deletedItem, formsOf, pageHolding, refresh } from '../refresh.ts'
import { type RoundTrip, sendRequest } from '../send.ts'
import { namesOfRows, rowText } from '../table/rows.ts'
import { readFormBody } from './body.ts'
import { forgetDraft } from './draft.ts'
import { clearErrors, focusInvalid, issuesOf, markField, placeIssues } from './issues.ts'
import { disableForm, outcomeOf, showFailure, showNoResponse, showSuccess } from './outcome.ts'

/** Prepares a form of the page. */
type Enhance = (form: HTMLFormElement) => void

/**
 * Sends a form, and shows the outcome.
 *
 * @param button The button that the user pressed: it may be a parameter.
 */
export async function submitForm(
  form: HTMLFormElement,
  enhance: Enhance,
  button: HTMLElement | null,
): Promise<void> {
  clearErrors(form)
  // The button of a move has its body.
  const { body: text } = button?.dataset ?? {}
  const body = text === undefined ? readFormBody(form) : { text }
  if ('errors' in body) {
    showFailure(form, 'Nothing was sent.', {})
    for (const { name, message } of body.errors) {
      const field = name === undefined ? findOne(form, '[data-json]') : fieldAt(form, name)
      if (field !== undefined) markField(field, message)
    }
    focusInvalid(form)
    return
  }
  const trip = await sendForm(form, { body: body.text, button })
  if (trip === undefined) return
  if (button?.getAttribute('name') === 'dry_run') {
    const status = formatStatus(trip.response)
    return showSuccess(form, [`${status}. Nothing is stored: the response shows the result.`], trip)
  }
  if (form.dataset.creates !== undefined) {
    delete form.dataset.touched
    forgetDraft(form)
    return location.reload()
  }
  showSuccess(form, successMessage(trip, form.dataset.list), trip)
  const action = form.closest('.action')
  await refreshPage(form, enhance)
  // The form is empty again, for the next item.
  if (form.dataset.kind === 'create')
    action?.querySelector<HTMLElement>('[data-fields] :is(input, select, textarea)')?.focus()
}

interface Submission {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly button?: HTMLElement | null
}

/**
 * Sends the request of a form. Shows a failure.
 *
 * @returns Request and response after a success; else `undefined`.
 */
async function sendForm(
  form: HTMLFormElement,
  { headers, body, button = null }: Submission,
): Promise<RoundTrip | undefined> {
  const { method = '', url = '', etag, media, creates } = form.dataset
  // Another request may create the item first.
  const absence = creates === undefined ? {} : { 'if-none-match': '*' }
  const condition = etag === undefined ? absence : { 'if-match': etag }
  const type = media === undefined ? {} : { 'content-type': media }
  const query = queryOf(form, button)
  return sendFor(form, {
    method,
    url: query === '' ? url : `${url}?${query}`,
    headers: { ...type, ...headers, ...condition },
    body,
  })
}

// Only the controls and buttons of parameters have names.
function queryOf(form: HTMLFormElement, button: HTMLElement | null): string {
  const pairs = [...new FormData(form, button)].map(([name, value]) => [name, `${value}`])
  return `${new URLSearchParams(pairs.filter(([, value]) => value !== ''))}`
}

/** Sends any request for a form. Shows a failure. */
async function sendFor(
  form: HTMLElement,
  request: Parameters<typeof sendRequest>[0],
): Promise<RoundTrip | undefined> {
  try {
    const trip = await sendRequest(request)
    if (trip.response.status < 300) return trip
    const issues = issuesOf(trip.value, form.dataset.items !== undefined)
    const { status } = trip.response
    const line = formatStatus(trip.response)
    const { detail = '' } = Object(trip.value)
    const title = issues.length > 0 ? line : `${line}. ${detail}`
    const lines = placeIssues(form, issues)
    const isPlaced = focusInvalid(form)
    if (status === 409) form.dispatchEvent(new Event(conflict))
    const isStale = form.dataset.etag !== undefined && status === 409
    const changes = isStale
      ? await (await import('./merge-stored.ts')).mergeStored(form)
      : { lines: [], choices: [] }
    const { choices } = changes
    showFailure(form, title, { lines: [...lines, ...changes.lines], choices, trip })
    // Another value may be allowed, so an input enables them again.
    if (status === 403 || status === 405) disableForm(form, `${line}. ${detail}`)
    if (!isPlaced) outcomeOf(form).focus()
  } catch {
    showNoResponse(form)
  }
  return undefined
}

/** Refreshes the page with its forms. */
async function refreshPage(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  delete form.dataset.touched
  forgetDraft(form)
  const place = pageHolding(form)
  try {
    await refresh(place, enhance)
    // The list beside the item has its row.
    if (place.root !== document.body) await refresh(pageHolding(document.body), enhance)
  } catch {
    const words = 'The page could not be refreshed: reload it.'
    outcomeOf(form).prepend(make('p', { class: 'notice bad', role: 'alert' }, words))
  }
}

function successMessage(
  { response: received, value }: RoundTrip,
  list = '',
): readonly (Node | string)[] {
  const status = `${formatStatus(received)}. `
  if (Array.isArray(value)) return [`${status}${value.length} items are saved.`]
  const { location: url = '' } = received.headers
  // Only the path of an item in this collection becomes a link.
  if (!isItemOf(list, url)) return [`${status}It is saved.`]
  return [status, 'It is at ', make('a', { href: url }, url), '.']
}

/** Asks the user to confirm, with the numbers of the items that lead to this one. */
export async function confirmDelete(form: HTMLFormElement): Promise<void> {
  form.querySelector('dialog')?.showModal()
  const related = await relatedNumbers(pageHolding(form).root)
  if (related.length > 0) findOne(form, '[data-related]').textContent = `${related.join(', ')}. `
}

/** Prepares the dialog of {@link confirmDelete}. */
export function watchDeleteDialog(form: HTMLFormElement, enhance: Enhance): void {
  const dialog = form.querySelector('dialog')
  if (dialog === null) return
  findOne(dialog, '[data-cancel]').addEventListener('click', () => dialog.close())
  findOne(dialog, '[data-confirm]').addEventListener('click', () => {
    dialog.close()
    deleteItem(form, enhance)
  })
}

async function deleteItem(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  // The dialog must not open again before the response.
  form.setAttribute('aria-busy', 'true')
  const { etag } = form.dataset
  const trip = await sendForm(form, {})
  form.removeAttribute('aria-busy')
  if (trip === undefined) return form.dataset.etag === etag ? undefined : askAgain(form)
  const place = pageHolding(form)
  const { root } = place
  for (const pageForm of formsOf(place)) {
    delete pageForm.dataset.touched
    forgetDraft(pageForm)
  }
  if (root !== document.body) {
    root.dispatchEvent(new CustomEvent(deletedItem, { detail: trip.value }))
    return refresh(pageHolding(document.body), enhance)
  }
  form.hidden = true
  for (const action of findAll(document, '.action')) action.hidden = !action.contains(form)
  findOne(document, '#data').replaceChildren(make('p', { class: 'empty' }, 'The item is deleted.'))
  // It describes the item that was there.
  findOne(document, '.dock').hidden = true
  const list = make('a', { href: form.dataset.list ?? '/' }, 'the other items')
  showSuccess(form, ['It was deleted. See ', list, '.'], trip)
}

// The question has what another request has changed, unless the user first chooses values.
function askAgain(form: HTMLFormElement): void {
  const changes = outcomeOf(form).querySelector('.notice ul')
  if (changes === null || outcomeOf(form).querySelector('.choices') !== null) return
  const dialog = findOne(form, 'dialog')
  dialog.querySelector('.changes')?.remove()
  const words = make('p', {}, 'Changed by another request since you opened it:')
  findOne(dialog, 'h3').after(make('div', { class: 'changes' }, words, changes.cloneNode(true)))
  confirmDelete(form)
}

/** Counts what matches, once the user opens the form that deletes it. */
export function watchCount(form: HTMLFormElement): void {
  const details = form.dataset.kind === 'deleteMany' ? form.closest('details') : null
  details?.addEventListener('toggle', () => {
    if (details.open && !findOne(form, '[data-ask]').hidden) form.requestSubmit()
  })
}

/** Counts the items, asks the user to type that number, then deletes at most as many. */
export async function confirmDeleteAll(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  clearErrors(form)
  const box = findOne(form, '[data-sure]')
  if (box.dataset.sure === '' && !(await countItems(form, box))) return
  const confirm = findOne(form, '[data-confirm]')
  const input = controlIn(confirm)
  if (confirm.hidden) {
    confirm.hidden = false
    findOne(form, '[data-ask]').hidden = true
    findOne(confirm, 'label').textContent = `Type ${box.dataset.sure} to delete ${box.dataset.what}`
    input.focus()
  } else if (input.value.trim() === box.dataset.sure) await sendDeleteAll(form, enhance)
  else {
    markField(box, `is not ${box.dataset.sure}`)
    input.focus()
  }
}

async function countItems(form: HTMLFormElement, box: HTMLElement): Promise<boolean> {
  const { count: url = '', most } = box.dataset
  const request =
    most === undefined
      ? { method: 'GET', url, headers: {} }
      : { method: 'DELETE', url, headers: { prefer: `max-affected=${most}` } }
  const trip = await sendFor(form, request)
  const { count, deleted = count } = Object(trip?.value)
  if (trip === undefined || typeof deleted !== 'number') return false
  const words = deleted === 0 ? 'No item is here to delete.' : `This will delete ${deleted}:`
  const rows = findAll(document, '.items tbody tr').map(rowText)
  const names = deleted === 0 ? [] : [namesOfRows(rows, deleted)]
  showSuccess(form, [words, ...names], trip)
  findOne(outcomeOf(form), '.notice').classList.replace('good', 'amber')
  if (deleted === 0) return false
  box.dataset.sure = `${deleted}`
  const all = most === undefined ? `all ${deleted}` : `${deleted}`
  box.dataset.what = deleted === 1 ? 'the only item' : all
  form.dataset.prefer = `max-affected=${deleted}`
  return true
}

async function sendDeleteAll(form: HTMLFormElement, enhance: Enhance): Promise<void> {
  const { prefer } = form.dataset
  const trip = await sendForm(form, prefer === undefined ? {} : { headers: { prefer } })
  // The number of items may have changed.
  if (trip === undefined) return resetQuestion(form)
  const number: unknown = Reflect.get(Object(trip.value), 'deleted')
  showSuccess(form, [`${number} deleted.`], trip)
  await refreshPage(form, enhance)
}

function resetQuestion(form: HTMLElement): void {
  const confirm = findOne(form, '[data-confirm]')
  confirm.hidden = true
  controlIn(confirm).value = ''
  findOne(form, '[data-ask]').hidden = false
  if (form.dataset.prefer !== undefined) findOne(form, '[data-sure]').dataset.sure = ''
}
