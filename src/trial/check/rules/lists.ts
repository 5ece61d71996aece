import { compareBy } from '../../../contract/values/order.ts'
import {
  type OperationKind,
  operations,
  type ParameterName,
  parameterNames,
  parameters,
} from '../../../convention/operations.ts'
import { isCut } from '../../../wire/link.ts'
import { itemPath } from '../../../wire/path.ts'
import { nextPage, readAll } from '../collection.ts'
import {
  cursorOf,
  firstNextPage,
  noNextPage,
  queryOf,
  samplesOf,
  sortOrdersOf,
} from '../filtered.ts'
import { expect, fail, idTextsOf, skip, statusAndCode } from '../message.ts'
import { absentName, parameterOf } from '../path.ts'
import { defineRules, gives, type RuleRequest, type UnnamedRule } from '../rule.ts'

const readKinds = ['read', 'first', 'last', 'count'] as const

function takes(kind: OperationKind, name: ParameterName): boolean {
  const accepted: readonly ParameterName[] = operations[kind].parameters
  return accepted.includes(name)
}

/** Each parameter with a value that a list takes. */
const written: Readonly<Record<ParameterName, string>> = {
  q: 'q=a',
  where: 'id=1',
  sort: 'sort=id',
  limit: 'limit=1',
  offset: 'offset=0',
  after: 'after=a',
  fields: 'fields=id',
  include: 'include=a',
  dry_run: 'dry_run=true',
}

const parameterWords = parameterNames
  .map((name) => (parameters[name].type === 'filters' ? 'filters' : name))
  .join(', ')

/** Rules about lists, items and the reserved words. */
export const listRules = defineRules([], {
  'list-is-array': {
    text: 'A list is a JSON array of items with ids, whatever the parameters.',
    send: ({ sortable, searchable }) => [
      '{list}',
      '{list}?limit=1',
      ...(searchable?.length === 0 ? [] : [`{list}?q=${absentName}`]),
      ...(sortable.length === 0 ? [] : ['{list}?sort={field}']),
    ],
    expect: 'items',
  },
  'list-order': {
    text: 'Without "sort" a list is in ascending order of ids.',
    needs: ['items', 'several'],
    send: ({ items }) => [
      gives('{list}', items.toSorted(compareBy([{ field: 'id', direction: 'asc' }]))),
    ],
  },
  'unknown-parameter': {
    text: 'An unknown parameter gives 400, with the allowed ones.',
    needs: ['items'],
    send: ({ items }) =>
      ['{list}', ...(items.length > 0 ? ['{item}', '{list}/first'] : []), '{list}/count'].map(
        (target) => `${target}?${absentName}=1`,
      ),
    expect: 'unknown_parameter',
    lists: 'allowed',
  },
  'misplaced-parameter': {
    text: 'A parameter of another operation gives 400: "limit" with count, "q" with an item.',
    needs: ['items', 'some'],
    send: readKinds.flatMap((kind) =>
      parameterNames
        .filter((name) => !takes(kind, name))
        .map((name) => `${kind === 'read' ? '{item}' : `{list}/${kind}`}?${written[name]}`),
    ),
    expect: 'unknown_parameter',
  },
  'repeated-parameter': {
    text: 'A repeated parameter gives 400, unless it holds a list.',
    needs: ['items'],
    send: ['{list}?limit=1&limit=1', '{list}?limit=1&limit=2'],
    expect: 'repeated_parameter',
  },
  'parameter-names-exact': {
    text: `The parameters are ${parameterWords}, in lower case, without brackets.`,
    needs: ['items'],
    send: ['{list}?Limit=1', '{list}?limit%5B%5D=1'],
    expect: 'unknown_parameter',
  },
  'item-by-id': {
    text: 'GET on an id returns the item that the list has.',
    needs: ['items', 'some'],
    send: ({ items }) => items.slice(0, 3).map((item) => gives(itemPath('{list}', item.id), item)),
  },
  'unknown-id': {
    text: 'An unknown id gives 404.',
    needs: ['items'],
    send: ['{absent}'],
    expect: 'not_found',
  },
  'first-is-first': endRule('first', 0),
  'last-is-last': endRule('last', -1),
  'count-agrees': {
    text: '"count" is { "count": n }, with n as the length of the list.',
    needs: ['items'],
    send: ({ items }) => [gives('{list}/count', { count: items.length })],
  },
  'empty-collection': {
    text: '"first" and "last" give 404 when there are no items.',
    needs: ['items', 'search'],
    async send({ send, path, items }) {
      const first = await send('GET', `${path}/first`)
      if (first.status === 404 && items.length > 0) skip('The server does not support "first".')
      return ['first', 'last'].map((word) => `{list}/${word}?q=${absentName}`)
    },
    expect: 'empty_collection',
  },
})

