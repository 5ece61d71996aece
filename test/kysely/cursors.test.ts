import { type Kysely, sql } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
  type Registry,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { take } from '../../src/convention/stream.ts'
import { cursorIn, forged, nextOf, oddValues, partsOf } from '../support/cursors.ts'
import { verdictOf } from '../support/registry.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

// A schema without JSON Schema, so that only the column decides the values.
const samples = defineResource('samples', {
  schema: {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ value: value as { id: string; value: string } }),
    },
  },
  // The compiler knows no more of the schema.
  sortable: ['value' as never],
})
const api = defineApi({ v1: { '/samples': samples } })

const texts = [
  "''",
  "' '",
  "'a'",
  "'a '",
  "'B'",
  "'é'",
  "'now'",
  "'1'",
  "'1e5'",
  "'null'",
  "'2026-01-01'",
]
const days = ["'0001-01-01'", "'1999-12-31'", "'2024-02-29'", "'9999-12-31'"]
const moments = [
  "'0001-01-01 00:00:00'",
  "'2026-01-01 00:00:00.123456'",
  "'2026-01-01 00:00:00.1'",
  "'2026-06-01 12:00:00'",
]
const clocks = [
  "'00:00:00'",
  "'10:00:00'",
  "'10:00:00.5'",
  "'10:00:00.123456'",
  "'23:59:59.999999'",
]
const uuids = ["'0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11'", "'F0000000-0000-0000-0000-00000000000f'"]
const numbers = ['-1.5', '0', '0.1', '1e15', '1e-7', '-3']
const wholes = ['-3', '0', '7', '100']

// PostgreSQL holds them as dates and as timestamps.
const endless = ['infinity', '-infinity']

/** A type of column, and values of it, as SQL. */
type Row = readonly [type: string, stored: readonly string[]]

// biome-ignore format: rows
const types: Readonly<Record<Engine, readonly Row[]>> = {
  sqlite: [
    ['integer', [...wholes, '9007199254740991', '-9007199254740991', '9007199254740993', '9223372036854775807']],
    ['real', [...numbers, '1e300', '9e999', '-9e999']],
    ['numeric', numbers],
    ['text', texts],
    ['varchar(20)', texts],
    ['boolean', ['true', 'false']],
    ['date', days],
    ['datetime', moments],
    ['uuid', uuids],
    ['', ["'a'", "'b'", "''"]],
  ],
  postgres: [
    ['smallint', [...wholes, '-32768', '32767']],
    ['integer', [...wholes, '-2147483648', '2147483647']],
    ['bigint', [...wholes, '9007199254740991', '-9007199254740992', '1152921504606846976', '9007199254740993', '-9223372036854775808', '9223372036854775807']],
    ['real', [...numbers, '3.4e38', '1e-37', '0.333333333', "'NaN'", "'Infinity'"]],
    ['double precision', [...numbers, '1e300', '5e-324', '0.30000000000000004', "'NaN'", "'Infinity'", "'-Infinity'"]],
    ['numeric', [...numbers, "'NaN'", '2.00000000000000000000 / 3']],
    ['numeric(12,2)', numbers.filter((number) => number !== '1e15')],
    ['numeric(38,18)', numbers],
    ['boolean', ['true', 'false']],
    ['date', days],
    ['time', [...clocks, "'24:00:00'"]],
    ['timetz', ["'10:00:00+02'", "'09:00:00Z'"]],
    ['timestamp', moments],
    ['timestamptz', moments.map((moment) => `timestamptz ${moment}`)],
    ['timestamp(0)', moments],
    ['uuid', uuids],
    ['text', texts],
    ['varchar(20)', texts],
    ['char(8)', ["'a'", "'B'", "'é'"]],
    ['text collate "C"', texts],
    ['text collate "und-x-icu"', texts],
    ['mood', ["'sad'", "'ok'", "'happy'"]],
    ['whole', wholes],
    ['day', days],
    ['key', uuids],
    ['inet', ["'10.0.0.1'", "'::1'"]],
    ['interval', ["'1 day'", "'2 hours'"]],
    ['money', ['1', '20']],
    ['name', ["'a'", "'b'"]],
    ['oid', ['1', '20']],
    ['jsonb', ['\'"a"\'', '\'"b"\'']],
  ],
  mariadb: [
    ['tinyint', [...wholes, '-128', '127']],
    ['smallint', wholes],
    ['mediumint', wholes],
    ['int', [...wholes, '-2147483648']],
    ['bigint', [...wholes, '9007199254740991', '1152921504606846976', '9007199254740993', '-9223372036854775808', '9223372036854775807']],
    ['bigint unsigned', ['0', '7', '9223372036854775808', '18446744073709551615']],
    ['double', [...numbers, '1e300', '5e-324']],
    ['decimal(12,2)', numbers.filter((number) => number !== '1e15')],
    ['decimal(38,18)', numbers],
    ['boolean', ['true', 'false']],
    ['bit(1)', ["b'0'", "b'1'"]],
    ['date', days],
    ['time(6)', [...clocks, "'-01:00:00'", "'838:59:59'"]],
    ['time', clocks.slice(0, 2)],
    ['datetime(6)', moments],
    ['datetime', moments],
    ['timestamp(6)', ["'1999-12-31 23:59:59.5'", ...moments.slice(1)]],
    ['year', ['1999', '2026']],
    ['char(8)', ["'a'", "'B'", "'é'"]],
    ['varchar(20)', texts],
    ['text', texts],
    ['varchar(20) character set latin1', texts],
    ['varchar(20) character set ascii', texts.filter((text) => text !== "'é'")],
    ['varchar(20) character set utf8mb3', texts],
    ['varchar(20) collate utf8mb4_nopad_bin', texts],
    ['varchar(20) character set ascii collate ascii_nopad_bin', texts.filter((text) => text !== "'é'")],
    ['varchar(20) character set utf8mb3 collate utf8mb3_nopad_bin', texts],
    ["enum('sad','ok')", ["'sad'", "'ok'"]],
    ['uuid', uuids],
    ['inet6', ["'::1'", "'10::'"]],
    ['json', ['\'"a"\'', '\'"b"\'']],
  ],
}

