import { findAll, findOne, make } from '../find.ts'
import { readRecent } from './recent.ts'

/** A place to go to, or an action. */
interface Entry {
  readonly label: string
  /** What it is: a resource, a recent item, an action. */
  readonly sort: string
  readonly act: () => unknown
}

const maxEntries = 12

/** The actions of the page that have keys of their own. */
interface KeyActions {
  openFilters(): unknown
  openKeys(): unknown
}

/**
 * Fills the palette: its field finds resources, recent items and actions of the page. The user may
 * have typed already, or closed it.
 */
export function fillPalette(dialog: HTMLElement, actions: KeyActions): void {
  const input = dialog.querySelector('input')
  if (!(dialog instanceof HTMLDialogElement) || input === null || !dialog.open) return
  const entries = [...linkEntries(), ...recentEntries(), ...actionEntries(actions)]
  const attributes = {
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  const list = make('ul', { role: 'listbox', id: 'palette-list', 'aria-label': 'Results' })
  dialog.append(list)
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  const choices = watchChoices(dialog, input, list)
  input.addEventListener('input', () => choices.show(matching(entries, input.value)))
  choices.show(matching(entries, input.value))
}

// The arrows choose an entry, Enter or a click acts.
function watchChoices(dialog: HTMLDialogElement, input: HTMLInputElement, list: HTMLElement) {
  let results: readonly Entry[] = []
  let index = 0
  const mark = (): void => {
    for (const [position, option] of findAll(list, 'li').entries()) {
      option.setAttribute('aria-selected', `${position === index}`)
      if (position !== index) continue
      input.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView({ block: 'nearest' })
    }
  }
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    dialog.close()
    entry.act()
  }
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') run(results[index])
    else if (step !== undefined) index = (index + step + results.length) % (results.length || 1)
    else return
    event.preventDefault()
    mark()
  })
  return {
    show(entries: readonly Entry[]): void {
      results = entries
      index = 0
      input.setAttribute('aria-expanded', `${entries.length > 0}`)
      input.removeAttribute('aria-activedescendant')
      const options = entries.map((entry, position) => optionOf(entry, position))
      for (const [position, option] of options.entries())
        option.addEventListener('click', () => run(entries[position]))
      list.replaceChildren(...options)
      mark()
    },
  }
}

function optionOf({ label, sort }: Entry, position: number): HTMLElement {
  const attributes = { role: 'option', id: `palette-${position}` }
  return make('li', attributes, make('bdi', {}, label), ' ', make('small', {}, sort))
}

// All words of the text, in any order. The search of the page comes last.
function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/)
  const isMatch = ({ label, sort }: Entry): boolean => {
    const line = `${label} ${sort}`.toLowerCase()
    return words.every((word) => line.includes(word))
  }
  const isFirst = ({ label }: Entry): boolean => label.toLowerCase().startsWith(words[0] ?? '')
  const all = entries.filter(isMatch)
  const sorted = [...all.filter(isFirst), ...all.filter((entry) => !isFirst(entry))]
  return [...sorted.slice(0, maxEntries), ...(text.trim() === '' ? [] : searchEntries(text))]
}

function searchEntries(text: string): readonly Entry[] {
  const input = document.querySelector<HTMLInputElement>('.search input[type="search"]')
  if (input === null) return []
  const search = (): void => {
    input.value = text
    input.form?.requestSubmit()
  }
  return [{ label: `${input.title} for “${text}”`, sort: 'search', act: search }]
}

function linkEntries(): readonly Entry[] {
  const selectors = [
    ['.rail > ul:first-of-type a, .cards h3 a', 'resource'],
    ['.rail h2 + ul:last-of-type:not(:first-of-type) a', 'version'],
    ['.crumbs a:not([aria-current])', 'above'],
    ['.related a', 'related'],
  ] as const
  return selectors.flatMap(([selector, sort]) =>
    findAll(document, selector).map((link) => ({
      label: pathOf(link),
      sort,
      act: () => link.click(),
    })),
  )
}

// A nested resource stands below its parent.
function pathOf(link: HTMLElement): string {
  const parent = link.closest('ul ul')?.parentElement?.querySelector(':scope > a, :scope > span')
  const text = link.textContent?.trim() ?? ''
  return parent ? `${parent.textContent?.trim()} › ${text}` : text
}

function recentEntries(): readonly Entry[] {
  return readRecent().map(({ label, url }) => {
    const go = (): void => {
      const link = make('a', { href: url })
      document.body.append(link)
      link.click()
      link.remove()
    }
    return { label, sort: 'recent', act: go }
  })
}

function actionEntries({ openFilters, openKeys }: KeyActions): readonly Entry[] {
  const head = findAll(document, 'main > .head .buttons > a').map((link) => ({
    label: link.textContent?.trim() ?? '',
    sort: 'action',
    act: () => link.click(),
  }))
  const menus = findAll(document, '.menu:not(.filters):not([hidden]) > summary').map((summary) => ({
    label: summary.textContent?.trim() ?? '',
    sort: 'action',
    act: () => openMenu(summary),
  }))
  const filters = document.querySelector('.filters')
  const dock = document.querySelector('.dock summary')
  const act = (label: string, run: () => unknown): Entry => ({ label, sort: 'action', act: run })
  return [
    ...head,
    ...menus,
    ...(filters === null ? [] : [act('+ filter', openFilters)]),
    ...(dock === null
      ? []
      : [act('Request and response', () => openMenu(findOne(document, '.dock summary')))]),
    act('Keys', openKeys),
  ]
}

function openMenu(summary: HTMLElement): void {
  summary.closest('details')?.toggleAttribute('open', true)
  summary.focus()
}
