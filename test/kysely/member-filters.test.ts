import fc from 'fast-check'
import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { meeting } from '../../src/contract/values/search.ts'
import type { Comparison, FilterType, FilterValue } from '../../src/convention/filter-operators.ts'
import { databaseOf, type Engine, engines, has, type TestDatabase } from '../support/stores.ts'

const numRuns = Number(process.env.RUNS ?? 25)
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }

const Address = z.object({
  city: z.string().nullish(),
  floor: z.number().nullish(),
  size: z.int().optional(),
  isHome: z.boolean().nullish(),
  since: z.iso.date().optional(),
  seen: z.iso.datetime({ offset: true }).optional(),
  kind: z.enum(['new', 'old']).optional(),
  'post code': z.string().optional(),
})
const Person = z.object({ id: z.string(), address: Address.nullish() })
const people = defineResource('people', {
  schema: Person,
  filterable: [
    'address.city',
    'address.floor',
    'address.size',
    'address.isHome',
    'address.since',
    'address.seen',
    'address.kind',
    'address.post code',
  ],
})
const api = defineApi({ v1: { '/people': people } })

type Member = keyof z.infer<typeof Address>
const types: Readonly<Record<Member, FilterType>> = {
  city: 'text',
  floor: 'number',
  size: 'integer',
  isHome: 'boolean',
  since: 'date',
  seen: 'date-time',
  kind: 'text',
  'post code': 'text',
}
const texts = [
  'Bern',
  'bern',
  'B\u00e9rn',
  'Be',
  'ern',
  '5',
  'true',
  'null',
  ' ',
  'a"b',
  "a'b",
  '\\',
  '😀',
  '\uffff',
  '%',
  '{}',
]
const values: Readonly<Record<Member, readonly FilterValue[]>> = {
  city: texts,
  floor: [0, 1, 5, -0.5, 0.1, 1e21, 2 ** 53 - 1, 1.5],
  size: [0, 1, -3, 2 ** 31],
  isHome: [true, false],
  since: ['2020-01-01', '2020-01-02'],
  seen: [
    '2020-01-01T12:00:00Z',
    '2020-01-01T13:00:00+01:00',
    '2020-01-01T12:00:00.5Z',
    '2020-01-01T12:00:00.500Z',
    '2019-12-31T23:00:00-05:00',
  ],
  kind: ['new', 'old'],
  'post code': ['1', '2'],
}
const names = Object.keys(types) as readonly Member[]

const member = (name: Member) =>
  fc.constantFrom<unknown>(
    ...values[name],
    ...(['city', 'floor', 'isHome'].includes(name) ? [null] : []),
  )
