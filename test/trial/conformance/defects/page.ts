import type { UncheckedAdapter } from '../../../../src/contract/resource/adapter.ts'
import { skipsItems } from '../../../../src/contract/resource/siblings.ts'
import { compareBy } from '../../../../src/contract/values/order.ts'
import { type BrokenRow, broken, isMissing, mistaking, selecting } from '../broken.ts'

type List = NonNullable<UncheckedAdapter['list']>

/** Adapters with defects of pages. */
export const pageRows: readonly BrokenRow[] = [
  [
    'takes an offset and leaves out nothing',
    () => {
      const adapter = broken(
        mistaking(['list'], ({ query }) => ({ query: { ...query, offset: 0 } })),
      )
      return { ...adapter, list: skipsItems<List>((...given) => adapter.list?.(...given)) }
    },
    ['an offset leaves out the first items'],
  ],
  [
    'leaves out items of the page, not of the list',
    () => {
      const adapter = broken((operation, next) => {
        const { query, kind } = operation
        const items = next({ ...operation, query: { ...query, offset: 0 } })
        return kind === 'list' && Array.isArray(items) ? items.slice(query.offset) : items
      })
      return { ...adapter, list: skipsItems<List>((...given) => adapter.list?.(...given)) }
    },
    ['an offset leaves out the first items'],
  ],
  [
    'knows no limit',
    () => broken(mistaking(['list'], ({ query }) => ({ query: { ...query, limit: undefined } }))),
    ['limit bounds the list', 'search keeps order and limit'],
  ],
  [
    'goes on with the item at the cursor',
    () =>
      broken(
        selecting((items, { query: { sort, after } }) => {
          const compare = compareBy(sort)
          return items
            .filter((item) => after === undefined || compare(item, after) >= 0)
            .toSorted(compare)
        }),
      ),
    [
      'pages go on by id',
      'pages go on in text',
      'pages go on at numbers',
      'a page after the last is empty',
    ],
  ],
  [
    'looks for the item at the cursor',
    () =>
      broken(
        selecting((items, { query: { sort, after } }) => {
          const sorted = items.toSorted(compareBy(sort))
          return sorted.slice(sorted.findIndex(({ id }) => id === after?.id) + 1)
        }),
      ),
    ['pages go on where an item was deleted', 'pages go on where an item was changed'],
  ],
  [
    'goes on by counting',
    () => {
      let given = 0
      return broken(
        selecting((items, { query: { sort, after, limit = 0 } }) => {
          const from = after === undefined ? 0 : given
          given = from + limit
          return items.toSorted(compareBy(sort)).slice(from)
        }),
      )
    },
    ['pages go on while items are created'],
  ],
  [
    'compares with missing values as SQL does',
    () =>
      broken(
        selecting((items, { query: { sort, after } }) => {
          const compare = compareBy(sort)
          const isUnknown = (item: object): boolean =>
            sort.some(
              ({ field }) => isMissing(after?.[field]) || isMissing(Reflect.get(item, field)),
            )
          return items
            .filter((item) => after === undefined || (!isUnknown(item) && compare(item, after) > 0))
            .toSorted(compare)
        }),
      ),
    [
      'pages go on at missing values',
      'pages go on among missing values',
      'pages stay inside their scope',
    ],
  ],
  [
    'searches the first page only',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({
          query: { ...query, words: query.after ? [] : query.words },
        })),
      ),
    ['pages of a search are the search'],
  ],
  [
    'takes the first for the last',
    () =>
      broken((operation, next) =>
        next({
          ...operation,
          kind:
            operation.kind === 'first'
              ? 'last'
              : operation.kind === 'last'
                ? 'first'
                : operation.kind,
        }),
      ),
    [
      'first gives the first of the list',
      'last gives the last of the list',
      'first honours the search',
      'last honours the search',
    ],
  ],
]
