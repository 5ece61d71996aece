import type { Operation } from '../model/operation.ts'
import type { Item, Resource } from '../model/resource.ts'
import { Batch } from './batch.ts'
import { type Deadline, within } from './deadline.ts'
import type { Database, Session } from './engine.ts'
import { isChanged, type Scene, toThrown, waitAfter } from './fault.ts'
import { checkIdentity } from './identity.ts'
import { openTable, type Place } from './open.ts'
import type { Search } from './options.ts'
import { onConnection, type Running } from './statement.ts'
import type { Table } from './table.ts'
import { checkTaken } from './taken.ts'
import { begin } from './transaction.ts'

/** A database, and where in it a resource is. */
export interface Store extends Place {
  readonly database: Database
  /** Milliseconds that an operation may take. */
  readonly timeout: number
  /** What was looked up, by the resource as it was declared. */
  readonly tables: WeakMap<Resource, Table>
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

/** What an operation is carried out with. */
export interface Work extends Running {
  readonly table: Table
  session: Session
  /** A statement has written what no transaction takes back. Default: none has. */
  hasWritten?: boolean
  /** Several items are written. */
  readonly isBulk: boolean
  /** The items that are written, for what may be said of them. Default: none. */
  written?: readonly object[]
  /** The place in a bulk of the item that is being written. Default: unknown. */
  place?: number | undefined
}

/** Carries out an operation, or a part of it. */
export type Carrier<Result> = (work: Work) => Promise<Result>

/**
 * Carries out an operation that is one statement. It is done again when the database has rolled it back, and,
 * where nothing is written, when the connection was lost.
 *
 * @throws {ProblemError} What the database refused, in the words of the convention; `unavailable` when it does not answer in time.
 */
export function ask<Result>(
  store: Store,
  operation: Operation,
  carry: Carrier<Result>,
): Promise<Result> {
  const { engine, timeout: milliseconds, database } = store
  // A statement of an embedded engine is done when it returns.
  if (engine.isEmbedded) return persist(store, operation, carry)
  const { signal } = operation
  return within({ milliseconds, signal, provider: database.getExecutor() }, (deadline) =>
    persist(store, operation, carry, deadline),
  )
}

async function persist<Result>(
  store: Store,
  operation: Operation,
  carry: Carrier<Result>,
  deadline?: Deadline,
): Promise<Result> {
  const { engine, timeout, database: session } = store
  let isRenewed = false
  let since: number | undefined
  for (let attempts = 1; ; attempts++) {
    let work: Work | undefined
    try {
      const table =
        store.tables.get(operation.resource) ?? (await lookUp(store, operation.resource))
      checkIdentity(table, operation, store.tables)
      work = { table, session, deadline, isBulk: operation.kind === 'updateMany' }
      checkTaken(table, operation)
      return await carry(work)
    } catch (error) {
      const isOver = deadline?.isOver ?? operation.signal.aborted
      // Somebody has changed the table: it is looked up again, once.
      if (isChanged(error, engine) && !isRenewed && work?.hasWritten !== true && !isOver) {
        isRenewed = store.tables.delete(operation.resource)
        if (isRenewed) continue
      }
      since ??= performance.now()
      const tried = { attempts, milliseconds: performance.now() - since, timeout }
      const wait = isOver ? undefined : waitAfter(error, { engine, operation }, tried)
      if (wait === undefined) throw await toThrown(error, sceneOf(store, operation, work))
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

function sceneOf({ engine, database }: Store, operation: Operation, work: Work | undefined): Scene {
  const { table, place, written = [] } = work ?? {}
  return { engine, operation, session: database, table, place, written }
}

/** As {@link ask}, in one transaction: everything that is done, or nothing. */
export function transact<Result>(
  store: Store,
  operation: Operation,
  carry: Carrier<Result>,
): Promise<Result> {
  return ask(store, operation, (work) => inTransaction(store, work, carry))
}

/**
 * Begins writings, each of one statement, which are then done all or none.
 *
 * @param should What is asked of how many items each changes: `= 1`.
 */
export async function inBatch<Result>(
  work: Work,
  should: string,
  begin: (batched: Work) => readonly Promise<Result>[],
): Promise<readonly Result[]> {
  const batch = new Batch()
  const begun = begin({ ...work, batch })
  const sent = onConnection(work, (connection) => batch.send(connection, should))
  const [results] = await Promise.all([Promise.all(begun), sent])
  return results
}

/** Does a part of {@link ask} in a transaction; of an engine that has none, where the statements themselves see to what has changed meanwhile. */
export function inTransaction<Result>(
  { database, engine }: Store,
  work: Work,
  carry: Carrier<Result>,
): Promise<Result> {
  if (engine.hasBatches) return carry(work)
  return database.connection().execute(async (session) => {
    const transaction = await begin(session, engine, work.deadline)
    work.session = transaction.session
    try {
      const result = await carry(work)
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollBack()
      throw error
    }
  })
}

/**
 * Looks the table of a resource up, and remembers it.
 *
 * @throws {TypeError} As {@link openTable}. The next look-up starts anew.
 */
export async function lookUp(store: Store, resource: Resource): Promise<Table> {
  const table = await openTable(store.database, store, resource)
  store.tables.set(resource, table)
  return table
}
