import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { Kysely, sql } from 'kysely'
import { type Adapter, defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { d1Of } from '../support/d1.ts'
import { databaseOf, type Engine, has } from '../support/stores.ts'
import '../support/properties.ts'

const Seat = z.object({
  id: z.string(),
  place: z.number(),
  name: z.string(),
  hall: z.string(),
  seat: z.number(),
  at: z.iso.datetime().nullable(),
})
const seats = defineResource('seats', { schema: Seat })
const api = defineApi({ v1: { '/seats': seats } })

const day = (number: number): string => `2026-01-0${number}T00:00:00.000Z`
const items = [1, 2, 3, 4].map((number) => ({
  id: `s${number}`,
  place: number,
  name: 'abcd'[number - 1] ?? '',
  hall: 'H',
  seat: number,
  at: number === 4 ? null : day(number),
}))

/** The columns of an engine, and the indexes besides. */
type Declared = readonly [columns: string, indexes?: readonly string[]]

const columnsOf = (text: string, moment: string, keys = 'unique') =>
  `id ${text} primary key, place int ${keys}, name ${text} ${keys}, hall ${text}, seat int,
   at ${moment} ${keys}, deleted_at ${moment}, unique (hall, seat)`
const exactText = 'varchar(40) character set utf8mb4 collate utf8mb4_nopad_bin'
const partial = [
  'create unique index by_place on seats (place) where deleted_at is null',
  'create unique index by_name on seats (name) where deleted_at is null',
  'create unique index by_moment on seats (at) where deleted_at is null',
]

const tables: Readonly<Record<string, readonly [engine: Engine, ...Declared]>> = {
  sqlite: ['sqlite', columnsOf('text', 'text')],
  'sqlite, keys of live rows': ['sqlite', columnsOf('text', 'text', ''), partial],
  postgres: ['postgres', columnsOf('text', 'timestamptz')],
  'postgres, keys of live rows': ['postgres', columnsOf('text', 'timestamptz', ''), partial],
  mariadb: ['mariadb', columnsOf(exactText, 'datetime(6)')],
}

let drop: () => Promise<unknown> = async () => undefined
afterEach(() => drop())

type Rows = readonly object[]
type Send = (method: 'PUT' | 'PATCH', body: Rows) => Promise<{ status: number; body: unknown }>

/** An adapter whose store a test empties between two rounds. */
interface Emptied {
  readonly adapter: Adapter
  readonly empty: () => Promise<unknown>
}

async function serviceOf({ adapter, empty }: Emptied, rows: Rows = items) {
  const errors: unknown[] = []
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(error))
    .adapters({ seats: adapter as never })
  const headers = { 'content-type': 'application/json' }
  const ask = (method: string, body?: object) =>
    handle(
      { method, url: '/v1/seats', ...(body && { headers, body: JSON.stringify(body) }) },
      registry,
    )
  const restart = async () => {
    await empty()
    expect([(await ask('POST', rows)).status, errors]).toEqual([201, []])
  }
  await restart()
  const send: Send = (method, body) => ask(method, body) as never
  const stored = async () => (await ask('GET')).body as typeof items
  return { send, stored, restart }
}

async function tableOf(
  engine: Engine,
  columns: string,
  indexes: readonly string[] = [],
): Promise<Emptied> {
  const { db, drop: dropped } = await databaseOf<unknown>(engine)
  drop = dropped
  await sql`create table seats (${sql.raw(columns)})`.execute(db)
  for (const index of indexes) await sql.raw(index).execute(db)
  const adapter = kyselyAdapter(db, { table: 'seats', softDelete: 'deleted_at' }) as Adapter
  return { adapter, empty: () => sql`delete from seats`.execute(db) }
}

async function d1Table(): Promise<Emptied> {
  const file = new DatabaseSync(':memory:')
  file.exec(`create table seats (${columnsOf('text', 'text')})`)
  const db = new Kysely<unknown>({ dialect: d1Dialect(d1Of(file)) })
  const adapter = kyselyAdapter(db, { table: 'seats' }) as Adapter
  return { adapter, empty: async () => file.exec('delete from seats') }
}

function memory(): Emptied {
  const adapter = memoryAdapter<never>({ unique: ['place', 'name', 'at'] as never }) as Adapter
  return { adapter, empty: async () => adapter.deleteAll?.({ scope: {} } as never, undefined) }
}

const databases: Readonly<Record<string, () => Promise<Emptied>>> = {
  d1: d1Table,
  ...Object.fromEntries(
    Object.entries(tables)
      .filter(([, [engine]]) => has(engine))
      .map(([name, declared]) => [name, () => tableOf(...declared)]),
  ),
}

function ordersOf<Element>(list: readonly Element[]): readonly (readonly Element[])[] {
  if (list.length < 2) return [list]
  return list.flatMap((first) =>
    ordersOf(list.filter((element) => element !== first)).map((rest) => [first, ...rest]),
  )
}

const changed = (number: number, change: object): object => ({ ...items[number - 1], ...change })

