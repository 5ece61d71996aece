import { compareBy, compareValues } from '../../../../src/contract/values/order.ts'
import { type BrokenRow, broken, isMissing, mistaking, selecting, sorting } from '../broken.ts'

/** Adapters with defects of orders. */
export const orderRows: readonly BrokenRow[] = [
  [
    'sorts text as dictionaries do',
    () =>
      broken(
        sorting((one, other) =>
          typeof one === 'string' && typeof other === 'string'
            ? one.localeCompare(other)
            : compareValues(one, other),
        ),
      ),
    [
      'list sorts text by code point',
      'list sorts descending',
      'orders chosen ids by code point',
      'first gives the first of the list',
    ],
  ],
  [
    'sorts text by UTF-16',
    () =>
      broken(
        sorting((one, other) =>
          typeof one === 'string' && typeof other === 'string'
            ? Number(one > other) - Number(one < other)
            : compareValues(one, other),
        ),
      ),
    ['list sorts text by code point', 'list sorts descending', 'orders chosen ids by code point'],
  ],
  [
    'sorts numbers as text',
    () =>
      broken(
        sorting((one, other) =>
          compareValues(isMissing(one) ? one : `${one}`, isMissing(other) ? other : `${other}`),
        ),
      ),
    [
      'list sorts numbers by size',
      'list sorts numbers descending',
      'pages go on at numbers',
      'first gives the first of the list',
    ],
  ],
  [
    'sorts true before false',
    () =>
      broken(
        sorting(
          (one, other) =>
            compareValues(one, other) *
            (typeof one === 'boolean' && typeof other === 'boolean' ? -1 : 1),
        ),
      ),
    ['list sorts false before true', 'list sorts by several fields'],
  ],
  [
    'takes missing for the least',
    () =>
      broken(
        sorting(
          (one, other) =>
            (isMissing(one) === isMissing(other) ? 1 : -1) * compareValues(one, other),
        ),
      ),
    [
      ...['texts', 'numbers', 'booleans'].flatMap((values) => [
        `missing ${values} come last ascending`,
        `missing ${values} come first descending`,
      ]),
      'first gives the first of the list',
      'last gives the last of the list',
    ],
  ],
  [
    'sorts by the first field only',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({ query: { ...query, sort: query.sort.slice(0, 1) } })),
      ),
    [
      'list sorts by several fields',
      'pages go on at ties',
      'pages go on at missing values',
      'pages go on in mixed directions',
    ],
  ],
  [
    'leaves ties as they were created',
    () =>
      broken(
        selecting((items, { query: { sort, after } }) => {
          const compare = compareBy(sort.filter(({ field }) => field !== 'id'))
          const created = items.toSorted((one, other) => Number(one.id) - Number(other.id))
          return created
            .filter((item) => after === undefined || compare(item, after) > 0)
            .toSorted(compare)
        }),
      ),
    [
      'list is ordered by id',
      'list sorts by id descending',
      'ties are ordered by id',
      'ties are ordered by id when descending',
    ],
  ],
  [
    'loses the last item',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({ query: { ...query, limit: query.limit ?? 2 } })),
      ),
    ['list gives every item'],
  ],
]
