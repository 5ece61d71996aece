import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, engines, has } from '../support/stores.ts'

const Seat = z.object({
  id: z.string(),
  row: z.string().optional(),
  desk: z.string().optional(),
  team_id: z.string().optional(),
  boss_id: z.string().optional(),
})
const seats = defineResource('seats', { schema: Seat })
const teams = defineResource('teams', { schema: z.object({ id: z.string() }) })
const api = defineApi({ v1: { '/seats': seats, '/teams': teams } })
const referring = defineResource('seats', {
  schema: Seat,
  references: { boss_id: 'teams', team_id: 'teams' },
})

interface Home {
  readonly name: string
  open(): Promise<{ readonly registry: Registry; close(): Promise<void> }>
}

const memory: Home = {
  name: 'memory',
  async open() {
    const known = defineApi({ v1: { '/seats': referring, '/teams': teams } })
    const registry = defineRegistry(known).adapters({
      teams: memoryAdapter(),
      seats: memoryAdapter({ unique: ['row', 'desk'] }),
    })
    return { registry, close: async () => undefined }
  },
}

const homes = engines.filter(has).map(
  (engine): Home => ({
    name: engine,
    async open() {
      const { db, drop } = await databaseOf<unknown>(engine)
      const text = sql.raw(engine === 'mariadb' ? 'varchar(20)' : 'text')
      const name = sql.id('row')
      await sql`create table teams (id ${text} primary key)`.execute(db)
      await sql`create table seats (
        id ${text} primary key, ${name} ${text}, desk ${text} unique, team_id ${text},
        boss_id ${text}, constraint one_row unique (${name}),
        foreign key (team_id) references teams (id),
        foreign key (boss_id) references teams (id))`.execute(db)
      const registry = defineRegistry(api).adapters({
        teams: kyselyAdapter(db, { table: 'teams' }),
        seats: kyselyAdapter(db, { table: 'seats' }),
      })
      return { registry, close: drop }
    },
  }),
)

// biome-ignore format: a row stays a line
const rows: readonly (readonly [
  line: string,
  body: unknown,
  status: number,
  pointers: readonly string[],
])[] = [
  ['POST /seats', { id: 'c', row: '1', desk: '2' },                                              409, ['/desk', '/row']],
  ['POST /seats', { id: 'c', row: '1', team_id: 'no', boss_id: 'no' },                           422, ['/boss_id', '/team_id']],
  ['POST /seats', { id: 'a', row: '2' },                                                         409, []],
  ['POST /seats', { id: 'a', team_id: 'no' },                                                    422, ['/team_id']],
  ['PUT /seats/a', { row: '2', desk: '2' },                                                      409, ['/desk', '/row']],
  ['PUT /seats/a', { row: '2', team_id: 'no' },                                                  422, ['/team_id']],
  ['PUT /seats/no', { row: '2', team_id: 'no' },                                                 404, []],
  ['PUT /seats', [{ id: 'a', row: '3' }, { id: 'b', team_id: 'no', boss_id: 'no' }],             422, ['/1/boss_id', '/1/team_id']],
  ['PUT /seats', [{ id: 'a', boss_id: 'no' }, { id: 'b', team_id: 'no' }],                       422, ['/0/boss_id', '/1/team_id']],
  ['PUT /seats', [{ id: 'a', team_id: 'no' }, { id: 'b', boss_id: 'no' }],                       422, ['/0/team_id', '/1/boss_id']],
  ['PUT /seats', [{ id: 'a', row: '3' }, { id: 'b', desk: '3' }],                                409, ['/0/row', '/1/desk']],
  ['PUT /seats', [{ id: 'a', desk: '3' }, { id: 'b', row: '3' }],                                409, ['/0/desk', '/1/row']],
  ['PUT /seats', [{ id: 'a', desk: 'x' }, { id: 'b', desk: 'x', row: '3' }],                     409, ['/1/desk', '/1/row']],
  [
    'PUT /seats',
    Array.from({ length: 60 }, (_, at) => ({ id: `s${at}`, team_id: at % 2 ? 't' : 'no' })),
    422,
    Array.from({ length: 30 }, (_, at) => `/${2 * at}/team_id`),
  ],
]

describe.each([memory, ...homes])('$name reports several issues in one order', ({ open }) => {
  test('references first, then taken values, item by item', async () => {
    const { registry, close } = await open()
    const ask = async (line: string, body: unknown) => {
      const [method = '', url = ''] = line.split(' ')
      const headers = { 'content-type': 'application/json' }
      const answer = await handle({ method, url, headers, body: JSON.stringify(body) }, registry)
      return { status: answer.status, body: Object(answer.body) }
    }
    await ask('POST /teams', { id: 't' })
    for (const [id, place] of Object.entries({ a: '1', b: '2', c3: '3' })) {
      await ask('POST /seats', { id, row: place, desk: place })
    }
    for (let at = 0; at < 60; at++) await ask('POST /seats', { id: `s${at}` })
    for (const [line, body, status, pointers] of rows) {
      const answer = await ask(line, body)
      const { issues = [] } = answer.body as { issues?: readonly { pointer: string }[] }
      const told = [line, answer.status, issues.map(({ pointer }) => pointer)]
      expect(told).toEqual([line, status, pointers])
    }
    await close()
  })
})
