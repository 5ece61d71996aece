import { type Kysely, sql } from 'kysely'
import { type Adapter, defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requestOf } from '../support/registry.ts'
import { databaseOf, engines, has } from '../support/stores.ts'

const Note = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  note: z.string().nullish(),
  rev: z.int(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true, rev: true }),
  revision: 'rev',
})

function serviceOver(adapter: Adapter) {
  const errors: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
    .onError((error) => void errors.push(Object(error).name))
    .adapters({ notes: adapter as never })
  const ask = async (method: string, path: string, body?: unknown) => {
    const {
      status,
      headers,
      body: answer,
    } = await handle(requestOf([method, path, body]), registry)
    const one: unknown = Array.isArray(answer) ? answer[0] : answer
    const { name, size } = Object(one)
    return [status, name, size, headers.etag]
  }
  return { ask, errors }
}

async function checkRow(adapter: Adapter): Promise<void> {
  const { ask, errors } = serviceOver(adapter)
  expect(await ask('PATCH', '/notes/a', { note: null })).toEqual([200, null, 1, '"1"'])
  expect(await ask('PATCH', '/notes/a', { size: 2 })).toEqual([200, null, 2, '"2"'])
  expect(await ask('PATCH', '/notes/a', { name: null })).toEqual([
    422,
    undefined,
    undefined,
    undefined,
  ])
  expect(await ask('PATCH', '/notes', [{ id: 'a', size: 3 }])).toEqual([200, null, 3, undefined])
  expect(await ask('PUT', '/notes/a', { size: 4 })).toEqual([422, undefined, undefined, undefined])
  expect(await ask('DELETE', '/notes/a')).toEqual([200, null, 3, '"3"'])
  expect(await ask('PATCH', '/notes/b', { name: 'b' })).toEqual([200, 'b', 1, '"2"'])
  expect(await ask('PUT', '/notes/b', { name: 'c', size: 4 })).toEqual([200, 'c', 4, '"3"'])
  expect(errors).toEqual(['StoredValueError'])
}

describe('a row without a required value is patched', () => {
  test('in memory', async () => {
    const items = ['a', 'b'].map((id) => ({ id, size: 1, rev: 1 }))
    await checkRow(memoryAdapter({ items: items as never }) as Adapter)
  })

  test.each(engines.filter(has))(
    'in %s',
    async (engine) => {
      const { db, drop }: { db: Kysely<unknown>; drop: () => Promise<void> } =
        await databaseOf<unknown>(engine)
      await sql`create table notes (id varchar(50) primary key, name varchar(50),
      size integer not null, note varchar(50), rev integer not null)`.execute(db)
      await sql`insert into notes (id, size, rev) values ('a', 1, 1), ('b', 1, 1)`.execute(db)
      await checkRow(kyselyAdapter(db, { table: 'notes' }) as Adapter)
      await drop()
    },
    60_000,
  )
})
