import type { OperationKind } from './operations.ts'

/** The methods of an adapter that serve operations. */
// biome-ignore format: one list
export const adapterMethods = [
  'list', 'create', 'createMany', 'updateMany', 'modifyMany', 'deleteAll', 'deleteMany', 'read',
  'update', 'modify', 'delete', 'first', 'last', 'count', 'countBy', 'remove', 'removeMany',
] as const

/** The name of an adapter's method that serves operations. */
export type AdapterMethod = (typeof adapterMethods)[number]

/**
 * The methods that serve each operation: an adapter supports it with all methods of one set.
 * `revision`: the resource needs a revision field. Apart from the operations: a client needs none.
 */
export const methodSets: {
  readonly [Kind in OperationKind]: readonly (readonly (AdapterMethod | 'revision')[])[]
} = {
  list: [['list']],
  create: [['create']],
  updateMany: [['updateMany']],
  patchMany: [
    ['read', 'modifyMany'],
    ['read', 'updateMany', 'revision'],
  ],
  deleteAll: [['deleteAll']],
  // A dry run counts.
  deleteMany: [
    ['deleteMany', 'count'],
    ['deleteMany', 'list'],
  ],
  read: [['read']],
  update: [['update']],
  patch: [
    ['read', 'modify'],
    ['read', 'update', 'revision'],
  ],
  delete: [['delete']],
  first: [['first'], ['list']],
  last: [['last'], ['list']],
  count: [['count'], ['list']],
}

/** The methods that store or delete what another one does too: a wrapper has to wrap both. */
export const passages: readonly (readonly [method: AdapterMethod, wrapped: AdapterMethod])[] = [
  ['createMany', 'create'],
  ['modify', 'update'],
  ['modifyMany', 'updateMany'],
  ['deleteMany', 'deleteAll'],
]

/** The same for a resource with a rule for deletions: only then does the core call `remove`. */
export const removingPassages: typeof passages = [
  ['remove', 'delete'],
  ['removeMany', 'deleteMany'],
  ['removeMany', 'deleteAll'],
]

/** The methods that show items. An adapter that hides items in one must hide them in all. */
export const readingMethods: readonly AdapterMethod[] = ['list', 'read', 'first', 'last', 'count']
