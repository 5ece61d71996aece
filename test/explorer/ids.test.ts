import { defineApi, defineRegistry, defineResource, type HttpResponse } from 'nounful'
import { explorer } from 'nounful/explorer'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

// No path names them: a URL parser makes the collection, or its parent, of most.
const never: readonly unknown[] = [
  '', '.', '..', 'first', 'last', 'count', 'a\n', '\t', '\0', '\u007f', '\u0085', '\ud800',
  'a'.repeat(256), undefined, null, true, [], ['7'], {}, { toString: null },
] // biome-ignore format: words

const Shelf = z.looseObject({ id: z.any() })
const shelves = defineResource('shelves', { schema: Shelf, create: Shelf })
const Book = z.looseObject({ id: z.any(), shelf_id: z.any() })
const books = defineResource('books', { schema: Book, create: Book })
const pages = defineResource('pages', { schema: Book, create: Book })
const api = defineApi({
  v1: {
    '/shelves': shelves,
    '/shelves/:shelf_id/books': books,
    '/shelves/:shelf_id/books/:book_id/pages': pages,
  },
})
const nothing = { list: () => [], read: () => null, update: () => null, delete: () => null }
const registry = defineRegistry(api).adapters({
  shelves: nothing as never,
  books: nothing as never,
  pages: nothing as never,
})

/** Returns the page of a path whose response has this body. */
async function pageOf(url: string, body: unknown): Promise<HttpResponse> {
  const request = { method: 'GET', url, headers: { accept: 'text/html', host: 'h' } }
  const headers = { 'content-type': 'application/json' }
  const answer = () => ({ status: 200, headers, body }) as HttpResponse
  return explorer(registry)(request, answer, { target: undefined })
}

/** The targets of a page: links, forms, and urls that forms keep for the script. */
function urlsIn(page: unknown): readonly string[] {
  const attributes = String(page).matchAll(
    / (?:href|src|action|data-url|data-list|data-count)="([^"]*)"/g,
  )
  return [...attributes]
    .map(([, url = '']) => url)
    .filter((url) => !/^(?:#|\/_explorer\/)/.test(url))
}

const places = {
  '/v1/shelves': (id: unknown) => [{ id, shelf_id: id }, { id: 'b' }],
  '/v1/shelves/7': (id: unknown) => ({ id }),
  '/v1/shelves/first': (id: unknown) => ({ id }),
  '/v1/shelves/last': (id: unknown) => ({ id }),
  '/v1/shelves/7/books': (id: unknown) => [{ id, shelf_id: id }],
  '/v1/shelves/7/books/8': (id: unknown) => ({ id, shelf_id: id }),
  '/v1/shelves/7/books/first': (id: unknown) => ({ id, shelf_id: id }),
}

describe.each(Object.entries(places))('of %s, a page', (url, bodyWith) => {
  test.each(never.map((id) => [id]))('leads nowhere by the id %j', async (id) => {
    const shown = await pageOf(url, bodyWith(id))
    expect(shown.status).toBe(200)
    // As without an id.
    const known = urlsIn((await pageOf(url, bodyWith(undefined))).body)
    const urls = urlsIn(shown.body)
    expect(urls).toEqual(known)
    for (const one of urls) {
      const { pathname, search } = new URL(one, 'http://h')
      expect(pathname + search).toBe(one)
      expect(['', '?sort=id']).toContain(search)
    }
  })

  test('leads to its items by ids that are some', async () => {
    const urls = urlsIn((await pageOf(url, bodyWith('a/b'))).body)
    const isItem = /\/\d$/.test(url)
    expect(urls.some((one) => one.includes('/a%2Fb'))).toBe(!isItem || url.includes('books'))
  })
})

test('what is under an item is under the item of the path', async () => {
  const urls = urlsIn((await pageOf('/v1/shelves/7', { id: '8' })).body)
  expect(urls).toContain('/v1/shelves/7/books')
  expect(urls.join()).not.toContain('/8')
})
