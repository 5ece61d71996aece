import { authorization } from './authorization.ts'
import { offerCommands } from './copy.ts'
import { findAll } from './find.ts'

/** The event of a document whose data has changed. */
export const freshData = 'fresh-data'

/** The event of a panel whose item the user has deleted. Its detail is the item. */
export const deletedItem = 'deleted-item'

/** The event of a form whose items another request has changed. */
export const conflict = 'conflict'

/** Fetches a page. Rejects when no response comes. */
export async function fetchPage(url: string): Promise<Document> {
  const headers = { accept: 'text/html', ...authorization() }
  const response = await fetch(url, { headers, cache: 'no-store' })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
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
  for (const selector of ['.dock', '.head .of']) {
    const section = fresh.querySelector<HTMLElement>(selector)
    if (section === null) continue
    offerCommands(section)
    root.querySelector(selector)?.replaceWith(document.adoptNode(section))
  }
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
