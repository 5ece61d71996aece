/** A list that stays sorted while its values come and go. */
export interface Sorted<Value> {
  add(value: Value): void
  remove(value: Value): void
  /** The values from just after a place, which need not be there; from the start for `undefined`. */
  after(place: object | undefined): Iterable<Value>
  /** The values before a place, last first; from the end for `undefined`. */
  before(place: object | undefined): Iterable<Value>
}

// Moving a few hundred values costs less than finding the block they are in.
const maxBlock = 512

/**
 * Makes a sorted list of values that no two of are equal. It is kept in blocks, so that adding to a hundred thousand
 * values moves some hundred of them.
 */
export function createSorted<Value extends object>(
  values: Iterable<Value>,
  compare: (one: object, other: object) => number,
): Sorted<Value> {
  const all = [...values].sort(compare)
  const blocks: Value[][] = []
  for (let start = 0; start < all.length; start += maxBlock / 2) {
    blocks.push(all.slice(start, start + maxBlock / 2))
  }

  // The first block that ends after (or at) a value, and the first place in it that is not before the value.
  function find(value: object): { block: number; place: number } {
    const block = firstOf(blocks, (values) => compare(values.at(-1) as Value, value) >= 0)
    return { block, place: firstOf(blocks[block] ?? [], (other) => compare(other, value) >= 0) }
  }

  return {
    add(value) {
      const { block, place } = find(value)
      const values = blocks[Math.min(block, blocks.length - 1)]
      if (!values) blocks.push([value])
      else if (block === blocks.length) values.push(value)
      else values.splice(place, 0, value)
      if (values && values.length > maxBlock) {
        blocks.splice(blocks.indexOf(values) + 1, 0, values.splice(maxBlock / 2))
      }
    },
    remove(value) {
      const { block, place } = find(value)
      const values = blocks[block]
      const found = values?.[place]
      if (!values || !found || compare(found, value) !== 0) return
      values.splice(place, 1)
      if (values.length === 0) blocks.splice(block, 1)
    },
    *after(start) {
      const from = start === undefined ? { block: 0, place: 0 } : find(start)
      for (let block = from.block; block < blocks.length; block++) {
        const values = blocks[block] as Value[]
        for (let place = block === from.block ? from.place : 0; place < values.length; place++) {
          const value = values[place] as Value
          if (start === undefined || compare(value, start) !== 0) yield value
        }
      }
    },
    *before(end) {
      const from = end === undefined ? { block: blocks.length, place: 0 } : find(end)
      for (let block = Math.min(from.block, blocks.length - 1); block >= 0; block--) {
        const values = blocks[block] as Value[]
        for (
          let place = (block === from.block ? from.place : values.length) - 1;
          place >= 0;
          place--
        ) {
          yield values[place] as Value
        }
      }
    },
  }
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
