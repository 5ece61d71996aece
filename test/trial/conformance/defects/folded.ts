import type { Operation } from 'nounful'
import type { SortField } from '../../../../src/contract/resource/operation.ts'
import { foldCase } from '../../../../src/contract/values/order.ts'
import { type BrokenRow, broken } from '../broken.ts'
import { removed, removingBy } from './remove.ts'

/** Sorts folded fields in another way. */
function ordering(change: (sortField: SortField) => SortField): ReturnType<typeof broken> {
  return broken((operation, next) => {
    const { query } = operation
    return next({ ...operation, query: { ...query, sort: query.sort.map(change) } })
  })
}

function plainly({ type, ...sortField }: SortField): SortField {
  return type === undefined || type === 'folded' ? sortField : { ...sortField, type }
}

/** Changes the conditions of folded fields, in some operations. */
function comparing(
  change: (condition: Operation['query']['where'][number]) => object,
  isChanged: (operation: Operation) => boolean = () => true,
): ReturnType<typeof broken> {
  return broken((operation, next) => {
    const { query } = operation
    if (!isChanged(operation)) return next(operation)
    const where = query.where.map((condition) => ({ ...condition, ...change(condition) }))
    return next({ ...operation, query: { ...query, where } })
  })
}

const byCodePoint = () => ({ folded: undefined })

// The kinds of operations by the methods that carry them out.
const isOf: Readonly<Record<string, (operation: Operation) => boolean>> = {
  count: ({ kind, query }) => kind === 'count' && query.by === undefined,
  countBy: ({ query }) => query.by !== undefined,
  first: ({ kind }) => kind === 'first',
  last: ({ kind }) => kind === 'last',
  deleteMany: ({ kind }) => kind === 'deleteMany',
}

const first = 'folded orders ignore case first'
const pages = 'folded pages are the list'
const ranges = 'folded ranges compare as the order'

/** Adapters with defects of folded orders. */
export const foldedRows: readonly BrokenRow[] = [
  ['sorts folded texts by code point', () => ordering(plainly), [first]],
  [
    'goes on after a position by code point',
    () =>
      broken((operation, next) => {
        const { query } = operation
        const isPlain = query.after !== undefined
        const sort = isPlain ? query.sort.map(plainly) : query.sort
        return next({ ...operation, query: { ...query, sort } })
      }),
    [pages],
  ],
  [
    'lets the id decide between texts of one fold',
    () =>
      broken((operation, next) => {
        const result = next(operation)
        const isFolded = operation.query.sort[0]?.type === 'folded'
        if (!isFolded || !Array.isArray(result)) return result
        const key = (item: object): string => foldCase(`${Reflect.get(item, 'name')}`)
        const ids = new Map<string, object[]>()
        for (const item of result) ids.set(key(item), [...(ids.get(key(item)) ?? []), item])
        return [...ids.values()].flatMap((same) =>
          same.sort((a, b) => (`${Reflect.get(a, 'id')}` < `${Reflect.get(b, 'id')}` ? -1 : 1)),
        )
      }),
    [first],
  ],
  ['compares folded ranges by code point', () => comparing(byCodePoint), [ranges]],
  ...Object.entries(isOf).map(
    ([method, isChanged]): BrokenRow => [
      `compares folded ranges by code point in ${method}`,
      () => comparing(byCodePoint, isChanged),
      [`${method} honours folded ranges`],
    ],
  ),
  [
    'compares folded ranges by code point where a rule judges',
    removingBy((operation, judge, sound) => {
      const { query } = operation
      const where = query.where.map(({ folded, ...condition }) => condition)
      return removed({ ...operation, query: { ...query, where } }, judge, sound)
    }),
    ['removeMany honours folded ranges'],
  ],
  [
    'compares folded ranges by the fold alone',
    () =>
      comparing(({ values, folded }) =>
        folded ? { values: values.map((v) => foldCase(`${v}`)) } : {},
      ),
    [ranges],
  ],
  [
    'starts folded texts with their case',
    () =>
      broken((operation, next) => {
        const result = next(operation)
        const start = operation.query.where.find(({ is }) => is === 'startsWith')?.values[0]
        const isFolded = operation.resource.folded.length > 0
        if (start === undefined || !isFolded || !Array.isArray(result)) return result
        return result.filter((item) => `${Reflect.get(item, 'name')}`.startsWith(`${start}`))
      }),
    ['folded texts start without case'],
  ],
  [
    'sorts missing folded texts as empty',
    () =>
      broken((operation, next) => {
        const result = next(operation)
        const [sortField] = operation.query.sort
        if (sortField?.type !== 'folded' || !Array.isArray(result)) return result
        const has = (item: object): boolean => Reflect.get(item, sortField.field) !== undefined
        return [...result.filter((item) => !has(item)), ...result.filter(has)]
      }),
    ['folded orders end with missing texts'],
  ],
]
