import { v7 as uuidv7 } from 'uuid'

/** The ids of a collection: numbers, texts of digits, other texts, or numbers and texts. */
type IdKind = 'number' | 'digits' | 'text' | 'mixed'

/** How to read the ids of a collection. */
export interface IdReading {
  /** The ids of a collection that has none to go by. */
  readonly choice: 'uuid' | 'number' | undefined
  /** Returns the line of an item, by its place. */
  readonly lineOf: (place: number) => number
}

/** An id. */
export type Id = string | number

/** The ids of the items of a collection. */
export interface Ids {
  readonly kind: IdKind
  /** By place. */
  readonly values: readonly Id[]
  /** The ids by their text in a path. */
  readonly byText: ReadonlyMap<string, Id>
  /** The number of items that had none in the file. */
  readonly added: number
}

// A double holds each of them.
const digits = /^(?:0|[1-9]\d{0,14})$/

/**
 * Reads the ids of a collection. None is changed. An item without an id gets one.
 *
 * @param values By place; `undefined` or `null` for none.
 * @throws {TypeError} For an id that is neither text nor number, and for two with the same text.
 */
export function readIds(key: string, values: readonly unknown[], reading: IdReading): Ids {
  const written = values.map((value, place) => idOf(value, `${key}/${place}`))
  const kind = kindOf(written, reading.choice)
  const byText = new Map<string, Id>()
  const places = new Map<string, number>()
  for (const [place, id] of written.entries()) {
    if (id === undefined) continue
    const text = String(id)
    const earlier = places.get(text)
    if (earlier !== undefined) {
      const lines = [earlier, place].map(reading.lineOf).join(' and ')
      const items = `${key}/${earlier} and ${key}/${place}`
      throw new TypeError(`${items} have the same id ${text}, on the lines ${lines}`)
    }
    places.set(text, place)
    byText.set(text, id)
  }
  let highest = highestOf(written)
  const ids = written.map((value) => {
    const id = value ?? newId(kind, ++highest)
    if (value === undefined) byText.set(String(id), id)
    return id
  })
  return { kind, values: ids, byText, added: ids.length - places.size }
}

function idOf(value: unknown, name: string): Id | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return value
  throw new TypeError(`${name} has the id ${JSON.stringify(value)}: write a number or a text`)
}

function kindOf(values: readonly (Id | undefined)[], choice: IdReading['choice']): IdKind {
  const ids = values.filter((id) => id !== undefined)
  if (ids.length === 0) {
    // Items without ids are counted, and an empty collection tells nothing.
    const usual = values.length === 0 ? 'uuid' : 'number'
    return (choice ?? usual) === 'number' ? 'number' : 'text'
  }
  if (ids.every((id) => typeof id === 'number')) return 'number'
  if (ids.some((id) => typeof id === 'number')) return 'mixed'
  return ids.every((id) => digits.test(String(id))) ? 'digits' : 'text'
}

function highestOf(ids: readonly (Id | undefined)[]): number {
  return ids.reduce<number>((highest, id) => {
    const number = Math.floor(Number(id ?? 0))
    return Number.isSafeInteger(number) && number > highest ? number : highest
  }, 0)
}

/** Returns the id of a new item: a UUID of version 7, or the number after the highest one. */
function newId(kind: IdKind, next: number): Id {
  if (kind === 'number') return next
  return kind === 'digits' ? String(next) : uuidv7()
}

/**
 * Returns the id that a text names, as the items have it: a number where ids are numbers, each in
 * its own type where they are mixed. Returns `undefined` for a text that is no id.
 */
export function idOfText({ kind, byText }: Pick<Ids, 'kind' | 'byText'>, text: string) {
  if (kind === 'mixed') return byText.get(text) ?? text
  if (kind !== 'number') return text
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : undefined
}
