import { fieldOf, type Position, type Scalar, type SortField } from './operation.ts'

/**
 * Compares two values as every adapter orders them: missing (`null`, `undefined`) last, text by Unicode code point,
 * numbers by size, `false` before `true`; values of different types as booleans, numbers, text.
 *
 * @returns Negative, zero or positive.
 */
export function compareValues(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other)
  const rank = rankOf(one)
  const otherRank = rankOf(other)
  if (rank !== otherRank || rank === missing) return rank - otherRank
  return Number(one) - Number(other)
}

/** Compares an item, or a position, with another in an order. */
export function compareBy(sort: readonly SortField[]): (one: object, other: object) => number {
  return (one, other) => {
    for (const { field, direction } of sort) {
      const order = compareValues(fieldOf(one, field), fieldOf(other, field))
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  }
}

/**
 * Items in an order; those that are the same in it stay as they were. Field after field: a value that many items share is
 * compared once, not once for every two of them.
 */
export function sorted<Sorted extends object>(
  items: Iterable<Sorted>,
  sort: readonly SortField[],
): Sorted[] {
  const all: Sorted[] = []
  addSorted(all, [...items], sort)
  return all
}

/** Items that are the same in a field. */
interface Group<Sorted> {
  readonly value: Scalar
  readonly first: Sorted
  /** All of them, where there are more. */
  items: Sorted[] | undefined
}

function addSorted<Sorted extends object>(
  all: Sorted[],
  items: readonly Sorted[],
  sort: readonly SortField[],
): void {
  // A field in which all are the same does not order them, and making a group of them would take long.
  const place = sort.findIndex(({ field }) => !areSame(items, field))
  const by = sort[place]
  if (!by) {
    for (const item of items) all.push(item)
    return
  }
  const sign = by.direction === 'asc' ? 1 : -1
  const groups = groupsOf(items, by.field).sort(
    (one, other) => sign * compareValues(one.value, other.value),
  )
  const rest = sort.slice(place + 1)
  for (const group of groups) {
    if (group.items) addSorted(all, group.items, rest)
    else all.push(group.first)
  }
}

function areSame(items: readonly object[], field: string): boolean {
  const [first] = items
  if (!first) return true
  const value = scalarOf(first, field)
  return items.every((item) => scalarOf(item, field) === value)
}

// Most values are of one item only, and need no list.
function groupsOf<Sorted extends object>(items: readonly Sorted[], field: string): Group<Sorted>[] {
  const groups = new Map<Scalar, Group<Sorted>>()
  for (const item of items) {
    const value = scalarOf(item, field)
    const group = groups.get(value)
    if (!group) groups.set(value, { value, first: item, items: undefined })
    else if (group.items) group.items.push(item)
    else group.items = [group.first, item]
  }
  return [...groups.values()]
}

/** The exact reverse of an order. */
export function reverse<Field extends string>(
  sort: readonly SortField<Field>[],
): SortField<Field>[] {
  return sort.map(({ field, direction }) => ({
    field,
    direction: direction === 'asc' ? 'desc' : 'asc',
  }))
}

/** The position of an item in an order. */
export function positionOf(item: object, sort: readonly SortField[]): Position {
  return Object.fromEntries(sort.map(({ field }) => [field, scalarOf(item, field)]))
}

/** What an item is ordered by in a field; `null` where it has nothing there that can be ordered. */
export function scalarOf(item: object, field: string): Scalar {
  const value = fieldOf(item, field)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return null
}

const missing = 3

function rankOf(value: unknown): number {
  if (typeof value === 'string') return 2
  if (typeof value === 'number') return 1
  return typeof value === 'boolean' ? 0 : missing
}

// JavaScript compares UTF-16 units, in which the astral planes (surrogates, from D800) come before U+E000 to U+FFFF.
function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const unit = one.charCodeAt(at)
    const otherUnit = other.charCodeAt(at)
    if (unit === otherUnit) continue
    if (unit < 0xd800 || otherUnit < 0xd800) return unit - otherUnit
    return astralLast(unit) - astralLast(otherUnit)
  }
  return one.length - other.length
}

function astralLast(unit: number): number {
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
