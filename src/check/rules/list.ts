import { parameterNames } from '../../model/convention.ts'
import { compareBy } from '../../model/order.ts'
import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, firstItem, stringsIn } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectItem,
  expectItems,
  expectProblem,
  expectStatus,
  fail,
  idTextsOf,
  type ProblemCodes,
  skip,
  statusAndCode,
} from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, problemRule } from '../rule.ts'

/** Rules about lists, items and the reserved words. */
export const listRules = defineRules([], {
  'list-is-array': {
    text: 'A list is a JSON array of items with ids, whatever the parameters.',
    needs: [],
    async run({ send, path, sortable, searchable }) {
      const queries = ['', '?limit=1']
      if (searchable?.length !== 0) queries.push(`?q=${absentName}`)
      for (const field of sortable.slice(0, 1)) queries.push(`?sort=${encodeURIComponent(field)}`)
      for (const query of queries) expectItems(await send('GET', path + query))
    },
  },
  'list-order': {
    text: 'Without "sort" a list is in ascending order of ids.',
    needs: ['items', 'several'],
    async run({ send, path, items }) {
      const sorted = items.toSorted(compareBy([{ field: 'id', direction: 'asc' }]))
      expectIds(await send('GET', path), items, idTextsOf(sorted))
    },
  },
  'unknown-parameter': {
    text: 'An unknown parameter gives 400, with the allowed ones.',
    needs: ['items'],
    async run({ send, path, items: [item] }) {
      const others = item === undefined ? [] : [itemPath(path, item.id), `${path}/first`]
      for (const target of [path, ...others, `${path}/count`])
        expectAllowed(await send('GET', `${target}?${absentName}=1`), 'unknown_parameter')
    },
  },
  'misplaced-parameter': problemRule({
    text: 'A parameter of another operation gives 400: "limit" with count, "q" with an item.',
    needs: ['items', 'some'],
    paths(collection) {
      const { path } = collection
      const item = itemPath(path, firstItem(collection).id)
      return [`${item}?q=a`, `${item}?limit=1`, `${path}/first?limit=1`, `${path}/count?sort=id`]
    },
    codes: ['unknown_parameter'],
  }),
  'repeated-parameter': problemRule({
    text: 'A repeated parameter gives 400, unless it holds a list.',
    needs: ['items'],
    paths: ({ path }) => [`${path}?limit=1&limit=1`, `${path}?limit=1&limit=2`],
    codes: ['repeated_parameter'],
  }),
  'parameter-names-exact': problemRule({
    text: `The parameters are ${parameterNames.join(', ')}, in lower case, without brackets.`,
    needs: ['items'],
    paths: ({ path }) => [`${path}?Limit=1`, `${path}?limit%5B%5D=1`],
    codes: ['unknown_parameter'],
  }),
  'item-by-id': {
    text: 'GET on an id returns the item that the list has.',
    needs: ['items', 'some'],
    async run({ send, path, items }) {
      for (const item of items.slice(0, 3)) {
        const response = await send('GET', itemPath(path, item.id))
        expectItem(response)
        expectBody(response, item, 'the item that the list has')
      }
    },
  },
  'unknown-id': problemRule({
    text: 'An unknown id gives 404.',
    needs: ['items'],
    paths: ({ path }) => [itemPath(path, absentName)],
    codes: ['not_found'],
  }),
  'first-is-first': {
    text: '"first" is the first item of the list, in every order.',
    needs: ['items', 'some'],
    run: (collection) => checkEnd(collection, 'first', 0),
  },
  'last-is-last': {
    text: '"last" is the last item of the list, in every order.',
    needs: ['items', 'some'],
    run: (collection) => checkEnd(collection, 'last', -1),
  },
  'count-agrees': {
    text: '"count" is { "count": n }, with n as the length of the list.',
    needs: ['items'],
    async run({ send, path, items }) {
      const response = await send('GET', `${path}/count`)
      expectStatus(response, 200)
      expectBody(response, { count: items.length }, `{ "count": ${items.length} }`)
    },
  },
  'empty-collection': {
    text: '"first" and "last" give 404 when there are no items.',
    needs: ['items', 'search'],
    async run({ send, path, items }) {
      const first = await send('GET', `${path}/first`)
      if (first.status === 404 && items.length > 0) skip('The server does not support "first".')
      for (const word of ['first', 'last'])
        expectProblem(await send('GET', `${path}/${word}?q=${absentName}`), 'empty_collection')
    },
  },
})

/** Expects a problem with the list `allowed`. */
export function expectAllowed(response: CheckResponse, ...codes: ProblemCodes): void {
  expectProblem(response, ...codes)
  if (stringsIn(response.json, 'allowed') === undefined)
    fail(response, 'The problem has no list "allowed".')
}

/** Returns every order by one field, encoded as the value of `sort`. */
export function sortOrdersOf({ sortable }: CheckedCollection): readonly string[] {
  return sortable.flatMap((field) => [field, `-${field}`]).map(encodeURIComponent)
}

async function checkEnd(
  collection: CheckedCollection,
  word: 'first' | 'last',
  index: 0 | -1,
): Promise<void> {
  const { send, path } = collection
  for (const query of ['', ...sortOrdersOf(collection).map((order) => `?sort=${order}`)]) {
    const list = await send('GET', path + query)
    // A cut list has no end. Other rules check its order.
    if (list.headers.link !== undefined) continue
    const expected = expectItems(list).at(index)
    const response = await send('GET', `${path}/${word}${query}`)
    expectStatus(response, 200)
    expectBody(response, expected, `the ${word} item of the list (${statusAndCode(list)})`)
  }
}
