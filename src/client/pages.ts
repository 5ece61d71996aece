import type { ListQuery, Page } from './fluent.ts'
import type { CallOptions } from './options.ts'

/** Sends a `list`; throws what cannot be sent. Gives a page, as `send` calls it. */
export type List = (
  query?: ListQuery,
  options?: CallOptions,
) => Promise<Partial<Page<object>> & { readonly gives: string }>

/**
 * Lists page after page; nothing is asked for before it is wanted.
 *
 * @throws {Error} When the server repeats a cursor, within three times as many pages as there are cursors.
 */
export async function* pagesOf(
  list: List,
  query: ListQuery = {},
  options?: CallOptions,
): AsyncGenerator<Page<object>, void, undefined> {
  let { after } = query
  // Brent's cycle detection: each cursor is held against one before, which moves on at powers of two.
  let seen = after
  for (let page = 1; ; page++) {
    const { items = [], next } = await list({ ...query, after }, options)
    yield { items, next }
    if (next === undefined) return
    if (next === seen) throw new Error('The list does not go on')
    if ((page & (page - 1)) === 0) seen = next
    after = next
  }
}

/** The items of all pages, one by one. */
export async function* itemsOf(
  pages: AsyncIterable<Page<object>>,
): AsyncGenerator<object, void, undefined> {
  for await (const { items } of pages) yield* items
}
