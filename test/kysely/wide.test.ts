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

describe.each(engines.filter(has))('numbers of %s that JSON cannot hold', (engine) => {
  test('are text, and pages go on after them', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const key = engine === 'mariadb' ? 'varchar(9)' : 'text'
    await sql`create table counts (id ${sql.raw(key)} primary key, n bigint, value text)`.execute(
      db,
    )
    await sql`insert into counts (id, n, value)
      values ('a', 9007199254740992, '{'), ('b', 9007199254740993, '1'),
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
    expect(ns).toEqual([`${2 ** 53}`, wide, wide, `${2 ** 53 + 2}`])
    const { body } = await handle({ method: 'GET', url: '/counts' }, registry)
    expect((body as { value?: unknown }[]).map(({ value }) => value)).toEqual(['{', 1, null, null])
    await drop()
  })
})

test('SQLite reads a column as the type of its field', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table days (id text primary key, day date)`.execute(db)
  await sql`insert into days values ('a', 20260131), ('b', x'6162')`.execute(db)
  await sql`create table keys (id any primary key) strict`.execute(db)
  const days = defineResource('days', {
    schema: z.object({ id: z.string(), day: z.string() }),
  })
  const keys = defineResource('keys', { schema: z.object({ id: z.string() }) })
  const registry = defineRegistry(defineApi({ v1: { '/days': days, '/keys': keys } })).adapters({
    days: kyselyAdapter(db, { table: 'days' }),
    keys: kyselyAdapter(db, { table: 'keys' }),
  })
  const ask = async (method: string, url: string, body?: string) => {
    const headers = { 'content-type': 'application/json' }
    return (await handle({ method, url, headers, body }, registry)).body
  }
  expect(await ask('GET', '/days')).toEqual([
    { id: 'a', day: '20260131' },
    { id: 'b', day: "X'6162'" },
  ])
  expect(await ask('POST', '/keys', '{"id":"012"}')).toEqual({ id: '012' })
  expect(await ask('GET', '/keys')).toEqual([{ id: '012' }])
  await drop()
})

test.each(engines.filter((engine) => engine !== 'sqlite' && has(engine)))(
  'the last moment of the last year stays in it on %s',
  async (engine) => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const type = engine === 'postgres' ? 'timestamptz' : 'datetime(6)'
    await sql`create table moments (id varchar(9) primary key, at ${sql.raw(type)})`.execute(db)
    const schema = z.object({ id: z.string(), at: z.string() })
    const moments = defineResource('moments', { schema })
    const registry = defineRegistry(defineApi({ v1: { '/moments': moments } })).adapters({
      moments: kyselyAdapter(db, { table: 'moments' }),
    })
    const headers = { 'content-type': 'application/json' }
    const post = async (item: object) => {
      const body = JSON.stringify(item)
      return (await handle({ method: 'POST', url: '/moments', headers, body }, registry)).body
    }
    const last = { id: 'a', at: '9999-12-31T23:59:59.999999Z' }
    expect(await post(last)).toEqual(last)
    expect(await post({ id: 'b', at: '9999-12-31T23:59:59.9999999Z' })).toMatchObject({
      code: 'validation_failed',
      issues: [{ pointer: '/at', code: 'unrepresentable' }],
    })
    await drop()
  },
)
