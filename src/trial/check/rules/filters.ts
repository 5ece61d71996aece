import { compareValues } from '../../../contract/values/order.ts'
import { foldCase } from '../../../contract/values/search.ts'
import {
  type FilterOperator,
  type FilterValue,
  filterOperators,
  maxConditions,
  maxFilterValues,
} from '../../../convention/filter-operators.ts'
import { isUuid } from '../../../convention/format.ts'
import { maxSearchLength } from '../../../convention/limits.ts'
import { parameterNames } from '../../../convention/operations.ts'
import { type CheckedCollection, firstItem, type OfferedFilter } from '../collection.ts'
import { expectFiltered, filterNamed, filtersWith, queryOf, sendableValues } from '../filtered.ts'
import { skip } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

const ranges = ['gt', 'gte', 'lt', 'lte'] as const
const parts = ['contains', 'startsWith', 'endsWith'] as const

/** Rules about the items that filters give. */
export const filterRules = defineRules(['items', 'filters', 'some'], {
  'filter-equal': operatorRule('"f=v" gives exactly the items that have the value.', {
    operators: ['eq'],
    valuesFrom: (values) => values.slice(0, 3).map((value) => [value]),
  }),
  'filter-any': operatorRule('"f=v&f=w" gives the items that have any of the values.', {
    operators: ['eq'],
    valuesFrom: (values) => (values.length > 1 ? [values.slice(0, 2), values.slice(0, 3)] : []),
  }),
  'filter-exact': {
    text: 'Text in "f=v" is exact: its case counts.',
    async run(collection) {
      let isTried = false
      for (const filter of filtersWith(collection, ['eq'])) {
        const value = sendableValues(collection, filter.field).map(swapped).find(isText)
        if (value === undefined) continue
        const filled = [{ filter, values: [value] }]
        // An enum takes no other value.
        const { status } = await collection.send('GET', `${collection.path}?${queryOf(filled)}`)
        if (status === 400) continue
        isTried = true
        await expectFiltered(collection, filled)
      }
      if (!isTried) skip(noValue)
    },
  },
  'filter-unequal': operatorRule(
    '"f:ne=v" gives exactly the items that "f=v" leaves out, without a value too.',
    { operators: ['ne'], valuesFrom: (values) => [values.slice(0, 1), values.slice(0, 2)] },
  ),
  'filter-null': operatorRule(
    '"f:null=true" gives the items without a value, "f:null=false" the others.',
    { operators: ['null'], valuesFrom: () => [[true], [false]] },
  ),
  'filter-range': operatorRule(
    'A range gives exactly the items within it. None without a value is within.',
    {
      operators: ranges,
      valuesFrom: (values) => {
        const sorted = values.toSorted(compareValues)
        const middle = sorted[Math.floor((sorted.length - 1) / 2)]
        return [...new Set([sorted[0], middle, sorted.at(-1)])].flatMap(alone)
      },
    },
  ),
  'filter-part': operatorRule(
    '"f:contains", "f:startsWith" and "f:endsWith" find a part of a text, ignoring case.',
    {
      operators: parts,
      valuesFrom: (values) => values.filter(isText).flatMap(partsOf),
    },
  ),
  'filter-literal': operatorRule(
    'In a part of a text the characters % _ * . and quotes are plain text.',
    {
      operators: parts,
      valuesFrom: () => ['%', '_', '*', '.', "'", '"', '%%', '\\'].map((text) => [text]),
    },
  ),
})

const noValue = 'No item has a value to filter by.'
const maxValues = 8

interface Trials {
  readonly operators: readonly FilterOperator[]
  /** Makes the values of each request from those of the field. */
  readonly valuesFrom: (values: readonly FilterValue[]) => readonly (readonly FilterValue[])[]
}

function operatorRule(text: string, { operators, valuesFrom }: Trials): UnnamedRule {
  return {
    text,
    async run(collection) {
      let isTried = false
      const withId = operators.some((operator) => operator !== 'eq' && operator !== 'ne')
      for (const filter of filtersWith(collection, operators, withId)) {
        const fieldValues = sendableValues(collection, filter.field)
        for (const values of valuesFrom(fieldValues).slice(0, maxValues)) {
          if (values.length === 0) continue
          isTried = true
          await expectFiltered(collection, [{ filter, values }])
        }
      }
      if (!isTried) skip(operators.length === 1 ? noValue : 'OPTIONS names no such filter.')
    },
  }
}

function alone(value: FilterValue | undefined): readonly (readonly FilterValue[])[] {
  return value === undefined ? [] : [[value]]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

// Not the case of UUIDs: a database may ignore it.
function swapped(value: FilterValue): string | undefined {
  if (typeof value !== 'string' || isUuid(value)) return undefined
  const swappedText = withOtherCase(value)
  return swappedText === value ? undefined : swappedText
}

function withOtherCase(text: string): string {
  return text.replace(/[a-z]+|[A-Z]+/g, (letters) =>
    letters === letters.toLowerCase() ? letters.toUpperCase() : letters.toLowerCase(),
  )
}

// The start, the middle and the end, in the other case unless folding keeps both apart.
function partsOf(text: string): readonly (readonly FilterValue[])[] {
  const characters = [...text]
  const length = Math.max(1, Math.floor(characters.length / 2))
  const bounds = [[0, length], [1, -1], [-length]]
  return bounds.flatMap((ends) => {
    const piece = characters.slice(...ends).join('')
    const swappedText = withOtherCase(piece)
    return piece === '' ? [] : [[foldCase(swappedText) === foldCase(piece) ? swappedText : piece]]
  })
}

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
      const filled = collection.offers.filters.flatMap((offered) => {
        const value = valueFor(collection, offered)
        return value === undefined ? [] : [{ filter: offered, values: [value] }]
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
  const names = new Set<string>([...offers.filters.map(({ name }) => name), ...parameterNames])
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
  ].filter((name) => !names.has(name))
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

/** Rules about many items by id. */
export const manyRules = defineRules(['items', 'filters', 'some'], {
  'id-many': {
    text: '"id=a&id=b" gives exactly these items, in the order of the list.',
    needs: ['several'],
    async run(collection) {
      const ids = collection.items.map(({ id }) => id)
      const filter = byId(collection, 'id')
      for (const values of [ids.slice(0, 2), ids.slice(-2).toReversed(), [ids[0], ids[0]]])
        await expectFiltered(collection, [{ filter, values: values.flatMap((id) => id ?? []) }])
    },
  },
  'id-absent': {
    text: 'An "id" of no item gives [], and none with the ids of items.',
    async run(collection) {
      const filter = byId(collection, 'id')
      const { id } = firstItem(collection)
      for (const values of [[absentName], [''], [absentName, id]])
        await expectFiltered(collection, [{ filter, values }])
    },
  },
  'id-unequal': {
    text: '"id:ne=a" leaves out this item, and no other.',
    async run(collection) {
      const filter = byId(collection, 'id:ne')
      const ids = collection.items.map(({ id }) => id)
      for (const values of [ids.slice(0, 1), ids.slice(-2), [absentName]])
        await expectFiltered(collection, [{ filter, values }])
    },
  },
})

function byId(collection: CheckedCollection, name: string): OfferedFilter {
  return filterNamed(collection, name) ?? skip(`OPTIONS names no "${name}".`)
}
