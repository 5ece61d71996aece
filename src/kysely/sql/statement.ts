import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import { noQuery, type Operation } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import type { Engine, Row, Session, Sql } from '../engine/engine.ts'
import type { Batch } from '../run/batch.ts'
import { type QueryDeadline, withoutWaiting } from '../run/deadline.ts'

/** The values for the parameters of a statement: the varying part of an operation. */
export type StatementValues = Pick<Operation, 'scope' | 'id' | 'query' | 'item' | 'ifRevision'> & {
  /** The part of a table that a statement reads. Default: none. */
  readonly slice?: Slice
  /** The items of a statement that writes several. Default: none. */
  readonly rows?: readonly object[]
  /** The ids of several items. Default: none. */
  readonly ids?: readonly Item['id'][] | undefined
  /** The stored sort values of the row at the cursor. Default: the values of the cursor. */
  readonly position?: Readonly<Record<string, unknown>> | undefined
  /** The rows begin with the one at the cursor, not behind it. Default: false. */
  readonly isFromRow?: boolean
  /** The state of a row that an update must find. Default: any. */
  readonly state?: unknown
}

/** A part of a table: the rows between two row numbers. */
export interface Slice {
  /** The row number before the slice, and its last one. Default: all rows. */
  readonly after?: unknown
  readonly through?: unknown
  /** The number of rows. */
  readonly rows: number
  /** The row numbers of the best rows of earlier slices, as JSON. Default: none. */
  readonly best?: string
  /** The sort values of the last of the best rows. Default: there is room for more rows. */
  readonly bound?: readonly unknown[] | undefined
}

const noValues: StatementValues = Object.freeze({
  scope: Object.freeze({}),
  id: undefined,
  query: noQuery,
  item: undefined,
  ifRevision: undefined,
})

type Fill = (values: StatementValues) => unknown

/**
 * A parameter of a statement, filled from each request. A statement is compiled once, so that a
 * request needs no building.
 */
export class Parameter {
  readonly fill: Fill

  constructor(fill: Fill) {
    this.fill = fill
  }
}

/** A compiled statement, and the functions that fill its parameters. */
export interface Statement {
  readonly compiled: CompiledQuery<Row>
  readonly fills: readonly Fill[]
}

/** The session, deadline and batch of a statement. */
export interface RunContext {
  readonly session: Session
  readonly deadline: QueryDeadline | undefined
  /** The engine of the session. Default: an engine whose statements wait for a connection. */
  readonly store?: { readonly engine: Pick<Engine, 'runAtOnce' | 'allowRuns'> }
  /** The batch that collects the statement. Default: none, the statement runs at once. */
  readonly batch?: Batch
}

/** The session of a statement, and the table that keeps it by its key. */
interface PrepareContext {
  readonly session: Session
  readonly table: { readonly statements: Map<string, Statement> }
  readonly store: { readonly visible?: Sql | undefined }
}

// Clients choose the forms, so their number is bounded.
const maxStatements = 500

/** Returns the statement of a key, built and compiled on first use. */
export function prepare(
  { session, table: { statements }, store: { visible } }: PrepareContext,
  key: string,
  build: () => RawBuilder<Row>,
): Statement {
  // A user's condition may differ each time.
  if (visible !== undefined) return compile(session, build())
  const cached = statements.get(key)
  if (cached) return cached
  if (statements.size >= maxStatements) statements.clear()
  const statement = compile(session, build())
  statements.set(key, statement)
  return statement
}

/** Compiles a statement with parameters. */
export function compile(session: Session, text: RawBuilder<Row>): Statement {
  const compiled = text.compile(session)
  const fills = compiled.parameters.map((parameter) =>
    parameter instanceof Parameter ? parameter.fill : () => parameter,
  )
  return { compiled, fills }
}

let runs = 0

/** Runs a statement. */
export function run(
  { session, deadline, store, batch }: RunContext,
  { compiled, fills }: Statement,
  values: StatementValues,
): Awaitable<QueryResult<Row>> {
  // Each run has an id of its own, which lets a driver cancel it.
  const query = {
    query: compiled.query,
    queryId: { queryId: `nounful ${++runs}` },
    sql: compiled.sql,
    parameters: fills.map((fill) => fill(values)),
  }
  if (batch !== undefined) return batch.add(query)
  const engine = store?.engine
  // A deadline can end only a statement that waits.
  const result = deadline?.isOver === true ? undefined : engine?.runAtOnce?.(session, query)
  if (result !== undefined) return result
  return onConnection({ session, deadline }, (connection) => {
    engine?.allowRuns?.(session, connection)
    return connection.executeQuery<Row>(query, withoutWaiting)
  })
}

/** Performs a function on a connection before the deadline. */
export function onConnection<Result>(
  { session, deadline }: RunContext,
  perform: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  return session
    .getExecutor()
    .provideConnection((connection) =>
      deadline === undefined
        ? perform(connection)
        : deadline.run(connection, () => perform(connection)),
    )
}

/** Runs a statement without parameters. */
export async function send(
  session: Session,
  text: string,
  deadline?: RunContext['deadline'],
): Promise<void> {
  await run({ session, deadline }, compile(session, sql.raw(text)), noValues)
}

/** The number of rows in a slice. */
export const rowsParameter = new Parameter(({ slice }) => slice?.rows)

/** The number of items to return. */
export const limitParameter = new Parameter(({ query }) => query.limit)