describe.each(engines.filter(has))('%s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  const errors: unknown[] = []

  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
    if (engine !== 'postgres') return
    await sql`create type mood as enum ('sad', 'ok', 'happy')`.execute(db)
    await sql`create domain whole as integer`.execute(db)
    await sql`create domain day as date`.execute(db)
    await sql`create domain key as uuid`.execute(db)
  }, 60_000)
  afterAll(() => drop())

  describe.each(types[engine].map((row, place) => [...row, `samples_${place}`] as const))(
    'a column of type %s',
    (type, stored, table) => {
      let registry: Registry
      const ask = async (search: string): Promise<HttpResponse> =>
        handle({ method: 'GET', url: `/v1/samples?${search}` }, registry)

      beforeAll(async () => {
        await sql`create table ${sql.table(table)} (
          id varchar(50) primary key, value ${sql.raw(`${type} null`)})`.execute(db)
        // Each twice, so that pages end among equal values.
        const values = ['null', ...stored].flatMap((value) => [value, value])
        for (const [place, value] of values.entries()) {
          await sql`insert into ${sql.table(table)} (id, value)
            values (${`s${place}`}, ${sql.raw(value)})`.execute(db)
        }
        errors.length = 0
        const columns = { id: 'id', value: 'value' }
        registry = defineRegistry(api)
          .onError((error) => void errors.push(error))
          .adapters({ samples: kyselyAdapter(db, { table, columns }) })
      })

      test.each(['value', '-value'])('has pages to its end by %s', async (sort) => {
        const { body } = await ask(`sort=${sort}`)
        const ids = (body as { id: string }[]).map(({ id }) => id)
        expect(ids).toHaveLength(2 * (1 + stored.length))
        const seen: string[] = []
        for (let search: string | undefined = `sort=${sort}&limit=1`; search !== undefined; ) {
          const page: HttpResponse = await ask(search)
          expect([verdictOf(page), errors, seen.length]).toEqual(['200', [], seen.length])
          seen.push(...(page.body as { id: string }[]).map(({ id }) => id))
          expect(seen.length).toBeLessThan(99)
          search = nextOf(page)?.split('?')[1]
        }
        expect(seen).toEqual(ids)
      })

      test.each(['value', '-value'])('refuses every forged cursor by %s', async (sort) => {
        const [mark, , id] = partsOf(cursorIn(nextOf(await ask(`sort=${sort}&limit=1`))))
        const answers = new Map<unknown, string>()
        for (const value of oddValues) {
          const answer = await ask(`sort=${sort}&limit=1&after=${forged([mark, value, id])}`)
          answers.set(value, verdictOf(answer))
        }
        const others = [...answers].filter(
          ([, verdict]) => !/^(?:200|400 invalid_cursor)$/.test(verdict),
        )
        expect([others, errors]).toEqual([[], []])
        const passed = [...answers]
          .filter(([, verdict]) => verdict === '200')
          .map(([value]) => value)
        const words = [
          'now',
          'today',
          'infinity',
          '-infinity',
          'epoch',
          'allballs',
          '2026-02-30',
          '839:00:00',
          '20260101',
        ]
        const isKnown = /^(?:date|day|time|datetime|uuid|key)/.test(type) && engine !== 'sqlite'
        if (isKnown && type !== 'timetz' && !(type === 'uuid' && engine === 'mariadb')) {
          const own = engine === 'postgres' && /^(?:date|day|timestamp)/.test(type) ? endless : []
          expect(passed.filter((value) => words.includes(value as string))).toEqual(own)
        }
      })
    },
  )

  test('a required field has a value in every cursor', async () => {
    await sql`create table whole_samples (
      id varchar(50) primary key, value varchar(20) not null)`.execute(db)
    await sql`insert into whole_samples (id, value)
      values ('a', 'a'), ('b', 'b'), ('c', 'c')`.execute(db)
    const registry = defineRegistry(api).adapters({
      samples: kyselyAdapter(db, { table: 'whole_samples', columns: { id: 'id', value: 'value' } }),
    })
    const ask = async (search: string) =>
      handle({ method: 'GET', url: `/v1/samples?${search}` }, registry)
    for (const sort of ['value', '-value']) {
      const [mark] = partsOf(cursorIn(nextOf(await ask(`sort=${sort}&limit=1`))))
      const after = forged([mark, null, 'a'])
      expect(verdictOf(await ask(`sort=${sort}&limit=1&after=${after}`))).toBe('400 invalid_cursor')
    }
  })
})

