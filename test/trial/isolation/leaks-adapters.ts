import { memoryAdapter } from 'nounful/memory'
import type { Leak } from './leak.ts'
import type { Adapters } from './service.ts'

type Method = 'list' | 'count' | 'first' | 'last' | 'read' | 'update' | 'modify' | 'delete'
type Many = 'updateMany' | 'modifyMany' | 'deleteAll' | 'deleteMany'
type Call = (
  operation: { readonly query: Query; readonly scope: object },
  ...rest: readonly unknown[]
) => unknown
interface Query {
  readonly after: unknown
  readonly words: readonly string[]
}

// Makes an adapter whose method forgets the scope of some operations.
const forgetful =
  (
    resource: keyof Adapters,
    method: Method | Many,
    forgets: (query: Query) => boolean = () => true,
  ): NonNullable<Leak['adapters']> =>
  () => {
    const adapter = memoryAdapter() as Readonly<Record<string, Call>>
    const wrapped = Object.entries(adapter).map(([name, inner]) => {
      const call: Call = (operation, ...rest) =>
        inner(forgets(operation.query) ? { ...operation, scope: {} } : operation, ...rest)
      // The core takes the methods that read from one adapter only.
      const plain: Call = (...all) => inner(...all)
      return [name, name === method ? call : plain]
    })
    return { [resource]: Object.fromEntries(wrapped) }
  }

/** Leaks of adapters that forget the scope. */
export const adapterLeaks: readonly Leak[] = [
  { name: 'list in the adapter', says: /GET \/v1\/labels/, adapters: forgetful('labels', 'list') },
  { name: 'count in the adapter', says: /\/count/, adapters: forgetful('labels', 'count') },
  { name: 'first in the adapter', says: /\/first/, adapters: forgetful('labels', 'first') },
  { name: 'last in the adapter', says: /\/last/, adapters: forgetful('labels', 'last') },
  {
    name: 'last of a nested collection in the adapter',
    says: /\/tasks\/last/,
    adapters: forgetful('tasks', 'last'),
  },
  {
    name: 'a second page in the adapter',
    says: /GET \/v1\/labels\?[^ ]*limit=1/,
    adapters: forgetful('labels', 'list', ({ after }) => after !== undefined),
  },
  {
    name: 'a search in the adapter',
    says: /GET \/v1\/labels\?q=/,
    adapters: forgetful('labels', 'list', ({ words }) => words.length > 0),
  },
  {
    name: 'deleteAll in the adapter',
    found: 'writes change nothing of other callers',
    says: /DELETE/,
    adapters: forgetful('projects', 'deleteAll'),
  },
  {
    name: 'deleteMany in the adapter',
    found: 'writes change nothing of other callers',
    says: /DELETE \/v1\/labels\?id=/,
    adapters: forgetful('labels', 'deleteMany'),
  },
]
