import type { ReceivedOutcome } from '../wire/response.ts'
import type { ListQuery, Page } from './fluent.ts'
import type { CallOptions } from './options.ts'

/** Sends a `list`; throws what cannot be sent. */
export type List = (query?: ListQuery, options?: CallOptions) => Promise<ReceivedOutcome>

/** Lists page after page; nothing is asked for before it is wanted. */
export async function* pagesOf(
  list: List,
  query: ListQuery = {},
  options?: CallOptions,
): AsyncGenerator<Page<object>, void, undefined> {
  let { after } = query
  for (;;) {
    const page = pageIn(await list({ ...query, after }, options))
    const { next } = page
    yield page
    if (next === undefined) return
    if (next === after) throw new Error('The list does not go on')
    after = next
  }
}

/** The items of all pages, one by one. */
export async function* itemsOf(
  pages: AsyncIterable<Page<object>>,
): AsyncGenerator<object, void, undefined> {
  for await (const { items } of pages) yield* items
}

function pageIn(outcome: ReceivedOutcome): Page<object> {
  const { items, next } = outcome.gives === 'items' ? outcome : { items: [], next: undefined }
  return { items, next }
}
