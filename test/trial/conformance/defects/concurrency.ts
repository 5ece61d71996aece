import { type Operation, problem } from 'nounful'
import type { UncheckedAdapter } from '../../../../src/contract/resource/adapter.ts'
import { adapterMethods } from '../../../../src/convention/adapter-methods.ts'
import { operationKinds } from '../../../../src/convention/operations.ts'
import { fieldOf } from '../../../../src/convention/value.ts'
import {
  type BrokenRow,
  broken,
  giving,
  itemsOf,
  mistaking,
  readOf,
  tick,
  without,
} from '../broken.ts'
import { mapAdapter } from '../map.ts'

const takers = ['create', 'createMany', 'update', 'updateMany', 'modify', 'modifyMany']

/** Adapters with defects of revisions, of copies and of concurrent operations. */
export const concurrencyRows: readonly BrokenRow[] = [
  [
    'makes no revisions',
    () => broken(giving((item) => without(item, 'revision'))),
    [
      'every write sets a new revision',
      'updateMany sets new revisions',
      'createMany sets revisions',
      ...['modify', 'modifyMany'].map((method) => `${method} sets a new revision`),
    ],
  ],
  [
    'minds no revision',
    () => broken(mistaking(operationKinds, () => ({ ifRevision: undefined }))),
    [
      'update refuses an outdated revision',
      'delete refuses an outdated revision',
      'one of concurrent conditional updates wins',
    ],
  ],
  [
    'takes no revision for the current one',
    () =>
      broken(
        mistaking(operationKinds, ({ ifRevision }) =>
          ifRevision === undefined ? {} : { ifRevision: 'none' },
        ),
      ),
    [
      'update takes the current revision',
      'delete takes the current revision',
      'one of concurrent conditional updates wins',
    ],
  ],
  [
    'looks for a taken id too early',
    () =>
      broken(async (operation, next) => {
        const id = fieldOf(operation.item ?? {}, 'id')
        if (operation.kind !== 'create' || typeof id !== 'string') return next(operation)
        if (readOf(operation, next, id)) throw problem('conflict')
        await tick()
        // Another create may have stored an item by now.
        next({ ...operation, kind: 'delete', id })
        return next(operation)
      }),
    ['creates one item for one UUID'],
  ],
  [
    'looks at the revision too early',
    () =>
      broken(async (operation, next) => {
        const { kind, ifRevision } = operation
        if (kind !== 'update' || ifRevision === undefined) return next(operation)
        if (fieldOf(readOf(operation, next), 'revision') !== ifRevision)
          throw problem('precondition_failed')
        await tick()
        return next({ ...operation, ifRevision: undefined })
      }),
    ['one of concurrent conditional updates wins'],
  ],
  [
    'returns its stored items',
    () => {
      const sound: UncheckedAdapter = mapAdapter((item) => item)
      const all = (operation: Operation) =>
        itemsOf(sound.list?.({ ...operation, kind: 'list' }, undefined))
      return { ...sound, first: (asked) => all(asked)[0], last: (asked) => all(asked).at(-1) }
    },
    [
      ...[...takers, 'read', 'list', 'first', 'last'].map((method) => `${method} gives a copy`),
      "modify passes on its function's error",
    ],
  ],
  [
    'stores the items of its caller',
    () => mapAdapter((item) => item),
    takers.map((method) => `${method} copies what it takes`),
  ],
  [
    'changes its operations',
    () =>
      broken((operation, next) => {
        const answer = next(operation)
        Object.assign(operation, { scope: { ...operation.scope, done: true } })
        return answer
      }),
    adapterMethods.map((method) => `${method} leaves its operation alone`),
  ],
  [
    'counts to make ids',
    () =>
      broken(async (operation, next) => {
        const { kind, item, items } = operation
        if (kind !== 'create') return next(operation)
        const count = Number(next({ ...operation, kind: 'count', items: undefined }))
        await tick()
        const numbered = items?.map((one, index) => ({ id: `${count + index + 1}`, ...one }))
        return next({ ...operation, item: { id: `${count + 1}`, ...item }, items: numbered })
      }),
    ['concurrent creates give distinct ids', 'concurrent createMany calls give distinct ids'],
  ],
  [
    'updates field by field',
    () =>
      broken(async (operation, next) => {
        if (operation.kind !== 'update') return next(operation)
        const names = ['name', 'note', 'rank', 'flag', 'data', 'owner_id']
        const isOdd = Number(fieldOf(operation.item ?? {}, 'rank')) % 2 === 1
        for (const name of isOdd ? names : names.toReversed()) {
          const stored = readOf(operation, next)
          next({ ...operation, item: { ...stored, [name]: fieldOf(operation.item ?? {}, name) } })
          await tick()
        }
        return operation.item
      }),
    ['concurrent updates leave one of them whole'],
  ],
  [
    'deletes the items it has read',
    () =>
      broken(async (operation, next) => {
        if (operation.kind !== 'delete') return next(operation)
        const item = readOf(operation, next)
        await tick()
        next(operation)
        return item
      }),
    ['concurrent deletes give an item once'],
  ],
]
