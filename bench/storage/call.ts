import { deepStrictEqual } from 'node:assert'
import type { Kysely } from 'kysely'
import type { AdapterShape, Operation, UncheckedAdapter } from 'nounful'
import { type KyselyOptions, kyselyAdapter } from 'nounful/kysely'
import { noQuery } from '../../src/contract/resource/operation.ts'

/** The same work by the adapter and by hand, through Kysely's query builder. */
export interface Task {
  readonly name: string
  nounful(turn: number): unknown
  byHand(turn: number): unknown
  /** Another call of the adapter in the same rounds. */
  readonly firstPage?: () => unknown
  /** Prepares turns, outside of the measured time. */
  readonly prepare?: (start: number, count: number) => Promise<void>
  /** Deletes the rows of the task. */
  readonly cleanup?: () => Promise<unknown>
  /** The part of a result that both share. */
  readonly comparable?: (result: unknown) => unknown
}

/** A task that reads the same in each turn. */
export type Reading = readonly [
  name: string,
  method: Method,
  query: Query,
  byHand: () => unknown,
  more?: Partial<Task>,
]

type Query = Partial<Operation['query']>
type Method = (Operation['kind'] & keyof UncheckedAdapter) | 'createMany' | 'countBy' | 'selection'
type Call = (method: Method, query?: Query, inputs?: Partial<Operation>) => unknown

// Methods that have another name than their operation.
const kinds: Readonly<Record<string, Operation['kind']>> = {
  ...{ createMany: 'create', countBy: 'count', selection: 'list' },
}

/** Makes an adapter; returns a function that calls it as the core does. */
export function callerOf(
  db: Kysely<unknown>,
  resource: Operation['resource'],
  options: object,
): Call {
  const adapter: UncheckedAdapter = kyselyAdapter(db, options as KyselyOptions<AdapterShape>)
  const { signal } = new AbortController()
  return (method, query, inputs) => {
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

/** Makes the tasks of readings by an adapter. */
export function tasksOf(call: Call, readings: readonly Reading[]): Task[] {
  return readings.map(([name, method, query, byHand, more]) => {
    return { name, nounful: () => call(method, query), byHand, ...more }
  })
}

// Turns that no measurement has.
const apart = 900_000_000

/**
 * Checks that both ways of a task give the same results.
 *
 * @throws {AssertionError} When they differ.
 */
export async function compareResults(task: Task): Promise<void> {
  const { name, nounful, byHand, prepare, comparable = (result: unknown) => result } = task
  for (const turn of [0, 1, 2, 17, 503].map((turn) => apart + turn)) {
    await prepare?.(turn, 1)
    const actual = comparable(await nounful(turn))
    await prepare?.(turn, 1)
    deepStrictEqual(actual, comparable(await byHand(turn)), name)
    if (actual === undefined) throw new Error(`"${name}" gives nothing.`)
  }
  await task.cleanup?.()
}
