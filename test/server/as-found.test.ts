import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Note = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string().nullish(),
  rev: z.int(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ rev: true }),
  update: Note.omit({ id: true, rev: true }),
  revision: 'rev',
})
const api = defineApi({ v1: { '/notes': notes } })

/** Notes that were there before: one lacks its name, one its note, one has both. */
const stored = [
  { id: 'bare', rev: 1 },
  { id: 'named', name: 'n', rev: 1 },
  { id: 'whole', name: 'n', note: 'x', rev: 1 },
]

async function adapterIn(store: string) {
  if (store === 'memory') return memoryAdapter({ items: stored as never })
  const db = new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) })
  await sql`create table notes (id text primary key, name text, note text,
    rev integer not null)`.execute(db)
  for (const { id, name = null, note = null, rev } of stored)
    await sql`insert into notes values (${id}, ${name}, ${note}, ${rev})`.execute(db)
  return kyselyAdapter(db, { table: 'notes' })
}

async function opened(store: string) {
  const registry = defineRegistry(api)
    .onError(() => undefined)
    .adapters({ notes: (await adapterIn(store)) as never })
  return async (line: string, body?: unknown) => {
    const [method = '', url = ''] = line.split(' ')
    const request = { method, url: `/v1${url}`, headers: { 'content-type': 'application/json' } }
    const sent = body === undefined ? request : { ...request, body: JSON.stringify(body) }
    const { status, headers, body: told } = await handle(sent, registry)
    return { status, etag: headers.etag, told: Object(told) }
  }
}

describe.each(['memory', 'sqlite'])('a note in %s', (store) => {
  const patches = [
    ['null for a missing note', 'named', { note: null }, '"1"'],
    ['null for a stored note', 'whole', { note: null }, '"2"'],
    ['the stored note', 'whole', { note: 'x' }, '"1"'],
    ['nothing', 'whole', {}, '"1"'],
    ['null for a note beside a missing name', 'bare', { note: null }, '"1"'],
    ['a note beside a missing name', 'bare', { note: 'x' }, '"2"'],
  ] as const
  test.each(patches)('takes a patch of %s', async (_, id, patch, etag) => {
    const ask = await opened(store)
    const { status, etag: after } = await ask(`PATCH /notes/${id}`, patch)
    expect([status, after, (await ask(`GET /notes/${id}`)).etag]).toEqual([200, etag, etag])
    const [one] = [await (await opened(store))('PATCH /notes', [{ ...patch, id }])]
    expect([one.status, one.told[0].rev]).toEqual([200, Number(etag.slice(1, -1))])
  })

  test('is put as it was read', async () => {
    const ask = await opened(store)
    for (const id of ['named', 'whole']) {
      const { told } = await ask(`GET /notes/${id}`)
      expect((await ask(`PUT /notes/${id}`, told)).status).toBe(200)
    }
  })

  test('names the required value that it lacks', async () => {
    const ask = await opened(store)
    const { told: read, etag } = await ask('GET /notes/bare')
    expect([read.name, etag]).toEqual([null, '"1"'])
    for (const [line, body, place] of [
      ['PUT /notes/bare', read, 'name'],
      ['PUT /notes', [read], '0/name'],
    ] as const) {
      const { status, told } = await ask(line, body)
      expect([status, told.detail]).toEqual([422, `${place}: cannot be null`])
    }
    expect((await ask('GET /notes/bare')).etag).toBe('"1"')
    const fixed = await ask('PUT /notes/bare', { ...read, name: 'n' })
    expect([fixed.status, fixed.told.name]).toEqual([200, 'n'])
  })
})

test('a bulk of many faults tells the first of them', async () => {
  const ask = await opened('memory')
  const items = Array.from({ length: 1000 }, (_, at) => ({ id: `${at}`, name: 7 }))
  const { status, told } = await ask('POST /notes', items)
  expect([status, told.issues.length, told.detail]).toEqual([
    422,
    50,
    '0/name: must be a text; 1/name: must be a text; 2/name: must be a text; and 997 more. ' +
      '"issues" holds the first 50.',
  ])
  expect(told.message).toBe(told.detail)
})
