import { type Kysely, sql } from 'kysely'
import { type HttpRequest, handle, type Registry } from 'nounful'
import { fill, openers } from '../storage/stores.ts'
import { inTurn } from '../support/figures.ts'

/** The stores that are measured. */
export const storeNames = ['memory', 'sqlite', 'postgres', 'mariadb'] as const

/** The name of a store. */
export type StoreName = (typeof storeNames)[number]

/** An open store. */
export interface Store {
  readonly version: string
  /** `undefined` for the one in memory. */
  readonly db: Kysely<unknown> | undefined
  close(): Promise<void>
}

/** A table of a store. */
export interface TableContent {
  readonly name: string
  /** Definitions of columns, keys and indexes, with the type of a text in place of `TEXT`. */
  readonly columns: readonly string[]
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

/** Opens a store and fills a table of it; `undefined` for a store that is not installed. */
export async function openStore(name: StoreName, table: TableContent): Promise<Store | undefined> {
  const none = { db: undefined, close: async () => undefined }
  if (name === 'memory') return { version: 'memoryAdapter', ...none }
  const database = await openers[name]()
  if (database === undefined) return undefined
  const { db, version, close } = database
  const type = await database.textType()
  const columns = table.columns.join(', ').replaceAll('TEXT', type)
  await sql`create table ${sql.ref(table.name)} (${sql.raw(columns)})`.execute(db)
  await fill(database, table.name, table.items)
  return { version, db, close }
}

/** Formats a request as a socket gives it: its target is a text in one piece. */
export function requestOf(target: string): HttpRequest {
  const headers = { host: 'localhost', accept: '*/*' }
  return { method: 'GET', url: Buffer.from(target).toString('latin1'), headers }
}

/** A registry, and the requests that it is asked in turn. */
export interface Subject {
  readonly registry: Registry
  readonly requests: readonly HttpRequest[]
}

const rounds = 100
/** The first ones compile. */
const unmeasured = 30
/** Nanoseconds that a turn takes, about. */
const turn = 6e6

/** Times subjects in turn: nanoseconds of `handle` a request, by name, a value a round. */
export async function timeInTurn<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(subjects) as Name[]
  const times = {} as Record<Name, number[]>
  for (const name of names) times[name] = []
  let size = 20
  for (let round = 0; round < rounds; round++) {
    let slowest = 0
    for (const name of inTurn(names, round)) {
      const time = await timeOf(subjects[name], size, round)
      slowest = Math.max(slowest, time)
      if (round >= unmeasured) times[name].push(time)
    }
    if (round < unmeasured) size = Math.max(20, Math.round(turn / slowest))
  }
  return times
}

async function timeOf({ registry, requests }: Subject, size: number, round: number) {
  const begin = process.hrtime.bigint()
  for (let at = 0; at < size; at++) {
    const request = requests[(at * 7 + round) % requests.length]
    const response = request && handle(request, registry)
    if (response instanceof Promise) await response
  }
  return Number(process.hrtime.bigint() - begin) / size
}
