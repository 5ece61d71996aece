/** Tells whether a list is an async iterable. */
export function isStream(list: unknown): list is AsyncIterable<unknown> {
  return (
    typeof list === 'object' &&
    list !== null &&
    !Array.isArray(list) &&
    typeof Reflect.get(list, Symbol.asyncIterator) === 'function'
  )
}

/** One result of a stream: an item, or an array of items. */
export type Chunk<Item> = Item | readonly Item[]

/** Returns the items of a chunk. */
export function itemsIn<Item>(chunk: Chunk<Item>): readonly Item[] {
  return isSeveral(chunk) ? chunk : [chunk]
}

// `Array.isArray` does not narrow to read-only arrays.
function isSeveral<Item>(chunk: Chunk<Item>): chunk is readonly Item[] {
  return Array.isArray(chunk)
}

/**
 * A list in chunks. A loop over it gets item after item; a loop over `chunks()` waits once a chunk,
 * not once an item. A second read throws, instead of finding an empty list.
 */
export class ChunkedList<Item> implements AsyncIterable<Item> {
  #source: AsyncIterable<Chunk<Item>> | undefined
  readonly #origin: AsyncIterable<unknown>

  /** @param origin The stream behind the source. Default: the source. */
  constructor(source: AsyncIterable<Chunk<Item>>, origin: AsyncIterable<unknown> = source) {
    this.#source = source
    this.#origin = origin
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    return eachOf(this.chunks())
  }

  /** Returns the chunks as the source gives them. */
  chunks(): AsyncIterable<Chunk<Item>> {
    const source = this.#source
    this.#source = undefined
    if (source) return source
    throw new TypeError(
      'A list that comes item by item was read twice: keep its items, not the list itself.',
    )
  }

  /** Closes the stream behind a list that nothing has read, and will read. Never rejects. */
  async close(): Promise<void> {
    this.#source = undefined
    try {
      // A generator over the stream has not started yet, and would not close it.
      await this.#origin[Symbol.asyncIterator]().return?.()
    } catch {
      // The reason to close is reported.
    }
  }
}

/** Yields the items of chunks one by one. */
export async function* eachOf<Item>(
  chunks: AsyncIterable<Chunk<Item>>,
): AsyncGenerator<Item, void> {
  for await (const chunk of chunks) for (const item of itemsIn(chunk)) yield item
}

/** Returns the first items of a stream, at most so many, and closes the stream. */
export async function take<Item>(
  chunks: AsyncIterable<Chunk<Item>>,
  most: number,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const chunk of chunks) {
    for (const item of itemsIn(chunk)) if (items.length < most) items.push(item)
    if (items.length >= most) break
  }
  return items
}

/** Joins chunks of bytes. A single chunk stays the same object. */
export function joinBytes<Chunk extends Uint8Array>(
  chunks: readonly Chunk[],
): Chunk | Uint8Array<ArrayBuffer> {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.length
  }
  return all
}
