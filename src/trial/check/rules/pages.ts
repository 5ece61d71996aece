import { type CheckedCollection, nextPage, readAll } from '../collection.ts'
import { expectIds, expectItems, fail, idTextsOf, skip } from '../expect.ts'
import { queryOf } from '../filtered.ts'
import { parameterOf } from '../path.ts'
import { defineRules } from '../rule.ts'
import { samplesOf } from './filtered-lists.ts'
import { sortOrdersOf } from './list.ts'

/** Rules about `limit` and `after`. */
export const pageRules = defineRules(['items'], {
  'limit-bounds': {
    text: 'A "limit" that is no whole number from 1 to the maximum gives 400.',
    send: ['0', '-1', '1.5', 'abc', '', '1e1', '9999999999999999', '%201'].map(
      (limit) => `{list}?limit=${limit}`,
    ),
    expect: 'bad_parameter',
  },
  'limit-cuts': {
    text: 'A list has at most "limit" items.',
    needs: ['several'],
    async run({ send, path, items }) {
      expectIds(await send('GET', `${path}?limit=1`), idTextsOf(items.slice(0, 1)))
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
      for (const [name, value] of [
        ['limit', '1'],
        ['sort', sort],
      ] as const)
        if (parameterOf(next, name) !== value)
          fail(response, `The link does not keep the "${name}" of the request.`)
    },
  },
  'pages-join': {
    text: 'The pages together are the list: no item twice, none missing, in every order.',
    needs: ['several'],
    async run(collection) {
      const { send, path, items, maxLimit } = collection
      await firstNextPage(collection)
      if (items.length > maxLimit * maxPages) skip(`It has more than ${maxPages} pages.`)
      const limit = `limit=${Math.min(maxLimit, Math.ceil(items.length / 4))}`
      for (const sort of ['', ...sortOrdersOf(collection)]) {
        const whole = await readAll(send, sort === '' ? path : `${path}?${sort}`)
        const joined = await readAll(send, `${path}?${sort === '' ? '' : `${sort}&`}${limit}`)
        expectIds(joined.first, idTextsOf(whole.items), joined.items)
      }
    },
  },
  'cursor-invalid': {
    text: 'An invalid "after" gives 400.',
    send: ['nounful', '%F0%9F%98%80', '', 'eyJpZCI6MX0'].map(
      (after) => `{list}?limit=1&after=${after}`,
    ),
    expect: 'invalid_cursor',
  },
  'cursor-bound': {
    text: 'An "after" of another query gives 400.',
    needs: ['several'],
    async send(collection) {
      const after = await cursorOf(collection)
      // A list is in the order of ids anyway.
      const queries = sortOrdersOf(collection).filter((order) => order !== 'sort=id')
      if (collection.searchable?.length !== 0) queries.push('q=a')
      const [filter] = samplesOf(collection)
      if (filter) queries.push(queryOf([filter]))
      if (queries.length === 0) skip('The collection supports no other query.')
      return queries.map((query) => `{list}?limit=1&${query}&after=${after}`)
    },
    expect: 'invalid_cursor',
  },
  'cursor-any-limit': {
    text: 'The "limit" may change from page to page.',
    needs: ['several'],
    async run(collection) {
      const { send, path, items, maxLimit } = collection
      const after = await cursorOf(collection)
      const limit = Math.min(maxLimit, items.length)
      const response = await send('GET', `${path}?limit=${limit}&after=${after}`)
      expectIds(response, idTextsOf(items.slice(1, 1 + limit)))
    },
  },
})

// The rule reads these pages in every order.
const maxPages = 100

const noNextPage = 'No list has a link to a next page.'

// Returns path and query of the second page.
async function firstNextPage({ send, path }: CheckedCollection): Promise<string> {
  const response = await send('GET', `${path}?limit=1`)
  const next = expectItems(response).length === 1 ? nextPage(response) : undefined
  return next ?? skip(noNextPage)
}

/** Returns the cursor of the second page, encoded for a query. Skips the rule without one. */
export async function cursorOf(collection: CheckedCollection): Promise<string> {
  const next = await firstNextPage(collection)
  const after = parameterOf(next, 'after') ?? skip('The link to the next page has no "after".')
  return encodeURIComponent(after)
}
