import { MysqlAdapter, PostgresAdapter, SqliteAdapter } from 'kysely'
import { D1Adapter, d1 } from './d1.ts'
import type { Engine, Session } from './engine.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

/**
 * The engine behind a Kysely instance.
 *
 * @throws {TypeError} For any but SQLite, PostgreSQL, MySQL and what speaks their language.
 */
export function engineOf(database: Session): Engine {
  const { adapter } = database.getExecutor()
  if (adapter instanceof D1Adapter) return d1
  if (adapter instanceof SqliteAdapter) return sqlite
  if (adapter instanceof PostgresAdapter) return postgres
  if (adapter instanceof MysqlAdapter) return mysql
  throw new TypeError(
    `The kyselyAdapter does not know the SQL of ${adapter.constructor.name}: use a dialect of SQLite, PostgreSQL, MySQL or MariaDB.`,
  )
}
