import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has, type TestDatabase } from '../support/stores.ts'

const many = '9'.repeat(400)
const texts = [
  ...['1e400', '-1e400', '1E+400', '1e-400', '0e400', many, `-${many}`, `${many}.5`],
  ...[`0.${'0'.repeat(400)}1`, '1e308', '-1e308', '1e309', '5e-324', '1e39', '-1e300', '1e21'],
  ...['9007199254740993', '9223372036854775808', '-18446744073709551617', '4294967296'],
  ...['Infinity', '-Infinity', 'NaN', '0x10', '-0', '1.5', '1'],
]

const numbers = ['double', 'whole', 'wide', 'exact', 'single'] as const
const number = z.number().nullish()
const Sample = z.object({
  id: z.string(),
  double: number,
  whole: number,
  wide: number,
  exact: number,
  single: number,
  inside: z.object({ size: z.number() }).nullish(),
  sizes: z.array(z.number()).nullish(),
  part_id: number,
})
// Its paths take any number, and texts that JavaScript takes for one.
const parts = defineResource('parts', {
  schema: z.object({ id: z.number(), size: number }),
  create: z.object({ id: z.number(), size: number }),
  id: z.string().transform(Number),
  filterable: ['size'],
  putCreates: true,
})
const samples = defineResource('samples', {
  schema: Sample,
  create: Sample,
  filterable: [...numbers, 'inside.size', 'sizes'],
  sortable: [...numbers],
  references: { part_id: 'parts' },
})
const api = defineApi({ v1: { '/samples': samples, '/parts': parts } })

const columns: Readonly<Record<Engine, string>> = {
  sqlite: `double real, whole integer, wide bigint, exact numeric(12,2), single float,
    inside text, sizes text, part_id bigint`,
  postgres: `double double precision, whole integer, wide bigint, exact numeric(12,2), single real,
    inside jsonb, sizes jsonb, part_id bigint`,
  mariadb: `\`double\` double, whole int, wide bigint, exact decimal(12,2), single float,
    inside json, sizes json, part_id bigint`,
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly link: string
}

const inMemory = () => ({ samples: memoryAdapter(), parts: memoryAdapter() })

async function inTables({ engine, db }: TestDatabase<unknown>) {
  await sql.raw(`create table samples (id varchar(50) primary key, ${columns[engine]})`).execute(db)
  const size = engine === 'sqlite' ? 'real' : 'double precision'
  await sql.raw(`create table parts (id bigint primary key, size ${size})`).execute(db)
  return {
    samples: kyselyAdapter(db, { table: 'samples' }),
    parts: kyselyAdapter(db, { table: 'parts' }),
  }
}

async function serviceOf(adapters: object) {
  const errors: unknown[] = []
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(error))
    .adapters(adapters as never)
  const ask = async (method: string, url: string, body?: string): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const request = { method, url, headers, ...(body !== undefined && { body }) }
    const { status, body: answer, headers: fields } = await handle(request, registry)
    const link = /<([^>]+)>/.exec(String(fields.link))?.[1] ?? ''
    return { status, body: answer, link }
  }
  for (const id of [1, 2, 3]) await ask('POST', '/parts', JSON.stringify({ id, size: id }))
  const row = (id: string, value: number) => ({
    id,
    ...Object.fromEntries(numbers.map((name) => [name, value])),
    ...{ inside: { size: value }, sizes: [value], part_id: value },
  })
  const made = await ask('POST', '/samples', JSON.stringify([row('a', 1), row('b', 2)]))
  expect(made.status).toBe(201)
  return { ask, errors }
}

type Ask = Awaited<ReturnType<typeof serviceOf>>['ask']

const idsOf = ({ status, body }: Answer) =>
  status === 200 ? [body].flat().map((item) => Object(item).id) : status

const operators = ['', ':ne', ':gt', ':gte', ':lt', ':lte']
const filters = [...numbers, 'inside.size', 'part.size'].flatMap((name) =>
  name === 'part.size' ? [name, `${name}:ne`] : operators.map((operator) => name + operator),
)

