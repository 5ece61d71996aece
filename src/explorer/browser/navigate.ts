import { authorization, authorize, forget, isAuthorized } from './authorization.ts'
import { find, findAll, make } from './find.ts'

/** Makes a page work that has just come. */
export type Start = () => void

/**
 * Lets a tab bring an authorization along. A browser does not send one with the pages it asks for by itself, so
 * where there is one they are fetched and put in place.
 */
export function watchNavigation(start: Start): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (link === null || !isPlain || !isElsewhere(link) || !isAuthorized()) return
    event.preventDefault()
    goTo(link.href, start)
  })
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !form.matches('.search') || !isAuthorized()) return
    event.preventDefault()
    const pairs = [...new FormData(form)].map(([name, value]) => [name, `${value}`])
    goTo(`${form.action}?${new URLSearchParams(pairs)}`, start)
  })
  // Going to a place in the page is told of too.
  addEventListener('popstate', () => {
    if (placeHere() !== shown) show(location.href, start)
  })
  // The browser has asked without it.
  if (isAuthorized()) show(location.href, start)
}

/** Makes the forms work with which an authorization is given, and given up. */
export function watchAuthorization(start: Start): void {
  const form = document.querySelector<HTMLFormElement>('form[data-authorization]')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    authorize(`${new FormData(form).get('authorization')}`.trim())
    show(location.href, start)
  })
  for (const button of findAll(document, '[data-forget]')) {
    button.hidden = !isAuthorized()
    button.addEventListener('click', () => {
      forget()
      location.reload()
    })
  }
}

function isElsewhere(link: HTMLAnchorElement): boolean {
  const isHere = link.getAttribute('href')?.startsWith('#') ?? true
  return link.origin === location.origin && !isHere
}

async function goTo(url: string, start: Start): Promise<void> {
  history.pushState(null, '', url)
  await show(url, start)
  scrollTo(0, 0)
}

let latest = 0
// The page that is there, as far as the server is concerned.
let shown = placeHere()

function placeHere(): string {
  return location.pathname + location.search
}

async function show(url: string, start: Start): Promise<void> {
  latest++
  const own = latest
  try {
    const headers = { accept: 'text/html', ...authorization() }
    const response = await fetch(url, { headers, cache: 'no-store' })
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
    // Meanwhile another has been asked for.
    if (own !== latest) return
    if (fresh.querySelector('#main') === null) throw new Error(`${url} is no page like this one`)
    shown = placeHere()
    document.title = fresh.title
    document.body.replaceWith(document.adoptNode(fresh.body))
    start()
    find(document, '#main').focus()
  } catch (error) {
    if (own !== latest) return
    find(document, '#main').prepend(
      make('p', { class: 'told bad', role: 'alert' }, `No answer came: ${error}`),
    )
  }
}
