import { type Item, type Operation, problem } from 'nounful'
import { compareValues } from '../../../../src/contract/values/order.ts'
import {
  answering,
  type BrokenRow,
  broken,
  type Defect,
  everyWord,
  itemsOf,
  mistaking,
  searching,
  sorting,
  storing,
} from '../broken.ts'

/** Changes nested values on their way in. */
function nesting(change: (key: string, value: unknown) => unknown): Defect {
  return storing((item) =>
    'data' in item ? { ...item, data: JSON.parse(JSON.stringify(item.data, change)) } : item,
  )
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function cut(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, 1024) : value
}

/** Adapters with defects for long, deep, close or many values. */
export const largeRows: readonly BrokenRow[] = [
  [
    'sorts text by its beginning',
    () => broken(sorting((one, other) => compareValues(cut(one), cut(other)))),
    ['list sorts long text to its end', 'pages go on at long text'],
  ],
  [
    'goes on after an item only',
    () =>
      broken((operation, next) =>
        operation.query.after?.id === null && operation.kind === 'list' ? [] : next(operation),
      ),
    ['pages go on at text that was cut'],
  ],
  [
    'begins anew after a cursor without an id',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({
          query: { ...query, after: query.after?.id === null ? undefined : query.after },
        })),
      ),
    ['pages go on at text that was cut'],
  ],
  [
    'sorts numbers as floats',
    () =>
      broken(
        sorting((one, other) =>
          typeof one === 'number' && typeof other === 'number'
            ? compareValues(Math.fround(one), Math.fround(other))
            : compareValues(one, other),
        ),
      ),
    ['pages go on at close numbers'],
  ],
  [
    'takes -0 for less than 0',
    () =>
      broken(
        sorting((one, other) =>
          one === 0 && other === 0
            ? Number(Object.is(other, -0)) - Number(Object.is(one, -0))
            : compareValues(one, other),
        ),
      ),
    ['pages go on at zeros'],
  ],
  [
    'sorts by three fields at most',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({ query: { ...query, sort: query.sort.slice(0, 3) } })),
      ),
    ['pages go on in every field'],
  ],
  [
    'reads a thousand items at most',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({
          query: { ...query, limit: Math.min(query.limit ?? 1000, 1000) },
        })),
      ),
    ['list gives more than a thousand items'],
  ],
  [
    'gives five hundred items by id at most',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({
          query: query.where[0]?.is === 'in' ? { ...query, limit: 500 } : query,
        })),
      ),
    ['list gives a thousand items by id'],
  ],
  [
    'gives items in the order of the ids asked',
    () =>
      broken(
        answering(['list'], (answer, { query }) => {
          const values: readonly unknown[] = query.where[0]?.values ?? []
          const place = ({ id }: Item) => values.indexOf(id)
          return itemsOf(answer).toSorted((one, other) => place(one) - place(other))
        }),
      ),
    ['list gives a thousand items by id'],
  ],
  [
    'deletes a thousand items at most',
    () =>
      broken((operation, next) => {
        const deleted = next(operation)
        return operation.kind === 'deleteAll' ? Math.min(Number(deleted), 1000) : deleted
      }),
    ['deleteAll deletes more than a thousand items'],
  ],
  [
    'cuts ids at 255 bytes',
    () =>
      broken((operation, next) => {
        const shorten = (id: unknown) => Buffer.from(`${id}`).subarray(0, 255).toString()
        const { id, item } = operation
        return next({
          ...operation,
          id: id === undefined ? id : shorten(id),
          item: item && 'id' in item ? { ...item, id: shorten(item.id) } : item,
        })
      }),
    ['keeps ids of 255 characters'],
  ],
  [
    'takes ten words at most',
    () => broken(searching((texts, words) => everyWord(texts, words.slice(0, 10)))),
    ['search takes many long words'],
  ],
  [
    'takes ! for an escape',
    () =>
      broken(
        searching((texts, words) =>
          everyWord(
            texts,
            words.map((word) => word.replaceAll('!', '')),
          ),
        ),
      ),
    ['search takes exclamation marks plainly', 'search takes patterns as plain text'],
  ],
  [
    'fails for an empty collection',
    () =>
      broken((operation, next) => {
        const { query, kind } = operation
        const all = { ...operation, query: { ...query, words: [], limit: 1, after: undefined } }
        if (kind === 'list' && itemsOf(next(all)).length === 0) throw problem('not_found')
        return next(operation)
      }),
    ['an empty collection has empty lists'],
  ],
  [
    'makes revisions of the time',
    () =>
      broken(async (operation: Operation, next) => {
        const item = await next(operation)
        return operation.kind === 'update' ? { ...Object(item), revision: 'now' } : item
      }),
    ['concurrent updates set distinct revisions'],
  ],
  [
    'takes every key for lower case',
    () =>
      broken(
        nesting((_, value) =>
          typeof value === 'object' && value !== null && !Array.isArray(value)
            ? Object.fromEntries(
                Object.entries(value).map(([key, part]) => [key.toLowerCase(), part]),
              )
            : value,
        ),
      ),
    ['keeps keys of every script'],
  ],
  [
    'nests ten deep at most',
    () => broken(nesting((_, value) => (depthOf(value) < 10 ? value : null))),
    ['keeps deeply nested values'],
  ],
  [
    'keeps nested numbers as floats',
    () => broken(nesting((_, value) => (typeof value === 'number' ? Math.fround(value) : value))),
    ['keeps nested numbers and text'],
  ],
]
