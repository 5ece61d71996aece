import type { Operation } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import type { UncheckedAdapter } from '../../../../src/contract/resource/adapter.ts'
import type { BrokenRow } from '../broken.ts'

type Change = (operation: Operation) => Operation

const same: Change = (operation) => operation

const withQuery =
  (query: Partial<Operation['query']>): Change =>
  (operation) => ({ ...operation, query: { ...operation.query, ...query } })

const alone = withQuery({ related: undefined })

/** Joins in memory, with another operation for the methods of some kinds or for the selection. */
function joining(
  kinds: readonly Operation['kind'][],
  asked: Change,
  selected: Change = same,
): UncheckedAdapter {
  let made = 0
  const sound: UncheckedAdapter = memoryAdapter({ nextId: () => `${++made}` })
  const { list, first, last, count, deleteMany } = sound
  const changed = (operation: Operation) =>
    kinds.includes(operation.kind) ? asked(operation) : operation
  return {
    ...sound,
    list: (operation, context) => list?.(changed(operation), context),
    first: (operation, context) => first?.(changed(operation), context),
    last: (operation, context) => last?.(changed(operation), context),
    count: (operation, context) => count?.(changed(operation), context),
    deleteMany: (operation, context) => deleteMany?.(changed(operation), context),
    selection: (operation, context) => sound.selection?.(selected(operation), context),
  }
}

const selects = 'joins select the items of a selection'
const follows = 'joins follow writes'
const deletes = 'deleteMany deletes what a join selects'

/** Adapters with defects of joins. */
export const joinRows: readonly BrokenRow[] = [
  ['lists without the join', () => joining(['list'], alone), [selects, follows]],
  ['counts without the join', () => joining(['count'], alone), [selects, follows]],
  ['gives a last item that no join selects', () => joining(['last'], alone), [selects, follows]],
  ['deletes without the join', () => joining(['deleteMany'], alone), [deletes]],
  [
    'joins items outside the scope of the selection',
    () => joining([], same, (operation) => ({ ...operation, scope: {} })),
    [selects],
  ],
  [
    'minds one filter of the selection',
    () =>
      joining([], same, (operation) =>
        withQuery({ where: operation.query.where.slice(0, 1) })(operation),
      ),
    [selects],
  ],
  [
    'joins every item',
    () => joining([], same, withQuery({ where: [] })),
    [selects, follows, deletes],
  ],
]
