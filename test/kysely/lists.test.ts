import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, has, type TestDatabase } from '../support/stores.ts'

/** A list, and the pointer of the issue; none if the column holds the list. */
type Row = readonly [field: string, list: unknown, pointer: string]

const kept = ''

const headers = { 'content-type': 'application/json' }

function asking(db: TestDatabase<unknown>['db'], shape: z.ZodRawShape, lists = {}) {
  const schema = z.object({ id: z.string(), ...shape })
  const things = defineResource('things', { schema, ...lists })
  const errors: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/things': things } }))
    .onError((error) => void errors.push(error))
    .adapters({ things: kyselyAdapter(db, { table: 'things' }) })
  const ask = async (method: string, url: string, body?: HttpRequest['body']) => {
    const answer = await handle({ method, url, headers, body }, registry)
    return { status: answer.status, body: Object(answer.body) }
  }
  return { ask, errors, registry }
}

function listRows(rows: readonly Row[], open: () => ReturnType<typeof asking>): void {
  test.each(rows)('keeps or refuses %s %j', async (field, list, pointer) => {
    const { ask, errors } = open()
    await ask('DELETE', '/things')
    await ask('POST', '/things', { id: 'b' })
    const item = { id: 'a', [field]: list }
    const answers = [
      await ask('POST', '/things', item),
      await ask('PUT', '/things/b', { ...item, id: 'b' }),
      await ask('PATCH', '/things/b', { [field]: list }),
    ]
    for (const { status, body } of answers) {
      if (pointer === kept) expect(body).toMatchObject({ [field]: list })
      else expect([status, body.issues]).toMatchObject([422, [{ pointer, code: 'unfit' }]])
    }
    const bulk = await ask('PUT', '/things', [{ ...item, id: 'b' }])
    const created = await ask('POST', '/things', [{ id: 'c' }, { ...item, id: 'd' }])
    if (pointer === kept) {
      expect(created.body).toMatchObject([{ id: 'c' }, { ...item, id: 'd' }])
      for (const id of ['c', 'd']) await ask('DELETE', `/things/${id}`)
      const expected = [{ [field]: list }, { [field]: list }]
      expect((await ask('GET', '/things')).body).toMatchObject(expected)
      expect(bulk.body).toMatchObject([{ [field]: list }])
    } else {
      expect(bulk.body.issues).toMatchObject([{ pointer: `/0${pointer}` }])
      expect(created.body.issues).toMatchObject([{ pointer: `/1${pointer}` }])
      expect((await ask('GET', '/things/count')).body).toEqual({ count: 1 })
    }
    expect(errors).toEqual([])
  })
}

const arrays: readonly Row[] = [
  ['texts', [], kept],
  ['texts', ['b', 'a', 'b'], kept],
  ['texts', ['', ' ', 'null', 'NULL', '{}', '{"a,b"}', '\\', '"', "'", 'a\nb', '😀', '[1]'], kept],
  ['texts', [null, 'a', null], kept],
  ['texts', ['a', 1], '/texts/1'],
  ['texts', [['a']], '/texts/0'],
  ['texts', 'a', '/texts'],
  ['texts', { a: 1 }, '/texts'],
  ['shorts', ['abc', '😀😀😀'], kept],
  ['shorts', ['abc', 'abcd'], '/shorts/1'],
  ['integers', [3, -1, 3, 0, 2 ** 31 - 1, -(2 ** 31)], kept],
  ['integers', [1, 2 ** 31], '/integers/1'],
  ['integers', [1.5], '/integers/0'],
  ['integers', ['1'], '/integers/0'],
  ['bigints', [2 ** 53 - 1, '9007199254740993'], kept],
  ['bigints', [2 ** 53], '/bigints/0'],
  ['doubles', [0.1 + 0.2, 5e-324, 1e300, -0.5, 'NaN', '-Infinity'], kept],
  ['decimals', [12.5, '0.1234567890123456789'], kept],
  ['booleans', [true, false, null], kept],
  ['booleans', ['true'], '/booleans/0'],
  ['moods', ['sad', 'happy', 'sad'], kept],
  ['moods', ['happy', 'angry'], '/moods/1'],
  ['days', ['2026-02-28', 'infinity', '0044-03-15 BC'], kept],
  ['days', ['2026-02-30'], '/days/0'],
  ['moments', ['2026-01-31T12:00:00.123456Z', '9999-12-31T23:59:59.000Z'], kept],
  ['moments', ['2026-01-31'], '/moments/0'],
  ['uuids', ['0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11'], kept],
  ['uuids', ['a'], '/uuids/0'],
  ['prices', ['1.50', '0.10'], kept],
  ['prices', ['1.505'], '/prices/0'],
  ['bytes', ['AP8=', ''], kept],
  ['bytes', ['?'], '/bytes/0'],
  ['names', ['a', 'b'], kept],
  ['domain', ['a'], kept],
  ['objects', [{ a: [1] }, null, 'x', 1], kept],
]

