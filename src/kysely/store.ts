import { type RawBuilder, sql } from 'kysely'
import type { Operation } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import { orAborted, startDeadline } from './deadline.ts'
import type { Database, Session } from './engine.ts'
import { type Scene, toThrown, waitAfter } from './fault.ts'
import type { Search } from './options.ts'
import { canCancel, compile, noValues, type Running, run } from './statement.ts'
import { openTable, type Place, type Table } from './table.ts'

/** A database, and where in it a resource is. */
export interface Store extends Place {
  readonly database: Database
  /** Milliseconds that an operation may take. */
  readonly timeout: number
  /** What was looked up, by the resource as it was declared. */
  readonly opened: WeakMap<Resource, Opened>
  /** How items are searched, where that is not by LIKE. */
  readonly search: Search | undefined
  readonly make: Makers
}

/** What the server adds to items. */
interface Makers {
  readonly nextId: (() => Item['id']) | undefined
  readonly onCreate: Unchecked['make'] | undefined
  readonly onUpdate: Unchecked['make'] | undefined
}

// Declared as a method, whose parameters TypeScript compares both ways, so that a maker of any shape fits.
interface Unchecked {
  make(item: object, stored: object): object
}

/** A table, with what its database can do. */
interface Opened {
  readonly table: Table
  readonly isCancellable: boolean
}

/** What an operation is carried out with. */
export interface Work extends Running, Opened {
  session: Session
  /** The place in a bulk of the item that is being written, for what may be said of it. */
  place?: number
}

/** Carries out an operation, or a part of it. */
export type Carrier<Result> = (work: Work) => Promise<Result>

/**
 * Carries out an operation that is one statement. It is done again when the database has rolled it back, and,
 * where nothing is written, when the connection was lost.
 *
 * @throws {ProblemError} What the database refused, in the words of the convention; `unavailable` when it does not answer in time.
 */
export async function ask<Result>(
  store: Store,
  operation: Operation,
  carry: Carrier<Result>,
): Promise<Result> {
  const { engine, timeout, database } = store
  // A statement of an embedded engine is done when it returns.
  const deadline = engine.isEmbedded ? undefined : startDeadline(timeout, operation.signal)
  const signal = deadline?.signal
  try {
    for (let attempts = 1; ; attempts++) {
      let work: Work | undefined
      try {
        const { table, isCancellable } =
          store.opened.get(operation.resource) ?? (await orAborted(open(store, operation), signal))
        work = { table, isCancellable, session: database, signal }
        return await carry(work)
      } catch (error) {
        const wait = signal?.aborted ? undefined : waitAfter(error, { engine, operation }, attempts)
        if (wait === undefined) throw await toThrown(error, sceneOf(store, operation, work))
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
  } finally {
    deadline?.stop()
  }
}

function sceneOf({ engine, database }: Store, operation: Operation, work: Work | undefined): Scene {
  const place = work?.place
  const written = place === undefined ? operation.item : operation.items?.[place]
  return { engine, operation, session: database, table: work?.table, place, written }
}

/** As {@link ask}, in one transaction: everything that is done, or nothing. */
export function transact<Result>(
  store: Store,
  operation: Operation,
  carry: Carrier<Result>,
): Promise<Result> {
  return ask(store, operation, (work) => inTransaction(store, work, carry))
}

/** Does a part of {@link ask} in a transaction. */
export function inTransaction<Result>(
  { database, engine }: Store,
  work: Work,
  carry: Carrier<Result>,
): Promise<Result> {
  const { signal } = work
  const done = database.connection().execute(
    async (session) => {
      work.session = session
      await send(work, engine.begin)
      try {
        const result = await carry(work)
        await send(work, commit)
        return result
      } catch (error) {
        // Where the connection is gone so is the transaction; the error that led here is the one to tell.
        await send({ ...work, signal: undefined }, rollback).catch(() => undefined)
        throw error
      }
    },
    signal === undefined ? {} : { signal },
  )
  // A statement that cannot be cancelled holds up the rollback, but not the answer.
  return orAborted(done, signal)
}

const commit = sql<never>`commit`
const rollback = sql<never>`rollback`

async function send({ session, signal, isCancellable }: Work, text: RawBuilder<never>) {
  const { compiled } = compile(session, text)
  await run({ session, signal, isCancellable }, { compiled, fills: [] }, noValues)
}

async function open(store: Store, { resource }: Operation): Promise<Opened> {
  const { database } = store
  const table = await openTable(database, store, resource)
  const opened = { table, isCancellable: !store.engine.isEmbedded && (await canCancel(database)) }
  store.opened.set(resource, opened)
  return opened
}
