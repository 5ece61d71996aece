import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, engines, has } from '../support/stores.ts'

const Row = z.object({ id: z.string(), name: z.string(), rank: z.int() })
const rows = defineResource('rows', {
  schema: Row,
  sortable: ['name', 'rank'],
  searchable: ['name'],
  filterable: ['rank'],
})
const api = defineApi({ v1: { '/rows': rows } })
const items = Array.from({ length: 3000 }, (_, index) => ({
  id: String(index).padStart(4, '0'),
  name: `${(index * 7919) % 3000} ${index % 3 === 0 ? 'ann' : 'bob'}`,
  rank: index % 10,
}))

const queries = [
  'limit=10&offset=1',
  'limit=10&offset=2995',
  'limit=10&offset=3000',
  'limit=5&offset=1500&sort=-name',
  'limit=5&offset=700&sort=rank,-name',
  'limit=5&offset=900&q=ann',
  'limit=5&offset=900&q=ann&sort=name',
  'limit=5&offset=250&rank=3&sort=name',
  'limit=5&offset=250&rank:gte=3&sort=-rank',
  'limit=5&offset=998&q=ann',
]

describe.each(engines.filter(has))('%s', (engine) => {
  test('a page behind an offset equals that of memory', async () => {
    const { db, drop } = await databaseOf<{ rows: z.infer<typeof Row> }>(engine)
    const text = engine === 'mariadb' ? 'varchar(40) collate utf8mb4_nopad_bin' : 'text'
    await sql
      .raw(
        `create table ${engine === 'mariadb' ? '`rows`' : '"rows"'} (id ${text} primary key,
        name ${text} not null, "rank" integer not null)`.replace(
          '"rank"',
          engine === 'mariadb' ? '`rank`' : '"rank"',
        ),
      )
      .execute(db)
    for (let at = 0; at < items.length; at += 500)
      await db
        .insertInto('rows')
        .values(items.slice(at, at + 500))
        .execute()
    const stored = defineRegistry(api).adapters({ rows: kyselyAdapter(db, { table: 'rows' }) })
    const memory = defineRegistry(api).adapters({ rows: memoryAdapter({ items }) })
    for (const query of queries) {
      const request = { method: 'GET', url: `/v1/rows?${query}`, headers: {} }
      const { status, body } = await handle(request, stored)
      expect([status, body], query).toEqual([200, (await handle(request, memory)).body])
    }
    await drop()
  }, 60_000)
})
