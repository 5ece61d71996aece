import { randomBytes } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ServedEngine } from '../support/databases.ts'
import { databaseOf, dialectOf, type Engine, engines, has } from '../support/stores.ts'

const Part = z.object({
  id: z.string(),
  name: z.string().optional(),
  label: z.string().optional(),
  team_id: z.string().optional(),
})
const parts = defineResource('parts', {
  schema: Part,
  create: Part.omit({ label: true }),
  readOnly: ['label'],
})
const api = defineApi({ v1: { '/parts': parts } })
const headers = { 'content-type': 'application/json' }

/** The responses of a table or view: status, code, Allow and pointers. */
async function answersOf(db: Kysely<unknown>, lines: readonly (readonly [string, unknown?])[]) {
  const errors: unknown[] = []
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(String(error)))
    .adapters({ parts: kyselyAdapter<never>(db, { table: 'parts', key: ['id'] as never }) })
  const answers: unknown[] = []
  for (const [line, body] of lines) {
    const [method = '', url = ''] = line.split(' ')
    const request = { method, url: `/v1${url}`, headers, body: body as HttpRequest['body'] }
    const answer = await handle(request, registry)
    const { code, issues = [] } = Object(answer.body)
    const pointers = (issues as { pointer: string }[]).map(({ pointer }) => pointer)
    answers.push([line, answer.status, code ?? answer.headers.allow, pointers.join()])
    if (answer.status === 405) answers.push(answer.headers.allow)
  }
  return [...answers, ...errors]
}

const text = (engine: Engine) => (engine === 'mariadb' ? 'varchar(40)' : 'text')

async function make(db: Kysely<unknown>, engine: Engine, statements: string): Promise<void> {
  for (const statement of statements.replaceAll('$', text(engine)).split(/;\s+/)) {
    await sql.raw(statement).execute(db)
  }
}

const written = [
  ['POST /parts', { id: 'b', name: 'b' }],
  ['POST /parts', [{ id: 'c', name: 'c' }, { id: 'd' }]],
  ['PUT /parts/a', { name: 'x' }],
  ['PUT /parts', [{ id: 'a', name: 'y' }]],
  ['PATCH /parts/a', { name: 'z' }],
  ['PATCH /parts', [{ id: 'a', name: 'w' }]],
  ['DELETE /parts/b'],
  ['DELETE /parts'],
] as const
const table = 'create table t (id $ primary key, name $, team_id $)'
const row = "insert into t values ('a', 'a', null)"
const columns = 'id, name, upper(name) as label, team_id'

const ok = (line: string, status: number) => [line, status, undefined, '']
const refused = (line: string, allow: string) => [[line, 405, 'method_not_allowed', ''], allow]

const none = written.flatMap(([line]) => refused(line, 'GET, HEAD, OPTIONS'))
const every = written.map(([line]) => ok(line, line.startsWith('POST') ? 201 : 200))
const counted = (sql: string) => `${table}; ${row}; create view parts as ${sql}`

// biome-ignore format: a row stays a line
const views: readonly (readonly [
  name: string,
  engines: readonly Engine[],
  made: string,
  answers: readonly unknown[],
])[] = [
  ['simple',    ['postgres', 'mariadb'], counted(`select ${columns} from t`), every],
  ['simple',    ['sqlite'],              counted(`select ${columns} from t`), none],
  ['grouped',   engines,                 counted(`select min(id) as id, name, name as label, team_id from t group by name, team_id`), none],
  ['kept',      ['postgres'],            `${table}; ${row}; create materialized view parts as select ${columns} from t`, none],
  [
    'with one trigger',
    ['sqlite'],
    `${counted(`select ${columns} from t`)};
     create trigger i  INSTEAD OF insert on parts begin
       insert into t values (new.id, new.name, new.team_id);end`,
    [
      ...every.slice(0, 2),
      ...refused('PUT /parts/a', 'GET, HEAD, OPTIONS'),
      ...refused('PUT /parts', 'GET, HEAD, POST, OPTIONS'),
      ...refused('PATCH /parts/a', 'GET, HEAD, OPTIONS'),
      ...refused('PATCH /parts', 'GET, HEAD, POST, OPTIONS'),
      ...refused('DELETE /parts/b', 'GET, HEAD, OPTIONS'),
      ...refused('DELETE /parts', 'GET, HEAD, POST, OPTIONS'),
    ],
  ],
  [
    'joined',
    ['mariadb'],
    `${table}; ${row};
     create table u (n integer primary key); insert into u values (1);
     create view parts as select ${columns} from t join u`,
    [
      ...every.slice(0, 6),
      ...refused('DELETE /parts/b', 'GET, HEAD, PUT, PATCH, OPTIONS'),
      ...refused('DELETE /parts', 'GET, HEAD, POST, PUT, PATCH, OPTIONS'),
    ],
  ],
]

