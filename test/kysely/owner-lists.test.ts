import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { Kysely, sql } from 'kysely'
import type { Scope } from 'nounful'
import { type SpecimenAdapter, specimens } from 'nounful/conformance'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fieldOf } from '../../src/convention/value.ts'
import {
  type OperationInput,
  sortSpecimens,
  toOperation,
} from '../../src/trial/conformance/operation.ts'
import type { NewSpecimen, Specimen } from '../../src/trial/conformance/specimens.ts'
import { d1Of } from '../support/d1.ts'
import { specimenTester } from '../support/specimens.ts'
import { databaseOf, engines, has } from '../support/stores.ts'

// `RUNS=10000 npx vitest run test/kysely/owner-lists.test.ts` tries harder.
const numRuns = Number(process.env.RUNS ?? 40)
const timeout = 60_000 + numRuns * 500

const anyOf = <const Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const owner = anyOf('a', 'b', 'c', 'A', 'é', '')
const rank = anyOf(0, 1, 2.5, -1)
const fields = fc.record({
  name: anyOf('ann', 'bob', 'cid'),
  note: maybe(anyOf('x', 'y', 'ann')),
  rank: maybe(rank),
  owner_id: maybe(owner),
})

// Values of another type than that of the field are of no item.
const value = fc.oneof({ weight: 5, arbitrary: owner }, { weight: 1, arbitrary: rank })
const values = fc.oneof(value, fc.array(value, { maxLength: 6 }))
const ranks = fc.oneof(rank, fc.array(fc.oneof(rank, owner), { maxLength: 4 }))
// An id is the index of a created item, or of none.
const ids = fc.array(fc.nat({ max: 14 }), { maxLength: 6 })
const scope = fc.record(
  { owner_id: values, note: fc.oneof(anyOf('x'), fc.array(anyOf('x', 'y'))), rank: ranks, id: ids },
  { requiredKeys: [] },
)
const query = fc.record({
  sort: anyOf([], ['name'], ['-rank', 'name'], ['-id']),
  q: anyOf('', '', 'ann'),
  limit: maybe(anyOf(1, 3)),
  after: maybe(fc.nat({ max: 11 })),
})

const run = fc.record({
  items: fc.array(fields, { maxLength: 12 }),
  rounds: fc.array(fc.tuple(scope, query), { minLength: 1, maxLength: 6 }),
})

type Run = typeof run extends fc.Arbitrary<infer Made> ? Made : never

// Independent of the library: a value equals one of the scope's values.
function isOwned(item: Specimen, owners: Scope): boolean {
  return Object.entries(owners).every(([field, wanted]) => {
    const all: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
    return all.some((one) => one === fieldOf(item, field))
  })
}

async function compare(adapter: SpecimenAdapter, { items, rounds }: Run): Promise<void> {
  const tester = specimenTester(adapter)
  const stored: Specimen[] = []
  for (const item of items) stored.push(await tester.create(item))
  for (const [owners, { sort, q, limit, after: index = -1 }] of rounds) {
    const { id, ...others } = owners
    const named = id?.map((place) => stored[place]?.id ?? `none ${place}`)
    const inScope: Scope = named === undefined ? others : { ...others, id: named }
    const mine = stored.filter((item) => isOwned(item, inScope))
    const found = mine.filter(({ name, note = '' }) => `${name} ${note}`.includes(q))
    const sorted = sortSpecimens(found, sort)
    const after = stored[index]
    const all = sortSpecimens(stored, sort)
    const rest = all.slice(after === undefined ? 0 : all.indexOf(after) + 1)
    const page = rest.filter((item) => found.includes(item)).slice(0, limit)
    await tester.expectList({ scope: inScope, sort, q, limit, after }, page)
    await tester.expectResult({ kind: 'count', scope: inScope, q }, found.length)
    await expectEnds(tester, { scope: inScope, sort, q }, sorted)
    await expectReads(tester, { scope: inScope, stored, mine })
  }
  const [[last = {}] = []] = rounds
  const { id: _, ...owners } = last
  const gone = stored.filter((item) => isOwned(item, owners))
  await tester.expectResult({ kind: 'deleteAll', scope: owners }, gone.length)
  await tester.expectStored(...stored.filter((item) => !gone.includes(item)))
}

type Tester = ReturnType<typeof specimenTester>

async function expectEnds(
  tester: Tester,
  input: Omit<OperationInput, 'kind'>,
  sorted: readonly Specimen[],
): Promise<void> {
  for (const [kind, item] of [
    ['first', sorted.at(0)],
    ['last', sorted.at(-1)],
  ] as const) {
    const operation = { ...input, kind }
    await (item ? tester.expectResult(operation, item) : tester.expectNull(operation))
  }
}

interface Owned {
  readonly scope: Scope
  readonly stored: readonly Specimen[]
  readonly mine: readonly Specimen[]
}

async function expectReads(tester: Tester, { scope, stored, mine }: Owned): Promise<void> {
  for (const item of stored) {
    const operation = { kind: 'read', scope, id: item.id } as const
    await (mine.includes(item)
      ? tester.expectResult(operation, item)
      : tester.expectNull(operation))
  }
}

