import { isCut } from '../../../wire/link.ts'
import { watchChoices } from '../choices.ts'
import { findOne, make } from '../find.ts'
import { nameOfItem } from '../item.ts'
import { sendRequest } from '../send.ts'

/** An item that a field may refer to. */
interface NamedItem {
  readonly id: string
  readonly label: string
}

// Milliseconds after the last key of a word.
const pause = 150

let number = 0

/** The value of a field at its focus, and the last key that the user pressed since. */
interface EarlyUse {
  readonly value: string
  readonly key: string
}

/** Makes the field of an id a search of the items by their names, which still takes any id. */
export function offerItems(input: HTMLInputElement, early: EarlyUse): void {
  const { note, list } = makeList(input)
  const show = watchChoices({ input, list, first: -1 })
  let name = note.textContent
  let isTyped = false
  let latest = 0
  const close = (): void => {
    latest++
    show([])
    note.textContent = name
  }
  const choose = ({ id, label }: NamedItem): void => {
    isTyped = false
    input.value = id
    input.dispatchEvent(new Event('input', { bubbles: true }))
    name = label
    close()
  }
  const search = async (delay: number): Promise<void> => {
    latest++
    const visit = latest
    await new Promise((resolve) => setTimeout(resolve, delay))
    if (visit !== latest) return
    const { items, words } = await readItems(input.dataset, isTyped ? input.value.trim() : '')
    if (visit !== latest) return
    list.style.top = `${input.offsetTop + input.offsetHeight}px`
    show(items.map((item) => ({ label: item.label, sort: item.id, act: () => choose(item) })))
    note.textContent = words
    list.scrollIntoView({ block: 'nearest' })
  }
  const type = (): void => {
    isTyped = true
    name = ''
    note.textContent = name
    search(pause)
  }
  const acts = { close, search, type }
  watchUse(input, list, acts)
  catchUp(input, early, acts)
}

// The list of the items, and the line of the name below the field.
function makeList(input: HTMLElement): Readonly<Record<'note' | 'list', HTMLElement>> {
  number++
  const field = input.closest<HTMLElement>('.field') ?? document.body
  const list = make('ul', { role: 'listbox', id: `choices-${number}`, 'aria-label': 'Items' })
  field.append(list)
  return { note: findOne(field, 'output'), list }
}

interface Acts {
  readonly close: () => void
  readonly search: (delay: number) => void
  readonly type: () => void
}

function watchUse(input: HTMLElement, list: HTMLElement, { close, search, type }: Acts): void {
  // The choice of an item is no text that the user types.
  input.addEventListener('input', ({ isTrusted }) => isTrusted && type())
  input.addEventListener('click', () => search(0))
  input.addEventListener('blur', () => setTimeout(() => afterPress(close)))
  input.addEventListener('keydown', (event) => {
    const isOpen = list.hasChildNodes()
    if (isArrow(event.key) && !isOpen) search(0)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    // Escape would close the form around it, too.
    event.preventDefault()
    event.stopPropagation()
  })
  // The field keeps the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault())
}

function catchUp(input: HTMLInputElement, early: EarlyUse, { close, search, type }: Acts): void {
  if (input.value !== early.value) type()
  else if (isArrow(early.key) || input.matches(':hover')) search(0)
  if (document.activeElement !== input) close()
}

// A page that moves under the pointer takes the click from its button.
function afterPress(act: () => void): void {
  if (!document.body.matches(':active')) act()
  else addEventListener('pointerup', () => setTimeout(act), { once: true })
}

function isArrow(key: string): boolean {
  return /^Arrow(?:Down|Up)$/.test(key)
}

/** Items, and a line about them. */
interface FoundItems {
  readonly items: readonly NamedItem[]
  readonly words: string
}

// Without a search of the server it finds those of the first page.
async function readItems(
  { choices = '', names = '' }: DOMStringMap,
  text: string,
): Promise<FoundItems> {
  const isSearch = choices.endsWith('=')
  const url = isSearch && text === '' ? choices.replace(/&[^&]*$/, '') : choices
  const trip = await sendRequest({
    method: 'GET',
    url: url.endsWith('=') ? url + encodeURIComponent(text) : url,
    headers: {},
  }).catch(() => undefined)
  if (trip?.response.status !== 200 || !Array.isArray(trip.value))
    return { items: [], words: 'The items could not be read.' }
  const fields: readonly string[] = JSON.parse(names)
  const all = trip.value.map((item): NamedItem => {
    const id = `${Reflect.get(Object(item), 'id')}`
    return { id, label: nameOfItem(Object(item), fields) ?? id }
  })
  const part = text.toLowerCase()
  const items = isSearch
    ? all
    : all.filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(part))
  const none = text === '' ? 'There is none.' : `No name matches: “${text}” is the id.`
  if (items.length === 0) return { items, words: none }
  return { items, words: isCut(trip.response.headers) ? `The first ${items.length}.` : '' }
}
