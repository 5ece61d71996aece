import { momentKey } from '../../convention/format.ts'
import { fieldOf, setField } from '../../convention/value.ts'
import type { Position, Scalar, SortField } from '../resource/operation.ts'

/**
 * The member of an item with the values of related fields, by name: `{ 'company.name': 'Acme' }`.
 * An adapter adds it to the items of an order by such fields. It never leaves.
 */
const relatedValues: unique symbol = /* @__PURE__ */ Symbol.for('nounful.relatedValues')

/** An item with the values of related fields. */
interface Valued {
  readonly [relatedValues]?: object
}

/** Returns the values of related fields that an adapter has added to an item. */
export function relatedValuesOf(item: Valued): object | undefined {
  return item[relatedValues]
}

/** Adds the values of related fields to a new item, and returns it. */
export function addRelatedValues<ItemType extends object>(
  item: ItemType,
  values: object,
): ItemType {
  return Object.assign(item, { [relatedValues]: values })
}

// A position has all values by name.
function valuesFor(item: object, { related }: SortField): object {
  return related === undefined ? item : (relatedValuesOf(item) ?? item)
}

/**
 * Compares two values in the order of every adapter: booleans, numbers, text, then missing values
 * (`null`, `undefined`). Text compares by Unicode code point, and `false` comes before `true`.
 *
 * @returns Negative, zero or positive.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const rank = rankOf(a)
  const otherRank = rankOf(b)
  if (rank !== otherRank || rank === rankOfMissing) return rank - otherRank
  return Number(a) - Number(b)
}

/** Makes a function that compares two items, or positions, in an order. */
export function compareBy(sort: readonly SortField[]): (a: object, b: object) => number {
  return (a, b) => {
    for (const sortField of sort) {
      const value = fieldOf(valuesFor(a, sortField), sortField.field)
      const otherValue = fieldOf(valuesFor(b, sortField), sortField.field)
      if (value === otherValue) continue
      const order = compareValues(keyIn(a, value, sortField), keyIn(b, otherValue, sortField))
      if (order !== 0) return sortField.direction === 'asc' ? order : -order
    }
    return 0
  }
}

/**
 * Sorts items; equal items keep their order. Sorts field after field, so that it compares a shared
 * value once, not once for every two items.
 */
export function sorted<ItemType extends object>(
  items: Iterable<ItemType>,
  sort: readonly SortField[],
): ItemType[] {
  const result: ItemType[] = []
  addSorted(result, [...items], sort)
  return result
}

// Most orders are those of the values themselves.
function keyIn<Value>(item: object, value: Value, { field, type }: SortField): Value | string {
  if (type === undefined || typeof value !== 'string') return value
  return type === 'folded' ? foldedKeyIn(item, field, value) : momentKey(value)
}

/** The items with one value in a field. */
interface Group<ItemType> {
  readonly value: Scalar
  readonly first: ItemType
  /** All of them, if more than one. */
  items: ItemType[] | undefined
}

function addSorted<ItemType extends object>(
  result: ItemType[],
  items: readonly ItemType[],
  sort: readonly SortField[],
): void {
  // A field with one value for all items orders nothing, and its group would take long to make.
  const index = sort.findIndex((sortField) => !haveOneValue(items, sortField))
  const sortField = sort[index]
  if (!sortField) {
    for (const item of items) result.push(item)
    return
  }
  const sign = sortField.direction === 'asc' ? 1 : -1
  const groups = groupsOf(items, sortField).sort((a, b) => sign * compareValues(a.value, b.value))
  const laterFields = sort.slice(index + 1)
  for (const group of groups) {
    if (group.items) addSorted(result, group.items, laterFields)
    else result.push(group.first)
  }
}

function haveOneValue(items: readonly object[], sortField: SortField): boolean {
  const [first, second] = items
  if (!first || !second) return true
  const value = keyOf(first, sortField)
  return items.every((item) => keyOf(item, sortField) === value)
}

// Most values belong to one item, which needs no list.
function groupsOf<ItemType extends object>(
  items: readonly ItemType[],
  sortField: SortField,
): Group<ItemType>[] {
  const groups = new Map<Scalar, Group<ItemType>>()
  for (const item of items) {
    const value = keyOf(item, sortField)
    const group = groups.get(value)
    if (!group) groups.set(value, { value, first: item, items: undefined })
    else if (group.items) group.items.push(item)
    else group.items = [group.first, item]
  }
  return [...groups.values()]
}

