import fc from 'fast-check'
import { type CompiledQuery, Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { meeting } from '../../src/contract/values/search.ts'
import type { FilterType, FilterValue } from '../../src/convention/filter-operators.ts'
import { nextOf } from '../support/cursors.ts'
import { postgresJsDialect } from '../support/postgres-js.ts'
import {
  type DatabaseOptions,
  databaseOf,
  dialectOf,
  type Engine,
  engines,
  has,
  type TestDatabase,
} from '../support/stores.ts'

const numRuns = Number(process.env.RUNS ?? 60)
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }

const text = z.string()
const Thing = z.object({
  id: z.string(),
  tags: z.array(z.string().nullable()).nullish(),
  sizes: z.array(z.number()).optional(),
  flags: z.array(z.boolean()).optional(),
  days: z.array(z.iso.date()).optional(),
  moments: z.array(z.iso.datetime({ offset: true })).optional(),
  kinds: z.array(z.enum(['new', 'old'])).optional(),
})
const lists = ['tags', 'sizes', 'flags', 'days', 'moments', 'kinds'] as const
const things = defineResource('things', { schema: Thing, filterable: lists })
const api = defineApi({ v1: { '/things': things } })

const types: Readonly<Record<(typeof lists)[number], FilterType>> = {
  tags: 'text',
  sizes: 'number',
  flags: 'boolean',
  days: 'date',
  moments: 'date-time',
  kinds: 'text',
}
const values: Readonly<Record<(typeof lists)[number], readonly FilterValue[]>> = {
  tags: [
    'red',
    'Red',
    'r\u00e9d',
    're\u0301d',
    '5',
    'true',
    'null',
    '',
    ' red',
    'a"b',
    "a'b",
    '\\',
    '😀',
    '[1]',
  ],
  sizes: [0, 1, 5, -0.5, 0.1, 1e21, 2 ** 53 - 1, 1.5],
  flags: [true, false],
  days: ['2020-01-01', '2020-01-02'],
  moments: [
    '2020-01-01T12:00:00Z',
    '2020-01-01T13:00:00+01:00',
    '2020-01-01T12:00:00.5Z',
    '2020-01-01T12:00:00.500Z',
  ],
  kinds: ['new', 'old'],
}

const item = fc.record(
  Object.fromEntries(
    lists.map((name) => [
      name,
      fc.array(fc.constantFrom(...values[name], ...(name === 'tags' ? [null] : [])), {
        maxLength: 3,
      }),
    ]),
  ),
  { requiredKeys: [] },
)
const filter = fc.constantFrom(...lists).chain((field) =>
  fc.record({
    field: fc.constant(field),
    values: fc.array(fc.constantFrom(...values[field]), { minLength: 1, maxLength: 3 }),
  }),
)

const json: Readonly<Record<Engine, string>> = {
  sqlite: 'text',
  postgres: 'jsonb',
  mariadb: 'json',
}

describe.each(['memory', ...engines] as const)('lists in %s', (store) => {
  if (store !== 'memory' && !has(store)) return test.skip('is missing', () => undefined)
  let home: TestDatabase<unknown> | undefined
  let ask: (
    method: string,
    url: string,
    body?: unknown,
  ) => Promise<{ status: number; body: unknown }>
  beforeAll(async () => {
    if (store !== 'memory') {
      home = await databaseOf<unknown>(store)
      const columns = lists.map((name) => sql`${sql.id(name)} ${sql.raw(json[store])}`)
      await sql`create table things (id varchar(50) primary key, ${sql.join(columns)})`.execute(
        home.db,
      )
    }
    const adapter =
      home === undefined ? memoryAdapter() : kyselyAdapter(home.db, { table: 'things' })
    const registry = defineRegistry(api).adapters({ things: adapter as never })
    ask = async (method, url, body) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const { status, body: answer } = await handle({ method, url, headers, ...sent }, registry)
      return { status, body: answer }
    }
  }, 60_000)
  afterAll(() => home?.drop())

  test('have an element as items in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 6 }),
        fc.array(filter, { minLength: 1, maxLength: 6 }),
        async (bodies, filters) => {
          await ask('DELETE', '/v1/things')
          const items = bodies.map((body, place) => ({ id: `${place}`, ...body }))
          if (items.length > 0)
            expect(await ask('POST', '/v1/things', items)).toMatchObject({ status: 201 })
          for (const { field, values } of filters) {
            const search = values
              .map((value) => `${field}:has=${encodeURIComponent(value)}`)
              .join('&')
            const condition = { field, is: 'has', values, type: types[field] } as const
            const expected = items.filter(meeting([condition])).map(({ id }) => id)
            const { status, body } = await ask('GET', `/v1/things?${search}`)
            expect([status, [body].flat().map((found) => Object(found).id)]).toEqual([
              200,
              expected,
            ])
            expect((await ask('GET', `/v1/things/count?${search}`)).body).toEqual({
              count: expected.length,
            })
          }
        },
      ),
      { numRuns, ...seed },
    )
  })
})

