import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  type Registry,
} from 'nounful'
import { type FoldColumn, kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { declareTables } from '../../src/cli/ddl.ts'
import { examineStorage } from '../../src/cli/doctor.ts'
import { databaseOf, type Engine, engines, has, type TestDatabase } from '../support/stores.ts'
import { hostile } from '../support/texts.ts'

const numRuns = Number(process.env.RUNS ?? 60)

const Person = z.object({
  id: z.string().max(20),
  name: z.string().max(80),
  note: z.string().max(80).optional(),
  rank: z.int(),
})
type PersonItem = z.infer<typeof Person>
const people = defineResource('people', {
  schema: Person,
  sortable: ['name', 'note', 'rank'],
  folded: ['name', 'note'],
  searchable: ['name', 'note'],
  filterable: ['name', 'note'],
})
const Labelled = Person.omit({ name: true }).extend({ label: z.string().max(80) })
const people_v1 = defineView('people_v1', people, {
  schema: Labelled,
  create: Labelled,
  fields: { label: 'name' },
})
/** The order before the fold. */
const people_v3 = defineView('people_v3', people, { schema: Person, create: Person, folded: [] })
const api = defineApi({
  v3: { '/people': people_v3 },
  v1: { '/people': people_v1 },
  v2: { '/people': people },
})
const folded = { name: 'name_folded', note: 'note_folded' }

const fold = (value: string) => value.toLowerCase().toUpperCase()
const points = (value: string) => Array.from(value, (letter) => letter.codePointAt(0) ?? 0)

/** Compares by code point, and missing texts last. */
function compare(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const [left, right] = [points(a), points(b)]
  const at = left.findIndex((point, place) => point !== right[place])
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1)
}

/** Compares by the fold, then by code point. */
function compareFolded(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return compare(a, b)
  return compare(fold(a), fold(b)) || compare(a, b)
}

type Field = 'name' | 'note'
const operators = ['gt', 'gte', 'lt', 'lte', 'startsWith'] as const
interface Asked {
  readonly field: Field
  readonly isDescending: boolean
  readonly filter:
    | {
        readonly field: Field
        readonly operator: (typeof operators)[number]
        readonly value: string
      }
    | undefined
  readonly limit: number
}

function meets(item: PersonItem, { filter }: Asked): boolean {
  if (filter === undefined) return true
  const value = item[filter.field]
  if (value === undefined) return false
  const order = compareFolded(value, filter.value)
  if (filter.operator === 'startsWith') return fold(value).startsWith(fold(filter.value))
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[filter.operator]
}

function oracle(items: readonly PersonItem[], asked: Asked): readonly string[] {
  const sign = asked.isDescending ? -1 : 1
  return items
    .filter((item) => meets(item, asked))
    .sort((a, b) => sign * compareFolded(a[asked.field], b[asked.field]) || compare(a.id, b.id))
    .map(({ id }) => id)
}

const text = fc
  .oneof(
    hostile,
    fc.array(hostile, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    fc.constantFrom(
      'Ann',
      'ann',
      'ANN',
      'Anna',
      'ánn',
      'Straße',
      'STRASSE',
      'strasse',
      '\u{1F600}',
      '\uFFFD',
      '\u{10FFFF}',
      '\u{10428}',
      '\u{10400}',
    ),
  )
  .filter(
    (value) => !/\p{Cc}/u.test(value) && value.isWellFormed() && value !== '' && value.length <= 25,
  )
const item = fc.record({ name: text, note: fc.option(text, { nil: undefined }), rank: fc.nat(3) })
const field = fc.constantFrom<Field>('name', 'note')
const asked: fc.Arbitrary<Asked> = fc.record({
  field,
  isDescending: fc.boolean(),
  filter: fc.option(fc.record({ field, operator: fc.constantFrom(...operators), value: text }), {
    nil: undefined,
  }),
  limit: fc.integer({ min: 1, max: 4 }),
})

type Body = Readonly<Record<string, unknown>>

async function send(registry: Registry, method: string, url: string, body?: object) {
  return handle({ method, url, headers: { 'content-type': 'application/json' }, body }, registry)
}

function urlOf(asked: Asked): string {
  const { filter, isDescending, limit } = asked
  const query = new URLSearchParams({
    sort: `${isDescending ? '-' : ''}${asked.field}`,
    limit: `${limit}`,
  })
  if (filter) query.set(`${filter.field}:${filter.operator}`, filter.value)
  return `/v2/people?${query}`
}

/** Follows the pages of a list, and returns the ids. */
async function pagesOf(registry: Registry, asked: Asked): Promise<readonly string[]> {
  const ids: string[] = []
  for (let url: string | undefined = urlOf(asked); url !== undefined; ) {
    const response = await handle({ method: 'GET', url, headers: {} }, registry)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    ids.push(...(response.body as readonly PersonItem[]).map(({ id }) => id))
    const { link } = response.headers as Body
    const [, next] = /<([^>]+)>; rel="?next/.exec(`${link}`) ?? []
    url = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]+/, '')
    if (ids.length > 200) throw new Error(`endless: ${ids.slice(0, 20)}`)
  }
  return ids
}

