import type { Item, Operation } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import type { UncheckedAdapter } from '../../../../src/contract/resource/adapter.ts'
import type { Query, SortField } from '../../../../src/contract/resource/operation.ts'
import {
  addRelatedValues,
  compareBy,
  relatedValuesOf,
} from '../../../../src/contract/values/order.ts'
import { fieldOf } from '../../../../src/convention/value.ts'
import { type BrokenRow, isMissing, isOrdered } from '../broken.ts'

type Change = (operation: Operation) => Operation

const same: Change = (operation) => operation

const withQuery =
  (query: Partial<Operation['query']>): Change =>
  (operation) => ({ ...operation, query: { ...operation.query, ...query } })

const alone = withQuery({ related: undefined })

const unsorted: Change = (operation) =>
  withQuery({ sort: [{ field: 'id', direction: 'asc' }] })(operation)

/** Joins in memory, with another operation for the methods of some kinds or for the selection. */
function joining(
  kinds: readonly Operation['kind'][],
  asked: Change,
  selected: Change = same,
): UncheckedAdapter {
  let made = 0
  const sound: UncheckedAdapter = memoryAdapter({ nextId: () => `${++made}` })
  const { list, first, last, count, countBy, deleteMany, removeMany } = sound
  const changed = (operation: Operation) =>
    kinds.includes(operation.kind) ? asked(operation) : operation
  return {
    ...sound,
    list: (operation, context) => list?.(changed(operation), context),
    first: (operation, context) => first?.(changed(operation), context),
    last: (operation, context) => last?.(changed(operation), context),
    count: (operation, context) => count?.(changed(operation), context),
    countBy: (operation, context) => countBy?.(changed(operation), context),
    deleteMany: (operation, context) => deleteMany?.(changed(operation), context),
    removeMany: (operation, context, judge) => removeMany?.(changed(operation), context, judge),
    // The core asks no method of another adapter that goes past these.
    joinsSelection: (operation, context) => sound.joinsSelection?.(operation, context) ?? false,
    selection: (operation, context) => sound.selection?.(selected(operation), context),
  }
}

/** Arranges the items of an order by related items with a function of its own. */
function arranging(
  arrange: (items: readonly Item[], query: Query) => readonly Item[],
): UncheckedAdapter {
  const adapter = joining([], same)
  const whole = withQuery({ after: undefined, limit: undefined, offset: 0 })
  const arranged = async (operation: Operation): Promise<readonly Item[]> => {
    const items = await adapter.list?.(whole(operation), undefined)
    return arrange(Array.isArray(items) ? items : [], operation.query)
  }
  return {
    ...adapter,
    list: async (operation) => {
      if (!isOrdered(operation)) return adapter.list?.(operation, undefined)
      return (await arranged(operation)).slice(0, operation.query.limit)
    },
    first: async (operation) => (await arranged(operation))[0],
    last: async (operation) => (await arranged(operation)).at(-1),
  }
}

/** Sorts with a comparison of its own. */
function comparing(compare: (one: Item, other: object, query: Query) => number): UncheckedAdapter {
  return arranging((items, query) =>
    items
      .filter((item) => query.after === undefined || compare(item, query.after, query) > 0)
      .toSorted((one, other) => compare(one, other, query)),
  )
}

/** Changes the order of related items. */
function sortingBy(change: (sortField: SortField) => SortField): UncheckedAdapter {
  return comparing((one, other, { sort }) =>
    compareBy(sort.map((each) => (each.related ? change(each) : each)))(one, other),
  )
}

/** Goes on after a position with the items of its own. */
function goingOn(isAfter: (item: Item, after: object, query: Query) => boolean): UncheckedAdapter {
  return arranging((items, query) =>
    items.filter((item) => query.after === undefined || isAfter(item, query.after, query)),
  )
}

/** Gives other values of related items. */
function valuing(change: (item: Item) => Item): UncheckedAdapter {
  return arranging((items, { sort, after }) => {
    const compare = compareBy(sort)
    return items.filter((item) => after === undefined || compare(item, after) > 0).map(change)
  })
}

