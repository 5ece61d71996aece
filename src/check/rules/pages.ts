import { broken, expectIds, expectItems, expectProblem, idsOf, unfit } from '../expect.ts'
import type { Rule } from '../rule.ts'
import type { Exchange } from '../sent.ts'
import { listAll, nextOf, parameterOf, type Subject } from '../subject.ts'

/** What `limit` and `after` do. */
export const pageRules: readonly Rule[] = [
  {
    id: 'limit-bounds',
    words: 'A "limit" that is no whole number from 1 to the maximum is 400.',
    needs: ['items'],
    async run({ ask, path }) {
      for (const limit of ['0', '-1', '1.5', 'abc', '', '1e1', '9999999999999999', '%201'])
        expectProblem(await ask('GET', `${path}?limit=${limit}`), 'bad_parameter')
    },
  },
  {
    id: 'limit-cuts',
    words: 'A list has at most "limit" items.',
    needs: ['items', 'several'],
    async run({ ask, path, items }) {
      const exchange = await ask('GET', `${path}?limit=1`)
      expectIds(exchange, expectItems(exchange), idsOf(items.slice(0, 1)))
    },
  },
  {
    id: 'next-link',
    words: 'A list that was cut has a Link with rel="next", one that was not has none.',
    needs: ['items', 'several'],
    async run({ ask, path, items, maxLimit }) {
      const cut = await ask('GET', `${path}?limit=1`)
      if (expectItems(cut).length !== 1) unfit('The list is not cut.')
      if (nextOf(cut) === undefined) broken(cut, 'There is no Link with rel="next".')
      if (items.length > maxLimit) return
      const whole = await ask('GET', `${path}?limit=${items.length}`)
      if (nextOf(whole) !== undefined)
        broken(whole, 'There is a Link to a next page, and nothing is left for it.')
    },
  },
  {
    id: 'next-keeps-query',
    words: 'The link to the next page has the same "limit" and "sort", and "after".',
    needs: ['items', 'several'],
    async run(subject) {
      const [field] = subject.sortable
      const sort = field === undefined ? '' : `&sort=-${encodeURIComponent(field)}`
      const exchange = await subject.ask('GET', `${subject.path}?limit=1${sort}`)
      const next = nextOf(exchange) ?? unfit('There is no link to a next page.')
      const expected = field === undefined ? undefined : `-${field}`
      if (parameterOf(next, 'after') === undefined) broken(exchange, 'The link has no "after".')
      if (parameterOf(next, 'limit') !== '1')
        broken(exchange, 'The link has not the "limit" of the request.')
      if (parameterOf(next, 'sort') !== expected)
        broken(exchange, 'The link has not the "sort" of the request.')
    },
  },
  {
    id: 'pages-join',
    words: 'Pages joined are the list: nothing twice and nothing missing, in every order.',
    needs: ['items', 'several'],
    async run(subject) {
      const { ask, path, sortable, maxLimit } = subject
      await cutList(subject)
      if (subject.items.length > maxLimit * maxPages) unfit(`It has more than ${maxPages} pages.`)
      const limit = Math.min(maxLimit, Math.ceil(subject.items.length / 4))
      for (const order of ['', ...sortable.flatMap((field) => [field, `-${field}`])]) {
        const sort = order === '' ? '' : `sort=${encodeURIComponent(order)}`
        const whole = await listAll(ask, order === '' ? path : `${path}?${sort}`)
        const joined = await listAll(ask, `${path}?${order === '' ? '' : `${sort}&`}limit=${limit}`)
        expectIds(joined.first, joined.items, idsOf(whole.items))
      }
    },
  },
  {
    id: 'cursor-invalid',
    words: 'An "after" that no list gave is 400.',
    needs: ['items'],
    async run({ ask, path }) {
      for (const after of ['nounful', '%F0%9F%98%80', '', 'eyJpZCI6MX0'])
        expectProblem(await ask('GET', `${path}?limit=1&after=${after}`), 'invalid_cursor')
    },
  },
  {
    id: 'cursor-bound',
    words: 'An "after" of another query is 400.',
    needs: ['items', 'several'],
    async run(subject) {
      const after = encodeURIComponent(await cursorOf(subject))
      const searches = [
        ...subject.sortable
          .flatMap((field) => [field, `-${field}`])
          .map((sort) => `sort=${encodeURIComponent(sort)}`),
        ...(subject.searchable?.length === 0 ? [] : ['q=a']),
      ]
      if (searches.length === 0) unfit('There is no other query to try it with.')
      for (const search of searches)
        expectProblem(
          await subject.ask('GET', `${subject.path}?limit=1&${search}&after=${after}`),
          'invalid_cursor',
        )
    },
  },
  {
    id: 'cursor-any-limit',
    words: 'The length of the pages may change from page to page.',
    needs: ['items', 'several'],
    async run(subject) {
      const after = encodeURIComponent(await cursorOf(subject))
      const limit = Math.min(subject.maxLimit, subject.items.length)
      const exchange = await subject.ask('GET', `${subject.path}?limit=${limit}&after=${after}`)
      expectIds(exchange, expectItems(exchange), idsOf(subject.items.slice(1, 1 + limit)))
    },
  },
]

// Each is fetched in every order.
const maxPages = 100

async function cutList({ ask, path }: Subject): Promise<Exchange> {
  const exchange = await ask('GET', `${path}?limit=1`)
  if (expectItems(exchange).length === 1 && nextOf(exchange) !== undefined) return exchange
  return unfit('No list leads on to a next page.')
}

async function cursorOf(subject: Subject): Promise<string> {
  const next = nextOf(await cutList(subject)) ?? ''
  return parameterOf(next, 'after') ?? unfit('The link to the next page has no "after".')
}
