import { type Choice, watchChoices } from '../choices.ts'
import { findAll, findOne, make } from '../find.ts'
import { readRecent } from './recent.ts'

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
  const list = make('ul', { role: 'listbox', id: 'palette-list', 'aria-label': 'Results' })
  dialog.append(list)
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  const show = watchChoices({ input, list, first: 0 })
  const search = (): void =>
    show(
      matching(entries, input.value).map((entry) => ({
        ...entry,
        act() {
          dialog.close()
          entry.act()
        },
      })),
    )
  input.addEventListener('input', search)
  search()
}

// All words of the text, in any order. The search of the page comes last.
function matching(entries: readonly Choice[], text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/)
  const isMatch = ({ label, sort }: Choice): boolean => {
    const line = `${label} ${sort}`.toLowerCase()
    return words.every((word) => line.includes(word))
  }
  const isFirst = ({ label }: Choice): boolean => label.toLowerCase().startsWith(words[0] ?? '')
  const all = entries.filter(isMatch)
  const sorted = [...all.filter(isFirst), ...all.filter((entry) => !isFirst(entry))]
  return [...sorted.slice(0, maxEntries), ...(text.trim() === '' ? [] : searchEntries(text))]
}

function searchEntries(text: string): readonly Choice[] {
  const input = document.querySelector<HTMLInputElement>('.search input[type="search"]')
  if (input === null) return []
  const search = (): void => {
    input.value = text
    input.form?.requestSubmit()
  }
  return [{ label: `${input.title} for “${text}”`, sort: 'search', act: search }]
}

function linkEntries(): readonly Choice[] {
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

function recentEntries(): readonly Choice[] {
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

function actionEntries({ openFilters, openKeys }: KeyActions): readonly Choice[] {
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
  const act = (label: string, run: () => unknown): Choice => ({ label, sort: 'action', act: run })
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