const databases: TestDatabase<unknown>[] = []
const stores: { readonly name: string; readonly registry: Registry }[] = []

async function createTable(engine: Engine, db: Kysely<unknown>): Promise<void> {
  const registry = defineRegistry(api, { defaultVersion: 'v2' }).adapters({
    people: kyselyAdapter(db, { table: 'people', folded }),
  })
  const statements = await declareTables(registry, engine)
  for (const statement of statements)
    if (!statement.startsWith('--')) await sql.raw(statement).execute(db)
}

beforeAll(async () => {
  stores.push({
    name: 'memory',
    registry: defineRegistry(api, { defaultVersion: 'v2' }).adapters({ people: memoryAdapter() }),
  })
  for (const engine of engines.filter(has)) {
    const database = await databaseOf(engine)
    databases.push(database)
    await createTable(engine, database.db)
    const registry = defineRegistry(api, { defaultVersion: 'v2' }).adapters({
      people: kyselyAdapter(database.db, { table: 'people', folded }),
    })
    await registry.ready()
    stores.push({ name: engine, registry })
  }
}, 60_000)

afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()))
})

test('every store sorts, pages and compares as the fold does', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 12 }),
      fc.array(asked, { minLength: 3, maxLength: 6 }),
      async (drafts, queries) => {
        const items = drafts.map((draft, at) => ({ id: `${'abcdefghijkl'[at]}`, ...draft }))
        for (const { name, registry } of stores) {
          expect((await send(registry, 'DELETE', '/v2/people')).status).toBe(200)
          const { status, body: answer } = await send(registry, 'POST', '/v2/people', items)
          expect(status, `${name} ${JSON.stringify(answer)}`).toBe(201)
          for (const query of queries)
            expect(
              await pagesOf(registry, query),
              `${name} ${urlOf(query)} ${JSON.stringify(items)}`,
            ).toEqual(oracle(items, query))
        }
      },
    ),
    { numRuns },
  )
})

/** What another program may have written as the fold of a row. */
const staleFold = fc.record({ name: text, note: fc.option(text, { nil: null }) })

// The order of such rows is that of their folds. Each page goes on where the one before has ended.
test('pages hold each item once, whatever folds other programs write', {
  timeout: 120_000,
}, async () => {
  const stale = fc.tuple(item, fc.option(staleFold, { nil: undefined }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(stale, { minLength: 1, maxLength: 9 }),
      fc.array(asked, { minLength: 2, maxLength: 4 }),
      async (rows, queries) => {
        const items = rows.map(([draft], at) => ({ id: `${'abcdefghijkl'[at]}`, ...draft }))
        for (const [place, { name, registry }] of stores.slice(1).entries()) {
          const db = databases[place]?.db as Kysely<unknown>
          await send(registry, 'DELETE', '/v2/people')
          expect((await send(registry, 'POST', '/v2/people', items)).status).toBe(201)
          for (const [at, [, folds]] of rows.entries())
            if (folds !== undefined)
              await sql`update people set name_folded = ${folds.name}, note_folded = ${folds.note}
                where id = ${items[at]?.id}`.execute(db)
          for (const { filter: _, ...query } of queries) {
            const whole = await pagesOf(registry, { ...query, filter: undefined, limit: 100 })
            expect(whole.toSorted()).toEqual(items.map(({ id }) => id))
            expect(
              await pagesOf(registry, { ...query, filter: undefined }),
              `${name} ${JSON.stringify([query, rows])}`,
            ).toEqual(whole)
          }
        }
      },
    ),
    { numRuns },
  )
})