const shapeOfArrays = {
  texts: z.unknown(),
  shorts: z.array(z.string()),
  integers: z.unknown(),
  bigints: z.array(z.unknown()),
  doubles: z.unknown(),
  decimals: z.unknown(),
  booleans: z.unknown(),
  moods: z.array(z.string()),
  days: z.array(z.string()),
  moments: z.array(z.string()),
  uuids: z.array(z.string()),
  prices: z.array(z.string()),
  bytes: z.array(z.string().meta({ contentEncoding: 'base64' })),
  names: z.array(z.string()),
  domain: z.array(z.string()).nullable(),
  objects: z.array(z.json()),
  needed: z.array(z.string()),
  zoned: z.array(z.string()),
}

describe.runIf(has('postgres'))('arrays of PostgreSQL', () => {
  let home: TestDatabase<unknown>
  let asked: ReturnType<typeof asking>

  beforeAll(async () => {
    home = await databaseOf<unknown>('postgres')
    const { db } = home
    await sql`create schema hr`.execute(db)
    await sql`create type hr.mood as enum ('happy', 'sad')`.execute(db)
    await sql`create domain label as varchar(3)`.execute(db)
    await sql`create domain labels as text[]`.execute(db)
    await sql`create table things (id text primary key, element integer, place integer,
      texts text[], shorts varchar(3)[], integers int[], bigints bigint[], doubles float8[],
      decimals numeric[], booleans boolean[], moods hr.mood[], days date[], moments timestamp[],
      zoned timestamptz[], uuids uuid[], prices numeric(10, 2)[], bytes bytea[], names label[],
      domain labels, objects jsonb[], needed text[] not null default '{a}')`.execute(db)
    asked = asking(db, z.object(shapeOfArrays).partial().shape)
  }, 30_000)
  afterAll(() => home.drop())

  listRows(arrays, () => asked)

  test('a moment of any offset is in UTC', async () => {
    const { ask } = asked
    await ask('DELETE', '/things')
    const moments = ['2026-03-29T02:30:00+02:00', '2026-03-29T00:30:00.25Z']
    const kept = ['2026-03-29T00:30:00.000Z', '2026-03-29T00:30:00.250Z']
    const { body } = await ask('POST', '/things', { id: 'a', moments, zoned: moments })
    expect(body).toMatchObject({ moments: kept, zoned: kept })
  })

  test('a null column is no list', async () => {
    const { ask } = asked
    await ask('DELETE', '/things')
    const { body } = await ask('POST', '/things', { id: 'a', texts: [], domain: null })
    expect(body).toEqual({ id: 'a', texts: [], domain: null, needed: ['a'] })
    const { body: replaced } = await ask('PUT', '/things/a', { id: 'a', needed: [] })
    expect(replaced).toEqual({ id: 'a', domain: null, needed: [] })
    expect((await ask('PUT', '/things/a', { id: 'a' })).body.needed).toEqual(['a'])
  })

  test('an array of arrays is a text', async () => {
    const { ask } = asked
    await ask('DELETE', '/things')
    await sql`insert into things (id, integers) values ('a', '{{1,2},{3,4}}')`.execute(home.db)
    const { body } = await ask('GET', '/things/a')
    expect(body.integers).toBe('{{1,2},{3,4}}')
    expect((await ask('PUT', '/things/a', body)).status).toBe(422)
  })
})

const members: readonly Row[] = [
  ['colors', [], kept],
  ['colors', ['red'], kept],
  ['colors', ['red', 'Green', 'b\'l\\u"e', '1'], kept],
  ['colors', ['1'], kept],
  ['colors', ['4'], '/colors/0'],
  ['colors', ['green'], '/colors/0'],
  ['colors', ['red', ''], '/colors/1'],
  ['colors', ['red,Green'], '/colors/0'],
  ['colors', ['red', 1], '/colors/1'],
  ['colors', ['red', null], '/colors'],
  ['colors', ['red', 'red'], '/colors'],
  ['colors', ['Green', 'red'], '/colors'],
  ['colors', 'red', '/colors'],
]