test('memory finds the items of a plain filter', { timeout }, () =>
  fc.assert(
    fc.asyncProperty(run, (made) => compare(memoryAdapter(), made)),
    { numRuns: numRuns * 10 },
  ),
)

const homes = [...engines.filter(has), 'd1' as const]
const types = { sqlite: 'text', d1: 'text', postgres: 'text', mariadb: 'varchar(255)' } as const

describe.each(homes)('the items of several owners in %s', (home) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  const adapterOf = (): SpecimenAdapter => kyselyAdapter(db, { table: 'specimens' })

  beforeAll(async () => {
    if (home === 'd1') {
      db = new Kysely<unknown>({ dialect: d1Dialect(d1Of(new DatabaseSync(':memory:'))) })
      drop = () => db.destroy()
    } else ({ db, drop } = await databaseOf<unknown>(home))
    const rank = home === 'mariadb' ? '`rank` double' : 'rank double precision'
    const made = `create table specimens (id $ primary key, name $ not null, note $, ${rank},
      flag boolean, data json, tags json, owner_id $, revision integer)`
    await sql.raw(made.replaceAll('$', types[home])).execute(db)
    await sql`create index by_owner on specimens (owner_id)`.execute(db)
  }, 60_000)
  afterAll(() => drop())
  beforeEach(async () => void (await sql`delete from specimens`.execute(db)))

  test('are those of a plain filter', { timeout }, () =>
    fc.assert(
      fc.asyncProperty(run, async (made) => {
        await sql`delete from specimens`.execute(db)
        await compare(adapterOf(), made)
      }),
      { numRuns },
    ),
  )

  test('are found by thousands of owners', async () => {
    const adapter = adapterOf()
    const tester = specimenTester(adapter)
    const made = await tester.createAll(
      Array.from({ length: 10 }, (_, place): NewSpecimen => ({ name: 'a', owner_id: `${place}` })),
    )
    const owner_id = Array.from({ length: 5000 }, (_, place) => `${place + 5}`)
    const mine = sortSpecimens(made.slice(5))
    await tester.expectList({ scope: { owner_id } }, mine)
    await tester.expectResult({ kind: 'count', scope: { owner_id } }, 5)
    await tester.expectNull({ kind: 'read', scope: { owner_id }, id: made[0]?.id ?? '' })
    await tester.expectResult({ kind: 'deleteAll', scope: { owner_id } }, 5)
    await tester.expectStored(...made.slice(0, 5))
  })

  test('stay with their owners when an item moves', async () => {
    const adapter = adapterOf()
    const tester = specimenTester(adapter)
    const item = await tester.create({ name: 'a', owner_id: 'a' })
    const { id, revision } = item
    const moving = (owner_id: string): OperationInput => {
      const moved = { name: 'a', owner_id, id, ...(revision === undefined ? {} : { revision }) }
      return { kind: 'update', scope: { owner_id: ['a', 'b'] }, id, item: moved }
    }
    const leaving = await tester.attempt(moving('c'))
    expect(leaving).toMatchObject({ kind: 'threw', error: expect.any(TypeError) })
    await tester.expectStored(item)
    await tester.expectResult(moving('b'), { ...item, owner_id: 'b' })
    await tester.expectList({ scope: { owner_id: 'a' } }, [])
  })
})

test('an id that names an item of each owner is no id of several owners', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table specimens (
    id text, name text not null, note text, rank real, flag boolean, data json,
    tags json, owner_id text, revision integer, primary key (owner_id, id))`.execute(db)
  const adapter: SpecimenAdapter = kyselyAdapter(db, { table: 'specimens' })
  const operation = (owner_id: string | readonly string[]) =>
    toOperation({ kind: 'list', scope: { owner_id } }) as never
  expect(specimens.name).toBe('specimens')
  expect(await adapter.list?.(operation('a'), undefined)).toEqual([])
  await expect(async () => adapter.list?.(operation(['a', 'b']), undefined)).rejects.toThrow(
    'no unique key on "id"',
  )
  await drop()
})

test('an owner of a list that is no item is a broken reference', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table owners (id text primary key)`.execute(db)
  await sql`insert into owners (id) values ('a')`.execute(db)
  await sql`create table specimens (
    id text primary key, name text not null, note text, rank real, flag boolean, data json,
    tags json, owner_id text references owners (id), revision integer)`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
  const adapter: SpecimenAdapter = kyselyAdapter(db, { table: 'specimens' })
  const creating = async (owner_id: string | readonly string[]) => {
    const item = { name: 'a', owner_id: 'none' }
    return adapter.create?.(toOperation({ kind: 'create', item, scope: { owner_id } }) as never, 0)
  }
  const issues = [{ pointer: '/owner_id', code: 'reference_not_found' }]
  await expect(creating(['a', 'none'])).rejects.toMatchObject({
    code: 'validation_failed',
    members: { issues },
  })
  await expect(creating('none')).rejects.toMatchObject({ code: 'parent_not_found' })
  await drop()
})
