import { compareValues } from '../../../contract/values/order.ts'
import { parameters } from '../../../convention/operations.ts'
import { isSame } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { parsePrefer } from '../../../wire/prefer.ts'
import { type CheckedCollection, firstItem, nextPage, readAll } from '../collection.ts'
import {
  expectFiltered,
  filterNamed,
  filtersWith,
  queryOf,
  samplesOf,
  sendableValues,
  wordThatFinds,
} from '../filtered.ts'
import {
  type CheckResponse,
  expect,
  fail,
  idTextsOf,
  NotApplicable,
  type ServerItem,
  skip,
} from '../message.ts'
import { absentName, parameterOf } from '../path.ts'
import { counts, defineRules, gives, type RuleRequest } from '../rule.ts'

/** Rules about filters beside other parameters, and on other targets. */
export const filteredListRules = defineRules(['items', 'filters', 'some'], {
  'filter-together': {
    text: 'All filters of a request hold together, and with "q".',
    needs: ['several'],
    async run(collection) {
      const pairs = pairsOf(samplesOf(collection)).slice(0, maxPairs)
      for (const pair of pairs) await expectFiltered(collection, pair)
      for (const range of filtersWith(collection, ['gte'], true)) {
        const upper = filterNamed(collection, `${range.field}:lte`)
        const values = sendableValues(collection, range.field).toSorted(compareValues)
        const middle = values[Math.floor(values.length / 2)]
        if (upper === undefined || middle === undefined) continue
        const filled = [range, upper].map((filter) => ({ filter, values: [middle] }))
        await expectFiltered(collection, filled)
      }
      await expectBesideSearch(collection)
      if (pairs.length === 0) skip(noValue)
    },
  },
  'filter-pages': {
    text: 'The pages of a filtered list are joined the filtered list: links keep the filters.',
    needs: ['several'],
    async run(collection) {
      const { send, path } = collection
      let isTried = false
      for (const sample of samplesOf(collection)) {
        const query = queryOf([sample])
        for (const sort of ['', ...collection.sortable.slice(0, 1).map(descending)]) {
          const full = await readAll(send, `${path}?${query}${sort}`)
          if (full.items.length < 2) continue
          const first = await send('GET', `${path}?${query}${sort}&limit=1`)
          const next = nextPage(first) ?? skip('No list has a link to a next page.')
          isTried = true
          if (parameterOf(next, sample.filter.name) === undefined)
            fail(first, `The link does not keep "${sample.filter.name}".`)
          const limit = Math.ceil(full.items.length / 3)
          const joined = await readAll(send, `${path}?${query}${sort}&limit=${limit}`)
          expect.ids(joined.first, idTextsOf(full.items), joined.items)
        }
      }
      if (!isTried) skip('No filter leaves two items.')
    },
  },
  'filter-everywhere': {
    text: 'Filters also apply to "first", "last" and "count".',
    async send(collection) {
      const samples = samplesOf(collection)
      if (samples.length === 0) skip(noValue)
      const requests: RuleRequest[] = []
      for (const sample of samples) {
        const items = await expectFiltered(collection, [sample])
        const query = queryOf([sample])
        requests.push(counts(`{list}/count?${query}`, items.length))
        for (const [end, item] of [['first', items[0]] as const, ['last', items.at(-1)] as const]) {
          const request = `{list}/${end}?${query}`
          requests.push(
            item === undefined ? { request, expect: 'empty_collection' } : gives(request, item),
          )
        }
      }
      return requests
    },
  },
})

const noValue = 'No item has a value to filter by.'
const maxPairs = 12

// Searches, and leaves the first found item out by a filter.
async function expectBesideSearch(collection: CheckedCollection): Promise<void> {
  const { send, path, searchable } = collection
  const filter = filterNamed(collection, 'id:ne')
  const searched = searchable?.length === 0 ? undefined : await wordIn(collection)
  if (filter === undefined || searched === undefined) return
  const { word } = searched
  const ids = idTextsOf(searched.items)
  const query = queryOf([{ filter, values: ids.slice(0, 1) }])
  const { items, first } = await readAll(send, `${path}?q=${encodeURIComponent(word)}&${query}`)
  expect.ids(first, ids.slice(1), items)
}

function wordIn(collection: CheckedCollection) {
  return wordThatFinds(collection).catch((error) => {
    if (!(error instanceof NotApplicable)) throw error
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
      const { send, path, items } = collection
      const headers = { prefer: 'count=exact' }
      const ask = async (query: string) => send('GET', `${path}?${query}`, { headers })
      expectTotal(await ask('limit=1'), items.length)
      for (const sample of samplesOf(collection).slice(0, 3)) {
        const query = queryOf([sample])
        const count = await send('GET', `${path}/count?${query}`)
        if (count.status !== 200) skip('The server does not support "count".')
        expectTotal(await ask(`${query}&limit=1`), Number(Object(count.json).count))
      }
    },
  },
  'prefer-ignored': {
    text: 'A list ignores a preference that it does not know.',
    async run({ send, path, items }) {
      for (const prefer of [absentName, 'count=planned', 'count', 'max-affected=0']) {
        const response = await send('GET', path, { headers: { prefer } })
        expect.status(response, 200)
        const listed = expect.items(response)
        expect.ids(response, idTextsOf(items.slice(0, listed.length)), listed)
        if (response.headers['preference-applied'] !== undefined)
          fail(response, 'The response has "Preference-Applied".')
      }
    },
  },
})

// A server may leave out the total, if it does not claim to apply the preference.
function expectTotal(response: CheckResponse, length: number): void {
  expect.status(response, 200)
  const { 'x-total-count': total, 'preference-applied': applied, vary = '' } = response.headers
  if (total === undefined && applied === undefined) skip('The server counts no list.')
  if (total !== `${length}`)
    fail(response, `"X-Total-Count" is ${total ?? 'missing'}, not ${length}.`)
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
    async run(collection) {
      const { send, path, items } = collection
      const item = firstItem(collection)
      const field = otherFieldOf(item)
      for (const query of [`fields=${field}`, `fields=${field}&fields=${field}`, 'fields=id']) {
        const names = ['id', decodeURIComponent(field)].slice(0, query === 'fields=id' ? 1 : 2)
        for (const target of [path, itemPath(path, item.id), `${path}/first`]) {
          const response = await send('GET', `${target}?${query}`)
          expect.status(response, 200)
          for (const item of target === path ? expect.items(response) : [expect.item(response)]) {
            const expected = items.find(({ id }) => id === item.id)
            if (expected && !isSame(item, partOf(expected, names)))
              fail(response, `The item ${item.id} has other fields than ${names.join(' and ')}.`)
          }
        }
      }
    },
  },
  'fields-empty': {
    text: 'The server ignores an empty "fields".',
    needs: ['some'],
    send: (collection) => [gives('{item}?fields=', firstItem(collection))],
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
    expect: 'bad_parameter',
    lists: 'allowed',
  },
  'fields-bounds': {
    text: `Over ${parameters.fields.most} names in "fields" give 400.`,
    send: [`{list}?fields=${Array(parameters.fields.most + 1).fill('id')}`],
    expect: 'bad_parameter',
  },
})

// Encoded for a query.
function otherFieldOf(item: ServerItem): string {
  const field = Object.keys(item).find((name) => name !== 'id' && /^[\w.-]+$/.test(name))
  return encodeURIComponent(field ?? skip('The items have no field but the id.'))
}

function partOf(item: ServerItem, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)))
}
