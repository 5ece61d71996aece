import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Operation } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openParts, type PartOptions, type Parts, partStores } from '../support/parts.ts'
import { databaseOf } from '../support/stores.ts'

const problemAt = (name: string, ...pointers: readonly string[]) =>
  expect.objectContaining({
    code: name,
    issues: pointers.map((pointer) => expect.objectContaining({ pointer })),
  })
const code = (name: string) => expect.objectContaining({ code: name })
const part = (name: string, others: object = {}) => ({ name, low: 1, high: 9, ...others })
const stored = (name: string, others: object = {}) => ({
  ...{ id: expect.any(String), state: 'new', version: 1 },
  ...part(name, others),
})
const many = (count: number, others: (place: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, place) => part(`n${place}`, others(place)))

describe.each(partStores)('$name', (store) => {
  let parts: Parts | undefined

  const open = async (options?: PartOptions) => {
    parts = await openParts(store, options)
    return parts
  }

  afterEach(async () => {
    await parts?.drop()
    parts = undefined
  })

  test('creates all items or none, and names each fault', async () => {
    const { ask, errors } = await open()
    await ask('POST /parts', part('taken', { id: 'old' }))
    const facts: readonly (readonly [body: unknown, status: number, expected: unknown])[] = [
      [[], 201, []],
      [[part('a')], 201, [stored('a')]],
      [
        [part('b', { id: 'z' }), part('c', { id: 'y', note: 'n' }), part('d', { state: 'old' })],
        201,
        [
          stored('b', { id: 'z' }),
          stored('c', { id: 'y', note: 'n' }),
          stored('d', { state: 'old' }),
        ],
      ],
      [[part('e'), part('taken')], 409, problemAt('conflict', '/1/name')],
      [[part('e'), part('f'), part('e')], 409, problemAt('conflict', '/2/name')],
      [[part('e'), part('f', { id: 'old' })], 409, problemAt('conflict', '/1/id')],
      [
        [part('e', { id: 'x' }), part('f', { id: 'x' })],
        422,
        problemAt('validation_failed', '/1/id'),
      ],
      [
        [part('e', { kit_id: 'k1' }), part('f', { kit_id: 'k8' }), part('g', { kit_id: 'k9' })],
        422,
        problemAt('validation_failed', '/1/kit_id', '/2/kit_id'),
      ],
      [[part('e'), part('f', { high: 1000 })], 422, code('validation_failed')],
      [
        [part('e'), part('f', { low: 'x' }), part('g', { high: null })],
        422,
        problemAt('validation_failed', '/1/low', '/2/high'),
      ],
    ]
    for (const [sent, status, expected] of facts) {
      const answer = await ask('POST /parts', sent)
      expect({ sent, answer }).toEqual({ sent, answer: [status, expected] })
    }
    const [, names] = await ask('GET /parts?fields=name')
    expect((names as { name: string }[]).map(({ name }) => name).sort()).toEqual([
      ...['a', 'b', 'c', 'd', 'taken'],
    ])
    expect(errors).toEqual([])
  })

  test('creates a thousand items in order, or none', { timeout: 60_000 }, async () => {
    const { ask, db, errors } = await open()
    const items = many(1000, (place) => ({ ...(place % 400 < 3 && { note: `${place}` }) }))
    const [status, made] = await ask('POST /parts', items)
    expect(status).toBe(201)
    expect(made).toEqual(items.map(({ name, ...others }) => stored(name, others)))
    const count = () => sql`select count(*) as count from parts`.execute(db)
    const { rows } = await count()
    expect(Number(Object(rows[0]).count)).toBe(1000)
    await sql`delete from parts where name <> 'n0'`.execute(db)
    const faults = [
      [{ name: 'n0' }, 409, '/700/name'],
      [{ kit_id: 'k9' }, 422, '/700/kit_id'],
      [{ high: 1001 }, 422, undefined],
    ] as const
    for (const [fault, status, pointer] of faults) {
      const faulty = many(1000, (place) => ({ name: `m${place}`, ...(place === 700 && fault) }))
      const answer = await ask('POST /parts', faulty)
      const issues = pointer ? [expect.objectContaining({ pointer })] : expect.anything()
      expect(answer).toEqual([status, expect.objectContaining({ issues })])
      expect(Number(Object((await count()).rows[0]).count)).toBe(1)
    }
    expect(errors).toEqual([])
  })

  test('asks the hook for each item, and stays in the scope', async () => {
    const seen: unknown[] = []
    const { ask, db } = await open({
      adapter: {
        onCreate: async (item: { name: string }, { kind, item: sent, items }: Operation) => {
          seen.push([kind, Object(sent).name, items])
          return { made_by: `hook ${item.name}` }
        },
      },
    })
    const [, made] = await ask('POST /kits/k1/parts', [part('a', { secret: 's' }), part('b')])
    const own = (name: string) => stored(name, { kit_id: 'k1', made_by: `hook ${name}` })
    expect(made).toEqual([own('a'), own('b')])
    expect(seen).toEqual([
      ['create', 'a', undefined],
      ['create', 'b', undefined],
    ])
    const { rows } = await sql`select secret from parts order by name`.execute(db)
    expect(rows).toEqual([{ secret: 's' }, { secret: null }])
    expect(await ask('POST /kits/k9/parts', [part('c')])).toEqual([404, code('parent_not_found')])
  })

  test.skipIf(store.name === 'D1')('creates only what its caller may see', async () => {
    const { ask } = await open({ adapter: { visible: () => sql<boolean>`low < 5` } })
    expect(await ask('POST /parts', [part('a'), part('b', { low: 5 })])).toEqual([
      ...[403, code('forbidden')],
    ])
    expect(await ask('POST /parts', [part('a'), part('b')])).toEqual([
      ...[201, [stored('a'), stored('b')]],
    ])
    expect((await ask('GET /parts/count'))[1]).toEqual({ count: 2 })
  })

  test('lets the database count the ids', async () => {
    const { engine, options } = store
    const { db, drop } = await databaseOf<unknown>(engine, options)
    const id = {
      sqlite: 'integer primary key',
      postgres: 'integer generated always as identity primary key',
      mariadb: 'integer primary key auto_increment',
    }[engine]
    await sql`create table entries (id ${sql.raw(id)}, text varchar(40))`.execute(db)
    const Entry = z.object({ id: z.number(), text: z.string().optional() })
    const entries = defineResource('entries', {
      schema: Entry,
      create: Entry.omit({ id: true }),
      id: z.coerce.number(),
    })
    const registry = defineRegistry(defineApi({ v1: { '/entries': entries } })).adapters({
      entries: kyselyAdapter(db, { table: 'entries' }),
    })
    const post = async (items: readonly object[]) => {
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', url: '/v1/entries', headers, body: JSON.stringify(items) }
      return (await handle(request, registry)).body
    }
    const items = Array.from({ length: 300 }, (_, place) =>
      place % 100 === 50 ? {} : { text: `t${place}` },
    )
    expect(await post(items)).toEqual(items.map((item, place) => ({ id: place + 1, ...item })))
    expect(await post([{}, {}])).toEqual([{ id: 301 }, { id: 302 }])
    await drop()
  })
})
