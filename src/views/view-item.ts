import type { Conversion } from '../contract/resource/resource.ts'
import { type Chunk, isStream, itemsIn } from '../convention/stream.ts'

// The core tells what is wrong with a result that is no item.

/** Returns an item of the base as the view shows it; another value as it is. */
export function viewItemOf(item: unknown, view: Conversion): unknown {
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? view.get(item) : item
}

/** Returns a list of the base as the view shows it: an array, or a stream. */
export function viewListOf(list: unknown, view: Conversion): unknown {
  if (Array.isArray(list)) return list.map((item) => viewItemOf(item, view))
  return isStream(list) ? viewPartsOf(list, view) : list
}

async function* viewPartsOf(
  parts: AsyncIterable<unknown>,
  view: Conversion,
): AsyncGenerator<readonly unknown[], void> {
  for await (const part of parts) {
    yield itemsIn(part as Chunk<unknown>).map((item) => viewItemOf(item, view))
  }
}