const selects = 'joins select the items of a selection'
const follows = 'joins follow writes'
const deletes = 'deleteMany deletes what a join selects'
const removes = 'removeMany deletes what a join selects'

const sorts = 'list sorts by fields of related items'
const goesOn = 'pages go on in fields of related items'

const isOwned = (item: Item): boolean =>
  Object.values(relatedValuesOf(Object(item)) ?? {}).some((value) => !isMissing(value))

/** Adapters with defects of orders by related items. */
const orderRows: readonly BrokenRow[] = [
  [
    'ignores an order by related items',
    () => sortingBy(() => ({ field: 'id', direction: 'asc' })),
    [sorts, goesOn],
  ],
  [
    'ignores the direction of related items',
    () => sortingBy((sortField) => ({ ...sortField, direction: 'asc' })),
    [sorts, goesOn],
  ],
  [
    'sorts by the id of the reference',
    () => sortingBy(({ direction }) => ({ field: 'owner_id', direction })),
    [sorts, goesOn],
  ],
  [
    'puts items without a related one first',
    () =>
      comparing((one, other, { sort }) => {
        const order = compareBy(sort)(one, other)
        return isOwned(one) === isOwned({ id: '', ...other }) ? order : -order
      }),
    [sorts, goesOn],
  ],
  [
    'leaves out items without a related one',
    () => arranging((items) => items.filter(isOwned)),
    [sorts, goesOn],
  ],
  [
    'forgets the values of related items',
    () => valuing((item) => structuredClone(item)),
    [sorts, goesOn],
  ],
  [
    'tells the values of the item as those of related ones',
    () => valuing((item) => addRelatedValues({ ...item }, { 'owner.name': fieldOf(item, 'name') })),
    [sorts, goesOn],
  ],
  [
    'sorts by related items outside the scope of the selection',
    () => joining([], same, (operation) => ({ ...operation, scope: {} })),
    [sorts, goesOn],
  ],
  [
    'sorts by related items that the filters leave out',
    () => joining([], same, withQuery({ where: [] })),
    [sorts, goesOn],
  ],
  [
    'repeats the item at the edge of a page',
    () => goingOn((item, after, { sort }) => compareBy(sort)(item, after) >= 0),
    [goesOn],
  ],
  [
    'loses the equal items after a page',
    () =>
      goingOn(
        (item, after, { sort }) =>
          compareBy(sort.filter(({ related }) => related))(item, after) > 0,
      ),
    [goesOn],
  ],
  [
    'loses the items without a related one after a page',
    () => goingOn((item, after, { sort }) => isOwned(item) && compareBy(sort)(item, after) > 0),
    [goesOn],
  ],
  ['gives a first item of another order', () => joining(['first'], unsorted), [sorts]],
  ['gives a last item of another order', () => joining(['last'], unsorted), [sorts]],
  [
    'keeps the values of related items',
    () => {
      const kept = new Map<unknown, object | undefined>()
      return valuing((item) => {
        if (!kept.has(item.id)) kept.set(item.id, relatedValuesOf(Object(item)))
        return addRelatedValues({ ...item }, kept.get(item.id) ?? {})
      })
    },
    [follows],
  ],
]

/** Adapters with defects of joins. */
export const joinRows: readonly BrokenRow[] = [
  ['lists without the join', () => joining(['list'], alone), [selects, follows]],
  ['counts without the join', () => joining(['count'], alone), [selects, follows]],
  ['gives a last item that no join selects', () => joining(['last'], alone), [selects, follows]],
  ['deletes without the join', () => joining(['deleteMany'], alone), [deletes, removes]],
  [
    'counts groups without the join',
    () => joining(['count'], (operation) => (operation.query.by ? alone(operation) : operation)),
    [selects, follows],
  ],
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
    [selects, follows, deletes, removes],
  ],
  ...orderRows,
]
