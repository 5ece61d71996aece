import { findAll, make } from '../find.ts'

/** Opens an item beside its list: at a part, like `edit`. */
type OpenItem = (url: string) => unknown

const links = '.items tbody th a'
const storage = 'nounful.keys'

/** Tells whether single keys act: the user can switch them off. */
function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(storage) !== 'off'
  } catch {
    return true
  }
}

/** Switches single keys on or off, for this browser. */
function switchSingleKeys(isOn: boolean): void {
  try {
    localStorage.setItem(storage, isOn ? 'on' : 'off')
  } catch {
    // The page may not store data.
  }
}

/**
 * Acts on keys. A single key acts only where the focus is in the table or on no control: speech
 * input types them (WCAG 2.1.4).
 */
export function watchKeys(open: OpenItem): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (event.defaultPrevented || event.isComposing || !(target instanceof Element)) return
    const isControl = (ctrlKey || metaKey) && !altKey
    if (key === 'Escape') return closeOpen()
    const act = isControl
      ? chordOf(key, target)
      : altKey || !isFree(target)
        ? undefined
        : actionOf(key, target, open)
    if (act === undefined) return
    event.preventDefault()
    act()
  })
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    if (target.closest('[data-palette]') !== null) openPalette()
    const menu = document.querySelector<HTMLDetailsElement>('.menu[open]')
    if (menu?.contains(target) === false) menu.open = false
  })
}

// An open menu, else the rail that covers the page, else the item beside the table.
function closeOpen(): void {
  if (document.querySelector('dialog:modal') !== null) return
  const menu = document.querySelector<HTMLDetailsElement>('.menu[open]')
  if (menu !== null) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  } else if (location.hash === '#rail') {
    location.hash = '#main'
    document.querySelector<HTMLElement>('.rail-link')?.focus()
  } else
    document.querySelector<HTMLElement>('body > .drawer[open]:not(:modal) [data-close]')?.click()
}

type Act = () => unknown

async function openPalette(): Promise<void> {
  if (document.querySelector('dialog:modal') !== null) return
  // At once: the user types before the script has come.
  const label = 'Go to a resource, a recent item or an action'
  const input = make('input', { 'aria-label': label, placeholder: 'Go to, search, run…' })
  const dialog = make('dialog', { class: 'palette', 'aria-label': label }, input)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  if (dialog instanceof HTMLDialogElement) dialog.showModal()
  const { fillPalette } = await import('./palette.ts')
  fillPalette(dialog, { openFilters, openKeys })
}

async function openKeys(): Promise<void> {
  ;(await import('./key-list.ts')).openKeyList({ hasSingleKeys, switchSingleKeys })
}

function chordOf(key: string, target: Element): Act | undefined {
  if (key.toLowerCase() === 'k') return openPalette
  const form = target.closest<HTMLFormElement>('form[data-kind]')
  const button = form?.querySelector<HTMLElement>('.primary[type="submit"]')
  return key === 'Enter' && button ? () => form?.requestSubmit(button) : undefined
}

function isFree(target: Element): boolean {
  const isPage = target === document.body || target.matches('main, .head *')
  const isRow = target.closest('.items') !== null
  return (isPage || isRow) && hasSingleKeys() && document.querySelector('dialog:modal') === null
}

function actionOf(key: string, target: Element, open: OpenItem): Act | undefined {
  const row = target.closest('.items tbody tr')
  const link = row?.querySelector<HTMLAnchorElement>('th a')
  const step = steps.get(key)
  if (step !== undefined) return row || key === 'j' ? () => moveBy(step, link) : undefined
  switch (key) {
    case '?':
      return openKeys
    case '[':
      return foldRail
    case '/':
      return () => document.querySelector<HTMLElement>('.search input[type="search"]')?.focus()
    case 'f':
      return openFilters
    case 'n':
      return () => document.querySelector<HTMLElement>('a[href="#new"]')?.click()
    case 'e':
      return link ? () => open(`${link.href}#edit`) : undefined
    case 'd':
      return link ? () => open(`${link.href}#delete`) : undefined
    case 'x':
      return () => row?.querySelector<HTMLElement>('th > input')?.click()
    default:
      return undefined
  }
}

const steps: ReadonlyMap<string, number> = new Map([
  ['j', 1],
  ['ArrowDown', 1],
  ['k', -1],
  ['ArrowUp', -1],
])

function moveBy(step: number, link: HTMLElement | null | undefined): void {
  const rows = findAll(document, links)
  const index = link ? rows.indexOf(link) + step : 0
  rows[index]?.focus()
}

// Opens the form of the filters, at the first filter in sight that has no value.
function openFilters(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.filters')
  if (menu === null) return
  menu.open = true
  const inputs = [...menu.querySelectorAll<HTMLInputElement>('.field :is(input, select)')]
  const isEmpty = (input: HTMLInputElement): boolean =>
    input.closest('details') === menu &&
    inputs.every(({ name, type, value }) => name !== input.name || (type !== 'checkbox' && !value))
  const input = inputs.find(isEmpty) ?? inputs[0]
  input?.focus()
}

/** Folds the rail, or unfolds it. */
function foldRail(): void {
  const isFolded = document.documentElement.classList.toggle('folded')
  try {
    localStorage.setItem('nounful.rail', isFolded ? 'folded' : 'open')
  } catch {
    // The page may not store data.
  }
}

/** Folds the rail as the user left it. */
export function restoreRail(): void {
  try {
    const isFolded = localStorage.getItem('nounful.rail') === 'folded'
    document.documentElement.classList.toggle('folded', isFolded)
  } catch {
    // The page may not store data.
  }
}