const columnTypes: readonly (readonly [Engine, string])[] = [
  ...engines.map((engine) => [engine, json[engine]] as const),
  ['postgres', 'text[]'],
]
const Label = z.object({ id: text, tags: z.array(text).nullish() })
const labels = defineResource('labels', { schema: Label, create: Label, filterable: ['tags'] })
const Mark = z.object({ id: text, marks: z.array(text).nullish() })
const marks = defineView('marks', labels, {
  ...{ schema: Mark, create: Mark, fields: { marks: 'tags' } },
})
const NoteOn = z.object({ id: text, label_id: text.nullish() })
const notesOn = defineResource('notes', {
  ...{ schema: NoteOn, create: NoteOn },
  countable: ['label_id'],
  references: { label_id: 'labels' },
})
const marksOn = defineView('marked_notes', notesOn, {
  ...{ schema: NoteOn, create: NoteOn, fields: {} },
  references: { label_id: 'marks' },
})
const productsApi = defineApi({
  v1: { '/labels': marks, '/notes': marksOn },
  v2: { '/labels': labels, '/notes': notesOn },
})

// Each request in its order, with the ids or the body that it gets.
const products = [
  ['GET', '/v1/labels?marks:has=red', ['a', 'b']],
  ['GET', '/v1/notes?label.marks:has=red', ['1', '2']],
  ['GET', '/v2/notes?label.tags:has=blue&label.tags:has=none', ['2']],
  ['GET', '/v2/notes/count?by=label_id&label.tags:has=red', { count: 2 }],
  ['DELETE', '/v1/labels?marks:has=red&dry_run=true', { deleted: 2 }],
  ['DELETE', '/v1/labels?marks:has=none', { deleted: 0 }],
  ['DELETE', '/v2/notes?label.tags:has=blue', { deleted: 1 }],
  ['GET', '/v2/notes', ['1', '3', '4']],
  ['DELETE', '/v2/labels?tags:has=blue&tags:has=none', { deleted: 1 }],
  ['GET', '/v1/labels', ['a', 'c', 'd']],
] as const

test.each(columnTypes.filter(([engine]) => has(engine)))(
  'filters views, related items and deletions in %s by %s',
  async (engine, type) => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const id = 'id varchar(9) primary key not null'
    for (const statement of [
      `create table labels (${id}, tags ${type})`,
      `create table notes (${id}, label_id varchar(9))`,
      "insert into notes values ('1', 'a'), ('2', 'b'), ('3', 'c'), ('4', null)",
    ])
      await sql.raw(statement).execute(db)
    const registry = defineRegistry(productsApi, { defaultVersion: false }).adapters({
      labels: kyselyAdapter(db, { table: 'labels' }),
      notes: kyselyAdapter(db, { table: 'notes' }),
    })
    const headers = { 'content-type': 'application/json', prefer: 'max-affected=5' }
    const items = [['red'], ['blue', 'red'], ['green'], null].map((tags, place) => ({
      ...{ id: 'abcd'[place], tags },
    }))
    const url = '/v2/labels'
    await handle({ method: 'POST', url, headers, body: JSON.stringify(items) }, registry)
    for (const [method, url, expected] of products) {
      const { body } = await handle({ method, url, headers }, registry)
      const found = Array.isArray(body) ? body.map((item) => Object(item).id) : body
      if (Array.isArray(expected)) expect([url, found]).toEqual([url, expected])
      else expect([url, found]).toMatchObject([url, expected])
    }
    await drop()
  },
)

