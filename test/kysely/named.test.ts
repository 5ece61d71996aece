import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Seat = z.object({
  id: z.string(),
  code: z.string().optional(),
  team_id: z.string().optional(),
})
const seats = defineResource('seats', { schema: Seat })
const teams = defineResource('teams', {
  schema: z.object({ id: z.string(), code: z.string().optional() }),
})
const api = defineApi({ v1: { '/seats': seats, '/teams': teams } })
const headers = { 'content-type': 'application/json' }

const reference = 'foreign key (team_id) references teams (id)'
const seat = 'id $, code $, team_id $'
const late = 'deferrable initially deferred'

/** Ways to store seats, each of which references teams. */
// biome-ignore format: a row stays a line
const homes: readonly (readonly [name: string, engines: readonly Engine[], made: string])[] = [
  ['a table', engines, `create table seats (${seat}, primary key (id), ${reference})`],
  ['a view of a table', ['postgres', 'mariadb'], `create table t (${seat}, primary key (id), ${reference}); create view seats as select * from t`],
  [
    'a view with triggers',
    ['sqlite'],
    `create table t (${seat}, primary key (id), ${reference});
     create view seats as select * from t;
     create trigger i instead of insert on seats begin
       insert into t values (new.id, new.code, new.team_id);end;
     create trigger u instead of update on seats begin
       update t set team_id = new.team_id where id = new.id;end`,
  ],
  ['a partitioned table', ['postgres'], `create table seats (${seat}, primary key (id), ${reference}) partition by hash (id); create table p partition of seats for values with (modulus 1, remainder 0)`],
  ['a partition that refers', ['postgres'], `create table seats (${seat}, primary key (id)) partition by hash (id); create table p partition of seats for values with (modulus 1, remainder 0); alter table p add ${reference}`],
  ['a table that looks late', ['postgres', 'sqlite'], `create table seats (${seat}, primary key (id), ${reference} ${late})`],
]

interface Told {
  readonly status: number
  readonly pointers: readonly (string | undefined)[]
}

async function askOf(db: Kysely<unknown>) {
  const registry = defineRegistry(api).adapters({
    seats: kyselyAdapter<never>(db, { table: 'seats', key: ['id'] as never }) as never,
    teams: kyselyAdapter(db, { table: 'teams' }),
  })
  return async (line: string, body?: unknown): Promise<Told> => {
    const [method = '', url = ''] = line.split(' ')
    const request = { method, url, headers, body: body as HttpRequest['body'] }
    const { status, body: answered } = await handle(request, registry)
    const { issues = [] } = Object(answered) as { issues?: readonly { pointer?: string }[] }
    return { status, pointers: issues.map(({ pointer }) => pointer) }
  }
}

async function make(db: Kysely<unknown>, engine: Engine, made: string): Promise<void> {
  const text = engine === 'mariadb' ? 'varchar(20)' : 'text'
  for (const statement of made.replaceAll('$', text).split(/;\s/)) {
    await sql.raw(statement).execute(db)
  }
}

describe.each(engines.filter(has))('%s', (engine) => {
  const rows = homes.filter(([, some]) => some.includes(engine))
  describe.each(rows)('with %s', (name, _, made) => {
    let db: Kysely<unknown>
    let drop: () => Promise<void>
    // SQLite reports no column, and its view has no reference.
    const isNamed = name !== 'a view with triggers'
    const pointers = (...fields: readonly string[]) => (isNamed ? fields : [])

    beforeAll(async () => {
      ;({ db, drop } = await databaseOf<unknown>(engine))
      await make(db, engine, `create table teams (id $ primary key, code $ unique); ${made}`)
    }, 30_000)
    afterAll(() => drop())
    beforeEach(async () => {
      await sql`delete from ${sql.table(name.startsWith('a view') ? 't' : 'seats')}`.execute(db)
      await sql`delete from teams`.execute(db)
      const ask = await askOf(db)
      expect((await ask('POST /teams', { id: 't' })).status).toBe(201)
      for (const id of ['a', 'b']) {
        expect((await ask('POST /seats', { id, team_id: 't' })).status).toBe(201)
      }
    })

    test('a team that does not exist is 422 at the field', async () => {
      const ask = await askOf(db)
      const item = { team_id: 'no' }
      expect(await ask('POST /seats', { id: 'c', ...item })).toEqual({
        status: 422,
        pointers: pointers('/team_id'),
      })
      const put = await ask('PUT /seats/a', item)
      if (isNamed) expect(put).toEqual({ status: 422, pointers: ['/team_id'] })
      const bulk = await ask('PUT /seats', [
        { id: 'a', ...item },
        { id: 'b', team_id: 't' },
      ])
      if (isNamed) expect(bulk).toEqual({ status: 422, pointers: ['/0/team_id'] })
    })

    test('a referenced team is 409', async () => {
      const ask = await askOf(db)
      expect(await ask('DELETE /teams/t')).toEqual({ status: 409, pointers: [] })
      expect(await ask('DELETE /teams')).toEqual({ status: 409, pointers: [] })
    })
  })

  test('a referenced value cannot change', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    await make(
      db,
      engine,
      `create table teams (id $ primary key, code $ unique);
       create table seats (id $ primary key, code $ references teams (code), team_id $,
         foreign key (code) references teams (code))`,
    )
    const ask = await askOf(db)
    await ask('POST /teams', { id: 't', code: 'c' })
    await ask('POST /seats', { id: 'a', code: 'c' })
    expect(await ask('PUT /teams/t', { code: 'd' })).toEqual({ status: 409, pointers: [] })
    expect(await ask('PUT /teams', [{ id: 't', code: 'd' }])).toEqual({ status: 409, pointers: [] })
    await drop()
  })
})

test.runIf(has('postgres'))('a deferred constraint reports the right item of a bulk', async () => {
  const { db, drop } = await databaseOf<unknown>('postgres')
  await make(
    db,
    'postgres',
    `create table teams (id $ primary key, code $);
     create table seats (${seat}, primary key (id), unique (code) ${late}, ${reference} ${late});
     create function no() returns trigger language plpgsql as 'begin raise check_violation;end';
     create constraint trigger n after update on teams ${late} for each row execute function no()`,
  )
  const ask = await askOf(db)
  for (const [at, id] of ['a', 'b', 'c'].entries()) await ask('POST /seats', { id, code: `${at}` })
  const bulk = (...changes: readonly object[]) =>
    ask(
      'PUT /seats',
      ['a', 'b'].map((id, at) => ({ id, code: `${at}`, ...changes[at] })),
    )
  expect(await bulk({ team_id: 'no' }, {})).toEqual({ status: 422, pointers: ['/0/team_id'] })
  expect(await bulk({ code: '2' }, {})).toEqual({ status: 409, pointers: ['/0/code'] })
  expect(await bulk({ code: '1' }, { code: '0' })).toEqual({ status: 200, pointers: [] })
  for (const id of ['t', 'u']) await ask('POST /teams', { id })
  expect(await ask('PUT /teams', [{ id: 't' }, { id: 'u' }])).toEqual({ status: 422, pointers: [] })
  await drop()
})