/** Changes of a bulk that no order of statements makes impossible. */
const chains: Readonly<Record<string, Rows>> = {
  'numbers move up': [1, 2, 4].map((number) => changed(number, { place: [0, 2, 5, 0, 1][number] })),
  'three numbers move up': [2, 3, 4].map((number) => changed(number, { place: number + 1 })),
  'three texts move': [
    changed(1, { name: 'b' }),
    changed(2, { name: 'c' }),
    changed(3, { name: 'z' }),
  ],
  'three pairs move': [2, 3, 4].map((number) => changed(number, { seat: number + 1 })),
  'a pair is given up by its other half': [
    changed(1, { seat: 2 }),
    changed(2, { hall: 'I' }),
    changed(3, { hall: 'I', seat: 1 }),
  ],
  'three moments move, in another form': [
    changed(1, { at: '2026-01-02T00:00:00Z' }),
    changed(2, { at: '2026-01-03T00:00:00.0Z' }),
    changed(3, { at: null }),
  ],
  'two keys move alike': [2, 3, 4].map((number) =>
    changed(number, { place: number + 1, seat: number + 1, name: 'cdef'[number - 2] }),
  ),
}

const stores: Readonly<Record<string, () => Promise<Emptied>>> = {
  memory: async () => memory(),
  ...databases,
}

describe.each(Object.entries(stores))('in %s', (_, make) => {
  test.each(Object.entries(chains))('in every order, %s', async (_, changes) => {
    const { send, stored, restart } = await serviceOf(await make())
    for (const method of ['PUT', 'PATCH'] as const) {
      for (const body of ordersOf(changes)) {
        await restart()
        const answer = await send(method, body)
        expect([method, body, answer.status]).toEqual([method, body, 200])
        const ids = body.map((item) => Reflect.get(item, 'id'))
        expect((answer.body as typeof items).map(({ id }) => id)).toEqual(ids)
        const rows = await stored()
        for (const item of answer.body as Rows) expect(rows).toContainEqual(item)
      }
    }
  })
})

/** Items that exchange values in a circle, and the pointers of the issues. */
const circles: Readonly<Record<string, readonly [changes: Rows, pointers: readonly string[]]>> = {
  'two numbers': [
    [changed(1, { place: 2 }), changed(2, { place: 1 })],
    ['/0/place', '/1/place'],
  ],
  'three texts': [
    [changed(1, { name: 'b' }), changed(2, { name: 'c' }), changed(3, { name: 'a' })],
    ['/0/name', '/1/name', '/2/name'],
  ],
  'a pair': [
    [changed(1, { seat: 2 }), changed(2, { seat: 1 })],
    ['/0/hall', '/0/seat', '/1/hall', '/1/seat'],
  ],
  'two keys, each in another direction': [
    [changed(1, { place: 2, name: 'z' }), changed(2, { place: 9, name: 'a' })],
    ['/0/place', '/1/name'],
  ],
  'two items, and one that waits for them': [
    [changed(3, { name: 'a' }), changed(1, { place: 2, name: 'x' }), changed(2, { place: 1 })],
    ['/1/place', '/2/place'],
  ],
}

describe.each(Object.entries(databases))('in %s, a circle of', (_, make) => {
  test.each(Object.entries(circles))('%s is 409 and says why', async (_, [changes, pointers]) => {
    const { send, stored } = await serviceOf(await make())
    for (const method of ['PUT', 'PATCH'] as const) {
      const { status, body } = await send(method, changes)
      const { detail, issues } = body as { detail: string; issues: { pointer: string }[] }
      expect(status).toBe(409)
      expect(detail).toBe(
        'Items of this request exchange unique values, which the database cannot do in one step. ' +
          'Change one of them to a free value first.',
      )
      expect(issues.map(({ pointer }) => pointer).toSorted()).toEqual(pointers)
      expect(await stored()).toEqual(items)
    }
  })

  test('a value of another item is named', async () => {
    const { send, stored } = await serviceOf(await make())
    const { status, body } = await send('PUT', [
      changed(1, { place: 2 }),
      changed(2, { place: 1 }),
      changed(3, { place: 4 }),
    ])
    expect([status, (body as { issues: unknown }).issues]).toEqual([
      409,
      [{ pointer: '/2/place', code: 'not_unique', message: 'is taken by another item' }],
    ])
    expect(await stored()).toEqual(items)
  })
})

test.each(Object.entries(circles))('memory exchanges %s', async (_, [changes]) => {
  const { send, stored } = await serviceOf(memory())
  expect((await send('PUT', changes)).status).toBe(200)
  for (const item of changes) expect(await stored()).toContainEqual(item)
})

test.runIf(has('postgres'))('a key checked late takes a circle', async () => {
  const late = 'unique deferrable initially deferred'
  const adapter = await tableOf('postgres', columnsOf('text', 'timestamptz', late))
  const { send, stored } = await serviceOf(adapter)
  const changes = [changed(1, { place: 2 }), changed(2, { place: 1 })]
  expect((await send('PUT', changes)).status).toBe(200)
  for (const item of changes) expect(await stored()).toContainEqual(item)
})