test.runIf(has('postgres'))('a list goes on after a value that no cursor holds', async () => {
  const { db, drop } = await databaseOf<unknown>('postgres')
  await sql`create table samples (id varchar(50) primary key, value timestamptz)`.execute(db)
  await sql`insert into samples (id, value)
    select number, '10000-01-01Z' from generate_series(1, 1100) as number`.execute(db)
  const columns = { id: 'id', value: 'value' } as { id: 'id' }
  const registry = defineRegistry(api).adapters({
    samples: kyselyAdapter(db, { table: 'samples', columns }),
  })
  const { body } = await handle({ method: 'GET', url: '/v1/samples?sort=value' }, registry)
  expect(await take(body as AsyncIterable<object>, 9999)).toHaveLength(1100)
  await drop()
})

describe.runIf(has('mariadb'))('no item matches a character that the set lacks', () => {
  const rows: readonly (readonly [set: string, held: string, lacked: readonly string[]])[] = [
    ['ascii', 'a', ['é', '😀']],
    ['latin1', '€é', ['ł', '😀', '\uffff']],
    ['utf8mb3', 'ł', ['😀', 'a\u{10ffff}']],
    ['utf8mb4', '😀', []],
  ]
  test.each(rows)('of %s', async (set, held, lacked) => {
    const { db, drop } = await databaseOf<unknown>('mariadb')
    const errors: unknown[] = []
    await sql`create table notes (
      id varchar(50) character set ${sql.raw(set)} primary key)`.execute(db)
    const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
      .onError((error) => void errors.push(error))
      .adapters({ notes: kyselyAdapter(db, { table: 'notes' }) })
    const ask = async (method: string, id: string) => {
      const isNew = method === 'POST'
      const url = isNew ? '/v1/notes' : `/v1/notes/${encodeURIComponent(id)}`
      const headers = { 'content-type': 'application/json' }
      const body = isNew ? JSON.stringify({ id }) : undefined
      return verdictOf(await handle({ method, url, headers, body }, registry))
    }
    expect(await ask('POST', held)).toBe('201')
    expect(await ask('GET', held)).toBe('200')
    for (const id of lacked) {
      expect([id, await ask('GET', id)]).toEqual([id, '404 not_found'])
      expect([id, await ask('DELETE', id)]).toEqual([id, '404 not_found'])
      expect([id, await ask('POST', id)]).toEqual([id, '422 validation_failed'])
    }
    expect(errors).toEqual([])
    await drop()
  })
})
