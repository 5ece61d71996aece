import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Kysely, sql } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { postgresJsDialect } from '../support/postgres-js.ts'
import { type DatabaseOptions, databaseOf, has, type TestDatabase } from '../support/stores.ts'

const Sample = z.object({
  id: z.string(),
  day: z.string().optional(),
  clock: z.string().optional(),
  moment: z.string().optional(),
  zoned: z.string().optional(),
  key: z.string().optional(),
  mood: z.string().optional(),
  words: z.string().optional(),
  bytes: z.base64().optional(),
  small: z.number().optional(),
  whole: z.number().optional(),
  wide: z.number().optional(),
  half: z.number().optional(),
  exact: z.number().optional(),
  flag: z.boolean().optional(),
  letters: z.json().optional(),
  tree: z.json().optional(),
  owner: z.string().optional(),
  short: z.string().optional(),
  must: z.string().nullish(),
})
const sortable = [
  ...(['day', 'clock', 'moment', 'zoned', 'key', 'mood', 'words'] as const),
  ...(['small', 'whole', 'wide', 'half', 'exact', 'flag'] as const),
] as const
const samples = defineResource('samples', { schema: Sample, sortable })
const api = defineApi({ v1: { '/samples': samples } })
const ignore = () => undefined
const headers = { 'content-type': 'application/json' }

const drivers: readonly (readonly [name: string, options: DatabaseOptions])[] = [
  ['pg', {}],
  ['postgres.js', { served: postgresJsDialect }],
]

