import { compareValues, foldCase } from '../../../contract/values/order.ts'
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
import type { CheckedCollection } from '../collection.ts'
import {
  type FilledFilter,
  filterNamed,
  filtersWith,
  listWith,
  sendableValues,
} from '../filtered.ts'
import { memberOf, skip } from '../message.ts'
import type { OfferedFilter } from '../offered-filters.ts'
import { absentName } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

const parts = ['contains', 'startsWith', 'endsWith'] as const

const noValue = 'No item has a value to filter by.'
const maxValues = 8

/** Rules about the items that filters give. */
export const filterRules = defineRules(['items', 'filters', 'some'], {
  'filter-equal': operatorRule(
    '"f=v" gives exactly the items that have the value.',
    ['eq'],
    (values) => values.slice(0, 3).map((value) => [value]),
  ),
  'filter-any': operatorRule(
    '"f=v&f=w" gives the items that have any of the values.',
    ['eq'],
    (values) => (values.length > 1 ? [values.slice(0, 2), values.slice(0, 3)] : []),
  ),
  'filter-exact': operatorRule('Text in "f=v" is exact: its case counts.', ['eq'], (values) => [
    values.map(swapped).filter(isText).slice(0, 1),
  ]),
  'filter-unequal': operatorRule(
    '"f:ne=v" gives exactly the items that "f=v" leaves out, without a value too.',
    ['ne'],
    (values) => [values.slice(0, 1), values.slice(0, 2)],
  ),
  'filter-null': operatorRule(
    '"f:null=true" gives the items without a value, "f:null=false" the others.',
    ['null'],
    () => [[true], [false]],
  ),
  'filter-range': operatorRule(
    'A range gives exactly the items within it. None without a value is within.',
    ['gt', 'gte', 'lt', 'lte'],
    (values) => {
      const sorted = values.toSorted(compareValues)
      const middle = Math.floor((sorted.length - 1) / 2)
      return [0, middle, sorted.length - 1].map((index) => sorted.slice(index, index + 1))
    },
  ),
  'filter-part': operatorRule(
    '"f:contains", "f:startsWith" and "f:endsWith" find a part of a text, ignoring case.',
    parts,
    (values) => values.filter(isText).flatMap(partsOf),
  ),
  'filter-element': operatorRule(
    '"f:has=v" gives exactly the items with the value in their list. Repeated: with any of them.',
    ['has'],
    (values) => [
      ...values.slice(0, 3).map((value) => [value]),
      values.map(swapped).filter(isText).slice(0, 1),
      values.filter(isText).map(startOf).filter(Boolean).slice(0, 1),
      values.slice(0, 2),
    ],
  ),
  'filter-literal': operatorRule(
    'In a part of a text the characters % _ * . and quotes are plain text.',
    parts,
    () => ['%', '_', '*', '.', "'", '"', '%%', '\\'].map((text) => [text]),
  ),
})

type ValueLists = readonly (readonly FilterValue[])[]

