import { requestLines, responseLines, type ShownRequest } from '../../message.ts'
import { findAll, findOne, make } from '../find.ts'
import { sendRequest } from '../send.ts'
import { type HistoryEntry, readHistory } from './history.ts'
import type { Language, requestIn } from './languages.ts'

/** The languages of a request. */
interface Writers {
  readonly languages: readonly Language[]
  readonly requestIn: typeof requestIn
}

/** Adds the languages of the request to an open dock, and the requests of the tab. */
export function fillDock(dock: HTMLElement, writers: Writers): void {
  if (dock.querySelector('.languages') !== null) return
  const lines = findOne(dock, '.part pre code')
  const received = findOne(dock, '.long-message code')
  let language: Language = 'curl'
  let request = requestFrom(lines.textContent ?? '')
  const show = (): void => {
    findOne(dock, '[data-curl]').textContent = writers.requestIn(language, request, addressOf())
    for (const button of findAll(bar, 'button'))
      button.setAttribute('aria-pressed', `${button.textContent === language}`)
  }
  const buttons = writers.languages.map((name) =>
    buttonOf(name, () => {
      language = name
      show()
    }),
  )
  const group = { class: 'languages', role: 'group', 'aria-label': 'Language' }
  const bar = make('div', group, ...buttons)
  const again = buttonOf('Send again', async () => {
    const sent = request
    const trip = await sendRequest(sent).catch((error: unknown) => `${error}`)
    received.textContent = typeof trip === 'string' ? trip : responseLines(trip.response)
    if (typeof trip === 'string') return
    showLine(dock, { request: sent, status: trip.response.status, ...trip.cost })
  })
  again.hidden = true
  const open = (entry: HistoryEntry): void => {
    request = entry.request
    showLine(dock, entry)
    lines.textContent = requestLines(request)
    received.textContent = 'Not sent again yet.'
    again.hidden = false
    show()
  }
  findOne(dock, '.curl').before(bar, again)
  findOne(dock, '.curl').after(historyOf(open))
  show()
}

// Shows another request on the line of the dock.
function showLine(dock: HTMLElement, entry: HistoryEntry): void {
  const { request, status, milliseconds, size } = entry
  const parts = [
    ['method', `method-${request.method.toLowerCase()}`, request.method],
    ['status', status < 400 ? 'good' : 'bad', `${status}`],
    ['cost', '', `· ${milliseconds} ms · ${size}`],
    ['url', '', request.url],
  ] as const
  for (const [name, kind, text] of parts) {
    const part = findOne(dock, `summary .${name}`)
    part.className = `${name} ${kind}`
    part.textContent = text
  }
}

function addressOf(): { readonly origin: string; readonly base: string } {
  const start = findOne(document, '.brand').getAttribute('href') ?? '/'
  return { origin: location.origin, base: start.replace(/\/$/, '') }
}

function historyOf(open: (entry: HistoryEntry) => void): HTMLElement {
  const entries = readHistory()
  const items = entries.map((entry) => {
    const { request, status, milliseconds } = entry
    const label = `${request.method} ${request.url} · ${status} · ${milliseconds} ms`
    return make(
      'li',
      {},
      buttonOf(label, () => open(entry)),
    )
  })
  const summary = make('summary', {}, `History ${entries.length}`)
  const note = make('p', { class: 'note' }, 'The writes of this tab. One opens here first.')
  return make('details', { class: 'history' }, summary, note, make('ul', {}, ...items))
}

function buttonOf(label: string, act: () => unknown): HTMLElement {
  const button = make('button', { type: 'button' }, label)
  button.addEventListener('click', act)
  return button
}

// The page shows its request as lines.
function requestFrom(lines: string): ShownRequest {
  const [start = '', ...fields] = lines.split('\n')
  const [method = 'GET', url = '/'] = start.split(' ')
  const headers = fields.map((field) => {
    const colon = field.indexOf(': ')
    return [field.slice(0, colon), field.slice(colon + 2)]
  })
  return { method, url, headers: Object.fromEntries(headers) }
}
