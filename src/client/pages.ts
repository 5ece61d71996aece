import type { CallOptions } from './options.ts'
import type { CountedPage, ListQuery, Page } from './query.ts'

/** Sends a `list` and returns its page. */
export type List = (
  query?: ListQuery,
  options?: CallOptions,
) => Promise<Partial<CountedPage<object>> & { readonly gives: string }>

/**
 * Yields page after page, and sends a request only when you ask for the next page.
 *
 * @throws {Error} When the server repeats a cursor, at most three times the cycle's length later.
 */
export async function* pagesOf(
  list: List,
  query: ListQuery = {},
  options?: CallOptions,
): AsyncGenerator<Page<object>, void, undefined> {
  let { after, offset } = query
  // Brent's cycle detection: compares each cursor with one that moves on at powers of two.
  let seen = after
  for (let page = 1; ; page++) {
    const { items = [], next } = await list({ ...query, offset, after }, options)
    yield { items, next }
    if (next === undefined) return
    if (next === seen) throw new Error('The server repeats a cursor')
    if ((page & (page - 1)) === 0) seen = next
    after = next
    offset = undefined
  }
}

/** Yields the items of all pages one by one. */
export async function* itemsOf(
  pages: AsyncIterable<Page<object>>,
): AsyncGenerator<object, void, undefined> {
  for await (const { items } of pages) yield* items
}
