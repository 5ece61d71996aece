import { findAll, make } from '../find.ts'

/** Shows the bar of the selected rows, once the user ticks a box. */
export function watchSelection(showBar: () => Promise<void>): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('.items th > input')) return
    if (target.matches('thead input'))
      for (const box of document.querySelectorAll<HTMLInputElement>('.items tbody th > input'))
        box.checked = target.checked
    showBar()
  })
}

/** Adds a box to each row of a table whose items the user may delete or export. */
export function offerSelection(within: ParentNode): void {
  for (const heading of findAll(within, '[data-list] tr > :first-child:not(:has(input))')) {
    const label = heading.matches('thead *')
      ? 'Select all'
      : `Select ${heading.textContent?.trim()}`
    heading.prepend(make('input', { type: 'checkbox', 'aria-label': label }))
  }
}

/** Exports a list, once the user chooses a format. */
export function watchExport(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-export]') : null
    if (button !== null) (await import('./export.ts')).exportList(button)
  })
}
