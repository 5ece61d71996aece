import { compareBy, compareValues } from '../../../contract/values/order.ts'
import { maxSortFields } from '../../../convention/limits.ts'
import { fieldOf } from '../../../convention/value.ts'
import { type CheckedCollection, readAll } from '../collection.ts'
import { expectIds, expectItems, fail, idTextsOf, type ServerItem, skip } from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

/** Rules about `sort`. */
export const sortRules = defineRules(['items'], {
  'sort-unknown-field': {
    text: 'An unknown field in "sort" gives 400, with the allowed ones.',
    send: [`{list}?sort=${absentName}`, `{list}/first?sort=${absentName}`],
    expect: 'sort_unknown_field',
    lists: 'allowed',
  },
  'sort-empty-item': {
    text: 'An empty field in "sort" gives 400.',
    needs: ['sort'],
    send: ['{field},', ',{field}', '-', ','].map((sort) => `{list}?sort=${sort}`),
    expect: 'sort_invalid',
  },
  'sort-duplicate': {
    text: 'A repeated field in "sort" gives 400.',
    needs: ['sort'],
    send: ['{list}?sort={field},{field}', '{list}?sort={field},-{field}'],
    expect: 'sort_duplicate_field',
  },
  'sort-too-many': {
    text: `More than ${maxSortFields} fields in "sort" give 400.`,
    needs: ['sort'],
    send: [`{list}?sort=${Array(maxSortFields + 1).fill('{field}')}`],
    // The server may report the number or the repetition.
    expect: ['sort_invalid', 'sort_duplicate_field'],
  },
  'sort-empty': {
    text: 'The server ignores an empty "sort".',
    async run({ send, path, items }) {
      const given = expectItems(await send('GET', `${path}?sort=`))
      if (given.length > items.length) skip('The collection has changed during the check.')
    },
  },
  'sort-repeated': {
    text: 'A repeated "sort" is one list: "sort=a&sort=" and "sort=&sort=a" are "sort=a".',
    needs: ['sort'],
    async run({ send, path, sortable: [field = ''] }) {
      const sort = `sort=${encodeURIComponent(field)}`
      const expected = idTextsOf(expectItems(await send('GET', `${path}?${sort}`)))
      for (const repeated of [`${sort}&sort=`, `sort=&${sort}`])
        expectIds(await send('GET', `${path}?${repeated}`), expected)
    },
  },
  'sort-id': {
    text: 'Every list sorts by "id": "-id" is the reverse of "id".',
    needs: ['several'],
    async run(collection) {
      const { send, path, items, offers } = collection
      const asked = await send('GET', `${path}?sort=id`)
      // An older server sorts only by the fields that it names.
      if (asked.status === 400 && offers.filters.length === 0)
        skip('The server does not sort by "id".')
      const ids = idTextsOf(items)
      for (const [order, expected] of [
        ['id', ids],
        ['-id', ids.toReversed()],
      ] as const) {
        const given = await sorted(collection, order)
        expectIds(given.first, expected, given.items)
      }
    },
  },
  'sort-ascending': orderRule('A field sorts ascending.', 'ascending'),
  'sort-descending': orderRule('A field with "-" sorts descending.', 'descending'),
  'sort-missing': orderRule('Missing values come last ascending and first descending.', 'missing'),
  'sort-text': orderRule('Text is in the order of Unicode code points.', 'text'),
  'sort-ties': orderRule('Ties are in ascending order of ids.', 'ties'),
  'sort-several': {
    text: 'Items that are equal in one field are in the order of the next field.',
    needs: ['several', 'sort'],
    async run(collection) {
      const { sortable } = collection
      if (sortable.length < 2) skip('The check found only one field to sort by.')
      for (const [index, one] of sortable.entries()) {
        const other = sortable[(index + 1) % sortable.length]
        if (other === undefined) continue
        const { items, first } = await sorted(collection, `${one},-${other}`)
        const wrong = pairsOf(items).find(
          (pair) => compare(pair, one) === 0 && compare(pair, other) < 0,
        )
        if (wrong) failOrder(first, wrong, other)
      }
    },
  },
})

type Aspect = 'ascending' | 'descending' | 'missing' | 'text' | 'ties'
type Direction = 'asc' | 'desc'

function orderRule(text: string, aspect: Aspect): UnnamedRule {
  return {
    text,
    needs: ['several', 'sort'],
    async run(collection) {
      let isTried = false
      for (const field of collection.sortable) {
        for (const direction of ['asc', 'desc'] as const) {
          const sort = direction === 'asc' ? field : `-${field}`
          const { items, first } = await sorted(collection, sort)
          for (const pair of pairsOf(items)) {
            if (aspectOf(pair, field, direction) !== aspect) continue
            isTried = true
            if (isWrong(pair, field, direction)) failOrder(first, pair, field)
          }
        }
      }
      if (!isTried) skip('No two items show it.')
    },
  }
}

function sorted({ send, path }: CheckedCollection, sort: string): ReturnType<typeof readAll> {
  return readAll(send, `${path}?sort=${sort.split(',').map(encodeURIComponent).join()}`)
}

// Two neighbours of a list.
type Pair = readonly [ServerItem, ServerItem]

function pairsOf(items: readonly ServerItem[]): readonly Pair[] {
  return items.slice(1).map((after, index) => [items[index] as ServerItem, after])
}

// The check does not know whether a field is text or a moment. If both readings differ, it returns
// NaN: the server may be right.
function compare([before, after]: Pair, field: string): number {
  const by = { field, direction: 'asc' } as const
  const [byText = 0, byMoment] = [by, { ...by, type: 'date-time' } as const].map((reading) =>
    Math.sign(compareBy([reading])(before, after)),
  )
  return byText === byMoment ? byText : Number.NaN
}

// Returns the rule that decides the order of two neighbours; `undefined` for none.
function aspectOf(pair: Pair, field: string, direction: Direction): Aspect | undefined {
  const order = compare(pair, field)
  if (Number.isNaN(order)) return undefined
  if (order === 0) return 'ties'
  const [one, other] = pair.map((item) => fieldOf(item, field) ?? undefined)
  if (one === undefined || other === undefined) return 'missing'
  const isText = typeof one === 'string' && typeof other === 'string'
  if (isText && isDisputed(one, other)) return 'text'
  return direction === 'asc' ? 'ascending' : 'descending'
}

// Tells texts that other orders of text would put the other way round.
function isDisputed(one: string, other: string): boolean {
  const order = Math.sign(compareValues(one, other))
  return [
    one.localeCompare(other),
    compareUnits(one, other),
    compareUnits(one.toLowerCase(), other.toLowerCase()),
  ].some((usual) => Math.sign(usual) !== order)
}

function compareUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function isWrong(pair: Pair, field: string, direction: Direction): boolean {
  const order = compare(pair, field)
  if (order === 0) return compare(pair, 'id') > 0
  return direction === 'asc' ? order > 0 : order < 0
}

function failOrder(list: CheckResponse, [before, after]: Pair, field: string): never {
  const value = (item: ServerItem) =>
    `${JSON.stringify(fieldOf(item, field)) ?? 'no value'} (${item.id})`
  return fail(list, `By "${field}", ${value(after)} comes after ${value(before)}.`)
}
