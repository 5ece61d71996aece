import { isId } from '../contract/resource/id.ts'
import { maxFilterValues } from '../convention/filter-operators.ts'
import { fieldOf } from '../convention/value.ts'
import { textOfId } from './call.ts'
import type { CallOptions } from './options.ts'
import { itemsOf, type List, pagesOf } from './pages.ts'
import type { ReadQuery } from './query.ts'

// Bytes of a URL. A server takes 4,096, and may keep 1,024 of them for a cursor.
const room = 3000

/** The items to read. */
interface Reading {
  readonly ids: readonly unknown[]
  /** The fields and the items to include. */
  readonly query: ReadQuery
  /** The URL of the list without the ids: its length counts in each target. */
  readonly url: string
}

/**
 * Reads the items of some ids, by lists of at most 100 ids, one after another. Returns an item or
 * `undefined` for each id, in the order of the ids.
 *
 * @throws {TypeError} For an id that is not text or a finite number.
 */
export async function readMany(
  list: List,
  { ids, query, url }: Reading,
  options: CallOptions,
): Promise<readonly (object | undefined)[]> {
  const texts = ids.map(textOfId)
  const itemsById = new Map<unknown, object>()
  for (const id of slicesOf(new Set(texts.filter(isId)), room - url.length)) {
    for await (const item of itemsOf(pagesOf(list, { ...query, where: { id } }, options))) {
      itemsById.set(`${fieldOf(item, 'id')}`, item)
    }
  }
  return texts.map((text) => itemsById.get(text))
}

function* slicesOf(ids: Iterable<string>, most: number): Generator<readonly string[]> {
  let slice: string[] = []
  let length = 0
  for (const id of ids) {
    const size = `&id=${encodeURIComponent(id)}`.length
    if (slice.length === maxFilterValues || (length > 0 && length + size > most)) {
      yield slice
      slice = []
      length = 0
    }
    slice.push(id)
    length += size
  }
  if (length > 0) yield slice
}
