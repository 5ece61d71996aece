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

const marker = 'nounful: changed'

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
   * Sends all statements. Undoes all if one changes another number of items than allowed.
   *
   * @param condition The condition on the number: `= 1`.
   */
  async send(connection: DatabaseConnection, condition: string): Promise<void> {
    // A function with a wrong argument is the only way to make a statement of SQLite fail.
    const guard = CompiledQuery.raw(
      `select case when changes() ${condition} then 1 else json_extract('{}', '${marker}') end`,
    )
    try {
      const queries = this.#steps.flatMap(({ query }) => [query, guard])
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

/** Tells whether the guard of a batch failed: a statement changed a wrong number of items. */
export function isGuarded(error: unknown): boolean {
  return String(error).includes(marker)
}
