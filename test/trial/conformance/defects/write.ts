import { answering, type BrokenRow, broken, itemsIn, listIn, readOf, without } from '../broken.ts'

/** Adapters with defects of single writes. */
export const writeRows: readonly BrokenRow[] = [
  [
    'creates absent items in update',
    () =>
      broken((operation, next) => {
        const updated = next(operation)
        return operation.kind === 'update' && updated === null
          ? next({ ...operation, kind: 'create' })
          : updated
      }),
    [
      'update gives null for absent ids',
      'update compares ids exactly',
      'update does not revive a deleted item',
    ],
  ],
  [
    'gives the item before the update',
    () =>
      broken((operation, next) => {
        const before = operation.kind === 'update' ? readOf(operation, next) : undefined
        return before ? next(operation) && before : next(operation)
      }),
    ['update gives the item as stored', 'update replaces the whole item'],
  ],
  [
    'merges items in update',
    () =>
      broken((operation, next) =>
        next({
          ...operation,
          item:
            operation.kind === 'update'
              ? { ...readOf(operation, next), ...operation.item }
              : operation.item,
          items: itemsIn(operation)?.map((item) => ({
            ...readOf(operation, next, item.id),
            ...item,
          })),
        }),
      ),
    ['update replaces the whole item', 'updateMany replaces whole items'],
  ],
  [
    'counts rows that changed',
    () =>
      broken((operation, next) => {
        const isChanged = (item: object | undefined, id = operation.id): boolean =>
          JSON.stringify(Object.entries(without(item ?? {}, 'revision')).toSorted()) !==
          JSON.stringify(
            Object.entries(without(readOf(operation, next, id), 'revision')).toSorted(),
          )
        if (operation.kind === 'update') return isChanged(operation.item) ? next(operation) : null
        if (operation.kind !== 'updateMany') return next(operation)
        return itemsIn(operation)?.every((item) => isChanged(item, item.id))
          ? next(operation)
          : operation.items?.map(() => null)
      }),
    ['update gives an unchanged item', 'updateMany gives unchanged items'],
  ],
  [
    'updates deleted items',
    () =>
      broken((operation, next) => {
        const { kind, item = operation.items?.[0] } = operation
        const updated = next(operation)
        if (updated && (kind === 'update' || kind === 'updateMany')) {
          const others = listIn(operation, next).filter(
            ({ id }) => id !== operation.id && !itemsIn(operation)?.some((one) => one.id === id),
          )
          next({
            ...operation,
            kind: 'updateMany',
            items: others.map(({ id }) => ({ ...item, id })),
          })
        }
        return updated
      }),
    ['update leaves other items alone', 'updateMany leaves unlisted items alone'],
  ],
  [
    'remembers lists and counts',
    () => {
      const memory = new Map<string, unknown>()
      return broken((operation, next) => {
        if (operation.kind !== 'list' && operation.kind !== 'count') return next(operation)
        const key = JSON.stringify([operation.kind, operation.scope, operation.query])
        if (!memory.has(key)) memory.set(key, next({ ...operation }))
        return memory.get(key)
      })
    },
    [
      'list gives every item',
      'update moves an item in the order',
      'update moves an item to another owner',
      'count gives how many there are',
    ],
  ],
  [
    'counts deleted items',
    () => {
      let deleted = 0
      return broken((operation, next) => {
        if (operation.kind === 'delete') deleted += 1
        const answer = next(operation)
        return operation.kind === 'count' ? Number(answer) + deleted : answer
      })
    },
    ['count follows deletions'],
  ],
  [
    'says only that it has deleted',
    () => broken(answering(['delete'], (item) => item !== null)),
    [
      'delete gives the deleted item',
      'delete gives null for absent ids',
      'a second delete gives null',
    ],
  ],
  [
    'deletes whatever there is',
    () =>
      broken((operation, next) => {
        const deleted = next(operation)
        if (operation.kind === 'delete') next({ ...operation, kind: 'deleteAll' })
        return deleted
      }),
    ['delete removes only that item', 'delete gives null for absent ids'],
  ],
]
