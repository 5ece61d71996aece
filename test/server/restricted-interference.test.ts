import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { Kysely, sql } from 'kysely'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { expect, test } from 'vitest'
import '../support/properties.ts'
import { sent, staffWith, workersInMemory } from '../support/staff.ts'

// `RUNS=10000 npx vitest run test/server/restricted-interference.test.ts` tries harder.
const numRuns = Number(process.env.RUNS ?? 60)
const timeout = 60_000 + numRuns * 500

const anyOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const id = anyOf('a', 'b', 'c', 'z')
const salary = fc.option(anyOf('1', '2', 'ann', 'x'), { nil: undefined })
// A hidden reference is the same in both worlds: a 409 tells that another item names one.
const world = fc.tuple(salary, salary, salary)

const parameter = anyOf(
  ...['q=1', 'q=ann', 'sort=name', 'sort=salary', 'sort=-salary,name', 'salary=1', 'limit=1'],
  ...['limit=2', 'offset=1', 'fields=name', 'fields=salary', 'include=boss', 'include=friend'],
  ...['salary:null=true', 'name:contains=n', 'salary:gt=1', 'dry_run=true', 'boss_id=a'],
)
const body = fc.record(
  {
    id,
    name: anyOf<string | number>('ann', 'bob', 1),
    note: anyOf<string | null>('x', null),
    friend_id: anyOf<string | null>('a', 'z', null),
    salary: anyOf<string | null>('1', '2', null),
    boss_id: anyOf('a', 'z'),
    rev: anyOf(1, 2),
  },
  { requiredKeys: [] },
)
const request = fc.record({
  method: anyOf('GET', 'GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE', 'OPTIONS'),
  path: fc.oneof(
    anyOf('', '/first', '/last', '/count'),
    id.map((one) => `/${one}`),
  ),
  query: fc.array(parameter, { maxLength: 3 }),
  body: fc.oneof(fc.array(body, { maxLength: 3 }), body, fc.constant(undefined)),
})

function itemsIn(salaries: readonly (string | undefined)[]): readonly object[] {
  return ['a', 'b', 'c'].map((own, index) => ({
    id: own,
    name: `ann ${own}`,
    boss_id: 'a',
    friend_id: 'a',
    ...(salaries[index] === undefined ? {} : { salary: salaries[index] }),
    rev: 1,
  }))
}

async function inSqlite(items: readonly object[]) {
  const db = new Kysely<never>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) })
  await sql`create table workers (id text primary key, name text not null, note text, boss_id text,
    friend_id text, salary text, rev integer not null)`.execute(db)
  for (const item of items)
    await db
      .insertInto('workers' as never)
      .values(item as never)
      .execute()
  return {
    workers: kyselyAdapter(db, { table: 'workers' } as never) as object,
    close: () => db.destroy(),
  }
}

const stores = {
  memory: async (items: readonly object[]) => ({
    workers: workersInMemory(items),
    close: async () => {},
  }),
  sqlite: inSqlite,
}

// Ids that the server makes differ, and so do request ids.
function canonical(answer: object): string {
  return JSON.stringify(answer).replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'uuid')
}

test.each(['memory', 'sqlite'] as const)(
  'the answers tell nothing of hidden fields in %s',
  async (name) => {
    const inputs = [world, world, fc.array(request, { minLength: 1, maxLength: 8 })] as const
    await fc.assert(
      fc.asyncProperty(...inputs, async (one, other, requests) => {
        const stored = await Promise.all(
          [one, other].map((fields) => stores[name](itemsIn(fields))),
        )
        const errors: unknown[] = []
        const worlds = stored.map(({ workers }) => staffWith(workers, errors))
        for (const { method, path, query, body } of requests) {
          const search = query.length > 0 ? `?${query.join('&')}` : ''
          const line = `${method} /v1/workers${path}${search}`
          const given = method === 'GET' || method === 'HEAD' ? {} : { body }
          const [mine = '', yours] = await Promise.all(
            worlds.map(async (registry) => {
              // Another caller's caches must not serve this one.
              await sent(registry, 'GET /v1/workers?q=1', { sees: 'salary,boss_id' })
              return canonical(await sent(registry, line, given))
            }),
          )
          expect(yours, line).toBe(mine)
        }
        expect(errors).toEqual([])
        await Promise.all(stored.map(({ close }) => close()))
      }),
      { numRuns },
    )
  },
  timeout,
)
