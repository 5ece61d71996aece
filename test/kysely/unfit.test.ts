import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Sample = z.object({
  id: z.string(),
  whole: z.number().optional(),
  share: z.number().optional(),
  day: z.string().optional(),
  moment: z.string().optional(),
  clock: z.string().optional(),
  anything: z.unknown().optional(),
  uuid: z.string().optional(),
  kind: z.string().optional(),
  value: z.json().optional(),
  short: z.string().optional(),
  fixed: z.string().optional(),
  season: z.number().optional(),
  mood: z.string().optional(),
  tiny: z.string().optional(),
})
const samples = defineResource('samples', {
  schema: Sample,
  sortable: ['share'],
  searchable: ['kind'],
})
const api = defineApi({ v1: { '/samples': samples } })

const columns: Readonly<Record<Engine, string>> = {
  sqlite: `id text primary key, whole integer, share numeric, day date, moment text, clock text,
    anything text,
    uuid uuid, kind text not null default 'plain', value json, short varchar(3), fixed any,
    season integer, mood text, tiny text`,
  postgres: `id text primary key, whole bigint, share numeric, day date, moment timestamp,
    clock time, anything text,
    uuid uuid, kind text not null default 'plain', value jsonb, short varchar(3), fixed char(3),
    season integer, mood text, tiny text`,
  mariadb: `id varchar(50) primary key, whole bigint, share decimal(38, 18), day date,
    moment datetime(6), clock time(6), anything text, uuid varchar(36),
    kind varchar(20) not null default 'plain', value json, short varchar(3),
    fixed char(3), season year, mood enum('a', 'B', '1'), tiny tinytext`,
}

/** A value, and the engines that refuse it. The rest keep it unchanged. */
const rows: readonly (readonly [field: string, value: unknown, refusing: readonly Engine[]])[] = [
  ['whole', 2 ** 53, ['sqlite', 'postgres', 'mariadb']],
  ['whole', -(2 ** 60), ['sqlite', 'postgres', 'mariadb']],
  ['whole', 2 ** 53 - 1, []],
  ['whole', 1.5, ['postgres', 'mariadb']],
  ['share', 0.1, []],
  ['anything', ['a', 'b'], ['sqlite', 'postgres', 'mariadb']],
  ['anything', { a: 1 }, ['sqlite', 'postgres', 'mariadb']],
  ['anything', true, ['sqlite', 'postgres', 'mariadb']],
  ['anything', 'a', []],
  ['day', '2026-02-28', []],
  ['day', '2026-02-30', ['postgres', 'mariadb']],
  ['day', '0000-01-01', ['postgres']],
  ['day', '0000-00-00', ['postgres']],
  ['day', '2026-00-32', ['postgres', 'mariadb']],
  ['day', 'infinity', ['mariadb']],
  ['day', '0044-03-15 BC', ['mariadb']],
  ['day', '4714-11-24 BC', ['mariadb']],
  ['day', '4714-11-23 BC', ['postgres', 'mariadb']],
  ['day', '4715-11-24 BC', ['postgres', 'mariadb']],
  ['day', '0000-01-01 BC', ['postgres', 'mariadb']],
  ['day', '0005-02-29 BC', ['mariadb']],
  ['day', '0004-02-29 BC', ['postgres', 'mariadb']],
  ['day', '5874897-12-31', ['mariadb']],
  ['day', '5874898-01-01', ['postgres', 'mariadb']],
  ['day', '10000-02-30', ['postgres', 'mariadb']],
  ['day', '10000-01-01T00:00:00Z', ['postgres', 'mariadb']],
  ['day', '0000-00-00T00:00:00Z', ['postgres', 'mariadb']],
  ['day', 'now', ['postgres', 'mariadb']],
  ['day', '2026', ['sqlite', 'postgres', 'mariadb']],
  ['moment', 'infinity', ['mariadb']],
  ['moment', '-infinity', ['mariadb']],
  ['moment', 'Infinity', ['postgres', 'mariadb']],
  ['moment', '0044-03-15T10:00:00.123456Z BC', ['mariadb']],
  ['moment', '0044-03-15T25:00:00.123456Z BC', ['postgres', 'mariadb']],
  ['moment', '294277-01-01T00:00:00.000000Z', ['postgres', 'mariadb']],
  ['moment', '10000-01-01', ['postgres', 'mariadb']],
  ['moment', '0000-00-00T00:00:00.000Z', ['postgres']],
  ['moment', '0000-00-00', ['postgres', 'mariadb']],
  ['moment', '2026-02-30T00:00:00Z', ['postgres', 'mariadb']],
  ['moment', '2026-02-03', ['postgres', 'mariadb']],
  ['clock', '24:00:01.000000', ['postgres']],
  ['clock', '-01:00:00.000000', ['postgres']],
  ['clock', '839:00:00', ['postgres', 'mariadb']],
  ['clock', '10', ['postgres', 'mariadb']],
  ['clock', '10:00:00+02:00', ['postgres', 'mariadb']],
  ['uuid', '0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11', []],
  ['uuid', '00123', ['sqlite', 'postgres']],
  ['moment', '9999-12-31T23:59:59-01:00', ['postgres', 'mariadb']],
  ['moment', '0001-01-01T00:00:00+01:00', ['postgres', 'mariadb']],
  ['value', 1e16, ['sqlite']],
  ['value', -(2 ** 53), ['sqlite']],
  ['value', 1e300, ['sqlite']],
  ['value', 2 ** 53 - 1, []],
  ['value', 0.1 + 0.2, []],
  ['value', 5e-324, []],
  ['value', '1e400', []],
  ['value', '12', []],
  ['value', 'a', []],
  ['value', 'null', []],
  ['value', { a: 1e16 }, []],
  ['short', 'ab ', []],
  ['short', 'abc ', ['postgres', 'mariadb']],
  ['short', '😀😀😀', []],
  ['fixed', 'a ', ['postgres', 'mariadb']],
  ['fixed', '012', ['sqlite']],
  ['fixed', '12a', []],
  ['share', 1e17, ['sqlite']],
  ['season', 2026, []],
  ['season', 0, []],
  ['season', 70, ['mariadb']],
  ['season', 1900, ['mariadb']],
  ['season', 2156, ['mariadb']],
  ['mood', 'a', []],
  ['mood', '1', []],
  ['mood', '2', ['mariadb']],
  ['mood', 'b', ['mariadb']],
  ['tiny', `é${'x'.repeat(252)} `, []],
  ['tiny', `é${'x'.repeat(253)} `, ['mariadb']],
]

