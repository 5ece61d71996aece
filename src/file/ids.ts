import { v7 as uuidv7 } from 'uuid'

/** The ids of a collection: numbers, texts of digits, other texts, or numbers and texts. */
type IdKind = 'number' | 'digits' | 'text' | 'mixed'

/** How to read the ids of a collection. */
export interface IdReading {
  /** The ids of a collection that has none to go by. */
  readonly choice: 'uuid' | 'number' | undefined
  /** Returns where an item is in the file: `line 3, column 7`. */
  readonly placeOf: (place: number) => string
}

/** An id. */
export type Id = string | number

/** The ids of the items of a collection. */
export interface Ids {
  readonly kind: IdKind
  /** By place. */
  readonly values: readonly Id[]
  /** The ids by themselves; where they are mixed, by their text in a path. */
  readonly byKey: ReadonlyMap<Id, Id>
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
  const written = values.map((value, place) => {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return value
    const text = JSON.stringify(value)
    const fault = `${key}/${place} has the id ${text}: write a number or a text`
    throw new TypeError(`${reading.placeOf(place)}: ${fault}`)
  })
  const kind = kindOf(written, reading.choice)
  // Two ids with one text are one id in a path.
  const keyOf = (id: Id): Id => (kind === 'mixed' ? String(id) : id)
  const byKey = new Map<Id, Id>()
  for (const [place, id] of written.entries()) {
    if (id === undefined) continue
    if (byKey.has(keyOf(id))) {
      const first = written.findIndex((earlier) => String(earlier) === String(id))
      const places = [first, place].map((each) => `at ${reading.placeOf(each)}`).join(', and ')
      const items = `${key}/${first} and ${key}/${place}`
      throw new TypeError(`${items} have the same id ${id}: ${places}`)
    }
    byKey.set(keyOf(id), id)
  }
  const added = written.length - byKey.size
  let highest = highestOf(written)
  const ids = written.map((value) => {
    const id = value ?? newId(kind, ++highest)
    if (value === undefined) byKey.set(keyOf(id), id)
    return id
  })
  return { kind, values: ids, byKey, added }
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
export function idOfText({ kind, byKey }: Pick<Ids, 'kind' | 'byKey'>, text: string) {
  if (kind === 'mixed') return byKey.get(text) ?? text
  if (kind !== 'number') return text
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : undefined
}

/** Returns the id of an item that a number or a text names; `undefined` for none. */
export function storedId(ids: Pick<Ids, 'kind' | 'byKey'>, value: Id): Id | undefined {
  const isNumber = ids.kind === 'number' && typeof value === 'number'
  const id = isNumber ? value : idOfText(ids, String(value))
  return id === undefined ? undefined : ids.byKey.get(ids.kind === 'mixed' ? String(id) : id)
}
