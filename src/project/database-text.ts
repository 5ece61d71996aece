/** Writes `database.ts` of a project on a SQLite file. */
export function databaseText(): string {
  return `import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { sqliteDialect } from 'nounful/kysely'

/** Opens a database file. A new one gets the tables of schema.sql and the rows of data.sql. */
export function openDatabase(path: string): Kysely<unknown> {
  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout: 5000 })
  file.exec('pragma journal_mode = wal')
  file.exec('begin immediate')
  const isNew = file.prepare('select name from sqlite_schema').get() === undefined
  if (isNew) for (const name of ['schema.sql', 'data.sql']) file.exec(textOf(name))
  file.exec('commit')
  file.exec('pragma foreign_keys = on')
  return new Kysely<unknown>({ dialect: sqliteDialect(file) })
}

function textOf(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
`
}
