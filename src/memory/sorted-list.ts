/** A list that stays sorted while values are added and removed. */
export interface SortedList<Value> {
  add(value: Value): void
  remove(value: Value): void
  /** Puts a value in the place of another, or where it belongs. */
  replace(old: Value, value: Value): void
  /**
   * Returns the values after a position, or all of them. The position need not be in the list.
   * Later writes do not change the result.
   */
  after(position: object | undefined): Iterable<Value>
  /** Returns the values before a position, or all of them, in reverse order. */
  before(position: object | undefined): Iterable<Value>
}

/** Compares two values, or a value and a position. */
export type Compare = (a: object, b: object) => number

// Moving a few hundred values costs less than finding the block they are in.
const maxBlock = 512

type Blocks<Value> = Value[][]

interface List<Value> {
  readonly blocks: Blocks<Value>
  readonly compare: Compare
  /** The number of unfinished walks. During a walk, writes change copies of the blocks. */
  walks: number
}

/**
 * Creates a list of distinct, sorted values in blocks: an addition to a hundred thousand values
 * moves some hundred of them.
 */
export function createSortedList<Value extends object>(
  values: readonly Value[],
  compare: Compare,
): SortedList<Value> {
  const list: List<Value> = { blocks: split(values), compare, walks: 0 }
  return {
    add: (value) => add(list, value),
    remove: (value) => remove(list, value),
    replace: (old, value) => replace(list, old, value),
    after: (position) => walk(list, position),
    before: (position) => walkBack(list, position),
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
  const { block, index } = find(blocks, value, compare)
  if (blocks.length === 0) {
    blocks.push([value])
    return
  }
  const isLast = block === blocks.length
  const target = isLast ? block - 1 : block
  const values = writableBlock(list, target)
  values.splice(isLast ? values.length : index, 0, value)
  if (values.length > maxBlock) blocks.splice(target + 1, 0, values.splice(maxBlock / 2))
}

function remove<Value extends object>(list: List<Value>, value: Value): void {
  const { blocks, compare } = list
  const { block, index } = find(blocks, value, compare)
  const stored = blocks[block]?.[index]
  if (!stored || compare(stored, value) !== 0) return
  const values = writableBlock(list, block)
  values.splice(index, 1)
  if (values.length === 0) blocks.splice(block, 1)
}

function replace<Value extends object>(list: List<Value>, old: Value, value: Value): void {
  const { blocks, compare } = list
  if (compare(old, value) !== 0) {
    remove(list, old)
    add(list, value)
    return
  }
  const { block, index } = find(blocks, old, compare)
  if (blocks[block]?.[index] !== undefined) writableBlock(list, block)[index] = value
}

// The block itself, or its copy during a walk.
function writableBlock<Value>({ blocks, walks }: List<Value>, block: number): Value[] {
  const values = blocks[block] ?? []
  if (walks === 0) return values
  const copy = values.slice()
  blocks[block] = copy
  return copy
}

function* walk<Value extends object>(
  list: List<Value>,
  start: object | undefined,
): Iterable<Value> {
  const { blocks, compare } = list
  const from = start === undefined ? { block: 0, index: 0 } : find(blocks, start, compare)
  const all = blocks.slice(from.block)
  list.walks++
  try {
    for (const [block, values] of all.entries()) {
      for (const value of block === 0 ? values.slice(from.index) : values) {
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
  const from = end === undefined ? { block: blocks.length, index: 0 } : find(blocks, end, compare)
  const all = blocks.slice(0, from.block)
  const first = blocks[from.block]?.slice(0, from.index) ?? []
  list.walks++
  try {
    yield* first.reverse()
    for (let block = all.length - 1; block >= 0; block--) yield* all[block]?.toReversed() ?? []
  } finally {
    list.walks--
  }
}

// The block for a value, and the index of the first value in it that is not before the value.
function find<Value extends object>(
  blocks: Blocks<Value>,
  value: object,
  compare: Compare,
): { readonly block: number; readonly index: number } {
  const isBefore = (candidate: Value | undefined): boolean =>
    !candidate || compare(candidate, value) < 0
  const block = firstOf(blocks, (values) => !isBefore(values.at(-1)))
  return { block, index: firstOf(blocks[block] ?? [], (candidate) => !isBefore(candidate)) }
}

// Binary search for the first index at which `holds` is true. It is true for all later ones too.
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
