import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { type Adapter, defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const numRuns = Number(process.env.RUNS ?? 40)

/** A type of a column, and its scale if it declares one. */
type ColumnType = readonly [type: string, scale?: number]

const typesOf = (...list: string[]): readonly ColumnType[] => list.map((type) => [type])

const types: Readonly<Record<Engine, readonly ColumnType[]>> = {
  sqlite: [
    ['numeric(12,2)', 2],
    ['decimal(10, 3)', 3],
    ['double(10,2)', 2],
    ...typesOf('numeric', 'decimal', 'money', 'real', 'double', 'string', 'integer', 'decimal(9)'),
  ],
  postgres: [
    ['numeric(12,2)', 2],
    ['numeric(20,0)', 0],
    ['price', 2],
    ...typesOf('numeric', 'double precision', 'real', 'money', 'bigint', 'smallint'),
  ],
  mariadb: [
    ['decimal(12,2)', 2],
    ['decimal', 0],
    ['double(10,2)', 2],
    ['float(10,2)', 2],
    ['decimal(8,2) zerofill', 2],
    ...typesOf('double', 'float', 'bigint', 'year', 'int(5) zerofill'),
  ],
}

const item = z.object({
  id: z.string(),
  code: z.string().nullish(),
  stamp: z.string().nullish(),
})
const samples = defineResource('samples', {
  schema: item,
  create: item.omit({ stamp: true }).partial({ id: true }),
  readOnly: ['stamp'],
  idempotent: true,
  id: z.string().max(40),
  filterable: ['code'],
  sortable: ['code'],
  searchable: ['code'],
})

const texts = (
  '10.10 10.1 10 10.0 10.100 0 -0 -0.00 0.10 007 7 1e3 +1 1. .5 abc 0x10 1,5 0.1 123456.78 ' +
  '0.00001 1e-05 1.0e-05 99999 1000000 1234567 1000000000000000 1e15 9007199254740993 NaN ' +
  'Infinity 1.005 $10.10 12345678901234567890 2024 24 0000 00042 42 3.4e38'
)
  .split(' ')
  .concat('', ' 1', '10.10 ')

const numberText = fc.oneof(
  fc.constantFrom(...texts),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((number) => number.toFixed(2)),
  fc.integer({ min: -99_999, max: 99_999 }).map((number) => `${number / 100}`),
)

describe.each(engines.filter(has))('digits of %s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  const tables = new Map<string, ReturnType<typeof askingOf>>()
  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
    if (engine === 'postgres') await sql`create domain price as numeric(12,2)`.execute(db)
    for (const [index, [type]] of types[engine].entries()) {
      const columns = `id varchar(40) primary key, code ${type}, stamp ${type}`
      await sql.raw(`create table t${index} (${columns})`).execute(db)
      tables.set(type, askingOf(db, `t${index}`))
    }
  }, 60_000)
  afterAll(() => drop())

  const rows = types[engine].map(([type, scale]) => ({ type, scale }))
  describe.each(rows)('$type', ({ type, scale }) => {
    const ask: ReturnType<typeof askingOf> = (...given) =>
      (tables.get(type) as ReturnType<typeof askingOf>)(...given)

    async function holds(code: string): Promise<void> {
      await ask('DELETE', '')
      const made = await ask('POST', '', { id: 'a', code })
      expect([200, 201, 422]).toContain(made.status)
      if (made.status === 422) {
        const [issue] = made.body.issues
        expect(issue).toMatchObject({ pointer: '/code' })
        expect(['unrepresentable', 'unfit']).toContain(issue.code)
        expect((await ask('GET', `?code=${encodeURIComponent(code)}`)).body).toEqual([])
        return
      }
      const held: string = made.body.code
      if (scale === undefined) expect(held).toBe(code)
      else if (held !== 'NaN') {
        expect(Number(held) - Number(code)).toBe(0)
        expect(held.split('.')[1] ?? '').toHaveLength(scale)
      }
      const all = [{ id: 'a', code: held }]
      for (const text of new Set([code, held])) {
        const value = encodeURIComponent(text)
        const equal = await ask('GET', `?code=${value}`)
        expect([text, equal.body]).toMatchObject([text, all])
        expect((await ask('GET', `?code=${value}&limit=1`)).body).toMatchObject(all)
        expect((await ask('GET', `/count?code=${value}`)).body).toEqual({ count: 1 })
        expect((await ask('GET', `/first?code=${value}`)).body).toMatchObject({ id: 'a' })
        expect((await ask('GET', `?code:ne=${value}`)).body).toEqual([])
        expect((await ask('GET', `?code:gt=${value}`)).body).toEqual([])
        expect((await ask('GET', `?code:gte=${value}`)).body).toMatchObject(all)
        expect((await ask('PUT', '/a', { code: text })).body).toMatchObject({ code: held })
        expect((await ask('PATCH', '/a', { code: text })).body).toMatchObject({ code: held })
      }
      expect((await ask('GET', `?code:contains=${encodeURIComponent(held)}`)).body).toMatchObject(
        all,
      )
      expect((await ask('GET', `?q=${encodeURIComponent(held)}`)).body).toMatchObject(all)
    }

    test('never returns another text', { timeout: 60_000 }, async () => {
      for (const text of texts) await holds(text)
      await fc.assert(fc.asyncProperty(numberText, holds), { numRuns })
    })

    test('compares replays and read-only fields by value', async () => {
      await ask('DELETE', '')
      const [sent, other] = textsOf(engine, type, scale)
      const key = { 'idempotency-key': 'k' }
      const first = await ask('POST', '', { code: sent }, key)
      const second = await ask('POST', '', { code: other }, key)
      expect([first.status, second.status]).toEqual([201, 201])
      expect(second.body).toEqual(first.body)
      const table = sql.table(`t${[...tables.keys()].indexOf(type)}`)
      await sql`update ${table} set stamp = ${sent}`.execute(db)
      const { id } = first.body
      for (const stamp of [sent, other]) {
        expect((await ask('PUT', `/${id}`, { stamp })).status).toBe(200)
        expect((await ask('PATCH', `/${id}`, { stamp })).status).toBe(200)
      }
      expect((await ask('PATCH', `/${id}`, { stamp: '2025' })).status).toBe(422)
    })

    test('joined pages are the list', async () => {
      await ask('DELETE', '')
      const codes = type === 'year' ? ['1999', '2001', '2020'] : ['10', '9', '100', '2', '30']
      for (const [at, code] of codes.entries()) await ask('POST', '', { id: `i${at}`, code })
      const { body: all } = await ask('GET', '?sort=code')
      expect(all.map(({ code }: { code: string }) => code)).toEqual(
        all.map(({ code }: { code: string }) => code).sort(),
      )
      const joined: unknown[] = []
      let path: string | undefined = '?sort=code&limit=2&code:ne=30'
      while (path !== undefined) {
        const { body, link }: Awaited<ReturnType<typeof ask>> = await ask('GET', path)
        joined.push(...body)
        path = /<[^?]*(\?[^>]*)>; rel="next"/.exec(link)?.[1]
      }
      expect(joined).toEqual(all.filter(({ code }: { code: string }) => Number(code) !== 30))
    })
  })
})

// Two texts of one value, if the type has them.
function textsOf(engine: Engine, type: string, scale?: number): readonly [string, string] {
  if (type === 'year') return ['2024', '2024']
  if (type === 'money' && engine === 'postgres') return ['7.00', '7.00']
  return ['7', scale === undefined ? '7' : '7.0']
}

function askingOf(db: Kysely<unknown>, table: string) {
  const errors: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/samples': samples } }))
    .onError((error) => void errors.push(error))
    .adapters({ samples: kyselyAdapter(db, { table }) as Adapter as never })
  return async (method: string, path: string, body?: object, more: object = {}) => {
    const headers = { 'content-type': 'application/json', ...more }
    const sent = body && JSON.stringify(body)
    const answer = await handle(
      { method, url: `/v1/samples${path}`, headers, body: sent },
      registry,
    )
    expect([path, sent, errors.splice(0)]).toEqual([path, sent, []])
    const { status } = answer
    return { status, body: Object(answer.body), link: `${answer.headers.link ?? ''}` }
  }
}
