import { compareValues } from '../../../contract/values/order.ts'
import { parameters, reservedWords } from '../../../convention/operations.ts'
import { itemPath } from '../../../wire/path.ts'
import { parsePrefer } from '../../../wire/prefer.ts'
import { type CheckedCollection, firstItem } from '../collection.ts'
import {
  type FilledFilter,
  filterNamed,
  filtersWith,
  listWith,
  pageSizeOf,
  queryOf,
  samplesOf,
  sendableValues,
  wordsIn,
} from '../filtered.ts'
import { type CheckResponse, expect, fail, type ServerItem, skip } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'

const noValue = 'No item has a value to filter by.'

/** Rules about filters beside other parameters, and on other targets. */
export const filteredListRules = defineRules(['items', 'filters', 'some'], {
  'filter-together': {
    text: 'All filters of a request hold together, and with "q".',
    needs: ['several'],
    send(collection) {
      const pairs = pairsOf(samplesOf(collection)).slice(0, maxPairs)
      if (pairs.length === 0) skip(noValue)
      const requests = [...pairs, ...rangesOf(collection)].map((pair) => listWith(...pair))
      const filter = filterNamed(collection, 'id:ne')
      const [sample] = wordsIn(collection)
      if (filter && sample && collection.searchable?.length)
        requests.push(
          `${listWith({ filter, values: [sample.item.id] })}&q=${encodeURIComponent(sample.word)}`,
        )
      return requests
    },
  },
  'filter-pages': {
    text: 'The pages of a filtered list are joined the filtered list: links keep the filters.',
    needs: ['several'],
    send: (collection) =>
      samplesOf(collection).flatMap((sample) =>
        ['', ...collection.sortable.slice(0, 1).map(descending)].flatMap((sort) => {
          const request = listWith(sample) + sort
          return [
            { request: `${request}&limit=1`, expect: 'next' as const },
            `${request}&limit=${pageSizeOf(collection, 3)}`,
          ]
        }),
      ),
    expect: 'pages',
    none: noValue,
  },
  'filter-everywhere': {
    text: 'Filters also apply to "first", "last" and "count".',
    send: (collection) =>
      samplesOf(collection).flatMap((sample) =>
        reservedWords.map((word) => `{list}/${word}?${queryOf([sample])}`),
      ),
    none: noValue,
  },
})

const maxPairs = 12

// A range of one value in the middle, for each field.
function rangesOf(collection: CheckedCollection): readonly (readonly FilledFilter[])[] {
  return filtersWith(collection, ['gte'], true).flatMap((range) => {
    const upper = filterNamed(collection, `${range.field}:lte`)
    const values = sendableValues(collection, range.field).toSorted(compareValues)
    const middle = values[Math.floor(values.length / 2)]
    if (upper === undefined || middle === undefined) return []
    return [[range, upper].map((filter) => ({ filter, values: [middle] }))]
  })
}

function pairsOf<Value>(values: readonly Value[]): readonly (readonly [Value, Value])[] {
  return values.flatMap((first, index) =>
    values.slice(index + 1).map((second) => [first, second] as const),
  )
}

function descending(field: string): string {
  return `&sort=${encodeURIComponent(`-${field}`)}`
}

/** Rules about preferences of a list. */
export const totalRules = defineRules(['items'], {
  'count-exact': {
    text:
      'With "Prefer: count=exact" a list has "X-Total-Count", the number of items on all pages, ' +
      '"Preference-Applied" and "Vary: Prefer".',
    async run(collection) {
      const { send, path, reference } = collection
      const headers = { prefer: 'count=exact' }
      for (const query of [
        '',
        ...samplesOf(collection)
          .slice(0, 3)
          .map((sample) => queryOf([sample])),
      ]) {
        const response = await send('GET', `${path}?${query}&limit=1`.replace('?&', '?'), {
          headers,
        })
        expectTotal(response, (await reference.answer(response.request)).headers['x-total-count'])
      }
    },
  },
  'prefer-ignored': {
    text: 'A list ignores a preference that it does not know.',
    send: [absentName, 'count=planned', 'count', 'max-affected=0'].map((prefer) => ({
      request: '{list}',
      headers: { prefer },
    })),
  },
})

// A server may leave out the total, if it does not claim to apply the preference.
function expectTotal(response: CheckResponse, length: string | undefined): void {
  expect.status(response, 200)
  const { 'x-total-count': total, 'preference-applied': applied, vary = '' } = response.headers
  if (total === undefined && applied === undefined) skip('The server counts no list.')
  if (total !== length) fail(response, `"X-Total-Count" is ${total ?? 'missing'}, not ${length}.`)
  if (parsePrefer(applied ?? '').get('count') !== 'exact')
    fail(response, `"Preference-Applied" is ${applied ?? 'missing'}, not count=exact.`)
  if (!vary.split(',').some((name) => ['*', 'prefer'].includes(name.trim().toLowerCase())))
    fail(response, '"Vary" does not name Prefer.')
}

/** Rules about `fields`. */
export const fieldRules = defineRules(['items', 'fields'], {
  'fields-only': {
    text: '"fields" leaves out the other fields, and never the id.',
    needs: ['some'],
    send(collection) {
      const field = otherFieldOf(firstItem(collection))
      return ['{list}', '{item}', '{list}/first'].flatMap((target) =>
        [field, `${field}&fields=${field}`, 'id'].map((names) => `${target}?fields=${names}`),
      )
    },
  },
  'fields-empty': {
    text: 'The server ignores an empty "fields".',
    needs: ['some'],
    send: ['{item}?fields='],
  },
  'fields-no-etag': {
    text: 'A response with some fields has no ETag: a part is no version of the item.',
    needs: ['some'],
    async run({ send, path, items: [item] }) {
      for (const target of [itemPath(path, item?.id ?? absentName), `${path}/first`]) {
        const response = await send('GET', `${target}?fields=id`)
        expect.status(response, 200)
        if (response.headers.etag !== undefined) fail(response, 'The response has an ETag.')
      }
    },
  },
  'fields-unknown': {
    text: 'An unknown name in "fields" gives 400, with the allowed ones.',
    needs: ['some'],
    send({ offers }) {
      if (offers.fields === undefined) skip('OPTIONS does not name the fields.')
      const targets = ['{list}', '{item}', '{list}/first']
      const queries = [
        absentName,
        `id,${absentName}`,
        '__proto__',
        'id,',
        `id&fields=${absentName}`,
      ]
      return targets.flatMap((target) => queries.map((query) => `${target}?fields=${query}`))
    },
  },
  'fields-bounds': {
    text: `Over ${parameters.fields.most} names in "fields" give 400.`,
    send: [`{list}?fields=${Array(parameters.fields.most + 1).fill('id')}`],
  },
})

// Encoded for a query.
function otherFieldOf(item: ServerItem): string {
  const field = Object.keys(item).find((name) => name !== 'id' && /^[\w.-]+$/.test(name))
  return encodeURIComponent(field ?? skip('The items have no field but the id.'))
}
