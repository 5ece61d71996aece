import { Kysely, MysqlDialect } from 'kysely'
import mysql, { type ResultSetHeader, type RowDataPacket } from 'mysql2'
import type { Connection, Pool } from 'mysql2/promise'
import { startMariaDb } from '../../test/support/databases.ts'
import type { Ask, Place } from './place.ts'

/** A MariaDB server of its own, where it is installed. */
export async function openMariaDb(): Promise<Place | undefined> {
  const server = await startMariaDb({ durable: false })
  if (server === undefined) return undefined
  const pool = mysql.createPool({ uri: server.url, charset: 'utf8mb4' })
  const bare = pool.promise()
  // The default of 128 MiB would hold neither the table nor the tasks without the disk.
  await bare.query('set global innodb_buffer_pool_size = 1 << 30')
  const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) })
  const [rows] = await bare.query<RowDataPacket[]>('select version() as version')
  const settings = 'mysql2, Unix socket, not flushed at commit, buffer pool 1 GiB'
  return {
    engine: 'mariadb',
    version: `MariaDB ${rows[0]?.version}, ${settings}`,
    address: server.url,
    db,
    textType: async () => 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin',
    ask: askerOf(bare),
    async transact(work) {
      const connection = await bare.getConnection()
      try {
        await connection.query('begin')
        const done = await work(askerOf(connection))
        await connection.query('commit')
        return done
      } catch (error) {
        await connection.query('rollback')
        throw error
      } finally {
        connection.release()
      }
    },
    async fill(people) {
      const rows = people.map((person) => [
        ...[person.id, person.name, person.birthdate],
        ...[person.email, person.company_id, person.created_at],
      ])
      await bare.query('insert into employees values ?', [rows])
    },
    upkeep: ['analyze table employees'],
    listen: (log) => new Kysely({ dialect: new MysqlDialect({ pool }), log }),
    async close() {
      await db.destroy()
      await server.stop()
    },
  }
}

function askerOf(client: Pool | Connection): Ask {
  return async (text, parameters) => {
    const [answer] = await client.query<RowDataPacket[] | ResultSetHeader>(text, [...parameters])
    return Array.isArray(answer)
      ? { rows: answer, affected: 0 }
      : { rows: [], affected: answer.affectedRows }
  }
}
