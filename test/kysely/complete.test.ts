import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

/** A schema without JSON Schema, as some libraries have. */
function silent<Input, Output>(
  schema: StandardSchema<Input, Output>,
): StandardSchema<Input, Output> {
  const { version, vendor, validate } = schema['~standard']
  return { '~standard': { version, vendor, validate } }
}

const address = z.object({ street: z.string().optional(), city: z.string() })
const Person = z.object({
  id: z.string(),
  name: z.string(),
  company_id: z.string(),
  address: address.optional(),
})
const Sent = Person.partial({ id: true, company_id: true }).extend({
  address: address.partial().optional(),
})
const people = defineResource('people', { schema: Person, create: silent(Sent) as typeof Sent })
const companies = defineResource('companies', { schema: z.object({ id: z.string() }) })
const api = defineApi({
  v1: { '/companies': companies, '/people': people, '/companies/:company_id/people': people },
})

interface Makers {
  readonly nextId?: () => string
  readonly onCreate?: () => object
  readonly onUpdate?: () => object
}

const types: Readonly<Record<Engine, string>> = {
  sqlite: 'text',
  postgres: 'text',
  mariadb: 'varchar(40) character set utf8mb4 collate utf8mb4_nopad_bin',
}

async function tables(engine: Engine, db: Kysely<unknown>): Promise<void> {
  const text = types[engine]
  const json = engine === 'postgres' ? 'jsonb' : 'json'
  await sql.raw(`create table companies (id ${text} primary key)`).execute(db)
  await sql
    .raw(
      `create table people (
        id ${text} primary key, name ${text}, company_id ${text}, address ${json})`,
    )
    .execute(db)
}

function asking(registry: Registry) {
  return async (line: string, body?: unknown) => {
    const [method = '', url = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    const answer = await handle(
      { method, url, headers, body: body === undefined ? body : JSON.stringify(body) },
      registry,
    )
    return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) }
  }
}

const ada = { id: 'ada', name: 'Ada', company_id: 'a' }

const rows: readonly (readonly [
  name: string,
  makers: Makers,
  line: string,
  body: unknown,
  told: string,
])[] = [
  ['a new item', {}, 'POST /people', { name: 'x' }, 'company_id'],
  ['an item', {}, 'PUT /people/ada', { name: 'x' }, 'company_id'],
  ['one of a bulk', {}, 'PUT /people', [ada, { id: 'bob', name: 'x' }], 'company_id'],
  ['a part', {}, 'POST /people', { ...ada, id: 'b', address: { street: 'x' } }, 'address.city'],
  ['a part', {}, 'PUT /people/ada', { ...ada, address: { street: 'x' } }, 'address.city'],
  [
    'what onCreate takes away',
    { onCreate: () => ({ company_id: undefined }) },
    'POST /people',
    { name: 'x', company_id: 'a' },
    'company_id',
  ],
  [
    'what onUpdate takes away',
    { onUpdate: () => ({ company_id: undefined }) },
    'PUT /people/ada',
    ada,
    'company_id',
  ],
  [
    'what onUpdate takes away',
    { onUpdate: () => ({ name: undefined }) },
    'PUT /people',
    [ada],
    'name',
  ],
  [
    'what onCreate moves out of the scope',
    { onCreate: () => ({ company_id: 'b' }) },
    'POST /companies/a/people',
    { name: 'x' },
    'scope',
  ],
  [
    'what onUpdate moves out of the scope',
    { onUpdate: () => ({ company_id: 'b' }) },
    'PUT /companies/a/people/ada',
    { name: 'x' },
    'scope',
  ],
  [
    'a new item with a reserved id',
    { nextId: () => 'first' },
    'POST /people',
    { name: 'x', company_id: 'a' },
    'an id',
  ],
  [
    'a new item whose id onCreate takes',
    { onCreate: () => ({ id: 'last' }) },
    'POST /people',
    { name: 'x', company_id: 'a' },
    'an id',
  ],
]

/** A store of people. */
interface Home {
  readonly name: string
  open(makers: Makers): Promise<{ registry: Registry; errors: unknown[]; close(): Promise<void> }>
}

const memory: Home = {
  name: 'memory',
  async open(makers) {
    const errors: unknown[] = []
    const registry = defineRegistry(api)
      .onError((error) => void errors.push(error))
      .adapters({ companies: memoryAdapter(), people: memoryAdapter(makers as object) })
    return { registry, errors, close: async () => undefined }
  },
}

const homes = engines.filter(has).map(
  (engine): Home => ({
    name: engine,
    async open(makers) {
      const { db, drop } = await databaseOf<unknown>(engine)
      await tables(engine, db)
      const errors: unknown[] = []
      const registry = defineRegistry(api)
        .onError((error) => void errors.push(error))
        .adapters({
          companies: kyselyAdapter(db, { table: 'companies' }),
          people: kyselyAdapter(db, { table: 'people', ...(makers as object) }),
        })
      return { registry, errors, close: drop }
    },
  }),
)

