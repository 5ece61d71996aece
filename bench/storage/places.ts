import { openMariaDb } from './mariadb.ts'
import type { EngineName, Place } from './place.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** How to open a database of each engine; `undefined` comes of one that is not installed. */
export const openers: Readonly<Record<EngineName, () => Promise<Place | undefined>>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
  mariadb: openMariaDb,
}
