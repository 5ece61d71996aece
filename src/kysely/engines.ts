import { sql } from 'kysely'
import { D1Adapter, d1 } from './d1.ts'
import { EmbeddedAdapter } from './embedded-dialect.ts'
import type { Engine, Session } from './engine.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { embedded, sqlite } from './sqlite.ts'

/**
 * Returns the engine of a Kysely instance.
 *
 * @throws {TypeError} For any dialect but those of SQLite, PostgreSQL, MySQL and compatible
 *   databases.
 */
export function engineOf(database: Session): Engine {
  const { adapter } = database.getExecutor()
  if (adapter instanceof D1Adapter) return d1
  if (adapter instanceof EmbeddedAdapter) return embedded
  // Compares the SQL, not the class: a second copy of Kysely has other classes.
  const written = sql`${sql.id('a')} = ${1}`.compile(database).sql
  if (written === '"a" = ?') return sqlite
  if (written === '"a" = $1' && adapter.supportsTransactionalDdl) return postgres
  if (written === '`a` = ?') return mysql
  throw new TypeError(
    `The kyselyAdapter does not know the SQL of ${adapter.constructor.name}: ` +
      'use a dialect of SQLite, PostgreSQL, MySQL or MariaDB.',
  )
}
