import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  handle,
  type Registry,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { servedEngines } from '../../support/databases.ts'
import { databaseOf, has, type TestDatabase } from '../../support/stores.ts'

const Thing = z.object({ id: z.string(), name: z.string() })
const api = defineApi({ v1: { '/things': defineResource('things', { schema: Thing }) } })
const timeout = 1000
const headers = { 'content-type': 'application/json' }
const put = (url: string, body: unknown): HttpRequest => ({
  method: 'PUT',
  url,
  headers,
  body: JSON.stringify(body),
})

// As a paused container, a sleeping laptop or a busy event loop.
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe.each(servedEngines.filter(has))('a process on %s', (engine) => {
  let database: TestDatabase<unknown>
  let registry: Registry

  beforeAll(async () => {
    database = await databaseOf<unknown>(engine)
    await sql`create table things (id varchar(20) primary key, name varchar(20))`.execute(
      database.db,
    )
    await sql`insert into things values ('a', 'first'), ('b', 'first')`.execute(database.db)
    registry = defineRegistry(api).adapters({
      things: kyselyAdapter(database.db, { table: 'things', timeout }),
    })
    await handle({ method: 'GET', url: '/v1/things' }, registry)
  }, 30_000)
  afterAll(() => database?.drop())

  test.each<[string, HttpRequest]>([
    ['read', { method: 'GET', url: '/v1/things/a' }],
    ['replace', put('/v1/things/a', { name: 'second' })],
    [
      'replace in a bulk',
      put(
        '/v1/things',
        ['a', 'b'].map((id) => ({ id, name: 'third' })),
      ),
    ],
  ])(
    'that stands still for longer than an operation may take goes on to %s',
    async (_, request) => {
      const asked = handle(request, registry)
      await turn()
      standStill(1.5 * timeout)
      expect(await asked).toMatchObject({ status: 200 })
    },
  )
})
