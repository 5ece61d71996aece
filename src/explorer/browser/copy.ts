import { findAll, findOne, make } from './find.ts'

/** Corrects the origin in the curl commands of the server, and adds buttons to copy them. */
export function offerCommands(within: ParentNode): void {
  for (const code of findAll(within, '[data-curl]')) {
    // The server can only guess its origin.
    const { origin = '' } = code.dataset
    code.textContent = (code.textContent ?? '').replace(origin, () => location.origin)
  }
  for (const button of findAll(within, '[data-copy]')) {
    button.hidden = false
    offerCopy(button, findOne(button.parentElement ?? document, '[data-curl]'))
  }
}

/**
 * Makes a button copy the text of an element, or select it if the browser does not allow copying.
 */
export function offerCopy(button: HTMLElement, text: HTMLElement): void {
  const status = make('span', { role: 'status', class: 'hidden' })
  button.after(status)
  const label = button.textContent
  button.addEventListener('click', async () => {
    const word = (await copy(text)) ? 'Copied' : 'Selected'
    status.textContent = word
    button.textContent = word
    setTimeout(() => {
      button.textContent = label
      status.textContent = ''
    }, 2000)
  })
}

async function copy(text: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '')
    return true
  } catch {
    // The page came over plain HTTP, or has no permission for the clipboard.
    getSelection()?.selectAllChildren(text)
    return false
  }
}
