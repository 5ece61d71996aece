import { DatabaseSync } from 'node:sqlite'
import { type Dialect, type Driver, Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { plainDialect } from '../support/plain.ts'

// A cancellation may arrive late and interrupt the rollback after its statement.
function interrupting(dialect: Dialect, faults: number): Dialect {
  let left = faults
  const createDriver = (): Driver => {
    const driver = dialect.createDriver()
    const acquireConnection: Driver['acquireConnection'] = async (...given) => {
      const connection = await driver.acquireConnection(...given)
      return {
        ...connection,
        streamQuery: connection.streamQuery.bind(connection),
        executeQuery: async (query, ...rest) => {
          if (query.sql === 'rollback' && left-- > 0) throw new Error('interrupted')
          return connection.executeQuery(query, ...rest)
        },
      }
    }
    return new Proxy(driver, {
      get: (target, name) => {
        if (name === 'acquireConnection') return acquireConnection
        if (name === 'releaseConnection') return async () => target.releaseConnection({} as never)
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
  return {
    createDriver,
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

const cases = [sqliteDialect, (file: DatabaseSync) => plainDialect(file)].flatMap((dialectOf) =>
  [0, 1, 2].map((faults) => ({ faults, dialectOf })),
)

test.each(cases)('a rollback that fails $faults times is done', async ({ faults, dialectOf }) => {
  const file = new DatabaseSync(':memory:')
  const db = new Kysely<unknown>({ dialect: interrupting(dialectOf(file), faults) })
  await sql`create table things (id text primary key, name text not null unique)`.execute(db)
  await sql`insert into things values ('a', 'a'), ('b', 'b')`.execute(db)
  const things = defineResource('things', {
    schema: z.object({ id: z.string(), name: z.string() }),
  })
  const registry = defineRegistry(defineApi({ v1: { '/things': things } })).adapters({
    things: kyselyAdapter(db, { table: 'things' }),
  })
  const put = (items: readonly object[]) =>
    handle(
      {
        method: 'PUT',
        url: '/v1/things',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(items),
      },
      registry,
    )

  expect(
    await put([
      { id: 'a', name: 'x' },
      { id: 'b', name: 'x' },
    ]),
  ).toMatchObject({ status: 409 })
  expect(file.isTransaction).toBe(false)
  expect(await put([{ id: 'a', name: 'y' }])).toMatchObject({ status: 200 })
  expect(file.prepare('select name from things order by id').all()).toEqual([
    { name: 'y' },
    { name: 'b' },
  ])
})
