import {
  type OperationKind,
  operations,
  type ParameterName,
  parameterNames,
  parameters,
} from '../../../convention/operations.ts'
import { itemPath } from '../../../wire/path.ts'
import {
  cursorOf,
  firstNextPage,
  pageSizeOf,
  queryOf,
  samplesOf,
  sortOrdersOf,
} from '../filtered.ts'
import { expect, idTextsOf, skip } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

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
  by: 'by=a',
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
      ...(searchable?.length ? [`{list}?q=${absentName}`] : []),
      ...(sortable.length === 0 ? [] : ['{list}?sort={field}']),
    ],
    expect: 'items',
  },
  'list-order': {
    text: 'Without "sort" a list is in ascending order of ids.',
    needs: ['items', 'several'],
    send: ['{list}'],
  },
  'unknown-parameter': {
    text: 'An unknown parameter gives 400, with the allowed ones.',
    needs: ['items'],
    send: ({ items }) =>
      ['{list}', ...(items.length > 0 ? ['{item}', '{list}/first'] : []), '{list}/count'].map(
        (target) => `${target}?${absentName}=1`,
      ),
  },
  'misplaced-parameter': {
    text: 'A parameter of another operation gives 400: "limit" with count, "q" with an item.',
    needs: ['items', 'some'],
    send: readKinds.flatMap((kind) =>
      parameterNames
        .filter((name) => !takes(kind, name))
        .map((name) => `${kind === 'read' ? '{item}' : `{list}/${kind}`}?${written[name]}`),
    ),
  },
  'repeated-parameter': {
    text: 'A repeated parameter gives 400, unless it holds a list.',
    needs: ['items'],
    send: ['{list}?limit=1&limit=1', '{list}?limit=1&limit=2'],
  },
  'parameter-names-exact': {
    text: `The parameters are ${parameterWords}, in lower case, without brackets.`,
    needs: ['items'],
    send: ['{list}?Limit=1', '{list}?limit%5B%5D=1'],
  },
  'item-by-id': {
    text: 'GET on an id returns the item that the list has.',
    needs: ['items', 'some'],
    send: ({ items }) => items.slice(0, 3).map(({ id }) => itemPath('{list}', id)),
  },
  'unknown-id': {
    text: 'An unknown id gives 404.',
    needs: ['items'],
    send: ['{absent}'],
  },
  'first-is-first': endRule('first'),
  'last-is-last': endRule('last'),
  'count-agrees': {
    text: '"count" is { "count": n }, with n as the length of the list.',
    needs: ['items'],
    send: ['{list}/count'],
  },
  'count-by': {
    text: '"by" counts the items of each value of one or two fields, the largest group first.',
    needs: ['items', 'groups'],
    send: (collection) => {
      const [first = '', second = first] = collection.countable
      const filtered = samplesOf(collection).map((sample) => `&${queryOf([sample])}`)
      return [
        `{list}/count?by=${second},${first}`,
        ...['', ...filtered.slice(0, 2)].map((filter) => `{list}/count?by=${first}${filter}`),
      ]
    },
  },
  'count-by-fault': {
    text: 'An unknown field in "by", and a third one, give 400 with the allowed ones.',
    needs: ['items', 'groups'],
    send: [`{list}/count?by=${absentName}`, '{list}/count?by=a,b,c'],
  },
  'empty-collection': {
    text: '"first" and "last" give 404 when there are no items.',
    needs: ['items', 'search'],
    async send({ send, path, items }) {
      const first = await send('GET', `${path}/first`)
      if (first.status === 404 && items.length > 0) skip('The server does not support "first".')
      return ['first', 'last'].map((word) => `{list}/${word}?q=${absentName}`)
    },
  },
})

function endRule(word: 'first' | 'last'): UnnamedRule {
  return {
    text: `"${word}" is the ${word} item of the list, in every order.`,
    needs: ['items', 'some'],
    send: (collection) =>
      ['', ...sortOrdersOf(collection).map((order) => `?${order}`)].map(
        (query) => `{list}/${word}${query}`,
      ),
  }
}

