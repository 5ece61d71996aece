import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { d1Of } from '../support/d1.ts'
import { databaseOf, engines, has } from '../support/stores.ts'

const Note = z.object({ id: z.string(), owner_id: z.string(), text: z.string() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.partial({ owner_id: true }),
  update: Note.partial({ owner_id: true }),
  sortable: ['text'],
})
const owners = defineResource('owners', { schema: z.object({ id: z.string() }) })
const api = defineApi({ v1: { '/owners': owners, '/owners/:owner_id/notes': notes } })
const headers = { 'content-type': 'application/json' }

const note = (owner_id: string, id: string, text: string) => ({ id, owner_id, text })
const kept = [note('a', '1', 'a1'), note('b', '1', 'b1'), note('b', '2', 'b2')]
const moves = { onUpdate: () => ({ owner_id: 'a' }) }

interface Row {
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly status: number
  readonly answered: unknown
  /** Default: as it was. */
  readonly stored?: readonly object[]
  /** The adapter moves the item to another owner. */
  readonly isMoved?: true
}

const [a1, b1, b2] = kept
// biome-ignore format: a row stays a line
const rows: readonly Row[] = [
  { method: 'GET', url: '/owners/b/notes/1', status: 200, answered: b1 },
  { method: 'GET', url: '/owners/b/notes?sort=text', status: 200, answered: [b1, b2] },
  { method: 'POST', url: '/owners/a/notes', body: { id: '2', text: 'x' }, status: 201, answered: note('a', '2', 'x'), stored: [a1, note('a', '2', 'x'), b1, b2] as object[] },
  { method: 'POST', url: '/owners/b/notes', body: { id: '2', text: 'x' }, status: 409, answered: expect.anything() },
  { method: 'PUT', url: '/owners/b/notes/1', body: { text: 'x' }, status: 200, answered: note('b', '1', 'x'), stored: [a1, note('b', '1', 'x'), b2] as object[] },
  { method: 'PUT', url: '/owners/a/notes/1', body: { text: 'x' }, status: 200, answered: note('a', '1', 'x'), stored: [note('a', '1', 'x'), b1, b2] as object[] },
  { method: 'PUT', url: '/owners/a/notes/2', body: { text: 'x' }, status: 404, answered: expect.anything() },
  { method: 'PUT', url: '/owners/b/notes', body: [{ id: '1', text: 'x' }, { id: '2', text: 'y' }], status: 200, answered: [note('b', '1', 'x'), note('b', '2', 'y')], stored: [a1, note('b', '1', 'x'), note('b', '2', 'y')] as object[] },
  { method: 'PUT', url: '/owners/a/notes', body: [{ id: '1', text: 'x' }, { id: '2', text: 'y' }], status: 404, answered: expect.anything() },
  { method: 'DELETE', url: '/owners/b/notes/1', status: 200, answered: b1, stored: [a1, b2] as object[] },
  { method: 'DELETE', url: '/owners/a/notes/2', status: 404, answered: expect.anything() },
  { method: 'DELETE', url: '/owners/b/notes', status: 200, answered: { deleted: 2 }, stored: [a1] as object[] },
  { method: 'PUT', url: '/owners/b/notes/2', body: { text: 'x' }, status: 500, answered: expect.anything(), isMoved: true },
  { method: 'PUT', url: '/owners/b/notes', body: [{ id: '2', text: 'x' }], status: 500, answered: expect.anything(), isMoved: true },
]

const homes = [...engines.filter(has), 'd1' as const]
const tables = homes.flatMap((home) => [
  { home, hasTrigger: false },
  { home, hasTrigger: true },
])

// After one, the adapter reads again.
const triggers = {
  sqlite: ['create trigger t after insert on notes begin select 1; end'],
  d1: ['create trigger t after insert on notes begin select 1; end'],
  postgres: [
    'create function t() returns trigger language plpgsql as $$ begin return new; end $$',
    'create trigger t before insert or update on notes for each row execute function t()',
  ],
  mariadb: ['create trigger t before insert on notes for each row set new.text = new.text'],
} as const

describe.each(tables)('one id below two owners on $home, trigger $hasTrigger', (table) => {
  const { home, hasTrigger } = table
  let db: Kysely<unknown>
  let drop: () => Promise<void>

  beforeAll(async () => {
    if (home === 'd1') {
      db = new Kysely<unknown>({ dialect: d1Dialect(d1Of(new DatabaseSync(':memory:'))) })
      drop = () => db.destroy()
    } else ({ db, drop } = await databaseOf<unknown>(home))
    const made = 'create table notes (id $, owner_id $, text $, primary key (owner_id, id))'
    await sql.raw(made.replaceAll('$', home === 'mariadb' ? 'varchar(20)' : 'text')).execute(db)
    for (const trigger of hasTrigger ? triggers[home] : []) await sql.raw(trigger).execute(db)
  }, 30_000)
  afterAll(() => drop())
  beforeEach(async () => {
    await sql`delete from notes`.execute(db)
    for (const { id, owner_id, text } of kept) {
      await sql`insert into notes (id, owner_id, text)
        values (${id}, ${owner_id}, ${text})`.execute(db)
    }
  })

  test.each(rows)('$method $url gives $status', async (row) => {
    const { method, url, body, status, answered, stored = kept, isMoved } = row
    const errors: unknown[] = []
    const registry = defineRegistry(api)
      .onError((error) => void errors.push(String(error)))
      .adapters({
        notes: kyselyAdapter(db, { table: 'notes', ...(isMoved && moves) }),
        owners: memoryAdapter({ items: [{ id: 'a' }, { id: 'b' }] }),
      })
    const request = { method, url: `/v1${url}`, headers, body: body as HttpRequest['body'] }
    const answer = await handle(request, registry)
    expect({ status: answer.status, body: answer.body, errors }).toEqual({
      status,
      body: answered,
      errors: status < 500 ? [] : [expect.stringContaining('is outside the scope')],
    })
    const { rows } = await sql`select * from notes order by owner_id, id`.execute(db)
    expect(rows.map((row) => ({ ...(row as object) }))).toEqual(stored)
  })
})
