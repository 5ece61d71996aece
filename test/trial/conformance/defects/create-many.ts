import { answering, type BrokenRow, broken, itemsIn, tick, without } from '../broken.ts'

/** Adapters with defects of `createMany`. */
export const createManyRows: readonly BrokenRow[] = [
  [
    'creates many items one by one',
    () =>
      broken(async (operation, next) => {
        const items = itemsIn(operation)
        if (operation.kind !== 'create' || items === undefined) return next(operation)
        const made: unknown[] = []
        for (const item of items) {
          made.push(next({ ...operation, item, items: undefined }))
          await tick()
        }
        return made
      }),
    ['createMany creates all items or none', 'readers see createMany whole or not'],
  ],
  [
    'gives many new items in another order',
    () => broken(answering(['create'], (made) => (Array.isArray(made) ? made.toReversed() : made))),
    ['createMany gives items in request order'],
  ],
  [
    'writes the columns of the first item',
    () =>
      broken((operation, next) => {
        if (operation.kind !== 'create') return next(operation)
        const [first = {}] = operation.items ?? []
        const items = operation.items?.map((item) => {
          const others = Object.keys(item).filter((field) => !Object.hasOwn(first, field))
          return without(item, ...others)
        })
        return next({ ...operation, items })
      }),
    ['createMany gives items in request order'],
  ],
  [
    'creates many items for any owner',
    () =>
      broken((operation, next) =>
        operation.kind === 'create'
          ? next({
              ...operation,
              scope: {},
              items: operation.items?.map((item) => without(item, 'owner_id')),
            })
          : next(operation),
      ),
    ['createMany stores items in their scope'],
  ],
]
