import { find, findAll, make } from './find.ts'

/** Makes the commands of curl that the server has written right, and lets them be copied. */
export function offerCommands(within: ParentNode): void {
  for (const code of findAll(within, '[data-curl]')) {
    // The server can but guess what it is called.
    const { origin = '' } = code.dataset
    code.textContent = (code.textContent ?? '').replace(`'${origin}`, () => `'${location.origin}`)
  }
  for (const button of findAll(within, '[data-copy]')) {
    button.hidden = false
    offerCopy(button, find(button.parentElement ?? document, '[data-curl]'))
  }
}

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