const rowChanges: Readonly<
  Record<string, (registry: Registry) => Promise<{ readonly status: number }>>
> = {
  'is gone': (registry) => send(registry, 'DELETE', '/v2/people/b'),
  'has another name': (registry) => send(registry, 'PATCH', '/v2/people/b', { name: 'Zoe' }),
  'meets the filter no more': (registry) => send(registry, 'PATCH', '/v2/people/b', { note: 'y' }),
}

test.each(Object.entries(rowChanges))('a page goes on behind a row that %s', async (_, change) => {
  const names = ['amy', 'Ann', 'ann', 'Bob', 'bob']
  const items = names.map((name, at) => ({ id: 'abcde'[at], name, note: 'x', rank: 1 }))
  for (const { name, registry } of stores) {
    await send(registry, 'DELETE', '/v2/people')
    await send(registry, 'POST', '/v2/people', items)
    const url = '/v2/people?sort=name&note=x&limit=2'
    const { body, headers } = await send(registry, 'GET', url)
    expect(body).toMatchObject([{ id: 'a' }, { id: 'b' }])
    expect((await change(registry)).status).toBeLessThan(300)
    const [, next = ''] = /<([^>]+)>; rel="?next/.exec(`${(headers as Body).link}`) ?? []
    const page = await send(registry, 'GET', next)
    expect(page.body, name).toMatchObject([{ id: 'c' }, { id: 'd' }])
  }
})

const created = [
  { id: 'a', name: 'bob', rank: 1 },
  { id: 'b', name: 'Ann', note: 'x', rank: 2 },
  { id: 'c', name: 'ann', rank: 3 },
]
const namesOf = (body: unknown) => (body as readonly Body[]).map(({ name, label }) => name ?? label)

describe('a folded field', () => {
  test('follows each kind of write', async () => {
    for (const { name, registry } of stores) {
      await send(registry, 'DELETE', '/v2/people')
      await send(registry, 'POST', '/v2/people', created)
      const list = async (url = '/v2/people?sort=name') =>
        namesOf((await send(registry, 'GET', url)).body)
      expect(await list(), name).toEqual(['Ann', 'ann', 'bob'])
      await send(registry, 'PATCH', '/v2/people/b', { name: 'Zoë' })
      expect(await list(), name).toEqual(['ann', 'bob', 'Zoë'])
      await send(registry, 'PUT', '/v2/people/c', { name: 'ZOË', rank: 3 })
      expect(await list(), name).toEqual(['bob', 'ZOË', 'Zoë'])
      await send(registry, 'PATCH', '/v2/people', [
        { id: 'a', name: 'zz' },
        { id: 'b', name: 'A' },
      ])
      expect(await list(), name).toEqual(['A', 'ZOË', 'zz'])
      await send(registry, 'POST', '/v2/people', { id: 'd', name: 'b', rank: 0 })
      expect(await list(), name).toEqual(['A', 'b', 'ZOË', 'zz'])
    }
  })

  test('folds in a view with another name, and not where the view says so', async () => {
    for (const { name, registry } of stores) {
      await send(registry, 'DELETE', '/v2/people')
      await send(registry, 'POST', '/v2/people', created)
      const list = async (url: string) => namesOf((await send(registry, 'GET', url)).body)
      expect(await list('/v1/people?sort=-label'), name).toEqual(['bob', 'ann', 'Ann'])
      expect(await list('/v3/people?sort=name'), name).toEqual(['Ann', 'ann', 'bob'])
      await send(registry, 'PATCH', '/v2/people/a', { name: 'Zed' })
      expect(await list('/v1/people?sort=label'), name).toEqual(['Ann', 'ann', 'Zed'])
      expect(await list('/v3/people?sort=name'), name).toEqual(['Ann', 'Zed', 'ann'])
      expect(await list('/v3/people?sort=name&name:gt=B'), name).toEqual(['Zed', 'ann'])
      expect(await list('/v2/people?sort=name&name:gt=B'), name).toEqual(['Zed'])
    }
  })

  test('stands in OPTIONS', async () => {
    const { body } = await send(stores[0]?.registry as Registry, 'OPTIONS', '/v2/people')
    expect(body).toMatchObject({ sortable: ['name', 'note', 'rank'], folded: ['name', 'note'] })
  })
})

