import type { CompiledQuery, DatabaseConnection, QueryResult, RawBuilder } from 'kysely'
import { noQuery, type Operation } from '../model/operation.ts'
import type { Batch } from './batch.ts'
import type { Deadline } from './deadline.ts'
import { withoutWaiting } from './embedded-dialect.ts'
import type { Row, Session } from './engine.ts'

/** What the slots of a statement are filled with: the part of an operation that varies. */
export type StatementValues = Pick<Operation, 'scope' | 'id' | 'query' | 'item' | 'ifRevision'> & {
  /** Of a statement that reads a part of a table. Default: none does. */
  readonly slice?: Slice
}

/** A part of a table: the rows after one, up to another. */
export interface Slice {
  /** The number of the row before, and of the last. Default: all rows. */
  readonly after?: unknown
  readonly through?: unknown
  /** How many rows. */
  readonly rows: number
  /** The numbers of the best rows of the slices before, as JSON. Default: none. */
  readonly best?: string
  /** The values by which the last of them is ordered. Default: there is room for more. */
  readonly bound?: readonly unknown[] | undefined
}

/** The values of a statement without any. */
export const noValues: StatementValues = Object.freeze({
  scope: Object.freeze({}),
  id: undefined,
  query: noQuery,
  item: undefined,
  ifRevision: undefined,
})

type Fill = (values: StatementValues) => unknown

/**
 * A place in a statement for a value that comes with each request. Statements are compiled once, with slots for values,
 * so that building them costs nothing when they are run.
 */
export class Parameter {
  readonly fill: Fill

  constructor(fill: Fill) {
    this.fill = fill
  }
}

/** A compiled statement, and what its parameters are filled with. */
export interface Statement {
  readonly compiled: CompiledQuery<Row>
  readonly fills: readonly Fill[]
}

/** Compiled statements by what makes them different. */
export type Statements = Map<string, Statement>

// Clients choose the spellings, so there is a bound.
const maxStatements = 500

/** The statement of a key, built when it is asked for the first time. */
export function statementFor(
  statements: Statements,
  key: string,
  build: () => Statement,
): Statement {
  const known = statements.get(key)
  if (known) return known
  if (statements.size >= maxStatements) statements.clear()
  const statement = build()
  statements.set(key, statement)
  return statement
}

/** Compiles a statement with slots. */
export function compile(session: Session, text: RawBuilder<Row>): Statement {
  const compiled = text.compile(session)
  const fills = compiled.parameters.map((parameter) =>
    parameter instanceof Parameter ? parameter.fill : () => parameter,
  )
  return { compiled, fills }
}

let runs = 0

/** What statements are sent through, and until when. */
export interface RunContext {
  readonly session: Session
  readonly deadline: Deadline | undefined
  /** Where statements are kept, to be sent together. Default: nowhere, they are run. */
  readonly batch?: Batch
}

/** Runs a statement. */
export function run(
  { session, deadline, batch }: RunContext,
  { compiled, fills }: Statement,
  values: StatementValues,
): Promise<QueryResult<Row>> {
  // Each run has an id of its own, by which a driver tells what it cancels.
  const query = {
    query: compiled.query,
    queryId: { queryId: `nounful ${++runs}` },
    sql: compiled.sql,
    parameters: fills.map((fill) => fill(values)),
  }
  if (batch !== undefined) return batch.add(query)
  return onConnection({ session, deadline }, (connection) =>
    connection.executeQuery<Row>(query, withoutWaiting),
  )
}

/** Does something on a connection, unless it is too late. */
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
