import { type Kysely, sql } from 'kysely'
import type { HttpRequest } from 'nounful'
import { engines, fill, maintain, openers } from '../storage/stores.ts'

/** The stores that are measured. */
export const storeNames = ['memory', ...engines] as const

/** The name of a store. */
export type StoreName = (typeof storeNames)[number]

/** An open store. */
export interface Store {
  readonly version: string
  /** `undefined` for the one in memory. */
  readonly db: Kysely<unknown> | undefined
  close(): Promise<void>
}

/** Opens a store with a table `projects`; `undefined` for a store that is not installed. */
export async function openStore(
  name: StoreName,
  items: readonly Readonly<Record<string, unknown>>[],
  keys: readonly string[],
): Promise<Store | undefined> {
  if (name === 'memory') {
    return { version: 'memoryAdapter', db: undefined, close: async () => undefined }
  }
  const database = await openers[name]()
  if (database === undefined) return undefined
  const { db, version, close } = database
  const text = await database.textType()
  const columns = Object.entries(items[0] ?? {}).map(
    ([column, value]) => `${column} ${typeof value === 'number' ? 'integer' : text} not null`,
  )
  await sql.raw(`create table projects (${[...columns, ...keys].join(', ')})`).execute(db)
  const rowAt = (place: number) => items[place] ?? {}
  await fill(database, 'projects', { count: items.length, rowAt })
  await maintain(database, 'projects')
  return { version, db, close }
}

/** Formats a request as a socket gives it: its target is a text in one piece. */
export function requestOf(target: string): HttpRequest {
  const headers = { host: 'localhost', accept: '*/*' }
  return { method: 'GET', url: Buffer.from(target).toString('latin1'), headers }
}
