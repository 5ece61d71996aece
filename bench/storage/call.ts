import type { Kysely } from 'kysely'
import type { AdapterShape, Operation, UncheckedAdapter } from 'nounful'
import { type KyselyOptions, kyselyAdapter } from 'nounful/kysely'
import { noQuery } from '../../src/contract/resource/operation.ts'

/** The same work by the adapter and by hand, through Kysely's query builder. */
export interface Task {
  readonly name: string
  nounful(turn: number): unknown
  kysely(turn: number): unknown
  /** Another call of the adapter in the same rounds. */
  readonly firstPage?: () => unknown
  /** Prepares turns, outside of the measured time. */
  readonly prepare?: (start: number, count: number) => Promise<void>
  /** Deletes the rows of the task. */
  readonly cleanup?: () => Promise<void>
  /** The part of a result that both share. */
  readonly comparable?: (result: unknown) => unknown
}

type Query = Partial<Operation['query']>
type Method = (Operation['kind'] & keyof UncheckedAdapter) | 'createMany' | 'countBy' | 'selection'

// Methods that have another name than their operation.
const kinds: Readonly<Record<string, Operation['kind']>> = {
  ...{ createMany: 'create', countBy: 'count', selection: 'list' },
}

/** Makes an adapter; returns a function that calls it as the core does. */
export function callerOf(db: Kysely<unknown>, resource: Operation['resource'], options: object) {
  const adapter: UncheckedAdapter = kyselyAdapter(db, options as KyselyOptions<AdapterShape>)
  const { signal } = new AbortController()
  return (method: Method, query: Query = {}, inputs: Partial<Operation> = {}): unknown => {
    const operation: Operation = {
      ...{ kind: kinds[method] ?? (method as Operation['kind']), resource, version: 'v1' },
      ...{ path: `/${resource.name}`, scope: {}, parents: [], ids: undefined, id: undefined },
      ...{ item: undefined, items: undefined, maxAffected: undefined, ifRevision: undefined },
      ...{ isDryRun: false, isDeprecated: false, signal, ...inputs },
      query: { ...noQuery, ...query },
    }
    return adapter[method]?.(operation, undefined)
  }
}
