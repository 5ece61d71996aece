import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Member = z.object({
  id: z.string(),
  email: z.string(),
  age: z.number().optional(),
  team_id: z.string().optional(),
  joined_at: z.string().optional(),
  changed: z.number().optional(),
})
const members = defineResource('members', {
  schema: Member,
  create: Member.omit({ joined_at: true, changed: true }).partial({ id: true }).loose(),
  readOnly: ['joined_at', 'changed'],
})
const teams = defineResource('teams', { schema: z.object({ id: z.string() }) })
const api = defineApi({
  v1: { '/members': members, '/teams': teams, '/teams/:team_id/members': members },
})

const text: Readonly<Record<Engine, string>> = {
  sqlite: 'text',
  postgres: 'text collate "C"',
  mariadb: 'varchar(40) character set utf8mb4 collate utf8mb4_nopad_bin',
}

async function open(engine: Engine) {
  const { db, drop } = await databaseOf<unknown>(engine)
  const type = sql.raw(text[engine])
  await sql`create table teams (id ${type} primary key)`.execute(db)
  await sql`create table members (
    id ${type} primary key, email ${type} not null, age integer check (age >= 0),
    team_id ${type}, joined_at ${type} not null, changed integer,
    constraint one_address unique (email), foreign key (team_id) references teams (id))`.execute(db)
  let ids = 0
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(error))
    .adapters({
      members: kyselyAdapter(db, {
        table: 'members',
        nextId: () => `m${++ids}`,
        onCreate: () => ({ joined_at: 'today', changed: 0 }),
        onUpdate: (_, { changed = 0 }) => ({ changed: changed + 1 }),
      }),
      teams: kyselyAdapter(db, { table: 'teams' }),
    })
  const errors: unknown[] = []
  const headers = { 'content-type': 'application/json' }
  const ask = async (method: string, url: string, body?: HttpRequest['body']) => {
    const answer = await handle({ method, url, headers, body }, registry)
    return { status: answer.status, body: Object(answer.body) }
  }
  return { ask, db, drop, errors }
}

describe.each(engines.filter(has))('what %s refuses', (engine) => {
  test('a repeated unique value is a conflict', async () => {
    const { ask, drop } = await open(engine)
    expect(await ask('POST', '/members', { email: 'a' })).toEqual({
      status: 201,
      body: { id: 'm1', email: 'a', joined_at: 'today', changed: 0 },
    })
    const issue = { code: 'not_unique', message: 'is taken by another item' }
    expect(await ask('POST', '/members', { email: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'conflict', issues: [{ pointer: '/email', ...issue }] },
    })
    await ask('POST', '/members', { email: 'b' })
    const [one, other] = [
      { id: 'm1', email: 'c' },
      { id: 'm3', email: 'c' },
    ]
    expect(await ask('PUT', '/members', [one, other])).toMatchObject({
      status: 409,
      body: { issues: [{ pointer: '/1/email', ...issue }] },
    })
    expect((await ask('GET', '/members/m1')).body).toMatchObject({ email: 'a', changed: 0 })
    expect(await ask('POST', '/members', { id: 'm1', email: 'z' })).toMatchObject({
      status: 409,
      body: { detail: 'This id is taken: choose another one.' },
    })
    await drop()
  })

  // In memory they may. A database checks every item when it writes it.
  test('two items of a bulk cannot swap a unique value', async () => {
    const { ask, drop } = await open(engine)
    await ask('POST', '/members', { email: 'a' })
    await ask('POST', '/members', { email: 'b' })
    const swapped = [
      { id: 'm1', email: 'b' },
      { id: 'm2', email: 'a' },
    ]
    expect((await ask('PUT', '/members', swapped)).status).toBe(409)
    expect((await ask('GET', '/members/m1')).body).toMatchObject({ email: 'a' })
    await drop()
  })

  test('a value that a constraint refuses is 422', async () => {
    const { ask, drop } = await open(engine)
    expect((await ask('POST', '/members', { email: 'a', age: -1 })).status).toBe(422)
    const answer = await ask('POST', '/members', { email: 'x'.repeat(41) })
    expect(answer.status).toBe(engine === 'mariadb' ? 422 : 201)
    if (engine === 'mariadb') expect(answer.body.issues).toMatchObject([{ pointer: '/email' }])
    await drop()
  })

  test('a field without a column is 422', async () => {
    const { ask, drop } = await open(engine)
    expect(await ask('POST', '/members', { email: 'a', role: 'admin' })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/role', code: 'unknown_field' }] },
    })
    expect((await ask('GET', '/members/count')).body).toEqual({ count: 0 })
    await drop()
  })

  test('references hold', async () => {
    const { ask, drop } = await open(engine)
    await ask('POST', '/teams', { id: 't' })
    expect(await ask('POST', '/members', { email: 'a', team_id: 'no' })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/team_id', code: 'reference_not_found' }] },
    })
    expect((await ask('POST', '/teams/t/members', { email: 'a' })).status).toBe(201)
    expect((await ask('DELETE', '/teams/t')).status).toBe(409)
    expect((await ask('DELETE', '/teams')).status).toBe(409)
    expect((await ask('DELETE', '/teams/t/members')).body).toEqual({ deleted: 1 })
    expect((await ask('DELETE', '/teams/t')).status).toBe(200)
    await drop()
  })

  test('clients cannot set fields of the server', async () => {
    const { ask, drop } = await open(engine)
    await ask('POST', '/members', { email: 'a', age: 3 })
    const updated = { id: 'm1', email: 'b', joined_at: 'today', changed: 1 }
    expect((await ask('PUT', '/members/m1', { email: 'b' })).body).toEqual(updated)
    expect((await ask('PUT', '/members', [{ id: 'm1', email: 'c' }])).body).toEqual([
      { ...updated, email: 'c', changed: 2 },
    ])
    expect((await ask('PUT', '/members/m1', { email: 'b', joined_at: 'never' })).status).toBe(422)
    await drop()
  })
})