async function filtered(ask: Ask, text: string) {
  const value = encodeURIComponent(text)
  const searches = [...filters, 'sizes:has'].map((name) => `/samples?${name}=${value}`)
  const all = [...searches, `/parts?id=${value}&id=2`, `/parts?id:ne=${value}`]
  return Promise.all(all.map(async (url) => [url, idsOf(await ask('GET', url))]))
}

describe.each(engines.filter(has))('numbers that no double holds, in %s', (engine) => {
  let home: TestDatabase<unknown>
  let service: Awaited<ReturnType<typeof serviceOf>>
  beforeAll(async () => {
    home = await databaseOf<unknown>(engine)
    service = await serviceOf(await inTables(home))
  }, 60_000)
  afterAll(() => home.drop())

  test('are in filters as in memory', { timeout: 60_000 }, async () => {
    const memory = await serviceOf(inMemory())
    for (const text of texts)
      expect(await filtered(service.ask, text)).toEqual(await filtered(memory.ask, text))
    expect(service.errors).toEqual([])
  })

  test('are refused in bodies, or stored as they are', { timeout: 60_000 }, async () => {
    const { ask, errors } = service
    const bodies = (text: string) => [
      ...numbers.map((name) => `{"id":"z","${name}":${text}}`),
      `{"id":"z","part_id":${text}}`,
      `{"id":"z","inside":{"size":${text}},"sizes":[${text}]}`,
    ]
    for (const text of texts)
      for (const body of bodies(text)) {
        const { status, body: item } = await ask('POST', '/samples', body)
        expect([200, 201, 400, 422], body.slice(0, 60)).toContain(status)
        if (status === 201) expect((await ask('GET', '/samples/z')).body).toEqual(item)
        expect((await ask('PATCH', '/samples/z', body)).status).toBeLessThan(500)
        await ask('DELETE', '/samples/z')
      }
    expect(errors).toEqual([])
  })

  test('name no item in a path', async () => {
    const { ask, errors } = service
    for (const text of texts) {
      if (text === '1') continue
      const path = `/parts/${encodeURIComponent(text)}`
      const bodies = ['{"size":1}', `{"id":${text},"size":1}`]
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect((await ask(method, path, method === 'PATCH' ? bodies[0] : undefined)).status).toBe(
          404,
        )
      for (const body of bodies) {
        const { status } = await ask('PUT', path, body)
        expect([201, 400, 404, 409, 422], path).toContain(status)
        if (status === 201) expect((await ask('DELETE', path)).status).toBe(200)
      }
      const bulk = await ask('PUT', '/parts', `[{"id":${text},"size":1}]`)
      expect([400, 404, 422]).toContain(bulk.status)
    }
    expect(errors).toEqual([])
  })

  test('end no page', { timeout: 60_000 }, async () => {
    const { ask, errors } = service
    for (const sort of [...numbers, 'id'].flatMap((name) => [name, `-${name}`])) {
      const { link } = await ask('GET', `/samples?sort=${sort}&limit=1`)
      const [start, cursor = ''] = link.split('after=')
      const values = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
      for (const text of texts)
        for (const value of [text, JSON.stringify(text)]) {
          const parts = values.map((part, index) => (index === 1 ? value : JSON.stringify(part)))
          const forged = Buffer.from(`[${parts.join()}]`).toString('base64url')
          const { status } = await ask('GET', `${start}after=${forged}`)
          expect([200, 400], `${sort} ${value}`).toContain(status)
        }
    }
    expect(errors).toEqual([])
  })
})

type Spelling = readonly [type: string, sent: string, stored: string]
const uuid = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
const spellings: Readonly<Record<Engine, readonly Spelling[]>> = {
  sqlite: [['numeric(12,2)', '1.5', '1.50']],
  postgres: [
    ['numeric(12,2)', '1.5', '1.50'],
    ['uuid', uuid.toUpperCase(), uuid],
    ['macaddr', '08-00-2B-01-02-03', '08:00:2b:01:02:03'],
  ],
  mariadb: [
    ['decimal(12,2)', '1.5', '1.50'],
    ['decimal(12,2)', '-0', '0.00'],
    ['uuid', uuid.toUpperCase(), uuid],
    ['inet6', '2001:DB8::1', '2001:db8::1'],
  ],
}