describe.runIf(has('postgres')).each(drivers)('PostgreSQL through %s', (_, options) => {
  let database: TestDatabase<unknown>
  let registry: Registry

  beforeAll(async () => {
    database = await databaseOf('postgres', options)
    const { db } = database
    await sql`create type mood as enum ('sad', 'glad')`.execute(db)
    await sql`create table owners (id text primary key)`.execute(db)
    await sql`create table samples (
      id text primary key, day date, clock time, moment timestamp, zoned timestamptz,
      key uuid unique, mood mood, words text[], bytes bytea, small smallint, whole integer,
      wide bigint, half real,
      exact numeric, flag boolean, letters json, tree jsonb, owner text references owners (id),
      short text constraint is_short check (length(short) < 4),
      must text not null default '')`.execute(db)
    await sql`create table visits (key uuid references samples (key))`.execute(db)
    registry = defineRegistry(api)
      .onError(ignore)
      .adapters({
        samples: kyselyAdapter(db, { table: 'samples', timeout: 600 }),
      })
  }, 60_000)
  afterAll(() => database.drop())

  const connect = async () => {
    const client = new pg.Client(database.url)
    await client.connect()
    return client
  }
  const ask = async (method: string, url: string, body?: object) => {
    const text = body && JSON.stringify(body)
    const answer = await handle({ method, url, headers, body: text }, registry)
    return { status: answer.status, body: answer.body && JSON.parse(JSON.stringify(answer.body)) }
  }

  const kept: readonly (readonly [name: keyof z.infer<typeof Sample>, value: unknown])[] = [
    ['day', '2026-01-31'],
    ['clock', '23:59:59.123456'],
    ['moment', '2026-01-31T23:59:59.123456Z'],
    ['moment', '0001-01-01T00:00:00.000Z'],
    ['zoned', '2026-01-31T23:59:59.123456Z'],
    ['zoned', '1880-01-31T23:59:59.000001Z'],
    ['key', '01a20543-fddd-77a0-bd54-2c64142216e9'],
    ['mood', 'glad'],
    ['words', '{a,"b c"}'],
    ['bytes', 'AP8='],
    ['small', -32767],
    ['whole', 2147483647],
    ['wide', Number.MAX_SAFE_INTEGER],
    ['half', -1.5],
    ['exact', 123456.789],
    ['flag', true],
    ['flag', false],
    ...(['letters', 'tree'] as const).flatMap((name) =>
      [{ a: [1, null, 'ä"\\'] }, [], [[1], 'x'], 'text', '{"a":1}', 7, true].map(
        (value) => [name, value] as const,
      ),
    ),
  ]
  test.each(kept)('keeps the %s %j', async (name, value) => {
    await ask('DELETE', '/v1/samples')
    const item = { id: 'a', [name]: value }
    expect(await ask('POST', '/v1/samples', { id: 'b' })).toMatchObject({ status: 201 })
    expect(await ask('POST', '/v1/samples', item)).toMatchObject({ status: 201, body: item })
    expect(await ask('PUT', '/v1/samples/a', item)).toMatchObject({ status: 200, body: item })
    expect(await ask('PUT', '/v1/samples', [item])).toMatchObject({ status: 200, body: [item] })
    expect(await ask('GET', '/v1/samples/a')).toMatchObject({ status: 200, body: item })
    if (!sortable.some((field) => field === name)) return
    // The value becomes part of the cursor of the next page.
    const page = await handle({ method: 'GET', url: `/v1/samples?sort=${name}&limit=1` }, registry)
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(page.headers?.link)) ?? []
    expect(await ask('GET', next)).toMatchObject({ status: 200, body: [{ id: 'b' }] })
  })

  test.each([
    [{ id: 'a' }, 409, []],
    [{ id: 'c', key: '01a20543-fddd-77a0-bd54-2c64142216e9' }, 409, ['/key']],
    [{ id: 'c', owner: 'nobody' }, 422, ['/owner']],
    [{ id: 'c', must: null }, 422, ['/must']],
    [{ id: 'c', mood: 'none' }, 422, ['/mood']],
    [{ id: 'c', short: 'long' }, 422, []],
    [{ id: 'c', day: '2026-02-30' }, 422, ['/day']],
  ])('tells the fault of %j', async (item, status, pointers) => {
    await ask('DELETE', '/v1/samples')
    await ask('POST', '/v1/samples', { id: 'a', key: '01a20543-fddd-77a0-bd54-2c64142216e9' })
    const { status: came, body } = await ask('POST', '/v1/samples', item)
    const issues: readonly { pointer: string }[] = body.issues ?? []
    expect([came, issues.map(({ pointer }) => pointer)]).toEqual([status, pointers])
  })

  test('refuses to delete a referenced value', async () => {
    const key = '01a20543-fddd-77a0-bd54-2c64142216e9'
    await ask('DELETE', '/v1/samples')
    await ask('POST', '/v1/samples', { id: 'named', key })
    await sql`insert into visits values (${key})`.execute(database.db)
    const { status } = await ask('PUT', '/v1/samples/named', {})
    await sql`delete from visits`.execute(database.db)
    expect(status).toBe(409)
  })

  test('cancels a write that takes too long, and responds 503', async () => {
    await ask('DELETE', '/v1/samples')
    await ask('POST', '/v1/samples', { id: 'a' })
    const [holder, other] = await Promise.all([connect(), connect()])
    const isWaiting = "datname = current_database() and wait_event_type = 'Lock'"
    const waiting = async () => {
      const { rows } = await other.query(`select pid from pg_stat_activity where ${isWaiting}`)
      return rows.length
    }
    await holder.query('begin; select from samples for update')
    const asked = ask('PUT', '/v1/samples/a', { short: 'x' })
    await expect.poll(waiting).toBe(1)
    expect(await asked).toMatchObject({ status: 503 })
    await expect.poll(waiting).toBe(0)
    await Promise.all([holder.end(), other.end()])
    expect(await ask('GET', '/v1/samples/a')).toMatchObject({ status: 200, body: { id: 'a' } })
  })
})

test('postgres.js that cannot connect is answered 503', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const client = postgres({ host: '127.0.0.1', port, connect_timeout: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresJSDialect({ postgres: client }) })
  const registry = defineRegistry(api)
    .onError(ignore)
    .adapters({ samples: kyselyAdapter(db, { table: 'samples' }) })
  const { status } = await handle({ method: 'DELETE', url: '/v1/samples/a' }, registry)
  expect(status).toBe(503)
  await client.end({ timeout: 0 })
  silent.close()
})