describe.each([memory, ...homes])('$name stores no item that no response can hold', ({ open }) => {
  test.each(rows)('%s %j %s', async (_, makers, line, body, told) => {
    const { onCreate, ...others } = makers
    let isReady = false
    const { registry, errors, close } = await open({
      ...others,
      ...(onCreate && { onCreate: () => (isReady ? onCreate() : {}) }),
    })
    const ask = asking(registry)
    for (const id of ['a', 'b']) await ask('POST /companies', { id })
    const bob = { ...ada, id: 'bob' }
    for (const item of [ada, bob]) expect((await ask('POST /people', item)).status).toBe(201)
    isReady = true
    expect((await ask(line, body)).status).toBe(500)
    expect(errors).toEqual([expect.any(TypeError)])
    expect(String(errors)).toContain(told)
    expect(await ask('GET /people')).toEqual({ status: 200, body: [ada, bob] })
    await close()
  })
})

describe('memory stores no value that JSON cannot carry', () => {
  const values = [Number.NaN, 3n, Symbol('x'), () => 1, [undefined], { deep: [Number.NaN] }]
  test.each(values.map((value) => [value]))('%s', async (value) => {
    const { registry, errors } = await memory.open({ onCreate: () => ({ address: value }) })
    const ask = asking(registry)
    expect((await ask('POST /people', ada)).status).toBe(500)
    expect(errors).toEqual([expect.any(TypeError)])
    expect((await ask('GET /people')).body).toEqual([])
  })
})

/** A change of a written item by the database. */
interface Change {
  readonly name: string
  readonly engine: Engine
  readonly statements: readonly string[]
  readonly line: string
  readonly status: number
}

const away = 'a trigger that takes a field away'
const taking = [
  `create function f() returns trigger
   as 'begin new.company_id = null; return new; end' language plpgsql`,
  'create trigger t before insert or update on people for each row execute function f()',
]
const renaming = [
  `create function f() returns trigger as $$ begin
     update people set name = 'other' where id = new.id; return null;
   end $$ language plpgsql`,
  'create trigger t after insert on people for each row execute function f()',
]
const trigger = (on: string, set: string): readonly string[] => [
  `create trigger t ${on} on people begin update people set ${set} where id = new.id; end`,
]
const oddDefault = [
  'alter table people drop column company_id',
  'alter table people add column company_id text default (nullif(1, 1))',
]
const ownedByInterval = ['alter table people alter column company_id type interval using null']
const setting = (on: string) => [
  `create trigger t before ${on} on people for each row set new.company_id = null`,
]

// biome-ignore format: a row stays a line
const changes: readonly Change[] = [
  { name: away, engine: 'sqlite', statements: trigger('after insert', 'company_id = null'), line: 'POST /people', status: 500 },
  { name: away, engine: 'sqlite', statements: trigger('after update', 'company_id = null'), line: 'PUT /people/ada', status: 500 },
  { name: away, engine: 'sqlite', statements: trigger('after update', 'company_id = null'), line: 'PUT /people', status: 500 },
  { name: 'a trigger that moves an item', engine: 'sqlite', statements: trigger('after insert', "company_id = 'b'"), line: 'POST /companies/a/people', status: 500 },
  { name: 'a trigger that renames', engine: 'sqlite', statements: trigger('after insert', "name = 'other'"), line: 'POST /people', status: 201 },
  { name: 'a trigger that renames', engine: 'sqlite', statements: trigger('after update', "name = 'other'"), line: 'PUT /people/ada', status: 200 },
  { name: 'a trigger that renames', engine: 'sqlite', statements: trigger('after update', "name = 'other'"), line: 'PUT /people', status: 200 },
  { name: 'a default that is nothing', engine: 'sqlite', statements: oddDefault, line: 'POST /people?bare', status: 500 },
  { name: away, engine: 'postgres', statements: taking, line: 'POST /people', status: 500 },
  { name: away, engine: 'postgres', statements: taking, line: 'PUT /people/ada', status: 500 },
  { name: 'a trigger that renames', engine: 'postgres', statements: renaming, line: 'POST /people', status: 201 },
  { name: 'a column that writes the owner in another form', engine: 'postgres', statements: ownedByInterval, line: 'POST /companies/1d/people', status: 500 },
  { name: away, engine: 'mariadb', statements: setting('insert'), line: 'POST /people', status: 500 },
  { name: away, engine: 'mariadb', statements: setting('update'), line: 'PUT /people', status: 500 },
]