// Makes the values of each request from those of the field.
function operatorRule(
  text: string,
  operators: readonly FilterOperator[],
  valuesFrom: (values: readonly FilterValue[]) => ValueLists,
): UnnamedRule {
  const withId = operators.some((operator) => operator !== 'eq' && operator !== 'ne')
  return {
    text,
    send: (collection) =>
      filtersWith(collection, operators, withId).flatMap((filter) =>
        valuesFrom(sendableValues(collection, filter.field))
          .slice(0, maxValues)
          .filter((values) => values.length > 0)
          .map((values) => listWith({ filter, values })),
      ),
    none: operators.length === 1 ? noValue : 'OPTIONS names no such filter.',
  }
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

// Without the last character.
function startOf(text: string): string {
  return [...text].slice(0, -1).join('')
}

// The start, the middle and the end, in the other case unless folding keeps both apart.
function partsOf(text: string): ValueLists {
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
  },
  'filter-type': {
    text: 'A value of another type than the field gives 400.',
    needs: ['some'],
    send: (collection) =>
      collection.offers.filters
        .flatMap((filter) =>
          wrongTexts(collection, filter).map((text) => listWith({ filter, values: [text] })),
        )
        .slice(0, maxRequests),
    none: 'Every filter is of text.',
  },
  'filter-repeated': {
    text: 'A filter gives 400 when it is repeated, unless it lists values.',
    needs: ['some'],
    send: (collection) =>
      filledIn(collection)
        .filter(({ filter }) => !filterOperators[filter.operator].repeats)
        .map(({ filter, values }) => listWith({ filter, values: [...values, ...values] }))
        .slice(0, maxRequests),
    none: 'Every filter lists values.',
  },
  'filter-bounds': {
    text: `Over ${maxFilterValues} values of a filter, or over ${maxConditions} filters, give 400.`,
    send(collection) {
      const filter = filterNamed(collection, 'id') ?? skip('OPTIONS names no filter by id.')
      const manyOf = (count: number) => listWith({ filter, values: Array(count).fill(0) })
      const filled = filledIn(collection)
      const most = listWith(...filled.slice(0, maxConditions))
      const over = listWith(...filled.slice(0, maxConditions + 1))
      const isSendable = filled.length > maxConditions && over.length < maxQueryLength
      return [
        manyOf(maxFilterValues + 1),
        manyOf(maxFilterValues),
        ...(isSendable ? [over, most] : []),
      ]
    },
  },
})

const maxRequests = 60
// A server may take no longer target than 4,096 bytes.
const maxQueryLength = 3000

function unknownIn({ items, offers }: CheckedCollection): readonly string[] {
  const [filter] = offers.filters
  const field = filter?.field ?? 'id'
  const names = new Set<string>([...offers.names, ...parameterNames])
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

// Every filter with a value that it takes.
function filledIn(collection: CheckedCollection): readonly FilledFilter[] {
  return collection.offers.filters.flatMap((filter) => {
    const { takes } = filterOperators[filter.operator]
    const own =
      takes === 'boolean' || takes === 'text'
        ? []
        : sendableValues(collection, filter.field).slice(0, 1)
    const values = { value: own, element: own, boolean: [true], text: ['a'] }[takes]
    return values.length > 0 ? [{ filter, values }] : []
  })
}

function wrongTexts(
  { offers }: CheckedCollection,
  { field, operator }: OfferedFilter,
): readonly string[] {
  const { takes } = filterOperators[operator]
  if (takes === 'boolean') return ['1', 'yes', 'TRUE', '']
  if (takes === 'text') return ['', 'a'.repeat(maxSearchLength + 1)]
  // A text that is no id names no item.
  const schema = offers.schemas[field]
  const type = memberOf(memberOf(schema, 'items') ?? schema, 'type')
  if (type === 'number' || type === 'integer') return ['abc', '01', '0x1', '1,5', '']
  return type === 'boolean' ? ['1', 'yes', 'TRUE', ''] : []
}

/** Rules about many items by id. */
export const manyRules = defineRules(['items', 'filters', 'some'], {
  'id-many': {
    text: '"id=a&id=b" gives exactly these items, in the order of the list.',
    needs: ['several'],
    send: (collection) =>
      byIds(collection, 'id', (ids) => [
        ids.slice(0, 2),
        ids.slice(-2).toReversed(),
        [ids[0] ?? '', ids[0] ?? ''],
      ]),
  },
  'id-absent': {
    text: 'An "id" of no item gives [], and none with the ids of items.',
    send: (collection) =>
      byIds(collection, 'id', ([id = '']) => [[absentName], [''], [absentName, id]]),
  },
  'id-unequal': {
    text: '"id:ne=a" leaves out this item, and no other.',
    send: (collection) =>
      byIds(collection, 'id:ne', (ids) => [ids.slice(0, 1), ids.slice(-2), [absentName]]),
  },
})

function byIds(
  collection: CheckedCollection,
  name: string,
  valuesFrom: (ids: readonly FilterValue[]) => ValueLists,
): readonly string[] {
  const filter = filterNamed(collection, name) ?? skip(`OPTIONS names no "${name}".`)
  return valuesFrom(collection.items.map(({ id }) => id)).map((values) =>
    listWith({ filter, values }),
  )
}
