import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requestOf } from '../support/registry.ts'
import { databaseOf, dialectOf, engines, has, type TestDatabase } from '../support/stores.ts'

const Note = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number().optional(),
  text: z.string().nullable(),
  rev: z.int(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true, rev: true }),
  revision: 'rev',
})

const ids = Array.from({ length: 100 }, (_, at) => `n${at}`)
const stored = ids.map((id, at) => ({ id, name: `name ${at}`, size: at, text: 'a', rev: 1 }))
// Every third item lacks its size, and the order is not the one of the ids.
const replacements = stored
  .map(({ id, size }, at) => ({ id, name: `new ${at}`, ...(at % 3 > 0 && { size }), text: 'b' }))
  .reverse()
const expected = replacements.map((item) => ({ ...item, rev: 2 }))

describe.each(engines.filter(has))('a bulk in %s', (engine) => {
  let database: TestDatabase<unknown>
  let db: Kysely<unknown>
  let updates = 0

  beforeAll(async () => {
    database = await databaseOf<unknown>(engine)
    const log = ({ query }: { query: { sql: string } }) => {
      if (query.sql.startsWith('update')) updates++
    }
    const { url } = database
    const dialect =
      engine === 'sqlite' ? sqliteDialect(new DatabaseSync(url)) : dialectOf(engine, url)
    db = new Kysely({ dialect, log })
    await sql`create table notes (id varchar(50) primary key, name varchar(50) not null,
      size integer, text varchar(50) not null, rev integer not null)`.execute(db)
  }, 60_000)
  afterAll(async () => {
    await db?.destroy()
    await database?.drop()
  })

  const ask = async (method: string, body: readonly object[]) => {
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
      notes: kyselyAdapter(db, { table: 'notes' }),
    })
    await sql`delete from notes`.execute(db)
    for (const { id, name, size, text, rev } of stored)
      await sql`insert into notes values (${id}, ${name}, ${size}, ${text}, ${rev})`.execute(db)
    updates = 0
    const answer = await handle(requestOf([method, '/notes', body]), registry)
    const { body: list } = await handle(requestOf(['GET', '/notes']), registry)
    return { status: answer.status, body: answer.body, updates, list }
  }
  const byId = (items: readonly { id: string }[]) =>
    [...items].sort((a, b) => (a.id < b.id ? -1 : 1))

  test('replaces 100 items of two forms by eight statements', async () => {
    const answer = { status: 200, body: expected, updates: 8, list: byId(expected) }
    expect(await ask('PUT', replacements)).toEqual(answer)
  })

  test('changes the same field of 100 items by seven statements', async () => {
    const patches = ids.map((id) => ({ id, name: `patched ${id}` }))
    const patched = stored.map((item) => ({ ...item, name: `patched ${item.id}`, rev: 2 }))
    const answer = { status: 200, body: patched, updates: 7, list: byId(patched) }
    expect(await ask('PATCH', patches)).toEqual(answer)
  })

  test('names the item that the database rejects, and changes none', async () => {
    const faulty = replacements.map((item, at) => (at === 37 ? { ...item, text: null } : item))
    const { status, body, list } = await ask('PUT', faulty)
    const issues = [expect.objectContaining({ pointer: '/37/text', code: 'required' })]
    expect({ status, body, list }).toEqual({
      status: 422,
      body: expect.objectContaining({ issues }),
      list: byId(stored),
    })
  })
})
