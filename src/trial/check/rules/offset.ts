import { parameters } from '../../../convention/operations.ts'
import { nextPage, readAll } from '../collection.ts'
import { expectIds, expectItems, fail, idTextsOf, skip } from '../expect.ts'
import { parameterOf } from '../path.ts'
import { defineRules } from '../rule.ts'
import { cursorOf } from './pages.ts'

const { most } = parameters.offset

/** Rules about `offset`. */
export const offsetRules = defineRules(['items', 'offset'], {
  'offset-slices': {
    text: 'A page by "offset" is that slice of the list, in every order. Beyond its end it is [].',
    needs: ['some'],
    async run({ send, path, sortable }) {
      for (const sort of ['', ...sortable.slice(0, 2).map(orderBy)]) {
        const { items } = await readAll(send, `${path}?${sort}`)
        const ids = idTextsOf(items)
        const offsets = [0, 1, Math.floor(ids.length / 2), ids.length - 1, ids.length, most]
        for (const offset of new Set(offsets.filter((one) => one <= most)))
          expectIds(
            await send('GET', `${path}?${sort}&limit=2&offset=${offset}`),
            ids.slice(offset, offset + 2),
          )
      }
    },
  },
  'offset-next': {
    text: 'The link after a page by "offset" has "after" in its place, and goes on there.',
    needs: ['several'],
    async run({ send, path, items }) {
      if (items.length < 3) skip('The collection has fewer than 3 items.')
      const page = await send('GET', `${path}?limit=1&offset=1`)
      expectItems(page)
      const next = nextPage(page)
      if (next === undefined) fail(page, 'The response has no Link with rel="next".')
      if (parameterOf(next, 'offset') !== undefined) fail(page, 'The link has an "offset".')
      if (parameterOf(next, 'after') === undefined) fail(page, 'The link has no "after".')
      expectIds(await send('GET', next), idTextsOf(items.slice(2, 3)))
    },
  },
  'offset-bounds': {
    text: `An "offset" that is no whole number from 0 to ${most} gives 400.`,
    send: ['-1', '1.5', 'abc', '', '1e1', '01', `${most + 1}`, '9999999999999999'].map(
      (offset) => `{list}?limit=1&offset=${offset}`,
    ),
    expect: 'bad_parameter',
  },
  'offset-alone': {
    text: '"offset" without "limit" gives 400, unless the server always cuts the list.',
    send({ offers: { hasDefaultLimit } }) {
      return hasDefaultLimit ? skip('The server always cuts the list.') : ['{list}?offset=1']
    },
    expect: 'bad_parameter',
  },
  'offset-or-after': {
    text: '"offset" with "after" gives 400.',
    needs: ['several'],
    send: async (collection) => [
      `{list}?limit=1&offset=1&after=${await cursorOf(collection)}`,
      `{list}?limit=1&offset=0&after=${await cursorOf(collection)}`,
    ],
    expect: 'bad_parameter',
  },
})

function orderBy(field: string): string {
  return `sort=${encodeURIComponent(`-${field}`)}`
}
