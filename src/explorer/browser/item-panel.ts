import { offerCopy } from './copy.ts'
import { showCounts } from './counts.ts'
import { openDrawer, watchClosing, watchEscape } from './drawer.ts'
import { findAll, findOne, make } from './find.ts'
import { storeRecent } from './palette/recent.ts'
import {
  dataElementOf,
  deletedItem,
  fetchPage,
  freshData,
  pageHolding,
  restoreDock,
  showDock,
} from './refresh.ts'
import { sendRequest } from './send.ts'
import { clickedField } from './table/rows.ts'
import { noResponse, retryButton, showToast } from './toast.ts'

/** Prepares what a page holds. */
type Prepare = (within: HTMLElement) => void

const tabs = [
  ['View', 'view', '.tools, #item-data, .description'],
  ['Edit', 'edit', '.actions, :scope > .note'],
  ['JSON', 'json', '.json'],
  ['Related', 'related', '.related'],
] as const

// Below this width an item has a page of its own.
const wide = matchMedia('(min-width: 900px)')

/** Opens an item beside its list, once the user follows its link. The URL is that of its page. */
export function watchItems(prepare: Prepare): void {
  document.addEventListener('click', (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey } = event
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>(links) : null
    if (link === null || button !== 0 || ctrlKey || metaKey || shiftKey || !wide.matches) return
    event.preventDefault()
    openItem(link.href, prepare)
  })
  document.addEventListener('click', leaveForPanel, true)
  addEventListener('popstate', () => {
    const { page } = document.body.dataset
    if (history.state?.list === page) showItem(location.href, prepare)
    else if (location.pathname + location.search === page) close()
  })
  addEventListener('beforeunload', (event) => {
    if (document.querySelector(touched) !== null) event.preventDefault()
  })
}

const links = '.items tbody th a'
const touched = 'form[data-kind][data-touched]'

function panelOf(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>('dialog[data-page]')
}

/**
 * Opens an item beside its list. Leads to its page where that is impossible.
 *
 * @param url With the part to show: `#edit`, or `#delete` for the question of the deletion.
 */
export async function openItem(url: string, prepare: Prepare): Promise<void> {
  if (!wide.matches) return location.assign(url)
  const panel = panelOf()
  if (panel?.open && !mayLeave(panel)) return
  const state = { list: document.body.dataset.page }
  if (panel?.open) history.replaceState(state, '', url)
  else history.pushState(state, '', url)
  await showItem(url, prepare)
}

let latest = 0

async function showItem(url: string, prepare: Prepare): Promise<void> {
  latest++
  const visit = latest
  const fresh = await fetchPage(url).catch(() => undefined)
  if (visit !== latest) return
  if (fresh === undefined) {
    const retry = retryButton(() => showItem(url, prepare))
    return showToast('alert', `${noResponse()} `, retry)
  }
  const main = fresh.querySelector<HTMLElement>('#main')
  if (!main || dataElementOf(fresh)?.querySelector('.item') == null) return location.assign(url)
  const panel = panelOf() ?? document.body.appendChild(emptyPanel())
  const { pathname, search } = new URL(url, location.href)
  panel.dataset.page = pathname + search
  findOne(main, '#data').id = 'item-data'
  const heading = findOne(main, 'h1')
  heading.replaceWith(make('h2', { id: 'item-title' }, ...heading.childNodes))
  const json = make('div', { class: 'json' })
  panel.replaceChildren(headOf(url, prepare), ...main.children, json)
  findOne(panel, '.head').after(tabBar(panel))
  watchClosing(panel, () => leave(panel))
  prepare(panel)
  showDock(fresh)
  openDrawer(panel)
  showTab(panel, location.hash.slice(1))
  if (location.hash === '#delete') askToDelete(panel)
  markRow()
  const label = findOne(panel, '#item-title').textContent ?? ''
  storeRecent({ label, url: panel.dataset.page })
}

function emptyPanel(): HTMLDialogElement {
  const panel = document.createElement('dialog')
  panel.className = 'drawer'
  panel.setAttribute('aria-labelledby', 'item-title')
  watchEscape(panel, () => leave(panel))
  panel.addEventListener(deletedItem, (event) => {
    closeDeleted(panel, Reflect.get(event, 'detail'))
  })
  return panel
}

