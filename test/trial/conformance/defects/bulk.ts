import { type Operation, problem } from 'nounful'
import {
  answering,
  type BrokenRow,
  broken,
  itemsOf,
  listIn,
  mistaking,
  type Next,
  tick,
} from '../broken.ts'

// Each item by itself, with time for other operations in between.
async function oneByOne(operation: Operation, next: Next): Promise<unknown> {
  const made: unknown[] = []
  for (const item of itemsOf(operation.items)) {
    operation.signal.throwIfAborted()
    made.push(next({ ...operation, kind: 'update', id: item.id, item, items: undefined }) ?? null)
    await tick()
  }
  return made
}

/** Adapters with defects of bulks. */
export const bulkRows: readonly BrokenRow[] = [
  [
    'sorts the answers of a bulk',
    () => broken(answering(['updateMany'], (items) => itemsOf(items).toReversed())),
    ['updateMany gives items in request order'],
  ],
  [
    'leaves absent items out of the answer',
    () => broken(answering(['updateMany'], (items) => itemsOf(items).filter(Boolean))),
    ['updateMany marks absent ids by null', 'updateMany compares ids exactly'],
  ],
  [
    'gives null for the whole bulk',
    () =>
      broken(
        answering(['updateMany'], (items) =>
          itemsOf(items).some((item) => item === null) ? null : items,
        ),
      ),
    ['updateMany marks absent ids by null'],
  ],
  [
    'writes a bulk item by item',
    () =>
      broken((operation, next) =>
        operation.kind === 'updateMany' ? oneByOne(operation, next) : next(operation),
      ),
    [
      'updateMany writes nothing beside an absent id',
      'concurrent bulks leave one of them whole',
      'readers see a bulk whole or not',
      'an aborted bulk is whole or nothing',
    ],
  ],
  [
    'takes 500 items at most',
    () =>
      broken((operation, next) => {
        const { items, ids } = operation
        if ((items ?? ids ?? []).length > 500) throw new RangeError('too many parameters')
        return next(operation)
      }),
    ['updateMany', 'createMany', 'modifyMany'].map((method) => `${method} takes a thousand items`),
  ],
  [
    'counts as text',
    () => broken(answering(['count', 'deleteAll'], String)),
    ['count gives how many there are', 'deleteAll gives how many it deleted'],
  ],
  [
    'ignores maxAffected',
    () => broken(mistaking(['deleteAll'], () => ({ maxAffected: undefined }))),
    ['deleteAll refuses to delete too many'],
  ],
  [
    'takes a bound of 0 for none',
    () =>
      broken(
        mistaking(['deleteAll'], ({ maxAffected }) => ({ maxAffected: maxAffected || undefined })),
      ),
    ['deleteAll refuses to delete too many'],
  ],
  [
    'counts items outside the scope',
    () =>
      broken((operation, next) => {
        const { kind, maxAffected } = operation
        if (
          kind === 'deleteAll' &&
          maxAffected !== undefined &&
          listIn(operation, next, {}).length > maxAffected
        )
          throw problem('too_many_affected')
        return next(operation)
      }),
    ['deleteAll deletes as many as allowed'],
  ],
  [
    'takes a selection for everything',
    () =>
      broken(
        mistaking(['deleteMany'], ({ query }) => ({ query: { ...query, where: [], words: [] } })),
      ),
    ['deleteMany deletes what matches', 'deleteMany searches', 'deleteMany deletes by ids'],
  ],
  [
    'deletes without a search',
    () => broken(mistaking(['deleteMany'], ({ query }) => ({ query: { ...query, words: [] } }))),
    ['deleteMany searches'],
  ],
  [
    'deletes up to the bound of a selection',
    () =>
      broken(async (operation, next) => {
        if (operation.kind !== 'deleteMany') return next(operation)
        const items = listIn(operation, next, { limit: operation.maxAffected })
        for (const { id } of items) next({ ...operation, kind: 'delete', id })
        return items.length
      }),
    ['deleteMany refuses to delete too many', 'deleteMany deletes a thousand items'],
  ],
  [
    'counts everything against the bound of a selection',
    () =>
      broken((operation, next) => {
        const { kind, maxAffected = 0 } = operation
        if (kind === 'deleteMany' && listIn(operation, next).length > maxAffected)
          throw problem('too_many_affected')
        return next(operation)
      }),
    ['deleteMany counts only what matches'],
  ],
]
