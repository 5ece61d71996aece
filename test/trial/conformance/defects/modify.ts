import type { Item, Operation } from 'nounful'
import type { ChangeMany } from '../../../../src/contract/resource/operation.ts'
import { type BrokenRow, broken, type Next, present, readOf, tick, without } from '../broken.ts'

type Modifying = (operation: Operation, next: Next, change: ChangeMany<Item>) => unknown

// An adapter with a defect of `modify` and `modifyMany`.
function modifyingBy(defect: Modifying) {
  return () =>
    broken((operation, next, change) =>
      operation.kind.startsWith('patch') ? defect(operation, next, change) : next(operation),
    )
}

const eachOf = (rule: string): readonly string[] =>
  ['modify', 'modifyMany'].map((method) => `${method} ${rule}`)

// The stored items that an operation names; `undefined` for an absent one.
function readAll(operation: Operation, next: Next): readonly (Item | undefined)[] {
  const ids = operation.ids ?? [operation.id]
  return ids.map((id) => {
    const item = readOf(operation, next, id)
    return 'id' in item ? (item as Item) : undefined
  })
}

/** Adapters with defects of `modify` and `modifyMany`. */
export const modifyRows: readonly BrokenRow[] = [
  [
    'changes absent items',
    modifyingBy(async (operation, next, change) => {
      const { id } = operation
      const modified = await next(operation)
      if (modified === null && id !== undefined) await change([{ id }])
      return modified
    }),
    ['modify gives null for absent ids', 'modify compares ids exactly'],
  ],
  [
    'gives the function the items that exist',
    modifyingBy((operation, next, change) => next(operation, (stored) => change(present(stored)))),
    ['modifyMany compares ids exactly'],
  ],
  [
    'merges the results of the function',
    modifyingBy((operation, next, change) =>
      next(operation, async (stored) =>
        (await change(stored)).map((item, place) => ({ ...stored[place], ...item })),
      ),
    ),
    eachOf('stores what its function returns'),
  ],
  [
    'wraps the errors of the function',
    modifyingBy(async (operation, next) => {
      try {
        return await next(operation)
      } catch (cause) {
        throw new Error('The transaction has failed', { cause })
      }
    }),
    eachOf("passes on its function's error"),
  ],
  [
    'goes on after an error of the function',
    modifyingBy((operation, next, change) =>
      next(operation, async (stored) => {
        try {
          return await change(stored)
        } catch {
          return present(stored)
        }
      }),
    ),
    eachOf("passes on its function's error"),
  ],
  [
    'writes items that do not change',
    modifyingBy((operation, next, change) =>
      next(operation, async (stored) => (await change(stored)).map((item) => ({ ...item }))),
    ),
    [...eachOf('writes nothing for no change'), 'modifyMany writes only the items that change'],
  ],
  [
    'writes what it has read before',
    modifyingBy(async (operation, next, change) => {
      const stored = readAll(operation, next)
      if (stored.includes(undefined)) return next(operation)
      const changed = (await change(stored)).map((item) => without(item, 'revision'))
      if (operation.kind === 'patch')
        return next({ ...operation, kind: 'update', item: changed[0] })
      return next({ ...operation, kind: 'updateMany', items: changed })
    }),
    [
      'concurrent modifies lose no change',
      'a modify beside an update loses neither',
      'concurrent modifyMany calls lose no change',
    ],
  ],
  [
    'changes many items one by one',
    modifyingBy(async (operation, next, change) => {
      if (operation.kind === 'patch') return next(operation)
      const made: unknown[] = []
      for (const [place, item] of (await change(readAll(operation, next))).entries()) {
        operation.signal.throwIfAborted()
        const { id } = item
        made[place] = next({ ...operation, kind: 'update', id, item, ids: undefined })
        await tick()
      }
      return made
    }),
    ['readers see modifyMany whole or not', 'an aborted modifyMany is whole or nothing'],
  ],
  [
    'sorts the items that it changes',
    modifyingBy((operation, next) => next({ ...operation, ids: operation.ids?.toSorted() })),
    ['modifyMany gives items in request order'],
  ],
]