// The rows before and after it, its own page, and a button that closes it.
function headOf(url: string, prepare: Prepare): HTMLElement {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(links)]
  const index = rows.findIndex(({ href }) => href === url.replace(/#.*/, ''))
  const step = (text: string, label: string, to: HTMLAnchorElement | undefined): HTMLElement => {
    const button = make('button', { type: 'button', class: 'step', 'aria-label': label }, text)
    button.toggleAttribute('disabled', to === undefined)
    button.addEventListener('click', async () => {
      if (to === undefined) return
      await openItem(to.href + location.hash, prepare)
      panelOf()?.querySelector<HTMLElement>(`[aria-label="${label}"]:enabled`)?.focus()
    })
    return button
  }
  const steps = [
    step('‹', 'Previous item', rows[index - 1]),
    `${index + 1} of ${rows.length}`,
    step('›', 'Next item', rows[index + 1]),
  ]
  const page = make('a', { href: url }, 'Its own page')
  const close = make(
    'a',
    { class: 'close', href: url, 'data-close': '', 'aria-label': 'Close' },
    '×',
  )
  return make('div', { class: 'drawer-head' }, ...(index < 0 ? [] : steps), page, close)
}

function tabBar(panel: HTMLElement): HTMLElement {
  const bar = make('nav', { class: 'tabs', 'aria-label': 'Parts of the item' })
  for (const [label, name, selector] of tabs) {
    if (panel.querySelector(selector) === null) continue
    const link = make('a', { href: `#${name}` }, label)
    link.addEventListener('click', (event) => {
      event.preventDefault()
      history.replaceState(history.state, '', `#${name}`)
      showTab(panel, name)
    })
    bar.append(link)
  }
  return bar
}

/** Shows one part of the item in a panel: `view`, `edit`, `json` or `related`. */
function showTab(panel: HTMLElement, hash: string): void {
  const links = findAll(panel, '.tabs a')
  const isKnown = links.some((link) => link.getAttribute('href') === `#${hash}`)
  const tab = isKnown ? hash : hash === 'delete' ? 'edit' : 'view'
  for (const link of links) {
    if (link.getAttribute('href') === `#${tab}`) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
  for (const [, name, selector] of tabs)
    for (const part of findAll(panel, selector)) part.hidden = name !== tab
  if (tab === 'json') showJson(panel)
  if (tab === 'edit') openForm(panel)
  else findOne(panel, '.tabs [aria-current]').focus()
  showCounts()
}

/** Opens the form that changes an item, and gives one of its fields the focus. */
export function openForm(within: HTMLElement): void {
  const form = within.querySelector('#action-patch') ?? within.querySelector('.actions details')
  form?.toggleAttribute('open', true)
  focusField(within)
}

/** Asks whether to delete the item of a page, as a click on the button of the form does. */
export function askToDelete(within: HTMLElement): void {
  history.replaceState(history.state, '', '#edit')
  const action = within.querySelector('#action-delete')
  action?.toggleAttribute('open', true)
  // A browser gives no focus to an element in the frame that unfolds it.
  requestAnimationFrame(() => action?.querySelector('form')?.requestSubmit())
}

// The field of the cell that the user has clicked, else the first.
function focusField(panel: HTMLElement): void {
  const name = clickedField()
  const field = findAll(panel, '.actions [data-fields] > .field').find(
    ({ dataset }) => dataset.name === name,
  )
  const form = field ?? findOne(panel, '.actions')
  form.querySelector<HTMLElement>('input, select, textarea')?.focus()
}

async function showJson(panel: HTMLElement): Promise<void> {
  const { url } = pageHolding(panel)
  const trip = await sendRequest({ method: 'GET', url, headers: {} }).catch(() => undefined)
  const text = trip === undefined ? 'No response came.' : JSON.stringify(trip.value, undefined, 2)
  findOne(panel, '.json').replaceChildren(
    make('pre', { class: 'message', tabindex: '0' }, make('code', {}, text)),
  )
}

function mayLeave(panel: HTMLElement): boolean {
  return panel.querySelector(touched) === null || confirm('Leave the item? Changes are not saved.')
}

/** Closes the panel, and goes back to the URL of the list. */
function leave(panel: HTMLElement): void {
  if (mayLeave(panel)) history.back()
}

// Says so. The focus goes to the row after it.
function closeDeleted(panel: HTMLElement, item: unknown): void {
  const name = findOne(panel, '#item-title').textContent ?? ''
  const next = document.querySelector<HTMLAnchorElement>('tr:has(a[aria-current]) + tr th a')
  const focusNext = () => next && rowOf(next.pathname)?.focus()
  document.addEventListener(freshData, focusNext, { once: true })
  history.back()
  const json = make('code', { class: 'hidden' }, JSON.stringify(item, undefined, 2))
  const copy = make('button', { type: 'button' }, 'Copy as JSON')
  offerCopy(copy, json)
  showToast('status', `Deleted ${name}.`, copy, json)
}

// The focus returns to the row of the item.
function close(): void {
  const panel = panelOf()
  if (panel === null) return
  const { url } = pageHolding(panel)
  panel.remove()
  restoreDock()
  markRow()
  rowOf(url)?.focus()
}

function rowOf(url: string): HTMLAnchorElement | undefined {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(links)]
  return rows.find(({ href }) => href === new URL(url, location.href).href)
}

/** Marks the row of the item in the panel. */
export function markRow(): void {
  for (const link of findAll(document, `${links}[aria-current]`))
    link.removeAttribute('aria-current')
  const panel = panelOf()
  if (panel !== null) rowOf(pageHolding(panel).url)?.setAttribute('aria-current', 'true')
}

// A link to a panel of the list leads away from the item.
function leaveForPanel(event: Event): void {
  const panel = panelOf()
  const { target } = event
  const link = target instanceof Element ? target.closest('a[href^="#"]') : null
  if (panel === null || link === null || panel.contains(link)) return
  // The links of a modal dialog stay in it.
  if (link.closest('dialog:modal') !== null) return
  event.preventDefault()
  event.stopPropagation()
  if (!mayLeave(panel)) return
  history.replaceState(null, '', `${document.body.dataset.page}${link.getAttribute('href')}`)
  close()
  dispatchEvent(new HashChangeEvent('hashchange'))
}
