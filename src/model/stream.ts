/** Tells whether a list comes item by item, each of which may take its time, and is no array. */
export function isStream(list: unknown): list is AsyncIterable<unknown> {
  return (
    typeof list === 'object' &&
    list !== null &&
    !Array.isArray(list) &&
    Symbol.asyncIterator in list &&
    typeof list[Symbol.asyncIterator] === 'function'
  )
}

/** What a stream gives at a time: an item, or several as an array, which is never an item itself. */
export type Part<Item> = Item | readonly Item[]

/** The items of a part. */
export function itemsIn<Item>(part: Part<Item>): readonly Item[] {
  return isSeveral(part) ? part : [part]
}

// `Array.isArray` by itself does not tell TypeScript of arrays that are read-only.
function isSeveral<Item>(part: Part<Item>): part is readonly Item[] {
  return Array.isArray(part)
}

/**
 * A list that comes in parts. Whoever goes through it sees item after item; who takes its parts as they come waits once a
 * part, not once an item. It can be read once, so that whoever keeps it and reads it again does not find it empty.
 */
export class Parts<Item> implements AsyncIterable<Item> {
  #source: AsyncIterable<Part<Item>> | undefined

  constructor(source: AsyncIterable<Part<Item>>) {
    this.#source = source
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    return eachOf(this.parts())
  }

  /** Everything, as it comes. */
  parts(): AsyncIterable<Part<Item>> {
    const source = this.#source
    this.#source = undefined
    if (source) return source
    throw new TypeError(
      'A list that comes item by item was read twice: keep its items, not the list itself.',
    )
  }
}

/** Goes through parts item by item. */
export async function* eachOf<Item>(parts: AsyncIterable<Part<Item>>): AsyncGenerator<Item, void> {
  for await (const part of parts) for (const item of itemsIn(part)) yield item
}

/** The beginning of a stream as an array, at most so long. Nothing more is asked for, and the stream is closed. */
export async function take<Item>(
  parts: AsyncIterable<Part<Item>>,
  most: number,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const part of parts) {
    for (const item of itemsIn(part)) if (items.length < most) items.push(item)
    if (items.length >= most) break
  }
  return items
}
