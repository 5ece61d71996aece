import type { Operation } from 'nounful'
import type { SortField } from '../../../../src/contract/resource/operation.ts'
import { foldCase } from '../../../../src/contract/values/order.ts'
import { type BrokenRow, broken } from '../broken.ts'

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

/** Changes the conditions of folded fields. */
function comparing(
  change: (condition: Operation['query']['where'][number]) => object,
): ReturnType<typeof broken> {
  return broken((operation, next) => {
    const { query } = operation
    const where = query.where.map((condition) => ({ ...condition, ...change(condition) }))
    return next({ ...operation, query: { ...query, where } })
  })
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
  [
    'compares folded ranges by code point',
    () => comparing(() => ({ folded: undefined })),
    [ranges],
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