test.each((['sqlite', 'postgres', 'mariadb'] as const).filter(has))(
  'a circle leaves a transaction of %s open',
  async (engine) => {
    const { db, drop: dropped } = await databaseOf<unknown>(engine)
    drop = dropped
    const [, columns] = tables[engine] as NonNullable<(typeof tables)[string]>
    await sql`create table seats (${sql.raw(columns)})`.execute(db)
    await db.transaction().execute(async (transaction) => {
      const adapter = kyselyAdapter(transaction, { table: 'seats' }) as Adapter
      const { send, stored } = await serviceOf({ adapter, empty: async () => undefined })
      const circle = [changed(1, { place: 2 }), changed(2, { place: 1 })]
      expect((await send('PUT', circle)).status).toBe(409)
      expect(await stored()).toEqual(items)
      const chain = [changed(3, { place: 4 }), changed(4, { place: 5 })]
      expect((await send('PATCH', chain)).status).toBe(200)
    })
    const { rows } = await sql<{ place: number }>`
      select place from seats order by id`.execute(db)
    expect(rows.map(({ place }) => place)).toEqual([1, 2, 4, 5])
  },
)

/** Names of the items s1 and s2 before and after, and the collation of the column. */
const spelt: readonly (readonly [
  engine: Engine,
  collation: string,
  before: readonly [string, string],
  after: readonly [string, string],
  status: number,
])[] = [
  ['mariadb', 'collate utf8mb4_general_ci', ['a', 'b'], ['B', 'c'], 200],
  ['mariadb', 'collate utf8mb4_general_ci', ['a', 'b'], ['B', 'A'], 409],
  ['mariadb', 'collate utf8mb4_general_ci', ['a', 'é'], ['E ', 'c'], 200],
  ['mariadb', 'collate utf8mb4_nopad_bin', ['a', 'b'], ['B', 'A'], 200],
  ['mariadb', 'collate utf8mb4_nopad_bin', ['a', 'b'], ['b', 'A'], 200],
  ['sqlite', 'collate nocase', ['a', 'b'], ['B', 'c'], 200],
  ['sqlite', 'collate nocase', ['a', 'b'], ['B', 'A'], 409],
  ['sqlite', '', ['a', 'b'], ['b', 'A'], 200],
  ['postgres', '', ['a', 'b'], ['b', 'A'], 200],
  ['postgres', '', ['a', 'b'], ['B', 'A'], 200],
]

test.each(spelt.filter(([engine]) => has(engine)))(
  'in %s %s, %j become %j: %i',
  async (engine, collation, before, after, status) => {
    const text = `varchar(40) ${collation}`
    const columns = `id varchar(9) primary key, place int, name ${text} unique, hall varchar(9),
      seat int, at varchar(40), deleted_at varchar(40)`
    const rows = before.map((name, place) => ({ ...items[place], name }))
    const { send, restart } = await serviceOf(await tableOf(engine, columns), rows)
    const body = rows.map((row, place) => ({ ...row, name: after[place] }))
    for (const order of ordersOf(body)) {
      await restart()
      expect([order, (await send('PUT', order)).status]).toEqual([order, status])
    }
  },
)

// Each item keeps its place, takes that of another, or one that is free.
const takes = fc.array(fc.nat({ max: 7 }), { minLength: 2, maxLength: 5 })

/** The verdict by a model: the takers of each place, and the items that wait in a circle. */
function verdictFor(places: readonly number[]): string {
  const before = places.map((_, index) => index)
  const isHeldOutside = places.some((place) => place >= places.length && place < 6)
  if (isHeldOutside || new Set(places).size < places.length) return 'taken'
  const isCircle = before.some((start) => {
    let at = places[start] as number
    for (let step = 0; step < places.length && at !== start && at < places.length; step++) {
      at = places[at] as number
    }
    return at === start && places[start] !== start
  })
  return isCircle ? 'circle' : 'done'
}

test('changes have one verdict in every order', { timeout: 60_000 }, async () => {
  const rows = Array.from({ length: 6 }, (_, place) => ({
    ...items[0],
    id: `p${place}`,
    place,
    name: `n${place}`,
    seat: place,
    at: null,
  }))
  const { send, stored, restart } = await serviceOf(
    await tableOf('sqlite', columnsOf('text', 'text')),
    rows,
  )
  await fc.assert(
    fc.asyncProperty(takes, fc.infiniteStream(fc.nat()), async (places, random) => {
      const body = places.map((place, index) => ({ ...rows[index], place }))
      const shuffled = body
        .map((item) => ({ item, by: random.next().value }))
        .toSorted((first, second) => first.by - second.by)
        .map(({ item }) => item)
      await restart()
      const { status, body: answer } = await send('PUT', shuffled)
      const detail = String(Object(answer).detail)
      const refused = detail.startsWith('Items of this request exchange') ? 'circle' : 'taken'
      expect(status === 200 ? 'done' : refused).toBe(verdictFor(places))
      if (status !== 200) expect(await stored()).toEqual(rows)
    }),
    { numRuns: 100 },
  )
})