describe.each(engines.filter(has))('%s', (engine) => {
  const key = engine === 'mariadb' ? 'varchar(80) collate utf8mb4_nopad_bin' : 'text'
  const bare = async () => {
    const database = await databaseOf<unknown>(engine)
    const { db } = database
    await sql`create table people (id ${sql.raw(key)} primary key, name ${sql.raw(key)} not null,
      note ${sql.raw(key)}, ${sql.id('rank')} integer not null)`.execute(db)
    await sql`insert into people values ('1', 'Straße', 'b', 1), ('2', 'strasse', null, 1),
      ('3', 'Ann', 'ann', 1)`.execute(db)
    return database
  }

  test('the doctor adds, fills and indexes the columns, and counts stale folds', async () => {
    const { db, drop } = await bare()
    const open = (options: object) =>
      defineRegistry(api, { defaultVersion: 'v2' }).adapters({
        people: kyselyAdapter(db, { table: 'people', ...options }),
      })
    await expect(open({}).ready()).rejects.toThrow(
      '"people" sorts "name" without case, by a column of its own: ' +
        "add it, and write folded: { name: 'name_folded' }.",
    )
    const registry = open({ folded })
    const run = async (kind: 'mismatches' | 'advice') => {
      const found = (await examineStorage(registry)).flatMap((checkup) => checkup[kind])
      for (const { fix } of found) if (fix !== undefined) await sql.raw(fix).execute(db)
      return found.map(({ message, fix }) => `${message} ${fix}`)
    }
    expect(await run('mismatches')).toMatchObject([
      expect.stringMatching(/cannot hold the fold of "name": add it.*alter table .* add column/),
      expect.stringMatching(/cannot hold the fold of "note": add it.*alter table .* add column/),
    ])
    expect(await run('mismatches')).toEqual([])
    const advice = await run('advice')
    expect(advice).toContainEqual(
      expect.stringMatching(
        /^3 rows have a missing or stale fold of "name" in "name_folded".* update /s,
      ),
    )
    expect(advice).toContainEqual(expect.stringMatching(/create index .*name_folded.*name.*id/s))
    const left = (await run('advice')).filter((line) => /stale/.test(line))
    // MariaDB knows no letter whose other case is several letters.
    expect(left).toHaveLength(engine === 'mariadb' ? 1 : 0)
    if (left.length > 0) await send(registry, 'PATCH', '/v2/people/1', { name: 'Straße!' })
    await drop()
  })

  test('a column of the database itself is read, and never written', async () => {
    const { db, drop } = await bare()
    const computed =
      engine === 'mariadb' ? 'upper(lower(name)) collate utf8mb4_nopad_bin' : 'upper(lower(name))'
    const generated = `generated always as (${computed})`
    const kind = engine === 'sqlite' ? 'virtual' : 'stored'
    const column = sql.raw(`name_folded ${key} ${generated} ${kind}`)
    await sql`alter table people add ${column}`.execute(db)
    const open = (name: string | FoldColumn) =>
      defineRegistry(defineApi({ v1: { '/people': named } })).adapters({
        people: kyselyAdapter(db, { table: 'people', folded: { name } }),
      })
    const named = defineResource('people', { schema: Person, sortable: ['name'], folded: ['name'] })
    await expect(open('name_folded').ready()).rejects.toThrow(
      'the database computes it, so write "writes: false"',
    )
    const registry = open({ column: 'name_folded', writes: false })
    await registry.ready()
    expect(
      await send(registry, 'POST', '/v1/people', { id: '4', name: 'BEN', rank: 1 }),
    ).toMatchObject({ status: 201 })
    expect(await send(registry, 'PATCH', '/v1/people/3', { name: 'cy' })).toMatchObject({
      status: 200,
    })
    expect(namesOf((await send(registry, 'GET', '/v1/people?sort=name')).body).slice(0, 2)).toEqual(
      ['BEN', 'cy'],
    )
    await drop()
  })

  test('a value that a unique fold holds already is a conflict at its field', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    await createTable(engine, db)
    await sql`create unique index one_name on people (name_folded)`.execute(db)
    const registry = defineRegistry(api, { defaultVersion: 'v2' }).adapters({
      people: kyselyAdapter(db, { table: 'people', folded }),
    })
    await send(registry, 'POST', '/v2/people', created.slice(0, 2))
    const { status, body } = await send(registry, 'POST', '/v2/people', created[2])
    expect([status, body]).toMatchObject([
      409,
      { code: 'conflict', issues: [{ pointer: '/name' }] },
    ])
    await drop()
  })
})

