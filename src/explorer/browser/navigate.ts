import { forgetAuthorization, isAuthorized, storeAuthorization } from './authorization.ts'
import { forgetCounts } from './counts.ts'
import { findAll, findOne, make } from './find.ts'
import { fetchPage } from './refresh.ts'

/** Prepares a page after it is loaded. */
export type Start = () => void

/**
 * Makes links and forms that read send the authorization of the tab. The browser sends none when
 * it loads a page, so with an authorization the script fetches pages and replaces the content.
 */
export function watchNavigation(start: Start): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (event.defaultPrevented || link === null || !isPlain) return
    if (!leadsToPage(link) || !isAuthorized()) return
    event.preventDefault()
    goTo(link.href, start)
  })
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !isAuthorized()) return
    if (form.getAttribute('method') !== 'get') return
    event.preventDefault()
    const pairs = [...new FormData(form)].map(([name, value]) => [name, `${value}`])
    goTo(`${form.action}?${new URLSearchParams(pairs)}`, start)
  })
  // The event also fires for a link within the page.
  addEventListener('popstate', () => {
    const { page } = document.body.dataset
    // An item opens beside its list.
    if (currentPath() !== page && history.state?.list !== page) show(location.href, start)
  })
  // The browser loaded this page without the authorization.
  if (isAuthorized()) show(location.href, start)
}

/** Prepares the form that stores an authorization, and the buttons that remove it. */
export function watchAuthorization(start: Start): void {
  const form = document.querySelector<HTMLFormElement>('form[data-authorization]')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    forgetCounts()
    storeAuthorization(`${new FormData(form).get('authorization')}`.trim())
    show(location.href, start)
  })
  for (const button of findAll(document, '[data-forget]')) {
    button.hidden = !isAuthorized()
    button.addEventListener('click', () => {
      forgetAuthorization()
      forgetCounts()
      location.reload()
    })
  }
}

function leadsToPage(link: HTMLAnchorElement): boolean {
  const isWithinPage = link.getAttribute('href')?.startsWith('#') ?? true
  return link.origin === location.origin && !isWithinPage
}

async function goTo(url: string, start: Start): Promise<void> {
  history.pushState(null, '', url)
  await show(url, start)
  scrollTo(0, 0)
}

let latest = 0

function currentPath(): string {
  return location.pathname + location.search
}

async function show(url: string, start: Start): Promise<void> {
  latest++
  const visit = latest
  try {
    const fresh = await fetchPage(url)
    // The user has gone on to another page.
    if (visit !== latest) return
    if (fresh.querySelector('#main') === null) throw new Error(`${url} is no page of the explorer`)
    document.title = fresh.title
    document.body.replaceWith(document.adoptNode(fresh.body))
    start()
    findOne(document, '#main').focus()
  } catch (error) {
    if (visit !== latest) return
    findOne(document, '#main').prepend(
      make('p', { class: 'notice bad', role: 'alert' }, `No response came: ${error}`),
    )
  }
}
