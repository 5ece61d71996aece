import type { Comparison, Condition } from '../../../convention/filter-operators.ts'
import {
  type Asking,
  type Checks,
  calls,
  checksOf,
  named,
  queryDeletions,
  queryReads,
} from '../check.ts'
import { conditionOn, type ListInput } from '../operation.ts'

const group = 'folded orders'
const texts = 'a|A|á|Á|ab|AB|Ab|b|B|ss|ß|SS|ẞ|ς|Σ|z|_|1|～|😀|𐐨|𐐀'.split('|')
const items = [
  ...named(...texts),
  ...['x', 'X', 'y', ''].map((note, rank) => ({ name: `note ${rank}`, note, rank })),
]

function listed(input: ListInput): ReturnType<typeof calls.list> {
  return calls.list({ ...input, isFolded: true })
}

function rangeOf(is: Comparison, text: string): Condition {
  return { ...conditionOn('name', is, [text]), folded: true }
}

const ranges = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((is) =>
  ['A', 'a', 'ab', 'ß', 'SS', 'σ', '𐐨', '0'].map((text) => rangeOf(is, text)),
)

function* paged(sort: readonly string[]): Asking {
  const all = yield listed({ sort })
  for (const after of all) yield listed({ sort, after, limit: 3 })
}

/** Checks of orders without case. Such an order has `type: 'folded'`. */
export const foldedChecks: Checks = {
  'folded orders ignore case first': {
    rule: 'A folded text sorts by the fold that `q` uses, then by code point, then by id.',
    group,
    items: [...items, ...named('a', 'A')],
    ask: () => [['name'], ['-name'], ['-name', '-id']].map((sort) => listed({ sort })),
  },
  'folded orders end with missing texts': {
    rule: 'A missing text comes last ascending, and first descending.',
    group,
    items,
    ask: () => [['note'], ['-note'], ['note', '-name']].map((sort) => listed({ sort })),
  },
  'folded pages are the list': {
    rule: 'A page goes on after a position in the folded order: no item twice, none missing.',
    group,
    items,
    *ask() {
      for (const sort of [['name'], ['-name'], ['note'], ['-note', 'name']]) yield* paged(sort)
    },
  },
  'folded ranges compare as the order': {
    rule: 'A range with `folded` has the items that the folded order puts there.',
    group,
    items,
    ask: () => ranges.map((range) => listed({ where: [range] })),
  },
  ...checksOf(queryReads, ([method, input]) => [
    `${method} honours folded ranges`,
    {
      rule: `\`${method}\` tells of the items that the folded order puts into the range.`,
      needs: ['create', method],
      group,
      items,
      ask: () => ranges.map((range) => ({ ...input, where: [range], isFolded: true })),
    },
  ]),
  ...checksOf(queryDeletions, ([method, input]) => [
    `${method} honours folded ranges`,
    {
      rule: `\`${method}\` deletes the items that the folded order puts into the range.`,
      needs: ['create', method, 'list'],
      group,
      items,
      ask: () =>
        [
          rangeOf('lt', 'ab'),
          rangeOf('gte', '𐐨'),
          rangeOf('gt', 'SS'),
          rangeOf('lte', 'b'),
        ].flatMap((range) => [{ ...input, where: [range], isFolded: true }, calls.list()]),
    },
  ]),
  'folded texts start without case': {
    rule: 'A folded text starts with a text as any other does, ignoring case.',
    group,
    items,
    ask: () =>
      ['a', 'A', 'S', 'ß', 'Σ', '𐐀', 'note'].map((value) =>
        listed({ where: [conditionOn('name', 'startsWith', [value])], sort: ['name'] }),
      ),
  },
}