/** Returns the exact reverse of an order. */
export function reverse<Field extends string>(
  sort: readonly SortField<Field>[],
): SortField<Field>[] {
  return sort.map((sortField) => ({
    ...sortField,
    direction: sortField.direction === 'asc' ? 'desc' : 'asc',
  }))
}

/** Returns the position of an item in an order. */
export function positionOf(item: object, sort: readonly SortField[]): Position {
  return Object.fromEntries(
    sort.map((sortField) => [sortField.field, sortValueOf(item, sortField)]),
  )
}

/** Returns the value that an order sorts an item by; see {@link scalarOf}. */
export function sortValueOf(item: object, sortField: SortField): Scalar {
  return scalarOf(valuesFor(item, sortField), sortField.field)
}

/**
 * Returns the value that a field sorts an item by; `null` for a missing value, an array and an
 * object.
 */
export function scalarOf(item: object, field: string): Scalar {
  const value = fieldOf(item, field)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return null
}

function keyOf(item: object, sortField: SortField): Scalar {
  return keyIn(item, sortValueOf(item, sortField), sortField)
}

const rankOfMissing = 3

function rankOf(value: unknown): number {
  if (typeof value === 'string') return 2
  if (typeof value === 'number') return 1
  return typeof value === 'boolean' ? 0 : rankOfMissing
}

// In UTF-16 units, the astral planes (surrogates, from D800) come before U+E000 to U+FFFF.
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const unit = a.charCodeAt(index)
    const otherUnit = b.charCodeAt(index)
    if (unit === otherUnit) continue
    if (unit < 0xd800 || otherUnit < 0xd800) return unit - otherUnit
    return rankOfUnit(unit) - rankOfUnit(otherUnit)
  }
  return a.length - b.length
}

function rankOfUnit(unit: number): number {
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** The values of some items by field, and the number of the items. */
export interface ValueGroup {
  readonly count: number
}

interface CountedValues {
  values: readonly Scalar[]
  count: number
}

/** Counts items by their values in some fields. The texts of one moment are one value. */
export class Tally {
  /** The fields in order. Moments compare as moments. */
  readonly sort: readonly SortField[]
  readonly #isDated: boolean
  readonly #counts = new Map<string, CountedValues>()

  /** @param dates The fields whose texts are moments, with their types. */
  constructor(by: readonly string[], dates: ReadonlyMap<string, NonNullable<SortField['type']>>) {
    this.sort = by.map((field) => {
      const type = dates.get(field)
      return { field, direction: 'asc', ...(type && { type }) }
    })
    this.#isDated = by.some((field) => dates.has(field))
  }

  /** Adds items with the values of one. A list and an object are no values, as in filters. */
  add(item: object, count: number): void {
    const values = this.sort.map(({ field }) => scalarOf(item, field))
    const keys = this.#isDated ? this.sort.map((sortField) => keyOf(item, sortField)) : values
    const key = JSON.stringify(keys)
    const counted = this.#counts.get(key)
    if (counted === undefined) {
      this.#counts.set(key, { values, count })
      return
    }
    counted.count += count
    if (!this.#isDated) return
    // The group shows the same form of a moment in every order of the items.
    if (JSON.stringify(values) < JSON.stringify(counted.values)) counted.values = values
  }

  /** All groups, in no order. The number stands after the values. */
  get groups(): readonly ValueGroup[] {
    return [...this.#counts.values()].map(({ values, count }) => {
      const group: Record<string, unknown> = {}
      for (const [place, { field }] of this.sort.entries()) setField(group, field, values[place])
      return Object.assign(group, { count })
    })
  }
}

/**
 * Folds the case of a text, in all of Unicode: `'Straße'` and `'STRASSE'`, `'ς'` and `'Σ'` become
 * equal.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

/**
 * Returns a text that sorts by code point as a folded field sorts a text: by the fold, then by the
 * text itself. The fold ends with two NULs, and `\0\u0001` stands for a NUL in it.
 */
export function foldedKey(text: string): string {
  return `${foldCase(text).replaceAll('\0', '\0\u0001')}\0\0${text}`
}

interface KeptKey {
  readonly text: string
  readonly key: string
}

// An order compares an item many times. An item of an adapter by hand may change.
const keysByField = new Map<string, WeakMap<object, KeptKey>>()

/** Returns the {@link foldedKey} of a field of an item, and keeps it beside the item. */
function foldedKeyIn(item: object, field: string, text: string): string {
  let keys = keysByField.get(field)
  if (keys === undefined) {
    keys = new WeakMap()
    keysByField.set(field, keys)
  }
  const kept = keys.get(item)
  if (kept?.text === text) return kept.key
  const key = foldedKey(text)
  keys.set(item, { text, key })
  return key
}
