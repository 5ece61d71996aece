import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type { Row } from './engine.ts'

/** A connection that takes several statements at once, to be done all or none. */
export interface BatchConnection {
  executeBatch<Row>(queries: readonly CompiledQuery[]): Promise<QueryResult<Row>[]>
}

interface Step {
  readonly query: CompiledQuery<Row>
  readonly resolve: (result: QueryResult<Row>) => void
  readonly reject: (error: unknown) => void
}

const marker = 'nounful: changed'

/** Statements that are kept until they are sent together. */
export class Batch {
  readonly #steps: Step[] = []

  /** Keeps a statement; its result comes once the batch is sent. */
  add(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.#steps.push({ query, resolve, reject })
    })
  }

  /**
   * Sends all of them, and undoes all where one has not changed as many items as it should.
   *
   * @param should What is asked of the number: `= 1`.
   */
  async send(connection: DatabaseConnection, condition: string): Promise<void> {
    // There is no other way to fail in a statement of SQLite but a function that is given what it does not take.
    const guard = CompiledQuery.raw(
      `select case when changes() ${condition} then 1 else json_extract('{}', '${marker}') end`,
    )
    try {
      const queries = this.#steps.flatMap(({ query }) => [query, guard])
      const results = await batching(connection).executeBatch<Row>(queries)
      for (const [index, { resolve }] of this.#steps.entries()) {
        const result = results[2 * index]
        if (result) resolve(result)
      }
    } catch (error) {
      for (const { reject } of this.#steps) reject(error)
    }
  }
}

/** Tells whether a batch was undone since a statement of it has not changed as many items as it should. */
export function isGuarded(error: unknown): boolean {
  return String(error).includes(marker)
}

function batching(connection: DatabaseConnection): BatchConnection {
  if ('executeBatch' in connection && typeof connection.executeBatch === 'function') {
    return connection as DatabaseConnection & BatchConnection
  }
  throw new TypeError('The connection takes no batches.')
}