describe.each(engines.filter(has))('what %s denies', (engine) => {
  test.each(views.filter(([, some]) => some.includes(engine)))(
    'writes to a %s view are allowed or 405',
    async (_, __, made, answers) => {
      const { db, drop } = await databaseOf<unknown>(engine)
      await make(db, engine, made)
      expect(await answersOf(db, written)).toEqual(answers)
      expect(await answersOf(db, [['GET /parts']])).toEqual([ok('GET /parts', 200)])
      await drop()
    },
  )

  test.runIf(engine !== 'sqlite')('a missing privilege is 403', async () => {
    const { db, url, drop } = await databaseOf<unknown>(engine)
    await make(db, engine, `${table.replace('table t', 'table parts')}`)
    const user = `user_${randomBytes(6).toString('hex')}`
    const name = engine === 'postgres' ? user : `${user}@localhost`
    await sql.raw(`create user ${name}`).execute(db)
    await sql.raw(`grant select on parts to ${name}`).execute(db)
    const other = url.replace(/\/\/\w+@/, `//${user}@`)
    const less = new Kysely<unknown>({ dialect: dialectOf(engine as ServedEngine, other) })
    const label = sql.raw(`alter table parts add column label ${text(engine)}`)
    await label.execute(db)
    await sql`insert into parts (id) values ('a'), ('b')`.execute(db)
    const answers = await answersOf(less, written)
    expect(answers).toEqual(written.map(([line]) => [line, 403, 'forbidden', '']))
    expect(await answersOf(less, [['GET /parts']])).toEqual([ok('GET /parts', 200)])
    if (engine === 'postgres') {
      await sql.raw(`revoke select on parts from ${name}`).execute(db)
      expect(await answersOf(less, [['GET /parts']])).toEqual([
        ['GET /parts', 403, 'forbidden', ''],
      ])
    }
    await less.destroy()
    await drop()
  })

  test.runIf(engine !== 'sqlite')('an item outside the view is 422', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const shown = `select ${columns} from t where name <> 'no' with check option`
    await make(db, engine, `${table}; ${row}; create view parts as ${shown}`)
    const lines = [
      ['POST /parts', { id: 'b', name: 'no' }],
      ['PUT /parts/a', { name: 'no' }],
    ] as const
    expect(await answersOf(db, lines)).toEqual(
      lines.map(([line]) => [line, 422, 'validation_failed', '']),
    )
    await drop()
  })

  test.runIf(engine === 'postgres')('a generated column is 422', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    await sql`create table parts (id text primary key, name text, team_id text, label text,
      n integer generated always as identity)`.execute(db)
    const counts = defineResource('counts', { schema: Part.extend({ n: z.number().optional() }) })
    const registry = defineRegistry(defineApi({ v1: { '/counts': counts } })).adapters({
      counts: kyselyAdapter(db, { table: 'parts' }),
    })
    const ask = (method: string, url: string, body: HttpRequest['body']) =>
      handle({ method, url, headers, body }, registry)
    const body = { issues: [{ pointer: '/n', code: 'unfit' }] }
    expect(await ask('POST', '/counts', { id: 'a', n: 7 })).toMatchObject({ status: 422, body })
    expect((await ask('POST', '/counts', { id: 'a' })).status).toBe(201)
    expect(await ask('PUT', '/counts/a', { n: 7 })).toMatchObject({ status: 422, body })
    await drop()
  })
})
