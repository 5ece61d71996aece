import type { Item, Operation } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import type { UncheckedAdapter } from '../../../../src/contract/resource/adapter.ts'
import type { Judge } from '../../../../src/contract/resource/operation.ts'
import type { BrokenRow } from '../broken.ts'

type Remove = (operation: Operation, judge: Judge<Item>, sound: UncheckedAdapter) => unknown

/** Makes an adapter with a defect of `remove` and `removeMany`. */
export function removingBy(defect: Remove) {
  return (): UncheckedAdapter => {
    const sound: UncheckedAdapter = memoryAdapter()
    const remove: UncheckedAdapter['remove'] = (operation, _, judge) =>
      defect(operation, judge, sound)
    return { ...sound, remove, removeMany: remove }
  }
}

/** Calls the sound method for the operation. */
export function removed(
  operation: Operation,
  judge: Judge<Item>,
  sound: UncheckedAdapter,
): unknown {
  const method = operation.kind === 'delete' ? 'remove' : 'removeMany'
  return sound[method]?.(operation, undefined, judge)
}

const eachOf = (rule: string): readonly string[] =>
  ['remove', 'removeMany'].map((method) => `${method} ${rule}`)

async function tick(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Adapters with defects of `remove` and `removeMany`. */
export const removeRows: readonly BrokenRow[] = [
  [
    'deletes without its function',
    removingBy((operation, _, sound) => removed(operation, () => undefined, sound)),
    [
      ...eachOf('deletes what its function allows'),
      ...eachOf("passes on its function's error"),
      'removeMany judges every item first',
    ],
  ],
  [
    'gives its function items without some fields',
    removingBy((operation, judge, sound) =>
      removed(operation, (stored) => judge(stored.map(({ id }) => ({ id }))), sound),
    ),
    eachOf('deletes what its function allows'),
  ],
  [
    'takes the error of its function for an absent item',
    removingBy((operation, judge, sound) => {
      try {
        return removed(operation, judge, sound)
      } catch {
        return operation.kind === 'delete' ? null : 0
      }
    }),
    eachOf("passes on its function's error"),
  ],
  [
    'deletes before its function is asked',
    removingBy((operation, judge, sound) => {
      const gone: Item[] = []
      const result = removed(operation, (stored) => gone.push(...stored), sound)
      judge(gone)
      return result
    }),
    [...eachOf("passes on its function's error"), 'removeMany judges every item first'],
  ],
  [
    'ignores the revision and the bound at a judged deletion',
    removingBy((operation, judge, sound) =>
      removed({ ...operation, ifRevision: undefined, maxAffected: 1000 }, judge, sound),
    ),
    ['remove compares the revision', 'removeMany deletes no more than allowed'],
  ],
  [
    'forgets the scope at a judged deletion',
    removingBy((operation, judge, sound) => removed({ ...operation, scope: {} }, judge, sound)),
    [...eachOf('stays inside its scope'), ...eachOf('stays inside a scope of two fields')],
  ],
  [
    'takes a selection for everything where a rule judges',
    removingBy((operation, judge, sound) => {
      const query = { ...operation.query, where: [], words: [] }
      return removed({ ...operation, query }, judge, sound)
    }),
    [
      'removeMany deletes what matches',
      'removeMany searches',
      'removeMany deletes by ids',
      'removeMany deletes what its function allows',
    ],
  ],
  [
    'deletes without a search where a rule judges',
    removingBy((operation, judge, sound) => {
      const query = { ...operation.query, words: [] }
      return removed({ ...operation, query }, judge, sound)
    }),
    ['removeMany searches'],
  ],
  [
    'asks its function, and deletes later',
    removingBy(async (operation, judge, sound) => {
      const error = new Error('Nothing is deleted yet')
      try {
        removed(
          operation,
          (stored) => {
            judge(stored)
            throw error
          },
          sound,
        )
      } catch (thrown) {
        if (thrown !== error) throw thrown
      }
      await tick()
      return removed(operation, () => undefined, sound)
    }),
    ['remove judges the item that it deletes', 'removeMany judges the items that it deletes'],
  ],
]
