import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'

type Row = Readonly<Record<string, unknown>>

/** A connection that runs several statements in one transaction. */
interface BatchConnection extends DatabaseConnection {
  /** Performs all statements or none. */
  executeBatch(queries: readonly CompiledQuery[]): Promise<QueryResult<Row>[]>
}

interface Step {
  readonly query: CompiledQuery<Row>
  readonly resolve: (result: QueryResult<Row>) => void
  readonly reject: (error: unknown) => void
}

/** Collects statements, then sends them together. */
export class Batch {
  readonly #steps: Step[] = []

  /** Adds a statement. Its result arrives when the batch is sent. */
  add(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.#steps.push({ query, resolve, reject })
    })
  }

  /**
   * Sends all statements, each before a guard. Undoes all if one fails.
   *
   * @param guard The statement that fails if the one before has changed too many items, or too few.
   */
  async send(connection: DatabaseConnection, guard: string): Promise<void> {
    const check = CompiledQuery.raw(guard)
    try {
      const queries = this.#steps.flatMap(({ query }) => [query, check])
      const results = await (connection as BatchConnection).executeBatch(queries)
      for (const [index, { resolve }] of this.#steps.entries()) {
        const result = results[2 * index]
        if (result) resolve(result)
      }
    } catch (error) {
      for (const { reject } of this.#steps) reject(error)
    }
  }
}