describe.each(engines.filter(has))('%s keeps no item that no response can hold', (engine) => {
  test.each(changes.filter((change) => change.engine === engine))(
    '$line: $name',
    async ({ statements, line, status }) => {
      const { db, drop } = await databaseOf<unknown>(engine)
      await tables(engine, db)
      const registry = defineRegistry(api)
        .onError(() => undefined)
        .adapters({
          companies: kyselyAdapter(db, { table: 'companies' }),
          people: kyselyAdapter(db, { table: 'people' }),
        })
      const ask = asking(registry)
      for (const id of ['a', 'b', '1d']) await ask('POST /companies', { id })
      const [path = '', bare] = line.split('?')
      if (path.startsWith('PUT')) {
        await sql`insert into people (id, name, company_id) values ('ada', 'Ada', 'a')`.execute(db)
      }
      for (const statement of statements) await sql.raw(statement).execute(db)
      const before = await ask('GET /people')
      const isOwned = path.includes('companies') || bare !== undefined
      const sent = { id: 'ada', name: 'Eve', ...(isOwned ? {} : { company_id: 'a' }) }
      const answer = await ask(path, path === 'PUT /people' ? [sent] : sent)
      expect(answer.status).toBe(status)
      const after = await ask('GET /people')
      const stored = Array.isArray(answer.body) ? answer.body : [answer.body]
      expect(after).toEqual(status === 500 ? before : { status: 200, body: stored })
      expect(after.status).toBe(200)
      await drop()
    },
  )

  test('a computed null', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const text = sql.raw(types[engine])
    await sql`create table labels (id ${text} primary key,
      label ${text} generated always as (nullif(id, 'none')) stored)`.execute(db)
    const schema = z.object({ id: z.string(), label: z.string() })
    const create = schema.omit({ label: true })
    const labels = defineResource('labels', { schema, create, readOnly: ['label'] })
    const registry = defineRegistry(defineApi({ v1: { '/labels': labels } }))
      .onError(() => undefined)
      .adapters({ labels: kyselyAdapter(db, { table: 'labels' }) })
    const ask = asking(registry)
    expect((await ask('POST /labels', { id: 'none' })).status).toBe(500)
    expect((await ask('POST /labels', { id: 'a' })).body).toEqual({ id: 'a', label: 'a' })
    expect(await ask('GET /labels')).toEqual({ status: 200, body: [{ id: 'a', label: 'a' }] })
    await drop()
  })

  test('an id that no path can name', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    await sql`
      create table badges (id varchar(9) primary key default 'first', name varchar(9))`.execute(db)
    const schema = z.object({ id: z.string(), name: z.string() })
    const create = schema.omit({ id: true })
    const badges = defineResource('badges', { schema, create, id: z.string().min(1).max(9) })
    const registry = defineRegistry(defineApi({ v1: { '/badges': badges } }))
      .onError(() => undefined)
      .adapters({ badges: kyselyAdapter(db, { table: 'badges' }) })
    const ask = asking(registry)
    expect((await ask('POST /badges', { name: 'x' })).status).toBe(500)
    expect(await ask('GET /badges')).toEqual({ status: 200, body: [] })
    await drop()
  })
})

describe.runIf(has('postgres'))('columns of PostgreSQL that write a value in another form', () => {
  test('make an id that no path can name', async () => {
    const { db, drop } = await databaseOf<unknown>('postgres')
    await sql`create table spans (id interval primary key)`.execute(db)
    const spans = defineResource('spans', {
      schema: z.object({ id: z.string() }),
      id: z.string().regex(/^\d+d$/),
    })
    const registry = defineRegistry(defineApi({ v1: { '/spans': spans } }))
      .onError(() => undefined)
      .adapters({ spans: kyselyAdapter(db, { table: 'spans' }) })
    const ask = asking(registry)
    expect((await ask('POST /spans', { id: '1d' })).status).toBe(500)
    expect(await ask('GET /spans')).toEqual({ status: 200, body: [] })
    await drop()
  })

  test('make an owner in other letters', async () => {
    const { db, drop } = await databaseOf<unknown>('postgres')
    await tables('postgres', db)
    await sql`alter table people alter column company_id type uuid using null`.execute(db)
    const registry = defineRegistry(api).adapters({
      companies: kyselyAdapter(db, { table: 'companies' }),
      people: kyselyAdapter(db, { table: 'people' }),
    })
    const ask = asking(registry)
    const id = '0190B6A3-1F5A-7C3E-8A36-0C5D2B9B6A11'
    await ask('POST /companies', { id })
    const answer = await ask(`POST /companies/${id}/people`, { name: 'x' })
    expect([answer.status, answer.body.code]).toEqual([404, 'parent_not_found'])
    expect(await ask('GET /people')).toEqual({ status: 200, body: [] })
    await drop()
  })
})