const address = fc.record(Object.fromEntries(names.map((name) => [name, member(name)])), {
  requiredKeys: [],
})
const body = fc.record(
  {
    address: fc.oneof(
      { weight: 5, arbitrary: address },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
  },
  { requiredKeys: [] },
)

const comparisons: Readonly<Record<string, Comparison>> = {
  '': 'in',
  ':ne': 'notIn',
  ':gt': 'gt',
  ':gte': 'gte',
  ':lt': 'lt',
  ':lte': 'lte',
  ':contains': 'contains',
  ':startsWith': 'startsWith',
  ':endsWith': 'endsWith',
}
const filter = fc.constantFrom(...names).chain((name) => {
  const isText = types[name] === 'text'
  const taken = Object.keys(comparisons).filter((operator) =>
    operator.includes('t') && operator.length > 4
      ? isText
      : operator === '' || operator === ':ne' || types[name] !== 'boolean',
  )
  return fc.record({
    name: fc.constant(name),
    operator: fc.constantFrom(...taken),
    values: fc.array(fc.constantFrom(...values[name]), { minLength: 1, maxLength: 3 }),
  })
})

interface Answer {
  readonly status: number
  readonly body: unknown
}

const json: Readonly<Record<Engine, string>> = {
  sqlite: 'text',
  postgres: 'jsonb',
  mariadb: 'json',
}
const stores = [
  ['memory', ''],
  ...engines.map((engine) => [engine, json[engine]] as const),
  ['postgres', 'json'],
] as const

describe.each(stores)('members of objects in %s %s', (store, type) => {
  if (store !== 'memory' && !has(store)) return test.skip('is missing', () => undefined)
  let home: TestDatabase<unknown> | undefined
  let ask: (method: string, url: string, body?: unknown) => Promise<Answer>
  beforeAll(async () => {
    if (store !== 'memory') {
      home = await databaseOf<unknown>(store)
      await sql`create table people (id varchar(50) primary key, address ${sql.raw(type)})`.execute(
        home.db,
      )
    }
    const adapter =
      home === undefined ? memoryAdapter() : kyselyAdapter(home.db, { table: 'people' })
    const registry = defineRegistry(api).adapters({ people: adapter as never })
    ask = async (method, url, body) => {
      const headers = { 'content-type': 'application/json', prefer: 'max-affected=100' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const { status, body: answer } = await handle({ method, url, headers, ...sent }, registry)
      return { status, body: answer }
    }
  }, 60_000)
  afterAll(() => home?.drop())

  const idsFor = async (search: string) => {
    const { status, body } = await ask('GET', `/v1/people?${search}`)
    return [status, status === 200 ? [body].flat().map((found) => Object(found).id) : body]
  }

  test('are compared as items in memory', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { maxLength: 6 }),
        fc.array(filter, { minLength: 1, maxLength: 8 }),
        async (bodies, filters) => {
          await ask('DELETE', '/v1/people')
          const items = bodies.map((body, place) => ({ id: `${place}`, ...body }))
          if (items.length > 0)
            expect(await ask('POST', '/v1/people', items)).toMatchObject({ status: 201 })
          for (const { name, operator, values: many } of filters) {
            const sent = operator === '' || operator === ':ne' ? many : many.slice(0, 1)
            const field = `address.${name}`
            const parameter = encodeURIComponent(field) + operator
            const search = sent
              .map((value) => `${parameter}=${encodeURIComponent(value)}`)
              .join('&')
            const is = comparisons[operator] ?? 'in'
            const condition = { field, is, values: sent, type: types[name] }
            const expected = items.filter(meeting([condition])).map(({ id }) => id)
            expect([search, ...(await idsFor(search))]).toEqual([search, 200, expected])
            const isMissing = { field, is: 'missing', values: [], type: types[name] } as const
            const without = items.filter(meeting([isMissing])).map(({ id }) => id)
            expect(
              await idsFor(`${parameter}:null=true`.replace(`${operator}:null`, ':null')),
            ).toEqual([200, without])
          }
          const [first] = filters
          if (first === undefined) return
          const search = `${encodeURIComponent(`address.${first.name}`)}:null=false`
          const present = items.filter(
            meeting([
              {
                field: `address.${first.name}`,
                is: 'present',
                values: [],
                type: types[first.name],
              },
            ]),
          )
          expect((await ask('GET', `/v1/people/count?${search}`)).body).toEqual({
            count: present.length,
          })
          expect((await ask('DELETE', `/v1/people?${search}`)).body).toEqual({
            deleted: present.length,
          })
        },
      ),
      { numRuns, ...seed },
    )
  })

  if (store === 'memory') return
  test('take what other programs wrote', async () => {
    await ask('DELETE', '/v1/people')
    const foreign = [
      '{"city":5,"floor":"5","isHome":1,"seen":"soon","size":1.5}',
      '{"city":["Bern"],"floor":{"a":1},"isHome":"true"}',
      '{"city":"Bern","floor":1.0,"isHome":true,"seen":"2020-01-01 12:00:00z"}',
      '[{"city":"Bern"}]',
      '"Bern"',
      'null',
      '7',
      '{}',
      '{"floor":1e300,"kind":"a1e999"}',
      '{"floor":9007199254740993,"size":0.1000000000000000055511}',
      ...(store === 'mariadb' ? [] : ['{"a":[{"b":-1e400}],"city":"Bern","isHome":true}']),
      ...(store === 'postgres' ? ['{"floor":1e400,"size":1e-400}'] : []),
      ...(type === 'json' && store === 'postgres'
        ? ['{"city":"a\\u0000b"}', '{"city":"\\ud83d"}', '{"city":"\\\\u0000 \\ud83d\\ude00"}']
        : []),
      ...(store === 'sqlite' ? ['Bern', '{"city":', '{city:"Bern"}'] : []),
    ]
    for (const [place, value] of foreign.entries())
      await sql`insert into people values (${`f${place}`}, ${value})`.execute(home?.db as never)
    expect(await idsFor('address.city=Bern')).toEqual([200, ['f2']])
    expect(await idsFor('address.city=5')).toEqual([200, []])
    expect(await idsFor('address.floor=1')).toEqual([200, ['f2']])
    expect(await idsFor('address.floor:lt=10')).toEqual([200, ['f2']])
    expect(await idsFor('address.isHome=true')).toEqual([200, ['f2']])
    expect(await idsFor('address.size:lt=3')).toMatchObject([200, expect.arrayContaining(['f0'])])
    expect(await idsFor('address.seen=2020-01-01T12:00:00Z')).toEqual([200, ['f2']])
    expect(await idsFor('address.isHome:null=false')).toEqual([200, ['f0', 'f1', 'f2']])
    const all = foreign.map((_, place) => `f${place}`).sort()
    const others = all.filter((id) => id !== 'f2')
    for (const search of ['address.city:ne=Bern', 'address.isHome:ne=true', 'address.floor:ne=1'])
      expect(await idsFor(search)).toEqual([200, others])
    for (const name of names)
      for (const operator of [':null=true', ':null=false'])
        expect(await idsFor(`address.${encodeURIComponent(name)}${operator}`)).toEqual([
          200,
          expect.anything(),
        ])
    for (const search of [
      'city:contains=er',
      'city:gt=A',
      'seen:gt=2020-01-01T00:00:00Z',
      'since:lte=2020-01-01',
    ])
      expect(await idsFor(`address.${search}`)).toEqual([200, expect.anything()])
  })
})