// Names that the engines give to elements and their places.
const nouns = [
  'value',
  'key',
  'type',
  'path',
  'atom',
  'element',
  'listed',
  'sought',
  'place',
] as const

type Noun = (typeof nouns)[number]

test.each(engines.filter(has))('a list has any name in %s', async (engine) => {
  const { db, drop } = await databaseOf<unknown>(engine)
  const list = z.array(z.string())
  const shape = Object.fromEntries(nouns.map((name) => [name, list])) as Record<Noun, typeof list>
  const all = sql.join(
    ['root', ...nouns].map((name) => sql`${sql.id(name)} ${sql.raw(json[engine])}`),
  )
  await sql`create table things (id varchar(50) primary key, ${all})`.execute(db)
  const schema = z.object({ id: z.string(), root: z.array(z.iso.datetime()), ...shape })
  const filterable = ['root', ...nouns] as const
  const resource = defineResource('things', { schema, create: schema, filterable })
  const registry = defineRegistry(defineApi({ v1: { '/things': resource } })).adapters({
    things: kyselyAdapter(db, { table: 'things' }),
  })
  const moment = '2020-01-01T00:00:00Z'
  const draft = {
    id: 'a',
    root: [moment],
    ...Object.fromEntries(nouns.map((name) => [name, [name]])),
  }
  const body = JSON.stringify(draft)
  const headers = { 'content-type': 'application/json' }
  await handle({ method: 'POST', url: '/things', headers, body }, registry)
  const searches = nouns.map((name) => [`${name}:has=${name}`, `${name}:has=none`] as const)
  const moments = [`root:has=${moment}`, 'root:has=2020-01-02T00:00:00Z'] as const
  for (const [met, unmet] of [moments, ...searches]) {
    const counts = await Promise.all(
      [met, unmet].map((search) =>
        handle({ method: 'GET', url: `/things/count?${search}` }, registry),
      ),
    )
    expect([met, ...counts.map(({ body }) => body)]).toEqual([met, { count: 1 }, { count: 0 }])
  }
  await drop()
})

// A database reads these otherwise than JavaScript, so that a filter finds them or leaves them out.
const odd = [
  ['["red",1e999]', '{"city":"Bern","size":1e999}'],
  ['["\\ud83d","red"]', '{"city":"Bern","city":"Basel"}'],
  ['["r\\u0065d"]', '{"city":"Basel","city":"Bern"}'],
] as const
const even = ['["red"]', '{"city":"Bern"}'] as const
const documents: Readonly<Record<Engine, string>> = {
  sqlite: 'text',
  postgres: 'json',
  mariadb: 'longtext',
}

test.each(engines.filter(has))('odd JSON fails no read: %s', async (engine) => {
  const { db, drop } = await databaseOf<unknown>(engine)
  const type = sql.raw(documents[engine])
  await sql`create table things (id varchar(9) primary key, tags ${type}, home ${type})`.execute(db)
  const schema = Thing.pick({ id: true, tags: true }).extend({ home: z.object({ city: text }) })
  const resource = defineResource('things', { schema, filterable: ['tags', 'home.city'] })
  const registry = defineRegistry(defineApi({ v1: { '/things': resource } })).adapters({
    things: kyselyAdapter(db, { table: 'things' }),
  })
  const rows = [...odd, even, ...odd, even, ['["blue"]', '{"city":"Rome"}'], ...odd, even] as const
  for (const [place, [tags, home]] of rows.entries())
    await sql`insert into things values (${`${10 + place}`}, ${tags}, ${home})`.execute(db)
  const evenIds = rows.flatMap((row, place) => (row === even ? `${10 + place}` : []))
  for (const search of ['tags:has=red', 'home.city=Bern', 'home.city:ne=Rome'])
    for (const page of ['&limit=1', '&limit=2', '&limit=3', '&limit=50', '']) {
      const ids: unknown[] = []
      for (let url: string | undefined = `/things?${search}${page}`; url !== undefined; ) {
        const response = await handle({ method: 'GET', url }, registry)
        expect([search, response.status]).toEqual([search, 200])
        ids.push(...[response.body].flat().map((item) => Object(item).id))
        url = nextOf(response)
      }
      expect(ids).toEqual([...new Set(ids)].sort())
      expect(ids).toEqual(expect.arrayContaining(evenIds))
      expect(ids).not.toContain('18')
    }
  await drop()
})

