import { compareValues } from '../../../contract/values/order.ts'
import { type CheckedCollection, nextPage, readAll } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectProblem,
  expectStatus,
  fail,
  idTextsOf,
  NotApplicable,
  skip,
} from '../expect.ts'
import {
  expectFiltered,
  type FilledFilter,
  filterNamed,
  filtersWith,
  queryOf,
  sendableValues,
} from '../filtered.ts'
import { parameterOf } from '../path.ts'
import { defineRules } from '../rule.ts'
import { expectCount } from './paths.ts'
import { wordThatFinds } from './search.ts'

/** Rules about filters beside other parameters, and on other targets. */
export const filteredListRules = defineRules(['items', 'filters', 'some'], {
  'filter-together': {
    text: 'All filters of a request hold together, and with "q".',
    needs: ['several'],
    async run(collection) {
      const pairs = pairsOf(samplesOf(collection)).slice(0, maxPairs)
      for (const pair of pairs) await expectFiltered(collection, pair)
      for (const range of filtersWith(collection, ['gte'], true)) {
        const other = filterNamed(collection, `${range.field}:lte`)
        const values = sendableValues(collection, range.field).toSorted(compareValues)
        const middle = values[Math.floor(values.length / 2)]
        if (other === undefined || middle === undefined) continue
        const filled = [range, other].map((filter) => ({ filter, values: [middle] }))
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
          const whole = await readAll(send, `${path}?${query}${sort}`)
          if (whole.items.length < 2) continue
          const first = await send('GET', `${path}?${query}${sort}&limit=1`)
          const next = nextPage(first) ?? skip('No list has a link to a next page.')
          isTried = true
          if (parameterOf(next, sample.filter.name) === undefined)
            fail(first, `The link does not keep "${sample.filter.name}".`)
          const limit = Math.ceil(whole.items.length / 3)
          const joined = await readAll(send, `${path}?${query}${sort}&limit=${limit}`)
          expectIds(joined.first, idTextsOf(whole.items), joined.items)
        }
      }
      if (!isTried) skip('No filter leaves two items.')
    },
  },
  'filter-everywhere': {
    text: 'Filters also apply to "first", "last" and "count".',
    async run(collection) {
      const { send, path } = collection
      const samples = samplesOf(collection)
      if (samples.length === 0) skip(noValue)
      for (const sample of samples) {
        const items = await expectFiltered(collection, [sample])
        const query = queryOf([sample])
        expectCount(await send('GET', `${path}/count?${query}`), items.length)
        for (const [end, item] of [
          ['first', items[0]],
          ['last', items.at(-1)],
        ] as const) {
          const response = await send('GET', `${path}/${end}?${query}`)
          if (item === undefined) expectProblem(response, 'empty_collection')
          else {
            expectStatus(response, 200)
            expectBody(response, item, `the ${end} item of the filtered list`)
          }
        }
      }
    },
  },
})

const noValue = 'No item has a value to filter by.'
const maxPairs = 12
const maxSamples = 8

// Searches, and leaves the first found item out by a filter.
async function expectBesideSearch(collection: CheckedCollection): Promise<void> {
  const { send, path, searchable } = collection
  const filter = filterNamed(collection, 'id:ne')
  const found = searchable?.length === 0 ? undefined : await wordIn(collection)
  if (filter === undefined || found === undefined) return
  const { word, ids } = found
  const query = queryOf([{ filter, values: ids.slice(0, 1) }])
  const { items, first } = await readAll(send, `${path}?q=${encodeURIComponent(word)}&${query}`)
  expectIds(first, ids.slice(1), items)
}

async function wordIn(
  collection: CheckedCollection,
): Promise<{ readonly word: string; readonly ids: readonly string[] } | undefined> {
  try {
    return await wordThatFinds(collection)
  } catch (error) {
    if (error instanceof NotApplicable) return undefined
    throw error
  }
}

/** Returns filters by equality with the values of listed items, at most 8. */
export function samplesOf(collection: CheckedCollection): readonly FilledFilter[] {
  const samples = filtersWith(collection, ['eq', 'ne'], true).flatMap((filter) => {
    const [value, other = value] = sendableValues(collection, filter.field)
    const chosen = filter.operator === 'eq' ? value : other
    return chosen === undefined ? [] : [{ filter, values: [chosen] }]
  })
  return samples.slice(0, maxSamples)
}

function pairsOf<Value>(values: readonly Value[]): readonly (readonly [Value, Value])[] {
  return values.flatMap((one, index) =>
    values.slice(index + 1).map((other) => [one, other] as const),
  )
}

function descending(field: string): string {
  return `&sort=${encodeURIComponent(`-${field}`)}`
}
