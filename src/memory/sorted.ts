/** A list that stays sorted while its values come and go. */
export interface Sorted<Value> {
  add(value: Value): void
  remove(value: Value): void
  /** The values from just after a place, which need not be there; from the start for `undefined`. */
  after(place: object | undefined): Iterable<Value>
  /** The values before a place, last first; from the end for `undefined`. */
  before(place: object | undefined): Iterable<Value>
}

/** Compares two values, or a value and a place. */
export type Compare = (one: object, other: object) => number

// Moving a few hundred values costs less than finding the block they are in.
const maxBlock = 512

type Blocks<Value> = Value[][]

/**
 * Makes a sorted list of values that no two of are equal, and that are sorted already. It is kept in blocks, so that adding to a hundred thousand
 * values moves some hundred of them.
 */
export function createSorted<Value extends object>(
  values: readonly Value[],
  compare: Compare,
): Sorted<Value> {
  const blocks = split(values)
  return {
    add: (value) => add(blocks, value, compare),
    remove: (value) => remove(blocks, value, compare),
    after: (place) => walk(blocks, place, compare),
    before: (place) => walkBack(blocks, place, compare),
  }
}

function split<Value>(values: readonly Value[]): Blocks<Value> {
  const blocks: Blocks<Value> = []
  for (let start = 0; start < values.length; start += maxBlock / 2) {
    blocks.push(values.slice(start, start + maxBlock / 2))
  }
  return blocks
}

function add<Value extends object>(blocks: Blocks<Value>, value: Value, compare: Compare): void {
  const { block, place } = find(blocks, value, compare)
  const values = blocks[block] ?? blocks.at(-1)
  if (!values) {
    blocks.push([value])
    return
  }
  values.splice(block < blocks.length ? place : values.length, 0, value)
  if (values.length > maxBlock)
    blocks.splice(blocks.indexOf(values) + 1, 0, values.splice(maxBlock / 2))
}

function remove<Value extends object>(blocks: Blocks<Value>, value: Value, compare: Compare): void {
  const { block, place } = find(blocks, value, compare)
  const values = blocks[block]
  const found = values?.[place]
  if (!values || !found || compare(found, value) !== 0) return
  values.splice(place, 1)
  if (values.length === 0) blocks.splice(block, 1)
}

function* walk<Value extends object>(
  blocks: Blocks<Value>,
  start: object | undefined,
  compare: Compare,
): Iterable<Value> {
  const from = start === undefined ? { block: 0, place: 0 } : find(blocks, start, compare)
  for (const [block, values] of blocks.slice(from.block).entries()) {
    for (const value of block === 0 ? values.slice(from.place) : values) {
      if (start === undefined || compare(value, start) !== 0) yield value
    }
  }
}

function* walkBack<Value extends object>(
  blocks: Blocks<Value>,
  end: object | undefined,
  compare: Compare,
): Iterable<Value> {
  const from = end === undefined ? { block: blocks.length, place: 0 } : find(blocks, end, compare)
  yield* blocks[from.block]?.slice(0, from.place).reverse() ?? []
  for (let block = from.block - 1; block >= 0; block--) yield* blocks[block]?.toReversed() ?? []
}

// The block that a value is in or belongs into, and the first place in it that is not before the value.
function find<Value extends object>(
  blocks: Blocks<Value>,
  value: object,
  compare: Compare,
): { readonly block: number; readonly place: number } {
  const isBefore = (other: Value | undefined): boolean => !other || compare(other, value) < 0
  const block = firstOf(blocks, (values) => !isBefore(values.at(-1)))
  return { block, place: firstOf(blocks[block] ?? [], (other) => !isBefore(other)) }
}

// The first place at which something holds, where it holds for all that follow.
function firstOf<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(values[middle] as Value)) high = middle
    else low = middle + 1
  }
  return low
}
