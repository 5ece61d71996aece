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

/** The beginning of a stream as an array, at most so long. Nothing more is asked for, and the stream is closed. */
export async function take<Item>(
  stream: AsyncIterable<Item>,
  most: number,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of stream) {
    items.push(item)
    if (items.length >= most) break
  }
  return items
}

/** Lets others have a turn: a stream that never really waits would otherwise keep a whole process to itself. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
