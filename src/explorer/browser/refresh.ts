import { authorization } from './authorization.ts'
import { offerCommands } from './copy.ts'
import { find, findAll } from './find.ts'

/** Fetches the page as the server writes it now. Rejects where no answer comes. */
export async function fetchPage(): Promise<Document> {
  const response = await fetch(location.href, {
    headers: { accept: 'text/html', ...authorization() },
    cache: 'no-store',
  })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Puts the data and the exchange of a fresh page in place of those that are there. */
export function showData(fresh: Document): void {
  const data = fresh.querySelector('#data')
  if (data === null) return
  find(document, '#data').replaceWith(document.adoptNode(data))
  const wire = fresh.querySelector<HTMLElement>('main > .wire')
  if (wire !== null) {
    offerCommands(wire)
    find(document, 'main > .wire').replaceWith(document.adoptNode(wire))
  }
}

/**
 * Fetches the page anew and puts what it shows, the exchange it tells and the forms that nobody has written into in place of what is there.
 *
 * @param enhance Makes a fresh form work.
 */
export async function refresh(enhance: (form: HTMLFormElement) => void): Promise<void> {
  const fresh = await fetchPage()
  if (fresh.querySelector('#data') === null) return
  showData(fresh)
  for (const form of findAll(document, 'form[data-kind]')) {
    const other = fresh.querySelector<HTMLFormElement>(`form[data-kind="${form.dataset.kind}"]`)
    if (other === null || form.dataset.touched !== undefined) continue
    form.replaceWith(document.adoptNode(other))
    enhance(other)
  }
}