const tooFine = {
  pointer: '/moment',
  code: 'unrepresentable',
  message: 'needs at most 6 digits after the second',
}

describe.each(engines.filter(has))('%s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  const errors: unknown[] = []
  const headers = { 'content-type': 'application/json' }
  const ask = async (method: string, url: string, body?: HttpRequest['body']) => {
    const registry = defineRegistry(api)
      .onError((error) => void errors.push(error))
      .adapters({ samples: adapter })
    return handle({ method, url, headers, body }, registry)
  }
  let adapter: ReturnType<typeof kyselyAdapter<never>>

  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
    await sql`create table samples (${sql.raw(columns[engine])})`.execute(db)
    adapter = kyselyAdapter(db, { table: 'samples' })
  }, 30_000)
  afterAll(() => drop())

  test.runIf(engine !== 'sqlite')('cuts no digit of a moment', async () => {
    await ask('DELETE', '/samples')
    const post = (moment: string) => ask('POST', '/samples', { id: 'a', moment })
    for (const moment of ['2026-02-03T00:00:00.1234567Z', '2026-02-03T00:00:00.000000001+01:00']) {
      const { status, body } = await post(moment)
      expect({ status, body }).toMatchObject({ status: 422, body: { issues: [tooFine] } })
    }
    expect((await post('2026-02-03T00:00:00.123456000Z')).status).toBe(201)
    const { body } = await ask('GET', '/samples/a')
    expect(body).toMatchObject({ moment: '2026-02-03T00:00:00.123456Z' })
  })

  test.each(rows)('keeps or refuses %s %j', async (field, value, refusing) => {
    await ask('DELETE', '/samples')
    const { status, body } = await ask('POST', '/samples', { id: 'a', [field]: value })
    if (refusing.includes(engine)) {
      const issues = [{ pointer: `/${field}`, code: 'unfit', message: 'cannot be stored' }]
      expect({ status, body }).toMatchObject({ status: 422, body: { issues } })
      expect((await ask('GET', '/samples')).body).toEqual([])
    } else {
      expect({ status, body }).toMatchObject({ status: 201, body: { [field]: value } })
      expect((await ask('GET', '/samples/a')).body).toMatchObject({ [field]: value })
    }
    expect(errors).toEqual([])
  })

  test('goes on in an order by more digits than it reads', async () => {
    await ask('DELETE', '/samples')
    for (let place = 0; place < 25; place++) {
      const share = sql.raw('2.00000000000000000000 / 3')
      await sql`insert into samples (id, share) values (${`s${place}`}, ${share})`.execute(db)
    }
    for (const sort of ['share', '-share']) {
      const seen: unknown[] = []
      for (let url = `/samples?sort=${sort}&limit=4`; url !== ''; ) {
        const { body, headers } = await ask('GET', url)
        seen.push(...(body as { id: string }[]).map(({ id }) => id))
        url = /<([^>]+)>/.exec(headers.link ?? '')?.[1] ?? ''
        expect(seen.length).toBeLessThan(30)
      }
      expect(new Set(seen).size).toBe(25)
    }
  })

  test('gives a missing field the default of its column', async () => {
    await ask('DELETE', '/samples')
    await ask('POST', '/samples', { id: 'a', kind: 'odd' })
    const plain = { id: 'a', kind: 'plain', value: null }
    expect((await ask('PUT', '/samples/a', { id: 'a' })).body).toEqual(plain)
    expect((await ask('PUT', '/samples', [{ id: 'a' }])).body).toEqual([plain])
  })

  test('searches a repeated word once', async () => {
    await ask('DELETE', '/samples')
    await ask('POST', '/samples', { id: 'a', kind: 'Straße' })
    const words = Array.from({ length: 60 }, (_, place) => (place % 2 ? 'ss' : 'ß')).join('+')
    expect((await ask('GET', `/samples/count?q=${encodeURI(words)}+RASSE`)).body).toEqual({
      count: 1,
    })
    expect((await ask('GET', '/samples/count?q=stra+ss+e+x')).body).toEqual({ count: 0 })
  })
})
