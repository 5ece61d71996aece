import { type CheckedCollection, nextPage, parameterOf, readAll } from '../collection.ts'
import { expectIds, expectItems, expectProblem, fail, idTextsOf, skip } from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { defineRules, problemRule } from '../rule.ts'
import { sortOrdersOf } from './list.ts'

/** Rules about `limit` and `after`. */
export const pageRules = defineRules(['items'], {
  'limit-bounds': problemRule({
    text: 'A "limit" that is no whole number from 1 to the maximum gives 400.',
    paths: ({ path }) =>
      ['0', '-1', '1.5', 'abc', '', '1e1', '9999999999999999', '%201'].map(
        (limit) => `${path}?limit=${limit}`,
      ),
    codes: ['bad_parameter'],
  }),
  'limit-cuts': {
    text: 'A list has at most "limit" items.',
    needs: ['several'],
    async run({ send, path, items }) {
      const response = await send('GET', `${path}?limit=1`)
      expectIds(response, expectItems(response), idTextsOf(items.slice(0, 1)))
    },
  },
  'next-link': {
    text: 'A list has a Link with rel="next" exactly when more items follow.',
    needs: ['several'],
    async run({ send, path, items, maxLimit }) {
      const cut = await send('GET', `${path}?limit=1`)
      if (expectItems(cut).length !== 1) skip('The server does not cut the list.')
      if (nextPage(cut) === undefined) fail(cut, 'The response has no Link with rel="next".')
      if (items.length > maxLimit) return
      const whole = await send('GET', `${path}?limit=${items.length}`)
      if (nextPage(whole) !== undefined)
        fail(whole, 'The response has a Link to a next page, but no item is left.')
    },
  },
  'next-keeps-query': {
    text: 'The link to the next page has the same "limit" and "sort", and "after".',
    needs: ['several'],
    async run({ send, path, sortable: [field] }) {
      const sort = field === undefined ? undefined : `-${field}`
      const query = sort === undefined ? '' : `&sort=${encodeURIComponent(sort)}`
      const response = await send('GET', `${path}?limit=1${query}`)
      const next = nextPage(response) ?? skip(noNextPage)
      if (parameterOf(next, 'after') === undefined) fail(response, 'The link has no "after".')
      if (parameterOf(next, 'limit') !== '1')
        fail(response, 'The link does not keep the "limit" of the request.')
      if (parameterOf(next, 'sort') !== sort)
        fail(response, 'The link does not keep the "sort" of the request.')
    },
  },
  'pages-join': {
    text: 'The pages together are the list: no item twice, none missing, in every order.',
    needs: ['several'],
    async run(collection) {
      const { send, path, items, maxLimit } = collection
      await firstPage(collection)
      if (items.length > maxLimit * maxPages) skip(`It has more than ${maxPages} pages.`)
      const limit = `limit=${Math.min(maxLimit, Math.ceil(items.length / 4))}`
      for (const sort of ['', ...sortOrdersOf(collection).map((order) => `sort=${order}`)]) {
        const whole = await readAll(send, sort === '' ? path : `${path}?${sort}`)
        const joined = await readAll(send, `${path}?${sort === '' ? '' : `${sort}&`}${limit}`)
        expectIds(joined.first, joined.items, idTextsOf(whole.items))
      }
    },
  },
  'cursor-invalid': problemRule({
    text: 'An invalid "after" gives 400.',
    paths: ({ path }) =>
      ['nounful', '%F0%9F%98%80', '', 'eyJpZCI6MX0'].map(
        (after) => `${path}?limit=1&after=${after}`,
      ),
    codes: ['invalid_cursor'],
  }),
  'cursor-bound': {
    text: 'An "after" of another query gives 400.',
    needs: ['several'],
    async run(collection) {
      const after = await cursorOf(collection)
      const { send, path, searchable } = collection
      const queries = sortOrdersOf(collection).map((order) => `sort=${order}`)
      if (searchable?.length !== 0) queries.push('q=a')
      if (queries.length === 0) skip('The collection supports no other query.')
      for (const query of queries) {
        const response = await send('GET', `${path}?limit=1&${query}&after=${after}`)
        expectProblem(response, 'invalid_cursor')
      }
    },
  },
  'cursor-any-limit': {
    text: 'The "limit" may change from page to page.',
    needs: ['several'],
    async run(collection) {
      const { send, path, items, maxLimit } = collection
      const after = await cursorOf(collection)
      const limit = Math.min(maxLimit, items.length)
      const response = await send('GET', `${path}?limit=${limit}&after=${after}`)
      expectIds(response, expectItems(response), idTextsOf(items.slice(1, 1 + limit)))
    },
  },
})

// The rule reads these pages in every order.
const maxPages = 100

const noNextPage = 'No list has a link to a next page.'

async function firstPage({ send, path }: CheckedCollection): Promise<CheckResponse> {
  const response = await send('GET', `${path}?limit=1`)
  if (expectItems(response).length === 1 && nextPage(response) !== undefined) return response
  return skip(noNextPage)
}

// Encoded for a query.
async function cursorOf(collection: CheckedCollection): Promise<string> {
  const next = nextPage(await firstPage(collection)) ?? ''
  const after = parameterOf(next, 'after') ?? skip('The link to the next page has no "after".')
  return encodeURIComponent(after)
}
