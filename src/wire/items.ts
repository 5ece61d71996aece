import { itemsIn } from '../convention/stream.ts'
import { formatJson } from './json.ts'

// A slice is full at so many characters or items.
const maxLength = 32_768
const maxItems = 1000

/**
 * Writes a stream of items, or of arrays of items, as one JSON array. Yields slices of about
 * 32 KiB or 1,000 items, and returns the last slice.
 *
 * @throws {TypeError} For an item that JSON cannot carry.
 */
export async function* formatItems(parts: AsyncIterable<unknown>): AsyncGenerator<string, string> {
  let slice = '['
  let length = 0
  let separator = ''
  for await (const chunk of parts) {
    for (const item of itemsIn(chunk)) {
      slice += separator + formatItem(item)
      separator = ','
      length++
      if (length < maxItems && slice.length < maxLength) continue
      yield slice
      slice = ''
      length = 0
    }
  }
  return `${slice}]`
}

function formatItem(item: unknown): string {
  const text: string | undefined = formatJson(item)
  if (text === undefined) throw new TypeError('The adapter gave a value that JSON does not know.')
  return text
}