/** Rules about `limit` and `after`. */
export const pageRules = defineRules(['items'], {
  'limit-bounds': {
    text: 'A "limit" that is no whole number from 1 to the maximum gives 400.',
    send: ['0', '-1', '1.5', 'abc', '', '1e1', '9999999999999999', '%201'].map(
      (limit) => `{list}?limit=${limit}`,
    ),
  },
  'limit-cuts': {
    text: 'A list has at most "limit" items.',
    needs: ['several'],
    send: ['{list}?limit=1'],
  },
  'next-link': {
    text: 'A list has a Link with rel="next" exactly when more items follow.',
    needs: ['several'],
    send: (collection) => ['{list}?limit=1', `{list}?limit=${pageSizeOf(collection, 1)}`],
    expect: 'next',
  },
  'next-keeps-query': {
    text: 'The link to the next page has the same "limit" and "sort", and "after".',
    needs: ['several'],
    send: ({ sortable }) =>
      ['', ...sortable.slice(0, 1).map((field) => `&sort=-${encodeURIComponent(field)}`)].map(
        (sort) => `{list}?limit=1${sort}`,
      ),
    expect: 'next',
  },
  'pages-join': {
    text: 'The pages together are the list: no item twice, none missing, in every order.',
    needs: ['several'],
    async send(collection) {
      await firstNextPage(collection)
      const { items, maxLimit } = collection
      if (items.length > maxLimit * maxPages) skip(`It has more than ${maxPages} pages.`)
      const limit = `limit=${pageSizeOf(collection, 4)}`
      return ['', ...sortOrdersOf(collection)].map((sort) =>
        sort === '' ? `{list}?${limit}` : `{list}?${sort}&${limit}`,
      )
    },
    expect: 'pages',
  },
  'cursor-invalid': {
    text: 'An invalid "after" gives 400.',
    send: ['nounful', '%F0%9F%98%80', '', 'eyJpZCI6MX0'].map(
      (after) => `{list}?limit=1&after=${after}`,
    ),
  },
  'cursor-bound': {
    text: 'An "after" of another query gives 400.',
    needs: ['several'],
    async send(collection) {
      const after = await cursorOf(collection)
      // A list is in the order of ids anyway.
      const queries = sortOrdersOf(collection).filter((order) => order !== 'sort=id')
      if (collection.searchable?.length) queries.push('q=a')
      const [filter] = samplesOf(collection)
      if (filter) queries.push(queryOf([filter]))
      return queries.map((query) => `{list}?limit=1&${query}&after=${after}`)
    },
    expect: 'invalid_cursor',
    none: 'The collection supports no other query.',
  },
  'cursor-any-limit': {
    text: 'The "limit" may change from page to page.',
    needs: ['several'],
    async run(collection) {
      const { send, path, items } = collection
      const limit = pageSizeOf(collection, 1)
      const page = await send('GET', `${path}?limit=${limit}&after=${await cursorOf(collection)}`)
      expect.ids(page, idTextsOf(items.slice(1, 1 + limit)))
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
    send({ items: { length }, sortable }) {
      const offsets = [0, 1, Math.floor(length / 2), length - 1, length, most]
      const pages = [...new Set(offsets)].filter((offset) => offset <= most)
      return ['', ...sortable.slice(0, 2).map(orderBy)].flatMap((sort) =>
        pages.map((offset) => `{list}?${sort}&limit=2&offset=${offset}`.replace('?&', '?')),
      )
    },
  },
  'offset-next': {
    text: 'The link after a page by "offset" has "after" in its place, and goes on there.',
    needs: ['several'],
    send: ({ items }) => (items.length < 3 ? [] : ['{list}?limit=1&offset=1']),
    expect: 'next',
    none: 'The collection has fewer than 3 items.',
  },
  'offset-bounds': {
    text: `An "offset" that is no whole number from 0 to ${most} gives 400.`,
    send: ['-1', '1.5', 'abc', '', '1e1', '01', `${most + 1}`, '9999999999999999'].map(
      (offset) => `{list}?limit=1&offset=${offset}`,
    ),
  },
  'offset-alone': {
    text: '"offset" without "limit" gives 400, unless the server always cuts the list.',
    send: ({ offers: { hasDefaultLimit } }) => (hasDefaultLimit ? [] : ['{list}?offset=1']),
    none: 'The server always cuts the list.',
  },
  'offset-or-after': {
    text: '"offset" with "after" gives 400.',
    needs: ['several'],
    expect: 'bad_parameter',
    send: async (collection) => [
      `{list}?limit=1&offset=1&after=${await cursorOf(collection)}`,
      `{list}?limit=1&offset=0&after=${await cursorOf(collection)}`,
    ],
  },
})

function orderBy(field: string): string {
  return `sort=${encodeURIComponent(`-${field}`)}`
}
