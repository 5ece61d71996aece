import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { sqliteDialect } from 'nounful/kysely'
import type { Ask, Place } from './place.ts'

/** A SQLite file of its own, with a write-ahead log. */
export async function openSqlite(): Promise<Place> {
  const home = mkdtempSync(join(tmpdir(), 'nounful-bench-'))
  const address = join(home, 'companies.sqlite')
  const file = new DatabaseSync(address)
  // A disk whose speed varies would hide the figures.
  file.exec('pragma journal_mode = wal; pragma synchronous = off')
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  const ask = askerOf(file)
  return {
    engine: 'sqlite',
    version: `SQLite ${process.versions.sqlite}, node:sqlite, WAL, synchronous = off`,
    address,
    db,
    textType: async () => 'text',
    ask,
    async transact(work) {
      file.exec('begin immediate')
      try {
        const done = await work(ask)
        file.exec('commit')
        return done
      } catch (error) {
        file.exec('rollback')
        throw error
      }
    },
    async fill(rows) {
      const insert = file.prepare('insert into employees values (?, ?, ?, ?, ?, ?)')
      file.exec('begin immediate')
      for (const { id, name, birthdate, email, company_id, created_at } of rows) {
        insert.run(id, name, birthdate, email, company_id, created_at)
      }
      file.exec('commit')
    },
    upkeep: ['analyze', 'pragma wal_checkpoint(truncate)'],
    listen: (log) => new Kysely({ dialect: sqliteDialect(file), log }),
    async close() {
      await db.destroy()
      rmSync(home, { recursive: true })
    },
  }
}

interface Prepared {
  readonly statement: StatementSync
  readonly gives: boolean
}

function askerOf(file: DatabaseSync): Ask {
  const known = new Map<string, Prepared>()
  return (text, parameters) => {
    let prepared = known.get(text)
    if (prepared === undefined) {
      const statement = file.prepare(text)
      prepared = { statement, gives: statement.columns().length > 0 }
      known.set(text, prepared)
    }
    const { statement, gives } = prepared
    if (gives) return { rows: statement.all(...parameters), affected: 0 }
    return { rows: [], affected: Number(statement.run(...parameters).changes) }
  }
}
