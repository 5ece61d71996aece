import { tryParseJson } from '../../convention/value.ts'
import { findAll } from './find.ts'
import { sendRequest } from './send.ts'

const key = 'nounful.counts'
const maxAge = 60_000
const parallel = 2

/** A number, and the time when it was read. */
type Entry = readonly [number: number, time: number]

/**
 * Shows how many items the collections of the rail have. It reads at most two at once, only those
 * on the screen, and keeps each for a minute.
 */
export async function showCounts(): Promise<void> {
  const waiting = findAll(document, '[data-number]:not([data-read])').filter(isOnScreen)
  for (const element of waiting) element.dataset.read = ''
  await Promise.all(Array.from({ length: parallel }, () => showNext(waiting)))
}

/** Returns what leads to an item, in words, with the numbers: `3 employees`. */
export async function relatedNumbers(within: ParentNode): Promise<readonly string[]> {
  const numbers = findAll(within, '.related [data-number]').map(async (element) => {
    const number = await readNumber(element.dataset.number ?? '')
    const label = element.parentElement?.querySelector('a')?.textContent ?? ''
    return number ? [`${number.toLocaleString('en')} ${label}`] : []
  })
  return (await Promise.all(numbers)).flat()
}

/** Forgets the numbers: another user may see others, and a write changes one. */
export function forgetCounts(): void {
  store({})
  for (const element of findAll(document, '[data-read]')) delete element.dataset.read
}

async function showNext(waiting: HTMLElement[]): Promise<void> {
  const element = waiting.shift()
  if (element === undefined) return
  const { number: url = '' } = element.dataset
  const number = await readNumber(url)
  if (number !== undefined) element.textContent = number.toLocaleString('en')
  await showNext(waiting)
}

async function readNumber(url: string): Promise<number | undefined> {
  const entry: unknown = Reflect.get(stored(), url)
  if (isEntry(entry) && Date.now() - entry[1] < maxAge) return entry[0]
  const trip = await sendRequest({ method: 'GET', url, headers: {} }).catch(() => undefined)
  const number: unknown = Reflect.get(Object(trip?.value), 'count')
  if (typeof number !== 'number') return undefined
  store({ ...stored(), [url]: [number, Date.now()] })
  return number
}

/** Adds the number of all items of a collection to the number of those that match. */
export async function showTotals(): Promise<void> {
  for (const element of findAll(document, '[data-total]')) {
    const { total: url = '' } = element.dataset
    delete element.dataset.total
    const trip = await sendRequest({ method: 'GET', url, headers: {} }).catch(() => undefined)
    const number: unknown = Reflect.get(Object(trip?.value), 'count')
    if (typeof number !== 'number') continue
    const match = element.textContent?.replace(' match', '')
    element.textContent = `${match} of ${number.toLocaleString('en')}`
  }
}

function isEntry(value: unknown): value is Entry {
  return Array.isArray(value) && value.every((member) => typeof member === 'number')
}

function isOnScreen(element: HTMLElement): boolean {
  const { top, bottom, width } = (element.parentElement ?? element).getBoundingClientRect()
  return width > 0 && bottom > 0 && top < innerHeight
}

function stored(): object {
  try {
    return Object(tryParseJson(sessionStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

function store(entries: object): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(entries))
  } catch {
    // Without permission to store data, the next page reads the numbers again.
  }
}
