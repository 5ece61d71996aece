import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { startPostgres } from '../../test/support/databases.ts'
import type { Ask, Place } from './place.ts'

/** A PostgreSQL server of its own, where it is installed. */
export async function openPostgres(): Promise<Place | undefined> {
  const server = await startPostgres({ durable: false })
  if (server === undefined) return undefined
  const pool = new pg.Pool({ connectionString: server.url })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const { rows } = await pool.query<{ server_version: string }>('show server_version')
  return {
    engine: 'postgres',
    version: `PostgreSQL ${rows[0]?.server_version}, pg, Unix socket, fsync off`,
    address: server.url,
    db,
    textType: async () => 'text collate "C"',
    ask: askerOf(pool),
    async transact(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const done = await work(askerOf(client))
        await client.query('commit')
        return done
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    async fill(people) {
      const columns = ['id', 'name', 'birthdate', 'email', 'company_id', 'created_at'] as const
      const lists = columns.map((_, place) => `$${place + 1}::text[]`).join(', ')
      await pool.query(
        `insert into employees (${columns.join(', ')}) select * from unnest(${lists})`,
        columns.map((column) => people.map((row) => row[column])),
      )
    },
    upkeep: ['vacuum analyze employees', 'checkpoint'],
    listen: (log) => new Kysely({ dialect: new PostgresDialect({ pool }), log }),
    async close() {
      await db.destroy()
      await server.stop()
    },
  }
}

function askerOf(client: pg.Pool | pg.PoolClient): Ask {
  return async (text, parameters) => {
    const { rows, rowCount } = await client.query<object>(text, [...parameters])
    return { rows, affected: rowCount ?? 0 }
  }
}
