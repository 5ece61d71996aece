/** A list that stays sorted while its values come and go. */
export interface Sorted<Value> {
  add(value: Value): void
  remove(value: Value): void
  /** The values from just after a place, which need not be there; from the start for `undefined`. As they are when the walk begins. */
  after(place: object | undefined): Iterable<Value>
  /** The values before a place, last first; from the end for `undefined`. As they are when the walk begins. */
  before(place: object | undefined): Iterable<Value>
}

/** Compares two values, or a value and a place. */
export type Compare = (one: object, other: object) => number

// Moving a few hundred values costs less than finding the block they are in.
const maxBlock = 512

type Blocks<Value> = Value[][]

interface List<Value> {
  readonly blocks: Blocks<Value>
  readonly compare: Compare
  /** How many walks are under way. They see no writes, which change copies of the blocks as long as there are any. */
  walks: number
}

/**
 * Makes a sorted list of values that no two of are equal, and that are sorted already. It is kept in blocks, so that adding to a hundred thousand
 * values moves some hundred of them.
 */
export function createSorted<Value extends object>(
  values: readonly Value[],
  compare: Compare,
): Sorted<Value> {
  const list: List<Value> = { blocks: split(values), compare, walks: 0 }
  return {
    add: (value) => add(list, value),
    remove: (value) => remove(list, value),
    after: (place) => walk(list, place),
    before: (place) => walkBack(list, place),
  }
}

function split<Value>(values: readonly Value[]): Blocks<Value> {
  const blocks: Blocks<Value> = []
  for (let start = 0; start < values.length; start += maxBlock / 2) {
    blocks.push(values.slice(start, start + maxBlock / 2))
  }
  return blocks
}

function add<Value extends object>(list: List<Value>, value: Value): void {
  const { blocks, compare } = list
  const { block, place } = find(blocks, value, compare)
  if (blocks.length === 0) {
    blocks.push([value])
    return
  }
  const isLast = block === blocks.length
  const at = isLast ? block - 1 : block
  const values = ownBlock(list, at)
  values.splice(isLast ? values.length : place, 0, value)
  if (values.length > maxBlock) blocks.splice(at + 1, 0, values.splice(maxBlock / 2))
}

function remove<Value extends object>(list: List<Value>, value: Value): void {
  const { blocks, compare } = list
  const { block, place } = find(blocks, value, compare)
  const found = blocks[block]?.[place]
  if (!found || compare(found, value) !== 0) return
  const values = ownBlock(list, block)
  values.splice(place, 1)
  if (values.length === 0) blocks.splice(block, 1)
}

// A block to change.
function ownBlock<Value>({ blocks, walks }: List<Value>, at: number): Value[] {
  const values = blocks[at] ?? []
  if (walks === 0) return values
  const copy = values.slice()
  blocks[at] = copy
  return copy
}

function* walk<Value extends object>(
  list: List<Value>,
  start: object | undefined,
): Iterable<Value> {
  const { blocks, compare } = list
  const from = start === undefined ? { block: 0, place: 0 } : find(blocks, start, compare)
  const all = blocks.slice(from.block)
  list.walks++
  try {
    for (const [block, values] of all.entries()) {
      for (const value of block === 0 ? values.slice(from.place) : values) {
        if (start === undefined || compare(value, start) !== 0) yield value
      }
    }
  } finally {
    list.walks--
  }
}

function* walkBack<Value extends object>(
  list: List<Value>,
  end: object | undefined,
): Iterable<Value> {
  const { blocks, compare } = list
  const from = end === undefined ? { block: blocks.length, place: 0 } : find(blocks, end, compare)
  const all = blocks.slice(0, from.block)
  const first = blocks[from.block]?.slice(0, from.place) ?? []
  list.walks++
  try {
    yield* first.reverse()
    for (let block = all.length - 1; block >= 0; block--) yield* all[block]?.toReversed() ?? []
  } finally {
    list.walks--
  }
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