const Place = z.object({ city: z.string(), zip: z.string().optional() })
const Firm = z.object({ id: z.string(), address: Place.optional() })
const Worker = z.object({ id: z.string(), firm_id: z.string(), home: Place.optional() })
const firms = defineResource('firms', { schema: Firm, filterable: ['address.city'] })
const workers = defineResource('workers', {
  schema: Worker,
  create: Worker,
  filterable: ['home.city', 'home.zip'],
  restricted: ['home'],
  references: { firm_id: 'firms' },
})
const oldWorkers = defineView('old_workers', workers, {
  schema: Worker.extend({ home: Place.pick({ city: true }).optional() }),
  create: Worker.extend({ home: Place.pick({ city: true }).optional() }),
})
const Renamed = z.object({ id: z.string(), firm_id: z.string(), house: Place.optional() })
const renamed = { schema: Renamed, create: Renamed, fields: { house: 'home' } } as const

describe('a member of an object', () => {
  const items = [
    { id: 'a', firm_id: '1', home: { city: 'Bern' } },
    { id: 'b', firm_id: '2', home: { city: 'Biel' } },
  ]
  const staffed = defineApi({
    v1: { '/old_workers': oldWorkers, '/firms': firms },
    v2: { '/workers': workers, '/firms': firms },
  })
  const registry = defineRegistry(staffed, { defaultVersion: false })
    .context(({ headers = {} }) => ({ sees: headers['x-sees'] !== undefined }))
    .reveal(({ sees }) => (sees ? { workers: ['home'] } : {}))
    .adapters({
      workers: memoryAdapter({ items }),
      firms: memoryAdapter({
        items: [
          { id: '1', address: { city: 'Basel' } },
          { id: '2', address: { city: 'Chur' } },
        ],
      }),
    })
  const ask = async (url: string, headers: object = { 'x-sees': '1' }) =>
    Object((await handle({ method: 'GET', url, headers: { ...headers } }, registry)).body)

  test('has its name in a view that shows the object', async () => {
    expect(await ask('/v1/old_workers?home.city=Bern')).toMatchObject([{ id: 'a' }])
    expect(oldWorkers.filterable.map(({ name }) => name)).toEqual(['home.city'])
  })

  test('drops out of a view that shows the object under another name', () => {
    expect(defineView('workers', workers, renamed).filterable).toEqual([])
    const declare = (name: string) => () =>
      defineView('workers', workers, { ...renamed, filterable: [name] } as never)
    expect(declare('house.city')).toThrow('show "house" as it is stored, or leave it out')
    const plain = { schema: Worker, create: Worker, filterable: ['home.city'] } as const
    const narrow = defineResource('workers', { schema: Worker, create: Worker })
    const widen = () => defineView('workers', narrow, plain as never)
    expect(widen).toThrow('add "home.city" to "filterable" of "workers"')
  })

  test('is unknown to callers who do not see the object', async () => {
    const unseen = await ask('/v2/workers?home.city=Bern', {})
    expect([unseen.code, JSON.stringify(unseen).includes('home.city:ne')]).toEqual([
      'unknown_parameter',
      false,
    ])
  })

  test('is a filter of a related item', async () => {
    expect(await ask('/v2/workers?firm.address.city=Chur')).toMatchObject([{ id: 'b' }])
    expect((await ask('/v2/workers?firm.address.zip=1')).code).toBe('unknown_parameter')
  })

  test('is refused beside a reference of its name', () => {
    const Both = z.object({ id: z.string(), home_id: z.string(), home: Place })
    const options = {
      schema: Both,
      filterable: ['home.city'],
      references: { home_id: 'homes' },
    } as const
    expect(() => defineResource('workers', options)).toThrow(
      'includes "home_id" as "home", which is a field too',
    )
  })
})
