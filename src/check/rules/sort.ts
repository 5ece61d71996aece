import { maxSortFields } from '../../model/convention.ts'
import { fieldOf } from '../../model/operation.ts'
import { compareValues } from '../../model/order.ts'
import {
  broken,
  expectIds,
  expectItems,
  expectProblem,
  type Found,
  idsOf,
  unfit,
} from '../expect.ts'
import type { Rule } from '../rule.ts'
import type { Exchange } from '../sent.ts'
import { listAll, type Subject, textsIn } from '../subject.ts'
import { nothing } from './list.ts'

/** What `sort` does. */
export const sortRules: readonly Rule[] = [
  {
    id: 'sort-unknown-field',
    words: 'To sort by an unknown field is 400, with the allowed ones.',
    needs: ['items'],
    async run({ ask, path }) {
      for (const place of [path, `${path}/first`]) {
        const exchange = await ask('GET', `${place}?sort=${nothing}`)
        expectProblem(exchange, 'sort_unknown_field')
        if (textsIn(exchange.answer.json, 'allowed') === undefined)
          broken(exchange, 'The problem has no list "allowed".')
      }
    },
  },
  {
    id: 'sort-empty-item',
    words: 'An empty field in "sort" is 400.',
    needs: ['items', 'sort'],
    async run(subject) {
      const field = fieldIn(subject)
      for (const sort of [`${field},`, `,${field}`, '-', ','])
        expectProblem(await subject.ask('GET', `${subject.path}?sort=${sort}`), 'sort_invalid')
    },
  },
  {
    id: 'sort-duplicate',
    words: 'To sort by a field twice is 400.',
    needs: ['items', 'sort'],
    async run(subject) {
      const field = fieldIn(subject)
      for (const sort of [`${field},${field}`, `${field},-${field}`])
        expectProblem(
          await subject.ask('GET', `${subject.path}?sort=${sort}`),
          'sort_duplicate_field',
        )
    },
  },
  {
    id: 'sort-too-many',
    words: `More than ${maxSortFields} fields in "sort" are 400.`,
    needs: ['items', 'sort'],
    async run(subject) {
      const sort = Array(maxSortFields + 1)
        .fill(fieldIn(subject))
        .join()
      // Whether their number or their repetition is told first, it is a fault of "sort".
      const exchange = await subject.ask('GET', `${subject.path}?sort=${sort}`)
      expectProblem(exchange, 'sort_invalid', 'sort_duplicate_field')
    },
  },
  {
    id: 'sort-empty',
    words: 'An empty "sort" is none.',
    needs: ['items'],
    async run({ ask, path, items }) {
      const given = expectItems(await ask('GET', `${path}?sort=`))
      if (given.length > items.length) unfit('The collection has changed meanwhile.')
    },
  },
  {
    id: 'sort-repeated',
    words: 'A repeated "sort" is one list: "sort=a&sort=" and "sort=&sort=a" are "sort=a".',
    needs: ['items', 'sort'],
    async run(subject) {
      const { ask, path } = subject
      const sort = `sort=${fieldIn(subject)}`
      const sorted = expectItems(await ask('GET', `${path}?${sort}`))
      for (const repeated of [`${sort}&sort=`, `sort=&${sort}`]) {
        const exchange = await ask('GET', `${path}?${repeated}`)
        expectIds(exchange, expectItems(exchange), idsOf(sorted))
      }
    },
  },
  orderRule('sort-ascending', 'A field sorts ascending.', 'ascending'),
  orderRule('sort-descending', 'A field with "-" sorts descending.', 'descending'),
  orderRule('sort-missing', 'Missing values come last ascending and first descending.', 'missing'),
  orderRule('sort-text', 'Text is in the order of Unicode code points.', 'text'),
  orderRule('sort-ties', 'Ties are in ascending order of ids.', 'ties'),
  {
    id: 'sort-several',
    words: 'Of several fields, the next decides where the one before is equal.',
    needs: ['items', 'several', 'sort'],
    async run(subject) {
      const { sortable } = subject
      if (sortable.length < 2) unfit('There is only one field to sort by.')
      for (const [place, one] of sortable.entries()) {
        const other = sortable[(place + 1) % sortable.length]
        if (other === undefined) continue
        const { items, first } = await sorted(subject, `${one},-${other}`)
        const fault = pairs(items).find(([before, after]) => {
          const isTie = compareValues(fieldOf(before, one), fieldOf(after, one)) === 0
          return isTie && compareValues(fieldOf(before, other), fieldOf(after, other)) < 0
        })
        if (fault) tell(first, fault, other)
      }
    },
  },
]

type Aspect = 'ascending' | 'descending' | 'missing' | 'text' | 'ties'

function orderRule(id: string, words: string, aspect: Aspect): Rule {
  return {
    id,
    words,
    needs: ['items', 'several', 'sort'],
    async run(subject) {
      let isTried = false
      for (const field of subject.sortable) {
        for (const direction of ['asc', 'desc'] as const) {
          const sort = direction === 'asc' ? field : `-${field}`
          const { items, first } = await sorted(subject, sort)
          for (const pair of pairs(items)) {
            if (aspectOf(pair, field, direction) !== aspect) continue
            isTried = true
            if (isWrong(pair, field, direction)) tell(first, pair, field)
          }
        }
      }
      if (!isTried) unfit('No two items tell.')
    },
  }
}

function sorted({ ask, path }: Subject, sort: string): ReturnType<typeof listAll> {
  return listAll(ask, `${path}?sort=${sort.split(',').map(encodeURIComponent).join()}`)
}

type Pair = readonly [Found, Found]

function pairs(items: readonly Found[]): readonly Pair[] {
  return items.slice(1).map((after, place) => [items[place] as Found, after])
}

// What the order of two neighbours shows.
function aspectOf([before, after]: Pair, field: string, direction: 'asc' | 'desc'): Aspect {
  const [one, other] = [fieldOf(before, field), fieldOf(after, field)]
  if (compareValues(one, other) === 0) return 'ties'
  if (isMissing(one) || isMissing(other)) return 'missing'
  const isText = typeof one === 'string' && typeof other === 'string'
  // Where other orders of text would have put them the other way round.
  if (isText && isDisputed(one, other)) return 'text'
  return direction === 'asc' ? 'ascending' : 'descending'
}

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

function isWrong([before, after]: Pair, field: string, direction: 'asc' | 'desc'): boolean {
  const order = compareValues(fieldOf(before, field), fieldOf(after, field))
  if (order === 0) return compareValues(before.id, after.id) > 0
  return direction === 'asc' ? order > 0 : order < 0
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

function tell(list: Exchange, [before, after]: Pair, field: string): never {
  const value = (item: Found) => `${JSON.stringify(fieldOf(item, field)) ?? 'nothing'} (${item.id})`
  return broken(list, `By "${field}", ${value(after)} comes after ${value(before)}.`)
}

function fieldIn({ sortable }: Subject): string {
  return encodeURIComponent(sortable[0] ?? 'id')
}
