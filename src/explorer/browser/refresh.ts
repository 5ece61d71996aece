import { authorization } from './authorization.ts'
import { offerCommands } from './copy.ts'
import { findAll, findOne } from './find.ts'

/** The event of a document whose data has changed. */
export const freshData = 'fresh-data'

/** Fetches a page. Rejects when no response comes. */
export async function fetchPage(url = location.href): Promise<Document> {
  const headers = { accept: 'text/html', ...authorization() }
  const response = await fetch(url, { headers, cache: 'no-store' })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Replaces the data, the number, the request and the response by those of a fresh page. */
export function showData(fresh: Document): void {
  const data = fresh.querySelector('#data')
  if (data === null) return
  findOne(document, '#data').replaceWith(document.adoptNode(data))
  for (const selector of ['.dock', '.head .of']) {
    const section = fresh.querySelector<HTMLElement>(selector)
    if (section === null) continue
    offerCommands(section)
    findOne(document, selector).replaceWith(document.adoptNode(section))
  }
  document.dispatchEvent(new Event(freshData))
}

/**
 * Fetches the page again. Replaces its data, and the forms that the user did not change.
 *
 * @param enhance Prepares a fresh form.
 */
export async function refresh(enhance: (form: HTMLFormElement) => void): Promise<void> {
  const fresh = await fetchPage()
  if (fresh.querySelector('#data') === null) return
  showData(fresh)
  for (const form of findAll(document, 'form[data-kind]')) {
    const freshForm = fresh.querySelector<HTMLFormElement>(`form[data-kind="${form.dataset.kind}"]`)
    if (freshForm === null || form.dataset.touched !== undefined) continue
    form.replaceWith(document.adoptNode(freshForm))
    enhance(freshForm)
  }
}