const drivers: readonly (readonly [name: string, options: DatabaseOptions])[] = [
  ['pg', {}],
  ['postgres.js', { served: postgresJsDialect }],
]
// A cast to one of these would fail, or cut the text.
const domains = `create domain tag_list as text[] check (not 'redsx' = any(value));
  create domain color as text check (value <> 'redsx'); create domain short as varchar(4)`

describe.runIf(has('postgres')).each(drivers)('PostgreSQL through %s', (_, options) => {
  // Rows that the adapter would refuse. `json` keeps their escapes as they are.
  const foreign = ['["a\\u0000b","red"]', '["\\ud83d\\ude00","red"]', '["\\ud83d","red"]', 'null']

  test.each([
    ['json', foreign, ['1', 'foreign0', 'foreign1', 'foreign2']],
    ['text[]', ['{{red,a}}', '{NULL,red}', '{RED}'], ['1', 'foreign1']],
    ['varchar(4)[]', ['{reds}'], ['1']],
    ['citext[]', ['{RED}'], ['1']],
    ['tag_list', [], ['1']],
    ['color[]', [], ['1']],
    ['short[]', ['{reds}'], ['1']],
  ])('finds elements in %s', async (type, rows, expected) => {
    const { db, drop } = await databaseOf<unknown>('postgres', options)
    for (const statement of ['create extension citext', ...domains.split(';'), tableOfTags(type)])
      await sql.raw(statement).execute(db)
    const registry = defineRegistry(defineApi({ v1: { '/things': tagged } })).adapters({
      things: kyselyAdapter(db, { table: 'things' }),
    })
    const headers = { 'content-type': 'application/json' }
    const body = '[{"id":"1","tags":["red","\u00e4"]},{"id":"2","tags":["blue"]},{"id":"3"}]'
    expect(await handle({ method: 'POST', url: '/things', headers, body }, registry)).toMatchObject(
      {
        status: 201,
      },
    )
    for (const [place, tags] of rows.entries())
      await sql`insert into things values (${`foreign${place}`}, ${sql.lit(tags)})`.execute(db)
    const url = '/things?tags:has=red&tags:has=%C3%A4&limit=9'
    const { status, body: items } = await handle({ method: 'GET', url }, registry)
    expect([status, [items].flat().map((item) => Object(item).id)]).toEqual([200, expected])
    // A cast to the column's type would cut it.
    const long = await handle({ method: 'GET', url: '/things/count?tags:has=redsx' }, registry)
    expect(long.body).toEqual({ count: 0 })
    await drop()
  })
})

