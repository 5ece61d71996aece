import {
  filterOperators,
  maxConditions,
  maxFilterValues,
} from '../../../convention/filter-operators.ts'
import { maxSearchLength } from '../../../convention/limits.ts'
import { parameterNames } from '../../../convention/operations.ts'
import type { CheckedCollection } from '../collection.ts'
import { skip } from '../expect.ts'
import { filterNamed, queryOf, sendableValues } from '../filtered.ts'
import type { OfferedFilter } from '../offers.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'

/** Rules about filters that a server rejects. */
export const filterFaultRules = defineRules(['items', 'filters'], {
  'filter-unknown': {
    text: 'An unknown field or operator of a filter gives 400, with the allowed ones.',
    send: (collection) => [
      ...unknownIn(collection).map((name) => `{list}?${encodeURIComponent(name)}=1`),
      `{list}/first?id:${absentName}=1`,
      `{list}/count?${absentName}:ne=1`,
    ],
    expect: 'unknown_parameter',
    lists: 'allowed',
  },
  'filter-type': {
    text: 'A value of another type than the field gives 400.',
    needs: ['some'],
    send(collection) {
      const requests = collection.offers.filters.flatMap((filter) =>
        wrongTexts(collection, filter).map(
          (text) => `{list}?${encodeURIComponent(filter.name)}=${encodeURIComponent(text)}`,
        ),
      )
      return requests.length > 0 ? requests.slice(0, maxRequests) : skip('Every filter is of text.')
    },
    expect: 'bad_parameter',
  },
  'filter-repeated': {
    text: 'A filter gives 400 when it is repeated, unless it lists values.',
    needs: ['some'],
    send(collection) {
      const requests = collection.offers.filters.flatMap((filter) => {
        const value = valueFor(collection, filter)
        if (filterOperators[filter.operator].repeats || value === undefined) return []
        return [`{list}?${queryOf([{ filter, values: [value, value] }])}`]
      })
      return requests.length > 0
        ? requests.slice(0, maxRequests)
        : skip('Every filter lists values.')
    },
    expect: 'repeated_parameter',
  },
  'filter-bounds': {
    text: `Over ${maxFilterValues} values of a filter, or over ${maxConditions} filters, give 400.`,
    send(collection) {
      const filter = filterNamed(collection, 'id') ?? skip('OPTIONS names no filter by id.')
      const manyOf = (count: number) => queryOf([{ filter, values: Array(count).fill(0) }])
      const filled = collection.offers.filters.flatMap((one) => {
        const value = valueFor(collection, one)
        return value === undefined ? [] : [{ filter: one, values: [value] }]
      })
      const most = `{list}?${queryOf(filled.slice(0, maxConditions))}`
      const over = `{list}?${queryOf(filled.slice(0, maxConditions + 1))}`
      const isSendable = filled.length > maxConditions && over.length < maxQueryLength
      return [
        `{list}?${manyOf(maxFilterValues + 1)}`,
        { request: `{list}?${manyOf(maxFilterValues)}`, expect: 200 },
        ...(isSendable ? [over, { request: most, expect: 200 as const }] : []),
      ]
    },
    expect: 'bad_parameter',
  },
})

const maxRequests = 60
// A server may take no longer target than 4,096 bytes.
const maxQueryLength = 3000

function unknownIn({ items, offers }: CheckedCollection): readonly string[] {
  const [filter] = offers.filters
  const field = filter?.field ?? 'id'
  const known = new Set<string>([...offers.filters.map(({ name }) => name), ...parameterNames])
  return [
    `${absentName}:ne`,
    `${field}:${absentName}`,
    `${field}:`,
    `${field}:eq`,
    `${field}:ne:ne`,
    `${field}[ne]`,
    '__proto__',
    'constructor:ne',
    ...Object.keys(items[0] ?? {}).slice(0, maxFields),
  ].filter((name) => !known.has(name))
}

const maxFields = 10

// A value that the filter takes.
function valueFor(
  collection: CheckedCollection,
  { field, operator }: OfferedFilter,
): string | number | boolean | undefined {
  const { takes } = filterOperators[operator]
  if (takes === 'boolean') return true
  return takes === 'text' ? 'a' : sendableValues(collection, field)[0]
}

function wrongTexts(
  collection: CheckedCollection,
  { field, operator }: OfferedFilter,
): readonly string[] {
  const { takes } = filterOperators[operator]
  if (takes === 'boolean') return ['1', 'yes', 'TRUE', '']
  if (takes === 'text') return ['', 'a'.repeat(maxSearchLength + 1)]
  // A text that is no id names no item.
  const [value] = field === 'id' ? [] : sendableValues(collection, field)
  if (typeof value === 'number') return ['abc', '01', '0x1', '1,5', '']
  return typeof value === 'boolean' ? ['1', 'yes', 'TRUE', ''] : []
}
