import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { D1Database, D1Result, D1Statement } from 'nounful/kysely'

/** Statements by what they were bound to. */
class Statement implements D1Statement {
  readonly #file: DatabaseSync
  readonly #sql: string
  readonly #values: readonly unknown[]

  constructor(file: DatabaseSync, sql: string, values: readonly unknown[] = []) {
    this.#file = file
    this.#sql = sql
    this.#values = values
  }

  bind(...values: unknown[]): D1Statement {
    return new Statement(this.#file, this.#sql, values)
  }

  async all(): Promise<D1Result> {
    return this.run()
  }

  run(): D1Result {
    if (/^\s*(?:begin|commit|rollback)\b/i.test(this.#sql)) {
      throw new Error('D1_ERROR: To execute a transaction, please use batch')
    }
    if (this.#sql.includes('pragma_function_list')) {
      throw new Error('D1_ERROR: not authorized: SQLITE_AUTH')
    }
    if (this.#values.length > 100) throw new Error('D1_ERROR: too many SQL variables')
    const before = totalOf(this.#file)
    const results = this.#file.prepare(this.#sql).all(...(this.#values as SQLInputValue[]))
    return { results, meta: { changes: totalOf(this.#file) - before } }
  }
}

function totalOf(file: DatabaseSync): number {
  return Number(file.prepare('select total_changes() as total').get()?.total)
}

/** A SQLite file as Cloudflare's D1: no transactions, no custom functions, few parameters. */
export function d1Of(file: DatabaseSync): D1Database {
  return {
    prepare: (sql) => new Statement(file, sql),
    async batch(statements) {
      file.exec('begin')
      try {
        const results = statements.map((statement) => (statement as Statement).run())
        file.exec('commit')
        return results
      } catch (error) {
        file.exec('rollback')
        throw error
      }
    },
  }
}
