import { parameterNames } from '../../model/convention.ts'
import { compareBy } from '../../model/order.ts'
import { itemPath } from '../../wire/path.ts'
import {
  broken,
  expectIds,
  expectItem,
  expectItems,
  expectProblem,
  expectSame,
  expectStatus,
  idsOf,
  told,
  unfit,
} from '../expect.ts'
import type { Rule } from '../rule.ts'
import { type Subject, someItem, textsIn } from '../subject.ts'

/** A name that no server takes for a parameter, a field or an id. */
export const nothing = 'nounful_no_such_thing'

/** What a list, an item and the reserved words answer. */
export const listRules: readonly Rule[] = [
  {
    id: 'list-is-array',
    words: 'A list is a JSON array of items with ids, whatever the parameters.',
    needs: [],
    async run({ ask, path, sortable, searchable }) {
      expectItems(await ask('GET', path))
      expectItems(await ask('GET', `${path}?limit=1`))
      if (searchable?.length !== 0) expectItems(await ask('GET', `${path}?q=${nothing}`))
      for (const field of sortable.slice(0, 1))
        expectItems(await ask('GET', `${path}?sort=${encodeURIComponent(field)}`))
    },
  },
  {
    id: 'list-order',
    words: 'Without "sort" a list is in ascending order of ids.',
    needs: ['items', 'several'],
    async run({ ask, path, items }) {
      const sorted = items.toSorted(compareBy([{ field: 'id', direction: 'asc' }]))
      expectIds(await ask('GET', path), items, idsOf(sorted))
    },
  },
  {
    id: 'unknown-parameter',
    words: 'A parameter that is not taken is 400, with the allowed ones.',
    needs: ['items'],
    async run(subject) {
      for (const path of placesOf(subject)) {
        const exchange = await subject.ask('GET', `${path}?${nothing}=1`)
        expectProblem(exchange, 'unknown_parameter')
        const { answer } = exchange
        if (textsIn(answer.json, 'allowed') === undefined)
          broken(exchange, 'The problem has no list "allowed".')
      }
    },
  },
  {
    id: 'misplaced-parameter',
    words: 'A parameter of another operation is 400: "limit" of count, "q" of an item.',
    needs: ['items', 'some'],
    async run(subject) {
      const { ask, path } = subject
      const one = itemPath(path, someItem(subject).id)
      const places = [
        `${one}?q=a`,
        `${one}?limit=1`,
        `${path}/first?limit=1`,
        `${path}/count?sort=id`,
      ]
      for (const place of places) expectProblem(await ask('GET', place), 'unknown_parameter')
    },
  },
  {
    id: 'repeated-parameter',
    words: 'A parameter that is given twice is 400, unless it holds a list.',
    needs: ['items'],
    async run({ ask, path }) {
      expectProblem(await ask('GET', `${path}?limit=1&limit=1`), 'repeated_parameter')
      expectProblem(await ask('GET', `${path}?limit=1&limit=2`), 'repeated_parameter')
    },
  },
  {
    id: 'parameter-names-exact',
    words: `Parameters are called ${parameterNames.join(', ')}, in lower case, without brackets.`,
    needs: ['items'],
    async run({ ask, path }) {
      for (const search of ['Limit=1', 'limit%5B%5D=1'])
        expectProblem(await ask('GET', `${path}?${search}`), 'unknown_parameter')
    },
  },
  {
    id: 'item-by-id',
    words: 'An item is read by its id, and is the one of the list.',
    needs: ['items', 'some'],
    async run(subject) {
      for (const item of subject.items.slice(0, 3)) {
        const exchange = await subject.ask('GET', itemPath(subject.path, item.id))
        expectItem(exchange)
        expectSame(exchange, item, 'the item that the list has')
      }
    },
  },
  {
    id: 'unknown-id',
    words: 'An id that nothing has is 404.',
    needs: ['items'],
    async run({ ask, path }) {
      expectProblem(await ask('GET', itemPath(path, nothing)), 'not_found')
    },
  },
  {
    id: 'first-is-first',
    words: '"first" is the first item of the list, in every order.',
    needs: ['items', 'some'],
    run: (subject) => checkEnd(subject, 'first', 0),
  },
  {
    id: 'last-is-last',
    words: '"last" is the last item of the list, in every order.',
    needs: ['items', 'some'],
    run: (subject) => checkEnd(subject, 'last', -1),
  },
  {
    id: 'count-agrees',
    words: '"count" is { "count": n }, as many as the list has.',
    needs: ['items'],
    async run({ ask, path, items }) {
      const exchange = await ask('GET', `${path}/count`)
      expectStatus(exchange, 200)
      expectSame(exchange, { count: items.length }, `{ "count": ${items.length} }`)
    },
  },
  {
    id: 'empty-collection',
    words: '"first" and "last" of nothing are 404.',
    needs: ['items', 'search'],
    async run({ ask, path, items }) {
      const first = await ask('GET', `${path}/first`)
      if (first.answer.status === 404 && items.length > 0) unfit('"first" is not answered.')
      for (const word of ['first', 'last'])
        expectProblem(await ask('GET', `${path}/${word}?q=${nothing}`), 'empty_collection')
    },
  },
]

function placesOf({ path, items }: Subject): readonly string[] {
  const [one] = items
  const ends = one === undefined ? [] : [itemPath(path, one.id), `${path}/first`]
  return [path, ...ends, `${path}/count`]
}

async function checkEnd(subject: Subject, word: 'first' | 'last', at: 0 | -1): Promise<void> {
  const { ask, path, sortable } = subject
  const orders = sortable.flatMap((field) => [field, `-${field}`])
  for (const order of ['', ...orders]) {
    const search = order === '' ? '' : `?sort=${encodeURIComponent(order)}`
    const list = await ask('GET', path + search)
    // Whether it is in order is another rule's; where it is cut, its end is not there.
    if (list.answer.headers.link !== undefined) continue
    const expected = expectItems(list).at(at)
    const exchange = await ask('GET', `${path}/${word}${search}`)
    expectStatus(exchange, 200)
    expectSame(exchange, expected, `the ${word} item of the list (${told(list)})`)
  }
}