const Thing = z.object({ id: z.string(), name: z.string() })
const things = defineResource('things', {
  schema: Thing,
  create: Thing,
  putCreates: true,
})
const thingsApi = defineApi({ v1: { '/things': things } })

const rows = engines.filter(has).flatMap((engine) => {
  return spellings[engine].map((spelling) => [engine, ...spelling] as const)
})

test.each(rows)('an id has one spelling: %s %s %s', async (engine, type, sent, stored) => {
  const { db, drop } = await databaseOf<unknown>(engine)
  await sql.raw(`create table things (id ${type} primary key, name varchar(9))`).execute(db)
  const errors: unknown[] = []
  const registry = defineRegistry(thingsApi)
    .onError((error) => void errors.push(error))
    .adapters({ things: kyselyAdapter(db, { table: 'things' }) })
  const ask = async (method: string, url: string, draft?: object | object[]) => {
    const headers = { 'content-type': 'application/json' }
    const request = { method, url, headers, ...(draft && { body: JSON.stringify(draft) }) }
    const { status, body } = await handle(request, registry)
    return [status, body]
  }
  const issues = [{ pointer: '/id', code: 'unrepresentable' }]
  const refused = [422, { code: 'validation_failed', issues }]
  expect(await ask('PUT', `/things/${sent}`, { name: 'a' })).toMatchObject(refused)
  // Only the database knows the spellings of some types.
  const isKnown = /numeric|decimal|uuid/.test(type)
  const dryRun = await ask('PUT', `/things/${sent}?dry_run=true`, { name: 'a' })
  expect(dryRun).toMatchObject(isKnown ? refused : [200, { id: sent }])
  expect(await ask('GET', '/things')).toEqual([200, []])
  expect(await ask('PUT', `/things/${stored}`, { name: 'b' })).toMatchObject([201, { id: stored }])
  const again = isKnown ? refused : [409, { code: 'conflict' }]
  expect(await ask('PUT', `/things/${sent}`, { name: 'c' })).toMatchObject(again)
  expect(await ask('PUT', '/things', [{ id: sent, name: 'd' }])).toMatchObject([404, {}])
  expect(await ask('GET', '/things')).toEqual([200, [{ id: stored, name: 'b' }]])
  await ask('DELETE', `/things/${stored}`)
  // A new item tells its id.
  const created = [201, { id: stored }]
  expect(await ask('POST', '/things', { id: sent, name: 'e' })).toMatchObject(created)
  expect(errors).toEqual([])
  await drop()
})

test.each(engines.filter(has))('groups of %s have the numbers of their items', async (engine) => {
  const { db, drop } = await databaseOf<unknown>(engine)
  const type = engine === 'postgres' ? 'double precision' : 'double'
  const single = engine === 'postgres' ? 'real' : 'float'
  await sql
    .raw(`create table sizes (id varchar(9) primary key, wide ${type}, single ${single},
    digits ${type})`)
    .execute(db)
  const schema = z.object({ id: z.string(), wide: number, single: number, digits: z.string() })
  const countable = ['wide', 'single', 'digits'] as const
  const sizes = defineResource('sizes', { schema, create: schema, countable })
  const registry = defineRegistry(defineApi({ v1: { '/sizes': sizes } })).adapters({
    sizes: kyselyAdapter(db, { table: 'sizes' }),
  })
  // The texts of a double are as long as they can be.
  const long = [-Number.MAX_VALUE, -5.7636550037962904e-307, -1.0000000000032602e-15]
  for (const [place, wide] of long.entries())
    await sql`insert into sizes values (${`${place}`}, ${wide}, ${[-1.17549435e-38, 0.5, 3][place]},
      ${wide})`.execute(db)
  const get = async (url: string): Promise<unknown> =>
    (await handle({ method: 'GET', url, headers: {} }, registry)).body
  const items = [await get('/sizes')].flat()
  for (const field of countable) {
    const { groups } = Object(await get(`/sizes/count?by=${field}`))
    const found = new Set([groups].flat().map((group) => Object(group)[field]))
    expect([field, found]).toEqual([field, new Set(items.map((item) => Object(item)[field]))])
  }
  await drop()
})
