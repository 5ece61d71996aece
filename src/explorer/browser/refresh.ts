import { authorization } from './authorization.ts'
import { offerCommands } from './copy.ts'
import { findAll, findOne } from './find.ts'

/** The event of a document whose data has changed. */
export const freshData = 'fresh-data'

/** The event of a document that shows another page, ready for its fragment. */
export const newPage = 'new-page'

/** The event of a panel whose item the user has deleted. Its detail is the item. */
export const deletedItem = 'deleted-item'

/** The event of a form whose items another request has changed. */
export const conflict = 'conflict'

/** Fetches a page. Rejects when no response comes. */
export async function fetchPage(url: string): Promise<Document> {
  const headers = { accept: 'text/html', ...authorization() }
  const begun = performance.now()
  const response = await fetch(url, { headers, cache: 'no-store' })
  const text = await response.text()
  const milliseconds = performance.now() - begun
  const page = new DOMParser().parseFromString(text, 'text/html')
  showTime(page, milliseconds)
  return page
}

/** A page: the body of the document, or an item in the panel beside it. */
export interface Place {
  readonly root: HTMLElement
  /** Path and query of the page. */
  readonly url: string
}

/** Returns the page of an element. */
export function pageHolding(element: Element): Place {
  const root = element.closest<HTMLElement>('[data-page]') ?? document.body
  return { root, url: root.dataset.page ?? location.pathname + location.search }
}

/** Returns the forms of a page that write. */
export function formsOf({ root }: Place): readonly HTMLFormElement[] {
  const forms = [...root.querySelectorAll<HTMLFormElement>('form[data-kind]')]
  return forms.filter((form) => pageHolding(form).root === root)
}

/** Returns the data of a page: its items, or the fields of its item. */
export function dataElementOf(root: ParentNode): HTMLElement | null {
  return root.querySelector<HTMLElement>('#data, #item-data')
}

/** Replaces the data, the number, the request and the response by those of a fresh page. */
export function showData(fresh: Document, { root }: Place): void {
  const [data, oldData] = [dataElementOf(fresh), dataElementOf(root)]
  if (data === null || oldData === null) return
  data.id = oldData.id
  data.hidden = oldData.hidden
  oldData.replaceWith(document.adoptNode(data))
  const number = fresh.querySelector('.head .of')
  if (number !== null) root.querySelector('.head .of')?.replaceWith(document.adoptNode(number))
  if (root === document.body) keepDock(fresh)
  // The line is that of the URL: an item beside the list has it.
  if (root !== document.body || document.querySelector('dialog[data-page]') === null)
    showDock(fresh)
  document.dispatchEvent(new Event(freshData))
}

/**
 * Fetches a page again. Replaces its data, and the forms that the user did not change.
 *
 * @param enhance Prepares a fresh form.
 */
export async function refresh(
  place: Place,
  enhance: (form: HTMLFormElement) => void,
): Promise<void> {
  const fresh = await fetchPage(place.url)
  if (dataElementOf(fresh) === null) return
  showData(fresh, place)
  const freshForms = findAll(fresh, 'form[data-kind]')
  for (const form of formsOf(place)) {
    const freshForm = freshForms.find(({ dataset }) => dataset.kind === form.dataset.kind)
    if (!(freshForm instanceof HTMLFormElement) || form.dataset.touched !== undefined) continue
    form.replaceWith(document.adoptNode(freshForm))
    enhance(freshForm)
  }
}

/** Tells on the line of a page how long its request took. */
export function showTime(page: ParentNode, milliseconds: number): void {
  page.querySelector('.dock .cost')?.prepend(`· ${Math.round(milliseconds)} ms `)
}

/** Replaces the line of the request by that of another page. It stays open. */
export function showDock(page: ParentNode): void {
  const dock = page.querySelector<HTMLElement>('.dock')
  const oldDock = document.querySelector<HTMLElement>('.dock')
  if (dock === null || oldDock === null) return
  const isOpen = oldDock.querySelector('.wire')?.hasAttribute('open')
  offerCommands(dock)
  oldDock.replaceWith(document.adoptNode(dock))
  findOne(dock, '.wire').toggleAttribute('open', isOpen)
}

const pageDock = document.createDocumentFragment()

/** Keeps the line of a page, while an item beside it shows its own. */
export function keepDock(page: ParentNode): void {
  const dock = page.querySelector('.dock')
  pageDock.replaceChildren(...(dock === null ? [] : [document.importNode(dock, true)]))
}

/** Shows the line of the page again. */
export function restoreDock(): void {
  showDock(document.importNode(pageDock, true))
}
