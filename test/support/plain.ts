import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Dialect } from 'kysely'
import * as kysely from 'kysely'

/** Kysely's own dialect, over the little of better-sqlite3 that it needs. */
export function plainDialect(file: DatabaseSync, copy = kysely): Dialect {
  return new copy.SqliteDialect({
    database: {
      close: () => file.close(),
      prepare(text) {
        const statement = file.prepare(text)
        const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...values(parameters)),
          run: (parameters) => statement.run(...values(parameters)),
          iterate: (parameters) => statement.iterate(...values(parameters)),
        }
      },
    },
  })
}