describe.runIf(has('postgres'))('PostgreSQL', () => {
  test('finds the texts of an array by its index', async () => {
    const database = await databaseOf<unknown>('postgres')
    const queries: CompiledQuery[] = []
    const dialect = dialectOf('postgres', database.url)
    const db = new Kysely<unknown>({ dialect, log: ({ query }) => void queries.push(query) })
    await sql.raw(tableOfTags('text[]')).execute(db)
    await sql`insert into things
      select i::text, array[md5(i::text), 'all'] from generate_series(1, 20000) i`.execute(db)
    await sql`create index by_tags on things using gin (tags)`.execute(db)
    await sql`analyze things`.execute(db)
    const registry = defineRegistry(defineApi({ v1: { '/things': tagged } })).adapters({
      things: kyselyAdapter(db, { table: 'things' }),
    })
    const url = '/things?tags:has=c4ca4238a0b923820dcc509a6f75849b&tags:has=none&limit=9'
    const { body } = await handle({ method: 'GET', url }, registry)
    expect([body].flat().map((item) => Object(item).id)).toEqual(['1'])
    const query = queries.findLast(({ sql }) => sql.includes('&&'))
    if (query === undefined) throw new Error('The adapter looks at no array')
    const { rows } = await database.db.executeQuery({ ...query, sql: `explain ${query.sql}` })
    expect(JSON.stringify(rows)).toContain('Bitmap Index Scan on by_tags')
    await db.destroy()
    await database.drop()
  })
})

function tableOfTags(type: string): string {
  return `create table things (id text collate "C" primary key, tags ${type})`
}

const tagged = defineResource('things', {
  schema: Thing.pick({ id: true, tags: true }),
  filterable: ['tags'],
})

const Note = z.object({ id: text, labels: z.array(text).optional(), name: text })
const notes = defineResource('notes_v2', {
  schema: Note,
  create: Note,
  filterable: ['labels', 'name'],
  restricted: ['labels'],
})
const Old = z.object({ id: text, marks: z.array(text).optional(), name: text })
const old = { schema: Old, create: Old, fields: { marks: 'labels' } } as const
const oldNotes = defineView('notes', notes, old)

describe('a list', () => {
  const items = [{ id: 'a', labels: ['red'], name: 'A' }]
  const notesApi = defineApi({ v1: { '/notes': oldNotes }, v2: { '/notes': notes } })
  const registry = defineRegistry(notesApi, { defaultVersion: false })
    .context(({ headers = {} }) => ({ sees: headers['x-sees'] !== undefined }))
    .reveal(({ sees }) => (sees ? { notes_v2: ['labels'] } : {}))
    .adapters({ notes_v2: memoryAdapter({ items }) })
  const ask = async (url: string, headers = { 'x-sees': '1' }) =>
    Object((await handle({ method: 'GET', url, headers }, registry)).body)

  test('has the name of its view', async () => {
    expect(await ask('/v1/notes?marks:has=red')).toEqual([{ id: 'a', marks: ['red'], name: 'A' }])
    expect(await ask('/v1/notes?marks:has=blue')).toEqual([])
    expect(await ask('/v2/notes?labels:has=blue&labels:has=red')).toMatchObject([{ id: 'a' }])
  })

  test('drops out of a view that shows other values', () => {
    const Absent = z.object({ id: text, marks: z.array(text), name: text })
    const fields = { marks: { of: 'labels', absent: [] } } as const
    const view = { ...old, schema: Absent, create: Absent.partial({ marks: true }), fields }
    expect(defineView('notes', notes, view as never).filterable).toMatchObject([{ name: 'name' }])
    const declare = () => defineView('notes', notes, { ...view, filterable: ['marks'] } as never)
    expect(declare).toThrow('filters by "marks"')
  })

  test.each([
    ['labels=red', '"labels" has no "=": it is a list. It takes labels:has.'],
    ['labels:ne=red', '"labels" has no ":ne": it is a list. It takes labels:has.'],
    ['labels:foo=red', '"labels" has no ":foo". It takes labels:has.'],
    ['name:has=A', '"name" has no ":has": only lists do. It takes =, :ne, :null.'],
  ])('takes :has alone: %s', async (search, message) => {
    const { code, issues } = await ask(`/v2/notes?${search}`)
    expect([code, issues[0].message]).toEqual(['unknown_parameter', message])
  })

  test('is unknown to callers who do not see it', async () => {
    const problem = await ask('/v2/notes?labels:has=red', {} as never)
    expect(problem.code).toBe('unknown_parameter')
    expect(JSON.stringify(problem.issues)).not.toContain('labels:has", "')
  })
})
