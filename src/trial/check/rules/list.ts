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
import type { CheckedCollection } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectItem,
  expectItems,
  expectStatus,
  idTextsOf,
  skip,
  statusAndCode,
} from '../expect.ts'
import { absentName } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

const readKinds = ['read', 'first', 'last', 'count'] as const

function takes(kind: OperationKind, name: ParameterName): boolean {
  const taken: readonly ParameterName[] = operations[kind].parameters
  return taken.includes(name)
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
    async run({ send, path, items }) {
      const sorted = items.toSorted(compareBy([{ field: 'id', direction: 'asc' }]))
      expectIds(await send('GET', path), idTextsOf(sorted), items)
    },
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
    async run({ send, path, items }) {
      for (const item of items.slice(0, 3)) {
        const response = await send('GET', itemPath(path, item.id))
        expectItem(response)
        expectBody(response, item, 'the item that the list has')
      }
    },
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
    async run({ send, path, items }) {
      const response = await send('GET', `${path}/count`)
      expectStatus(response, 200)
      expectBody(response, { count: items.length }, `{ "count": ${items.length} }`)
    },
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
        const expected = expectItems(list).at(index)
        const response = await send('GET', `${path}/${word}${query}`)
        expectStatus(response, 200)
        expectBody(response, expected, `the ${word} item of the list (${statusAndCode(list)})`)
      }
    },
  }
}

/** Returns every order by one field, as a query. */
export function sortOrdersOf({ sortable }: CheckedCollection): readonly string[] {
  return sortable
    .flatMap((field) => [field, `-${field}`])
    .map((order) => `sort=${encodeURIComponent(order)}`)
}
