import { make } from './find.ts'

/** Lets a button copy what an element says; where the browser does not allow that, it selects it. */
export function offerCopy(button: HTMLElement, text: HTMLElement): void {
  const said = make('span', { role: 'status', class: 'hidden' })
  button.after(said)
  button.addEventListener('click', async () => {
    const isCopied = await copy(text)
    said.textContent = isCopied ? 'Copied' : 'Selected'
    button.textContent = isCopied ? 'Copied' : 'Selected'
    setTimeout(() => {
      button.textContent = 'Copy'
      said.textContent = ''
    }, 2000)
  })
}

async function copy(text: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '')
    return true
  } catch {
    // No clipboard: the page came over plain http, or nobody allowed it.
    getSelection()?.selectAllChildren(text)
    return false
  }
}
