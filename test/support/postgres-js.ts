import type { Dialect } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'

/** Kysely's way to PostgreSQL through postgres.js, which looks at the type of each parameter. */
export function postgresJsDialect(url: string): Dialect {
  const { username, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? undefined
  const connection = {
    ...(host !== undefined && { host }),
    port: Number(port),
    username,
    database: pathname.slice(1),
    onnotice: () => undefined,
  }
  return new PostgresJSDialect({ postgres: postgres({ ...connection, max: 10 }) })
}
