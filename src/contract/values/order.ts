import { momentKey } from '../../convention/format.ts'
import { fieldOf } from '../../convention/value.ts'
import type { Position, Scalar, SortField } from '../resource/operation.ts'

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
  if (rank !== otherRank || rank === missing) return rank - otherRank
  return Number(a) - Number(b)
}

/** Makes a function that compares two items, or positions, in an order. */
export function compareBy(sort: readonly SortField[]): (a: object, b: object) => number {
  return (a, b) => {
    for (const by of sort) {
      const { field, direction } = by
      const value = fieldOf(a, field)
      const otherValue = fieldOf(b, field)
      if (value === otherValue) continue
      const order = compareValues(keyIn(value, by), keyIn(otherValue, by))
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  }
}

/**
 * Sorts items; equal items keep their order. Sorts field after field, so that it compares a shared
 * value once, not once for every two items.
 */
export function sorted<Sorted extends object>(
  items: Iterable<Sorted>,
  sort: readonly SortField[],
): Sorted[] {
  const all: Sorted[] = []
  addSorted(all, [...items], sort)
  return all
}

// Most orders have no moments.
function keyIn<Value>(value: Value, { type }: SortField): Value | string {
  return type === undefined || typeof value !== 'string' ? value : momentKey(value)
}

/** The items with one value in a field. */
interface Group<Sorted> {
  readonly value: Scalar
  readonly first: Sorted
  /** All of them, if more than one. */
  items: Sorted[] | undefined
}

function addSorted<Sorted extends object>(
  all: Sorted[],
  items: readonly Sorted[],
  sort: readonly SortField[],
): void {
  // A field with one value for all items orders nothing, and its group would take long to make.
  const index = sort.findIndex((by) => !areSame(items, by))
  const by = sort[index]
  if (!by) {
    for (const item of items) all.push(item)
    return
  }
  const sign = by.direction === 'asc' ? 1 : -1
  const groups = groupsOf(items, by).sort((a, b) => sign * compareValues(a.value, b.value))
  const laterFields = sort.slice(index + 1)
  for (const group of groups) {
    if (group.items) addSorted(all, group.items, laterFields)
    else all.push(group.first)
  }
}

function areSame(items: readonly object[], by: SortField): boolean {
  const [first, second] = items
  if (!first || !second) return true
  const value = keyOf(first, by)
  return items.every((item) => keyOf(item, by) === value)
}

// Most values belong to one item, which needs no list.
function groupsOf<Sorted extends object>(items: readonly Sorted[], by: SortField): Group<Sorted>[] {
  const groups = new Map<Scalar, Group<Sorted>>()
  for (const item of items) {
    const value = keyOf(item, by)
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
  return sort.map((by) => ({ ...by, direction: by.direction === 'asc' ? 'desc' : 'asc' }))
}

/** Returns the position of an item in an order. */
export function positionOf(item: object, sort: readonly SortField[]): Position {
  return Object.fromEntries(sort.map(({ field }) => [field, scalarOf(item, field)]))
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

function keyOf(item: object, by: SortField): Scalar {
  return keyIn(scalarOf(item, by.field), by)
}

const missing = 3

function rankOf(value: unknown): number {
  if (typeof value === 'string') return 2
  if (typeof value === 'number') return 1
  return typeof value === 'boolean' ? 0 : missing
}

// In UTF-16 units, the astral planes (surrogates, from D800) come before U+E000 to U+FFFF.
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const unit = a.charCodeAt(at)
    const otherUnit = b.charCodeAt(at)
    if (unit === otherUnit) continue
    if (unit < 0xd800 || otherUnit < 0xd800) return unit - otherUnit
    return astralLast(unit) - astralLast(otherUnit)
  }
  return a.length - b.length
}

function astralLast(unit: number): number {
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