describe.runIf(has('mariadb'))('SET columns of MariaDB', () => {
  let home: TestDatabase<unknown>
  let asked: ReturnType<typeof asking>

  beforeAll(async () => {
    home = await databaseOf<unknown>('mariadb')
    await sql`create table things (id varchar(50) primary key,
      colors set('red', 'Green', 'b''l\\\\u"e', '1', ''),
      needed set('a', 'b') not null default 'a,b')`.execute(home.db)
    const needed = z.array(z.enum(['a', 'b'])).optional()
    asked = asking(home.db, { colors: z.unknown().optional(), needed })
  }, 30_000)
  afterAll(() => home.drop())

  listRows(members, () => asked)

  test('the issue lists the members', async () => {
    const { ask } = asked
    const messageOf = async (colors: unknown) =>
      (await ask('POST', '/things', { id: 'x', colors })).body.issues[0].message
    const all = `red, Green, b'l\\u"e, 1`
    expect(await messageOf(['1', 'red'])).toBe(`takes each of ${all} once, in this order`)
    expect(await messageOf(['blue'])).toBe(`is none of ${all}`)
  })

  test('a null column is no list, and a default is one', async () => {
    const { ask } = asked
    await ask('DELETE', '/things')
    const plain = { id: 'a', needed: ['a', 'b'] }
    expect((await ask('POST', '/things', { id: 'a' })).body).toEqual(plain)
    expect((await ask('PUT', '/things/a', { id: 'a', needed: [] })).body.needed).toEqual([])
    expect((await ask('PUT', '/things/a', { id: 'a' })).body).toEqual(plain)
  })
})

const none = ''

/** Columns of lists, and fields that do not fit. */
const mismatches: readonly (readonly [
  engine: 'postgres' | 'mariadb',
  type: string,
  field: z.ZodType,
  mismatch: string,
])[] = [
  ['postgres', 'text[]', z.array(z.string()).nullable(), none],
  ['postgres', 'integer[]', z.tuple([z.int(), z.int()]), none],
  ['postgres', 'bytea[]', z.array(z.base64()), none],
  // As before: the text of the database.
  ['postgres', 'text[]', z.string(), none],
  ['postgres', 'text[]', z.array(z.int()), 'text[], but the elements of "list" hold number'],
  ['postgres', 'integer[]', z.array(z.string().or(z.int())), 'the elements of "list" hold json'],
  ['postgres', 'text[]', z.array(z.object({})), 'the elements of "list" hold json'],
  ['postgres', 'text[]', z.array(z.array(z.string())), 'the elements of "list" hold json'],
  ['postgres', 'text[]', z.array(z.string()).or(z.string()), 'holds other values than lists too'],
  ['postgres', 'text[]', z.object({}), 'holds other values than lists too'],
  ['postgres', 'text[]', z.int(), 'is of type text[], but "list" holds number'],
  ['postgres', 'bytea[]', z.array(z.string()), 'which holds bytes: write z.base64() for "list"'],
  ['mariadb', "set('a')", z.array(z.enum(['a'])), none],
  ['mariadb', "set('a')", z.string(), none],
  ['mariadb', "set('1')", z.array(z.int()), 'set, but the elements of "list" hold number'],
  ['mariadb', "set('a')", z.json(), 'holds other values than lists too'],
]

describe('the check of the tables', () => {
  test.each(mismatches.filter(([engine]) => has(engine)))(
    'accepts or names a mismatch: %s %s',
    async (engine, type, field, mismatch) => {
      const { db, drop } = await databaseOf<unknown>(engine)
      onTestFinished(drop)
      await sql`create table things (id varchar(50) primary key, list ${sql.raw(type)})`.execute(db)
      const ready = asking(db, { list: field }).registry.ready()
      if (mismatch === none) await ready
      else await expect(ready).rejects.toThrow(mismatch)
    },
  )
})

describe.runIf(has('postgres'))('clients', () => {
  test('neither sort nor search by lists', async () => {
    const { db, drop } = await databaseOf<unknown>('postgres')
    onTestFinished(drop)
    await sql`create table things (id text primary key, list text[])`.execute(db)
    const schema = z.object({ id: z.string(), list: z.array(z.string()).optional() })
    for (const option of ['sortable', 'searchable'] as const) {
      const { registry } = asking(db, { list: schema.shape.list }, { [option]: ['list'] })
      await expect(registry.ready()).rejects.toThrow(
        'The column "list" holds lists, so "list" of "things" cannot be an id, sortable or',
      )
    }
  })
})
