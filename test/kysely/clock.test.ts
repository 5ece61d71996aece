import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { nextOf } from '../support/cursors.ts'

const opened: DatabaseSync[] = []
afterEach(() => {
  for (const file of opened.splice(0)) file.close()
})

const rows: readonly (readonly [id: string, stored: string, given: string])[] = [
  ['a', '2021-01-01 00:00:00', '2021-01-01T00:00:00.000Z'],
  ['b', '2021-01-01T05:00:00Z', '2021-01-01T05:00:00Z'],
  ['c', '2021-01-01 07:30:00.250', '2021-01-01T07:30:00.250Z'],
  ['d', '2021-01-01T09:00:00Z', '2021-01-01T09:00:00Z'],
  ['e', '2021-01-02 00:00:00', '2021-01-02T00:00:00.000Z'],
]
const columns = {
  'a text': 'at text',
  'a datetime': 'at datetime',
  'a default of that clock': 'at text default current_timestamp',
}

function open(column: string, at: z.ZodType): { registry: Registry; file: DatabaseSync } {
  const file = new DatabaseSync(':memory:')
  opened.push(file)
  file.exec(`create table visits (id text primary key, ${column})`)
  const insert = file.prepare('insert into visits (id, at) values (?, ?)')
  for (const [id, stored] of rows) insert.run(id, stored)
  const visits = defineResource('visits', {
    schema: z.object({ id: z.string(), at: at.optional() }),
    sortable: ['at'],
  })
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  const registry = defineRegistry(defineApi({ v1: { '/visits': visits } })).adapters({
    visits: kyselyAdapter(db, { table: 'visits' }),
  })
  return { registry, file }
}

async function ask(registry: Registry, method: string, url: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  return handle({ method, url, headers, body: body && JSON.stringify(body) }, registry)
}

describe('a moment that the clock of SQLite wrote', () => {
  for (const [name, column] of Object.entries(columns)) {
    test(`leaves ${name} as RFC 3339, and comes back`, async () => {
      const { registry } = open(column, z.iso.datetime())
      for (const [id, , given] of rows) {
        const { status, body } = await ask(registry, 'GET', `/v1/visits/${id}`)
        expect([status, body]).toEqual([200, { id, at: given }])
        const back = await ask(registry, 'PUT', `/v1/visits/${id}`, { id, at: given })
        const kept = new Date(given).toISOString()
        expect([back.status, back.body]).toEqual([200, { id, at: kept }])
      }
    })

    test.each(['at', '-at'])(`has its position in ${name} by %s`, async (sort) => {
      const { registry } = open(column, z.iso.datetime())
      const ids = []
      for (let url: string | undefined = `/v1/visits?sort=${sort}&limit=1`; url !== undefined; ) {
        const response = await ask(registry, 'GET', url)
        ids.push(...[response.body].flat().map((item) => Object(item).id))
        expect(ids.length).toBeLessThanOrEqual(rows.length)
        url = nextOf(response)
      }
      expect(sort === 'at' ? ids : ids.toReversed()).toEqual(rows.map(([id]) => id))
    })
  }

  test('is given to a new item by a default', async () => {
    const { registry, file } = open('at text default current_timestamp', z.iso.datetime())
    file.exec('delete from visits')
    const { status, body } = await ask(registry, 'POST', '/v1/visits', { id: 'n' })
    expect([status, Object(body).at]).toEqual([201, expect.stringMatching(/^\d{4}-.*T.*Z$/)])
  })

  test('stays as it is if the schema declares no moment', async () => {
    const { registry } = open('at text', z.string())
    const { body } = await ask(registry, 'GET', '/v1/visits/a')
    expect(body).toEqual({ id: 'a', at: '2021-01-01 00:00:00' })
  })

  test.each(['2021-01-01 00:00:00+02:00', '2021-01-01 noon', '21-01-01 00:00:00'])(
    'is not %s',
    async (stored) => {
      const { registry, file } = open('at text default current_timestamp', z.iso.datetime())
      file.prepare('update visits set at = ? where id = ?').run(stored, 'a')
      const { body } = await ask(registry, 'GET', '/v1/visits/a')
      expect(body).toEqual({ id: 'a', at: stored })
    },
  )
})
