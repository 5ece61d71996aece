import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, engines, has } from '../support/stores.ts'

const wide = '9007199254740993'

test('the dialect of node:sqlite reads whole numbers exactly', async () => {
  const db = new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) })
  await sql`create table counts (n integer)`.execute(db)
  const written = await sql`insert into counts values (1), (${BigInt(wide)}), (10000000000000000)
    returning n`.execute(db)
  const all = [{ n: 1 }, { n: BigInt(wide) }, { n: 1e16 }]
  expect(written.rows).toEqual(all)
  const reading = () => sql`select n from counts order by n`.execute(db)
  expect((await reading()).rows).toEqual(all)
  expect((await reading()).rows).toEqual(all)
  await expect(sql`select json('{') as n`.execute(db)).rejects.toThrow('malformed JSON')
  await db.destroy()
})

const Count = z.object({ id: z.string(), n: z.number(), value: z.json().optional() })
const counts = defineResource('counts', { schema: Count, sortable: ['n'] })

describe.each(engines.filter(has))('numbers of %s that JSON does not hold', (engine) => {
  test('are text, and pages go on after them', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const key = engine === 'mariadb' ? 'varchar(9)' : 'text'
    await sql`create table counts (id ${sql.raw(key)} primary key, n bigint, value text)`.execute(
      db,
    )
    await sql`insert into counts (id, n, value) values ('a', 9007199254740992, '{'), ('b', 9007199254740993, '1'),
      ('c', 9007199254740993, null), ('d', 9007199254740994, null)`.execute(db)
    const registry = defineRegistry(defineApi({ v1: { '/counts': counts } })).adapters({
      counts: kyselyAdapter(db, { table: 'counts' }),
    })
    const ns: unknown[] = []
    for (let url = '/counts?sort=n&limit=1'; url !== ''; ) {
      const { status, body, headers } = await handle({ method: 'GET', url }, registry)
      expect(status).toBe(200)
      ns.push(...(body as { n: unknown }[]).map(({ n }) => n))
      url = /<([^>]+)>/.exec(headers.link ?? '')?.[1] ?? ''
      expect(ns.length).toBeLessThan(5)
    }
    expect(ns).toEqual([2 ** 53, wide, wide, 2 ** 53 + 2])
    const { body } = await handle({ method: 'GET', url: '/counts' }, registry)
    expect((body as { value?: unknown }[]).map(({ value }) => value)).toEqual(['{', 1, null, null])
    await drop()
  })
})