test('SQLite sorts, pages and finds the start of a text by the index of the fold', async () => {
  const statements: string[] = []
  const runs: string[] = []
  const { db, drop } = await databaseOf<unknown>('sqlite', {
    sqlite: (file) => {
      const prepare = file.prepare.bind(file)
      file.prepare = (text) => {
        if (/^\s*select/.test(text)) statements.push(text)
        const statement = prepare(text)
        statement.all = new Proxy(statement.all, {
          apply: (all, target, values) => {
            runs.push(text)
            return Reflect.apply(all, target, values)
          },
        })
        return statement
      }
      return sqliteDialect(file)
    },
  })
  await createTable('sqlite', db)
  const registry = defineRegistry(api, { defaultVersion: 'v2' }).adapters({
    people: kyselyAdapter(db, { table: 'people', folded }),
  })
  await send(registry, 'POST', '/v2/people', created)
  statements.length = 0
  const { headers } = await send(registry, 'GET', '/v2/people?sort=name&limit=1')
  const [, next = ''] = /<([^>]+)>; rel="?next/.exec(`${(headers as Body).link}`) ?? []
  for (const url of [
    next,
    '/v2/people?name:startsWith=an&sort=name&limit=1',
    '/v2/people?name:gt=An&sort=-name,-id&limit=1',
  ])
    expect((await send(registry, 'GET', url)).status, url).toBe(200)
  const plans = await Promise.all(
    statements
      .filter((text) => /order by "name_folded"/.test(text))
      .map(async (text) =>
        (await sql.raw(`explain query plan ${text}`).execute(db)).rows
          .map((row) => `${(row as Body).detail}`)
          .join(),
      ),
  )
  expect(plans.length).toBeGreaterThan(2)
  for (const plan of plans) {
    expect(plan).toMatch(/USING (?:COVERING )?INDEX \w*name_folded/)
    expect(plan).not.toMatch(/TEMP B-TREE/)
  }
  // A known page behind a cursor takes one statement.
  runs.length = 0
  expect((await send(registry, 'GET', next)).status).toBe(200)
  expect(runs).toHaveLength(1)
  await drop()
})

describe('a declaration', () => {
  const define = (options: object) => () => defineResource('people', { schema: Person, ...options })
  test.each([
    [{ folded: ['name'] }, 'folds "name", by which no client sorts: add it to "sortable"'],
    [{ sortable: ['rank'], folded: ['rank'] }, 'folds "rank", which is no text'],
    [{ sortable: ['id'], folded: ['id'] }, 'folds "id", by which every order ends'],
    [{ sortable: ['name'], folded: ['nam'] }, 'Did you mean "name"?'],
  ])('%j is refused', (options, message) => {
    expect(define(options)).toThrow(message)
  })

  test('of a view folds what its source folds', () => {
    const plain = defineResource('people', { schema: Person, sortable: ['name'] })
    expect(() =>
      defineView('people_v1', plain, { schema: Person, create: Person, folded: ['name'] }),
    ).toThrow('folds "name": add "name" to "folded" of "people"')
  })

  test.each([
    [{ name: '' }, 'The fold of "name" has no column'],
    [{ name: { column: 'a', write: false } }, '"write"'],
    [{ name: 'rank' }, 'it holds a field'],
    [{ rank: 'name_folded' }, '"rank" is no text'],
    [7, 'names columns by field'],
  ])('of an adapter with %j is refused', async (option, message) => {
    const { db, drop } = await databaseOf<unknown>('sqlite')
    await createTable('sqlite', db)
    const open = async () =>
      defineRegistry(api, { defaultVersion: 'v2' })
        .adapters({ people: kyselyAdapter(db, { table: 'people', folded: option as object }) })
        .ready()
    await expect(open()).rejects.toThrow(message)
    await drop()
  })
})