function endRule(word: 'first' | 'last', index: 0 | -1): UnnamedRule {
  return {
    text: `"${word}" is the ${word} item of the list, in every order.`,
    needs: ['items', 'some'],
    async run(collection) {
      const { send, path } = collection
      for (const query of ['', ...sortOrdersOf(collection).map((order) => `?${order}`)]) {
        const list = await send('GET', path + query)
        // A cut list has no end. Other rules check its order.
        if (isCut(list.headers)) continue
        const expected = expect.items(list).at(index)
        const response = await send('GET', `${path}/${word}${query}`)
        expect.status(response, 200)
        expect.body(response, expected, `the ${word} item of the list (${statusAndCode(list)})`)
      }
    },
  }
}

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
    send: ({ items }) => [gives('{list}?limit=1', items.slice(0, 1))],
  },
  'next-link': {
    text: 'A list has a Link with rel="next" exactly when more items follow.',
    needs: ['several'],
    async run({ send, path, items, maxLimit }) {
      const cut = await send('GET', `${path}?limit=1`)
      if (expect.items(cut).length !== 1) skip('The server does not cut the list.')
      if (nextPage(cut) === undefined) fail(cut, 'The response has no Link with rel="next".')
      if (items.length > maxLimit) return
      const full = await send('GET', `${path}?limit=${items.length}`)
      if (nextPage(full) !== undefined)
        fail(full, 'The response has a Link to a next page, but no item is left.')
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
        const full = await readAll(send, sort === '' ? path : `${path}?${sort}`)
        const joined = await readAll(send, `${path}?${sort === '' ? '' : `${sort}&`}${limit}`)
        expect.ids(joined.first, idTextsOf(full.items), joined.items)
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
    async send(collection) {
      const { items, maxLimit } = collection
      const limit = Math.min(maxLimit, items.length)
      const request = `{list}?limit=${limit}&after=${await cursorOf(collection)}`
      return [gives(request, items.slice(1, 1 + limit))]
    },
  },
})

// The rule reads these pages in every order.
const maxPages = 100

const { most } = parameters.offset

/** Rules about `offset`. */
export const offsetRules = defineRules(['items', 'offset'], {
  'offset-slices': {
    text: 'A page by "offset" is that slice of the list, in every order. Beyond its end it is [].',
    needs: ['some'],
    async send({ send, path, sortable }) {
      const requests: RuleRequest[] = []
      for (const sort of ['', ...sortable.slice(0, 2).map(orderBy)]) {
        const { items } = await readAll(send, `${path}?${sort}`)
        const offsets = [0, 1, Math.floor(items.length / 2), items.length - 1, items.length, most]
        for (const offset of new Set(offsets.filter((number) => number <= most)))
          requests.push(
            gives(`{list}?${sort}&limit=2&offset=${offset}`, items.slice(offset, offset + 2)),
          )
      }
      return requests
    },
  },
  'offset-next': {
    text: 'The link after a page by "offset" has "after" in its place, and goes on there.',
    needs: ['several'],
    async run({ send, path, items }) {
      if (items.length < 3) skip('The collection has fewer than 3 items.')
      const page = await send('GET', `${path}?limit=1&offset=1`)
      expect.items(page)
      const next = nextPage(page)
      if (next === undefined) fail(page, 'The response has no Link with rel="next".')
      if (parameterOf(next, 'offset') !== undefined) fail(page, 'The link has an "offset".')
      if (parameterOf(next, 'after') === undefined) fail(page, 'The link has no "after".')
      expect.ids(await send('GET', next), idTextsOf(items.slice(2, 3)))
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
