import { type Kysely, sql } from 'kysely'
import { type Adapter, defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { take } from '../../src/convention/stream.ts'
import { databaseOf, type Engine, has } from '../support/stores.ts'

const Note = z.object({ id: z.string(), owner: z.string(), name: z.string() })
const NumberNote = Note.extend({ owner: z.number() })
const options = { sortable: ['name'], filterable: ['name'], searchable: ['name'] } as const
const notes = defineResource('notes', { schema: Note, ownedBy: ['owner'], ...options })
const numbered = defineResource('notes', { schema: NumberNote, ownedBy: ['owner'], ...options })

const uuid = (number: number): string => `00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`

/** A column of owners, and the owner of a number. */
type Owned = readonly [engine: Engine | 'memory', column: string, ownerOf: (n: number) => unknown]

const word = (number: number): string => `o${number}`
const same = (number: number): number => number
const exact = 'varchar(40) character set utf8mb4 collate utf8mb4_nopad_bin'

// biome-ignore format: a row stays a line
const owned: readonly Owned[] = [
  ['memory',   '',                    word],
  ['memory',   'number',              same],
  ['sqlite',   'text not null',       word],
  ['sqlite',   'integer not null',    same],
  ['sqlite',   'text collate nocase', word],
  ['postgres', 'text not null',       word],
  ['postgres', 'text collate "C"',    word],
  ['postgres', 'bigint',              same],
  ['postgres', 'numeric(12,2)',       same],
  ['postgres', 'double precision',    same],
  ['postgres', 'uuid',                uuid],
  ['postgres', 'bigint',              String],
  ['postgres', 'char(6)',             word],
  ['postgres', 'citizen',             (number) => (number === 3 ? 'o3' : 'o39999')],
  ['mariadb',  exact,                 word],
  ['mariadb',  'varchar(40)',         word],
  ['mariadb',  'bigint',              same],
]

let drop: () => Promise<unknown> = async () => undefined
afterEach(async () => {
  await drop()
  drop = async () => undefined
})

async function adapterOf(engine: Owned[0], column: string, rows: readonly object[]) {
  if (engine === 'memory') return memoryAdapter<never>({ items: rows as never }) as Adapter
  const { db, drop: dropped } = await databaseOf<Record<string, object>>(engine)
  drop = dropped
  if (column === 'citizen')
    await sql`create type citizen as enum ('o3', 'o39999', 'o40001')`.execute(db)
  await sql`create table notes (id varchar(9) primary key, owner ${sql.raw(column)},
    name varchar(9))`.execute(db)
  await sql`create index by_owner on notes (owner, id)`.execute(db)
  await db
    .insertInto('notes')
    .values(rows as never)
    .execute()
  return kyselyAdapter(db as unknown as Kysely<unknown>, { table: 'notes' }) as Adapter
}

describe.each(owned.filter(([engine]) => engine === 'memory' || has(engine)))(
  '40,000 owners in %s, %s',
  (engine, column, ownerOf) => {
    test('reach their items and no other', { timeout: 60_000 }, async () => {
      const rows = [3, 39_999, 40_001].map((number, place) => ({
        id: `n${place}`,
        owner: column === 'citizen' ? `o${number}` : ownerOf(number),
        name: `n${place}`,
      }))
      const owners = Array.from({ length: 40_000 }, (_, number) => ownerOf(number))
      const isNumber = typeof ownerOf(3) === 'number'
      const errors: unknown[] = []
      const registry = defineRegistry(defineApi({ v1: { '/notes': isNumber ? numbered : notes } }))
        .onError((error) => void errors.push(error))
        .scope(() => ({ owner: owners }) as never)
        .adapters({ notes: (await adapterOf(engine, column, rows)) as never })
      const ask = async (line: string, sent?: object) => {
        const [method = '', url = ''] = line.split(' ')
        const headers = { 'content-type': 'application/json' }
        const body = sent && { headers, body: JSON.stringify(sent) }
        const response = await handle({ method, url, ...body }, registry)
        return [response.status, response.body] as const
      }
      const idsOf = async (url: string): Promise<readonly unknown[]> => {
        const [status, body] = await ask(`GET ${url}`)
        const list = Array.isArray(body) ? body : await take(body as AsyncIterable<object>, 99)
        return [status, ...list.map((item) => Object(item).id)]
      }
      const lists = ['', '?sort=-name', '?q=n', '?name=n0&name=n1&name=n2', '?limit=9']
      for (const search of lists) {
        const ids = (await idsOf(`/v1/notes${search}`)).toSorted()
        expect([search, ids]).toEqual([search, [200, 'n0', 'n1']])
      }
      expect(await ask('GET /v1/notes/count')).toEqual([200, { count: 2 }])
      expect((await ask('GET /v1/notes/n1'))[0]).toBe(200)
      expect((await ask('GET /v1/notes/n2'))[0]).toBe(404)
      const [first] = rows
      expect((await ask('PUT /v1/notes/n0', { ...first, name: 'x' }))[0]).toBe(200)
      expect((await ask('PATCH /v1/notes/n0', { name: 'y' }))[0]).toBe(200)
      expect((await ask('POST /v1/notes', { ...first, id: 'n3' }))[0]).toBe(201)
      expect((await ask('DELETE /v1/notes/n2'))[0]).toBe(404)
      expect((await ask('DELETE /v1/notes/n3'))[0]).toBe(200)
      expect(await ask('DELETE /v1/notes')).toEqual([200, { deleted: 2 }])
      expect(errors).toEqual([])
    })
  },
)