async function answerFrom(
  db: Kysely<unknown>,
  table: string,
  columns: {
    readonly id?: string
    readonly age?: { readonly name: string; readonly type: 'number' }
  } = {},
): Promise<unknown[]> {
  const told: string[] = []
  const registry = defineRegistry(defineApi({ v1: { '/teams': teams } }))
    .onError((error) => void told.push(String(error)))
    .adapters({ teams: kyselyAdapter(db, { table, columns }) })
  const { status } = await handle({ method: 'GET', url: '/v1/teams' }, registry)
  return [status, ...told]
}

describe.each(engines.filter(has))('what %s cannot hold', (engine) => {
  test('a missing table and column are named', async () => {
    const { db, drop } = await open(engine)
    expect(await answerFrom(db, 'crews')).toEqual([
      500,
      expect.stringContaining('The database has no table "crews"'),
    ])
    expect(await answerFrom(db, 'teams', { id: 'key' })).toEqual([
      500,
      expect.stringContaining('has no column "key" for "id" of "teams"'),
    ])
    expect(await answerFrom(db, 'members', { id: 'age', ...{ a: 'b', c: 'd' } })).toEqual([
      500,
      expect.stringMatching(/ no column "b" for "a" .*\n.* no column "d" for/),
    ])
    await drop()
  })

  test('a column of another type is named', async () => {
    const { db, drop } = await open(engine)
    expect(await answerFrom(db, 'members', { age: { name: 'email', type: 'number' } })).toEqual([
      500,
      expect.stringMatching(
        /The column "email" of "members" is of type .*, but "age" holds number/i,
      ),
    ])
    await drop()
  })
})

test('options are checked at once', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  const make = (options: object) => () => kyselyAdapter(db, options as { table: string })
  expect(make({})).toThrow(
    "A kyselyAdapter needs a table: write kyselyAdapter(db, { table: '…' }).",
  )
  expect(make({ tables: 'x' })).toThrow('has no option "tables": write "table" if that is meant.')
  for (const key of ['id', []]) {
    expect(make({ table: 'x', key })).toThrow("write key: ['id'].")
  }
  expect(make({ table: 'x', timeout: '5' })).toThrow('The timeout of a kyselyAdapter cannot be 5')
  await drop()
})
