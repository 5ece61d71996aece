import { setTimeout as pause } from 'node:timers/promises'
import { defineRegistry, problem, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { api } from './contract.ts'
import { openDatabase } from './database.ts'
import { createTables } from './tables.ts'

/** The service on a database. */
export interface StoredService {
  readonly registry: Registry
  /** Settles when the tables exist. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/**
 * The same contract as in registry.ts, kept in a database: `postgres://…`, `mysql://…` or the path of a SQLite file.
 * Until its server can be reached requests are answered 503.
 */
export async function openService(place: string): Promise<StoredService> {
  const database = await openDatabase(place)
  const { db } = database
  let isReady = false
  let isClosed = false
  const ready = keepTrying().then(() => {
    isReady = true
  })
  async function keepTrying(): Promise<void> {
    while (!isClosed) {
      try {
        await createTables(database)
        return await registry.ready()
      } catch (error) {
        console.error(`The tables cannot be made, trying again: ${String(error)}`)
        await pause(500)
      }
    }
  }
  const onCreate = () => ({ created_at: new Date().toISOString() })
  const registry = defineRegistry(api, { defaultVersion: 'v1' })
    .use((_, __, next) => {
      if (isReady) return next()
      throw problem('unavailable')
    })
    .adapters({
      companies: kyselyAdapter(db, { table: 'companies', onCreate }),
      employees_v2: kyselyAdapter(db, {
        table: 'employees',
        columns: { full_name: 'name' },
        onCreate,
      }),
      customers: kyselyAdapter(db, { table: 'customers' }),
    })
  return {
    registry,
    ready,
    close: async () => {
      isClosed = true
      await db.destroy()
    },
  }
}
