import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { take } from '../../src/convention/stream.ts'
import { nextOf } from '../support/cursors.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'
import { type Holding, holdingsOf } from '../support/values.ts'

// More than one step of a streamed list.
const length = 1260

describe.each(engines.filter(has))('%s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>

  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
  }, 60_000)
  afterAll(() => drop())

  const tables = holdingsOf(engine).flatMap((holding, index) =>
    ['null', 'not null'].map((nullity) => ({
      ...holding,
      nullity,
      table: `t${index}_${nullity.length}`,
    })),
  )

  describe.each(tables)('$type $nullity', ({ nullity, table, ...holding }) => {
    let list: (
      search: string,
      end?: string,
    ) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>

    beforeAll(async () => {
      await sql
        .raw(`create table ${table} (id integer primary key, value ${holding.type} ${nullity})`)
        .execute(db)
      await fill(db, table, nullity === 'null' ? ['null', ...holding.stored] : holding.stored)
      const registry = registryOf(db, table, { ...holding, isOptional: nullity === 'null' })
      list = (search, end) => listFrom(registry, search, end)
    })

    // Bytes do not sort, so their order is that of the ids.
    const orders = holding.holds === 'base64' ? [''] : ['value', '-value']
    test.each(orders)('is a whole list and finite pages by %s', async (sort) => {
      const all = (await list(`sort=${sort}`)).items
      expect(new Set(all.map(({ id }) => id)).size).toBe(length)
      expect(all.filter(({ value }) => value === undefined)).toHaveLength(
        nullity === 'null' ? Math.ceil(length / (1 + holding.stored.length)) : 0,
      )
      const seen: Item[] = []
      for (let search: string | undefined = `sort=${sort}&limit=70`; search !== undefined; ) {
        const { items, next } = await list(search)
        seen.push(...items)
        expect(seen.length).toBeLessThanOrEqual(length)
        search = next
      }
      expect(seen).toEqual(all)
      const ends = await Promise.all(['first', 'last'].map((end) => list(`sort=${sort}`, end)))
      expect(ends.flatMap(({ items }) => items)).toEqual([all[0], all.at(-1)])
    })

    test('accepts its own values without a change', async () => {
      const registry = registryOf(db, table, {
        ...holding,
        schema: holding.holds === 'base64' ? z.base64() : z.unknown(),
        isOptional: true,
      })
      for (const id of holding.stored.keys()) {
        const before = await bitsOf(db, { engine, table, type: holding.type, id })
        const url = `/v1/samples/${id}`
        const { body } = await handle({ method: 'GET', url }, registry)
        const headers = { 'content-type': 'application/json' }
        const back = await handle(
          { method: 'PUT', url, headers, body: JSON.stringify(body) },
          registry,
        )
        const after = await bitsOf(db, { engine, table, type: holding.type, id })
        expect([back.status, back.body, after]).toEqual([200, body, before])
      }
    })
  })
})

interface Item {
  readonly id: number
  readonly value?: unknown
}

// Many of each value, so that pages end among them.
async function fill(db: Kysely<unknown>, table: string, values: readonly string[]): Promise<void> {
  for (const [index, value] of values.entries()) {
    await sql
      .raw(
        `insert into ${table} (id, value) with recursive n as (
           select ${index} as id union all select id + ${values.length} from n
          where id + ${values.length} < ${length}) select id, ${value} from n`,
      )
      .execute(db)
  }
}

interface Cell {
  readonly engine: Engine
  readonly table: string
  readonly type: string
  readonly id: number
}

/** The content of a cell, as text. */
async function bitsOf(db: Kysely<unknown>, { engine, table, type, id }: Cell): Promise<unknown> {
  const { rows } = await sql
    .raw<object>(`select ${bits[engine](type)} as bits from ${table} where id = ${id}`)
    .execute(db)
  return rows[0]
}

const bits: Readonly<Record<Engine, (type: string) => string>> = {
  sqlite: () =>
    `typeof(value) || case typeof(value)
       when 'real' then printf('%!.20g', value) else quote(value) end`,
  postgres: () => 'value::text',
  mariadb(type) {
    if (/^float/.test(type)) return 'cast(cast(value as double) as char)'
    return /binary|blob|bit/.test(type) ? 'hex(value)' : 'cast(value as char)'
  },
}

interface Held extends Holding {
  readonly isOptional: boolean
}

function registryOf(
  db: Kysely<unknown>,
  table: string,
  { schema, holds, isOptional }: Held,
): Registry {
  const type = holds === 'base64' ? 'text' : holds
  const value = isOptional ? schema.optional() : schema
  const samples = defineResource('samples', {
    schema: z.object({ id: z.coerce.number().int(), value }),
    id: z.coerce.number().int(),
    sortable: holds === 'base64' ? [] : ['value'],
  })
  return defineRegistry(defineApi({ v1: { '/samples': samples } }))
    .onError((error) => {
      throw error
    })
    .adapters({ samples: kyselyAdapter(db, { table, columns: { value: { type } } }) })
}

async function listFrom(
  registry: Registry,
  search: string,
  end = '',
): Promise<{
  readonly items: readonly Item[]
  readonly next: string | undefined
}> {
  const url = `/v1/samples${end && `/${end}`}?${search}`
  const response = await handle({ method: 'GET', url }, registry)
  const { status, body } = response
  if (status !== 200) throw new Error(`${url}: ${JSON.stringify(body)}`)
  const items = isStream(body) ? await take(body, 9999) : [body].flat()
  return { items: items as Item[], next: nextOf(response)?.split('?')[1] }
}

function isStream(body: unknown): body is AsyncIterable<object> {
  return Symbol.asyncIterator in Object(body)
}
