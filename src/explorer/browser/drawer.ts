import { findAll } from './find.ts'

const wide = matchMedia('(min-width: 1440px)')

/**
 * Opens the panel that the fragment of the URL names, and closes the others. On a narrow screen
 * the panel covers the page.
 */
export function showDrawer(): void {
  const id = location.hash.slice(1)
  const target = document.getElementById(id)
  for (const drawer of drawersOf(document)) {
    // A link of a panel may lead to one of its fields.
    if (drawer.id !== id) {
      if (!drawer.contains(target)) drawer.close()
    } else if (!drawer.open) {
      openDrawer(drawer)
      drawer.querySelector<HTMLElement>('[data-fields] :is(input, select, textarea)')?.focus()
    }
  }
}

/** Opens a panel: beside the page where there is room, else over it. */
export async function openDrawer(drawer: HTMLDialogElement): Promise<void> {
  showPanel(drawer)
  ;(await import('./drawer-edge.ts')).offerEdge(drawer)
}

function showPanel(drawer: HTMLDialogElement): void {
  if (drawer.open) return
  if (wide.matches) drawer.show()
  else drawer.showModal()
}

/** Prepares the panels of a page. Without the script, the style sheet shows them. */
export function watchDrawers(): void {
  document.documentElement.classList.add('scripted')
  for (const drawer of drawersOf(document)) {
    // Also a browser closes a panel, upon Escape.
    drawer.addEventListener('close', (event) => {
      if (event.target !== drawer || location.hash !== `#${drawer.id}`) return
      history.replaceState(history.state, '', location.pathname + location.search)
      // A fragment takes the focus from the link to it.
      document.querySelector<HTMLElement>(`a[href="#${drawer.id}"]`)?.focus()
    })
    watchClosing(drawer, () => drawer.close())
    watchEscape(drawer, () => drawer.close())
  }
  showDrawer()
}

/** Calls a function when the user closes a panel by Escape. */
export function watchEscape(drawer: HTMLDialogElement, close: () => void): void {
  drawer.addEventListener('keydown', (event) => {
    const isInner = event.target instanceof Element && event.target.closest('dialog') !== drawer
    if (event.key !== 'Escape' || isInner) return
    event.preventDefault()
    close()
  })
}

/** Calls a function when the user closes a panel by its button. */
export function watchClosing(drawer: HTMLDialogElement, close: () => void): void {
  for (const button of findAll(drawer, '[data-close]')) {
    button.addEventListener('click', (event) => {
      event.preventDefault()
      close()
    })
  }
}

function drawersOf(within: ParentNode): readonly HTMLDialogElement[] {
  return [...within.querySelectorAll<HTMLDialogElement>('dialog.drawer[id]:not([data-page])')]
}
