import {
  forgetAuthorization,
  isAuthorized,
  newAuthorization,
  storeAuthorization,
} from './authorization.ts'
import { forgetCounts } from './counts.ts'
import { findAll, findOne, make } from './find.ts'
import { fetchPage, newPage } from './refresh.ts'
import { noResponse, retryButton } from './toast.ts'

/** Prepares a page after it is loaded. */
export type Start = () => void

/**
 * Makes links and forms that read fetch the page and replace the content: the tab then sends its
 * authorization, and keeps style and script.
 */
export function watchNavigation(start: Start): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (event.defaultPrevented || link === null || !isPlain) return
    if (!leadsToPage(link)) return
    event.preventDefault()
    if (!mayLeave()) return
    goTo(link.href, start)
  })
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement)) return
    if (form.getAttribute('method') !== 'get') return
    event.preventDefault()
    if (!mayLeave()) return
    // Each input that is empty would be a filter without a value.
    const pairs = [...new FormData(form)]
      .map(([name, value]) => [name, `${value}`])
      .filter(([, value]) => value !== '')
    goTo(`${form.action}?${new URLSearchParams(pairs)}`, start)
  })
  // The event also fires for a link within the page.
  addEventListener('popstate', () => {
    const { page } = document.body.dataset
    // An item opens beside its list.
    if (currentPath() !== page && history.state?.list !== page) show(location.href, start)
  })
  document.addEventListener(newAuthorization, () => showWho(start))
  // The browser loaded this page without the authorization.
  if (isAuthorized()) show(location.href, start)
}

/** Prepares the form that stores an authorization, and shows who is signed in. */
export function watchAuthorization(start: Start): void {
  const form = document.querySelector<HTMLFormElement>('form[data-authorization]')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    useAuthorization(start, `${new FormData(form).get('authorization')}`)
  })
  for (const button of findAll(document, '[data-use]')) {
    const { textContent, dataset } = button
    button.addEventListener('click', () =>
      useAuthorization(start, dataset.use ?? '', textContent ?? ''),
    )
  }
  showWho(start)
}

function useAuthorization(start: Start, value: string, name?: string): void {
  forgetCounts()
  storeAuthorization(value.trim(), name)
  show(location.href, start)
}

// The browser loads a page without the authorization: only a later one tells whether it is good.
async function showWho(start: Start): Promise<void> {
  if (!isAuthorized() || latest === 0) return
  const { offerSignOut } = await import('./sign-out.ts')
  offerSignOut({
    use: (value) => useAuthorization(start, value),
    leave() {
      forgetAuthorization()
      forgetCounts()
      location.reload()
    },
  })
}

function mayLeave(): boolean {
  const isTouched = document.querySelector('form[data-kind][data-touched]') !== null
  return !isTouched || confirm('Leave the page? Changes are not saved.')
}

function leadsToPage(link: HTMLAnchorElement): boolean {
  const isWithinPage = link.getAttribute('href')?.startsWith('#') ?? true
  return link.origin === location.origin && !isWithinPage && !link.download && !link.target
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
  const main = findOne(document, '#main')
  main.setAttribute('aria-busy', 'true')
  try {
    const fresh = await fetchPage(url)
    // The user has gone on to another page.
    if (visit !== latest) return
    // Another layer has a page of its own.
    if (fresh.querySelector('#main[tabindex]') === null) return location.assign(url)
    document.title = fresh.title
    document.body.replaceWith(document.adoptNode(fresh.body))
    start()
    findOne(document, '#main').focus()
    document.dispatchEvent(new Event(newPage))
  } catch {
    if (visit !== latest) return
    main.removeAttribute('aria-busy')
    main.querySelector(':scope > [role="alert"]')?.remove()
    const retry = retryButton(() => show(url, start))
    const notice = { class: 'notice bad', role: 'alert' }
    main.prepend(make('p', notice, `${noResponse()} `, retry))
  }
}
