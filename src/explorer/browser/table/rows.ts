import { findAll, make } from '../find.ts'
import { fetchPage } from '../refresh.ts'

let latestField: string | undefined

/** Returns the field of the cell that the user has clicked last; `undefined` for none. */
export function clickedField(): string | undefined {
  return latestField
}

/** Makes a row of a table a link to its item, and gives a cell that is cut off its title. */
export function watchTable(): void {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : undefined
    const link = target?.closest('.items tbody tr')?.querySelector<HTMLElement>('th a')
    const isControl = target?.closest('a, button, input, label') !== null
    const cell = target?.closest<HTMLElement>('.items td')
    // A click on another cell of the row becomes one on the link.
    if (link && event.isTrusted) latestField = cell ? fieldOfCell(cell) : undefined
    // A user who selects text does not mean to leave the page.
    if (!link || isControl || getSelection()?.isCollapsed === false) return
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  })
  document.addEventListener('mouseover', ({ target }) => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.items td') : null
    if (cell === null || cell.title !== '' || cell.scrollWidth <= cell.clientWidth) return
    cell.title = cell.innerText
  })
}

// Pixels below the window where the next rows begin to load.
const margin = 400

/**
 * Adds the rows of the next page once the user has scrolled near the last row.
 *
 * @param prepare Prepares the rows of a document that have come.
 */
export async function showNextRows(prepare: (within: ParentNode) => void): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>('.pager [rel="next"]:not([aria-busy])')
  const last = document.querySelector('.items tbody tr:last-child')
  if (!link || !last || last.getBoundingClientRect().top > innerHeight + margin) return
  // Before the script has come: another scroll would add the same rows again.
  link.ariaBusy = 'true'
  await (await import('./next-rows.ts')).addNextRows(link, { fetchPage, prepare })
}

function fieldOfCell(cell: HTMLElement): string | undefined {
  const index = [...(cell.parentElement?.children ?? [])].indexOf(cell)
  const heading = cell.closest('table')?.querySelectorAll('thead th')[index]
  return heading?.querySelector('bdi')?.textContent ?? undefined
}

/** Returns the first cells of a row: its id, and most often its name. */
export function rowText(row: HTMLElement): string {
  return findAll(row, 'th, td')
    .slice(0, 2)
    .map((cell) => cell.innerText.trim())
    .join(' ')
}

const maxNames = 5

/** Writes the names of the first rows, and the number of the others. */
export function namesOfRows(texts: readonly string[], number: number): HTMLElement {
  const names = texts.slice(0, maxNames).map((text) => make('li', {}, make('bdi', {}, text)))
  const rest = number - names.length
  return make(
    'ul',
    { class: 'names' },
    ...names,
    ...(rest > 0 ? [make('li', {}, `${rest} more`)] : []),
  )
}
