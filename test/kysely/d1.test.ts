import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { d1Of } from '../support/d1.ts'

const Note = z.object({ id: z.string(), text: z.string(), revision: z.number() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.pick({ text: true }),
  searchable: ['text'],
  readOnly: ['revision'],
  revision: 'revision',
})
const api = defineApi({ v1: { '/notes': notes } })

/** Notes 1 and 2 on D1, and a write between the read and the write of a bulk. */
function openNotes(meanwhile: string) {
  const file = new DatabaseSync(':memory:')
  file.exec('create table notes (id text primary key, text text not null, revision integer)')
  file.exec("insert into notes values ('1', 'a', 1), ('2', 'b', 1)")
  const database = d1Of(file)
  let isFirst = true
  const batch: typeof database.batch = (statements) => {
    if (isFirst) file.exec(meanwhile)
    isFirst = false
    return database.batch(statements)
  }
  const db = new Kysely<unknown>({ dialect: d1Dialect({ ...database, batch }) })
  const registry = defineRegistry(api).adapters({ notes: kyselyAdapter(db, { table: 'notes' }) })
  const textsOf = () => file.prepare('select text from notes order by id').all().map(Object.values)
  return { registry, textsOf }
}

const headers = { 'content-type': 'application/json' }
const bulk = {
  method: 'PUT',
  url: '/v1/notes',
  headers,
  body: '[{"id":"1","text":"x","revision":1},{"id":"2","text":"y","revision":1}]',
}
const few = { method: 'DELETE', url: '/v1/notes', headers: { prefer: 'max-affected=2' } }

test.each([
  ['nothing', '', bulk, 200, [['x'], ['y']]],
  [
    'another write of an item',
    'update notes set revision = 2 where id = 2',
    bulk,
    409,
    [['a'], ['b']],
  ],
  ['a deletion', 'delete from notes where id = 2', bulk, 404, [['a']]],
  ['nothing', '', few, 200, []],
  ['a new item', "insert into notes values ('3', 'c', 1)", few, 409, [['a'], ['b'], ['c']]],
] as const)(
  'after %s a batch is whole or nothing',
  async (_, meanwhile, request, status, texts) => {
    const { registry, textsOf } = openNotes(meanwhile)
    expect((await handle(request, registry)).status).toBe(status)
    expect(textsOf()).toEqual(texts)
  },
)

test.each([
  ['a', 3],
  ['\ufffd', 1],
  ['\ufffe', 1],
  ['\uffff', 1],
  ['A\uffff', 1],
  ['b\uffff', 0],
])('a search for %j finds no character that SQLite takes for it', async (word, found) => {
  const { registry } = openNotes('')
  for (const text of ['xa\ufffd', 'B\ufffe', 'a\uffff']) {
    const body = JSON.stringify({ text })
    await handle({ method: 'POST', url: '/v1/notes', headers, body }, registry)
  }
  const url = `/v1/notes/count?q=${encodeURIComponent(word)}`
  const { body } = await handle({ method: 'GET', url }, registry)
  expect(body).toEqual({ count: found })
})
