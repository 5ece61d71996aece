import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpResponse, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cursorIn, forged, nextOf, oddValues, partsOf } from '../support/cursors.ts'
import { verdictOf } from '../support/registry.ts'
import { databaseOf, type Engine, has } from '../support/stores.ts'

/** A field, its column, and values of the column that are older than the schema. */
type Field = readonly [schema: z.ZodType, column: string, values: readonly string[]]

const Mood = z.enum(['sad', 'ok'])
const wholes = ['-9007199254740993', '9007199254740993', '9007199254740994', '9223372036854775807']
const decimals = [
  '0.1', '0.30000000000000004', '9007199254740993.5', '9007199254740993.25',
  '12345678901234567890.123456789', '12345678901234567890.123456788', '-0.000000000000000001',
] // biome-ignore format: words
const texts = ["''", "' '", "'a '", "'😀'", "'happy'", "'count'", "'1'", "'X''61'''", "'\ufffd'"]

const uuids = ['0', 'f'].map((digit) => `'00000000-0000-0000-0000-00000000000${digit}'`)

const fields: Readonly<Record<'postgres' | 'mariadb', Readonly<Record<string, Field>>>> = {
  postgres: {
    mood: [Mood, 'text', [...texts, "E'a\\nb'"]],
    enumerated: [Mood, 'mood', ["'happy'", "'sad'"]],
    slug: [z.string().regex(/^[a-z]+$/), 'varchar(20)', texts],
    padded: [Mood, 'char(6)', ["'happy'", "'a'"]],
    whole: [z.int().max(9), 'bigint', wholes],
    amount: [z.number(), 'numeric', [...decimals, "'NaN'", "'Infinity'", "'-Infinity'"]],
    double: [
      z.number(),
      'double precision',
      ["'NaN'", "'Infinity'", "'-Infinity'", '1e300', '1e23'],
    ],
    single: [z.number(), 'real', ["'NaN'", "'Infinity'", '3.4e38', '0.1', '1e-37']],
    price: [z.string().regex(/^\d+$/), 'numeric(12,2)', ['-0.05', '10.10', "'NaN'"]],
    day: [z.iso.date(), 'date', ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'12026-01-01'"]],
    moment: [z.iso.datetime(), 'timestamptz', ["'infinity'", "'-infinity'", "'0044-03-15 BC'"]],
    stamp: [z.iso.datetime(), 'timestamp', ["'infinity'", "'12026-01-01'", "'2026-01-01 0:0:0.5'"]],
    clock: [z.iso.time(), 'time', ["'24:00:00'", "'10:00:00.123456'"]],
    word: [z.iso.date(), 'text', ["'yesterday'", "'2026-13-01'", "''"]],
    key: [z.uuid({ version: 'v4' }), 'uuid', uuids],
    mail: [z.email(), 'text', ["'no mail'", "'A@B'"]],
    address: [z.ipv4(), 'inet', ["'::1'", "'10.0.0.0/8'"]],
    flag: [z.literal(true), 'boolean', ['false', 'true']],
  },
  mariadb: {
    mood: [Mood, 'varchar(20)', [...texts, "'a\\nb'", "concat('a', char(0), 'b')"]],
    enumerated: [Mood, "enum('sad', 'happy', '')", ["'happy'", "''"]],
    latin: [Mood, 'varchar(9) character set latin1', ["'é'", "'happy'", "'A'"]],
    binary_: [Mood, 'varchar(20) character set utf8mb4 collate utf8mb4_bin', texts],
    padded: [Mood, 'char(6)', ["'happy'", "'a'"]],
    whole: [z.int().max(9), 'bigint', wholes],
    wide: [z.int(), 'bigint unsigned', ['18446744073709551615', '9007199254740993']],
    amount: [z.number(), 'decimal(40,18)', decimals],
    double_: [z.number(), 'double', ['1e300', '-1e300', '0.1', '5e-324', '1e23']],
    single: [z.number(), 'float', ['3.4e38', '0.1', '1e-37', '16777216']],
    price: [z.string().regex(/^\d+$/), 'decimal(12,2)', ['-0.05', '10.10']],
    bits: [z.number(), 'bit(64)', ["b'1'", '18446744073709551615']],
    year: [z.int().min(2000), 'year', ['0', '1901', '2155']],
    day: [z.iso.date(), 'date', ["'0000-00-00'", "'2026-00-00'", "'0000-01-01'"]],
    moment: [z.iso.datetime(), 'datetime(6)', ["'0000-00-00 00:00:00'", "'0001-01-01 0:0:0'"]],
    stamp: [z.iso.datetime(), 'timestamp(6) null', ["'0000-00-00 00:00:00'"]],
    clock: [z.iso.time(), 'time(6)', ["'-01:00:00'", "'838:59:59'", "'24:00:00'"]],
    word: [z.iso.date(), 'varchar(20)', ["'yesterday'", "'2026-13-01'", "''"]],
    flag: [z.boolean(), 'tinyint(1)', ['-128', '2', '1', '0']],
    flags: [z.boolean(), 'double', ['0.5', '2', '1', '0']],
  },
}

const setup: Readonly<Record<'postgres' | 'mariadb', readonly string[]>> = {
  postgres: ["create type mood as enum ('sad', 'ok', 'happy')"],
  mariadb: [],
}

/** Columns of ids with such values. */
const ids: Readonly<Record<'postgres' | 'mariadb', Readonly<Record<string, Field>>>> = {
  postgres: {
    text: [z.string(), 'text unique', texts],
    bigint: [z.coerce.number(), 'bigint unique', wholes],
    numeric: [z.coerce.number(), 'numeric unique', [...decimals, "'NaN'"]],
    double: [z.coerce.number(), 'double precision unique', ["'NaN'", "'Infinity'", '0.1', '1e300']],
    digits: [z.string(), 'bigint unique', wholes],
    uuid: [z.string(), 'uuid unique', uuids],
  },
  mariadb: {
    text: [z.string(), 'varchar(40) collate utf8mb4_nopad_bin unique', texts],
    bigint: [z.coerce.number(), 'bigint unique', wholes],
    decimal: [z.coerce.number(), 'decimal(40,18) unique', decimals],
    double: [z.coerce.number(), 'double unique', ['0.1', '1e300', '-0.5']],
    digits: [z.string(), 'bigint unique', wholes],
  },
}

interface Table {
  readonly fields: Readonly<Record<string, Field>>
  readonly id: Field
  readonly rows: readonly (readonly string[])[]
  readonly sortable: readonly string[]
}

type Ask = (search: string) => Promise<HttpResponse>

async function serviceOf(db: Kysely<unknown>, name: string, table: Table) {
  const { id, rows, sortable } = table
  const columns = Object.entries(table.fields).map(([field, [, column]]) => `${field} ${column}`)
  await sql.raw(`create table ${name} (id ${[id[1], ...columns].join()})`).execute(db)
  for (const row of rows) {
    await sql.raw(`insert into ${name} values (${row.join()})`).execute(db)
  }
  const shape = Object.fromEntries(
    Object.entries(table.fields).map(([field, [schema]]) => [field, schema]),
  )
  const isNumber = id[0] instanceof z.ZodNumber
  const samples = defineResource('samples', {
    schema: z.object({ id: isNumber ? z.number() : z.string(), ...shape }),
    id: id[0] as z.ZodString,
    sortable: sortable as never,
    without: ['create', 'update'],
  })
  const errors: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/samples': samples } }))
    .onError((error) => {
      if (Object(error).name !== 'StoredValueError') errors.push(error)
    })
    .adapters({ samples: kyselyAdapter(db, { table: name }) as never })
  const ask: Ask = async (search) =>
    handle({ method: 'GET', url: `/v1/samples${search}` }, registry)
  return { ask, errors }
}

async function checkPages(ask: Ask, sort: string, length: number): Promise<void> {
  const { body } = await ask(`?sort=${sort}`)
  const whole = body as readonly unknown[]
  expect([sort, whole.length]).toEqual([sort, length])
  expect(JSON.parse(JSON.stringify(whole))).toEqual(whole)
  for (const limit of [1, 2]) {
    const items: unknown[] = []
    const start = `?sort=${sort}&limit=${limit}`
    for (let search: string | undefined = start; search !== undefined; ) {
      const page: HttpResponse = await ask(search)
      expect([search, verdictOf(page)]).toEqual([search, '200'])
      items.push(...(page.body as readonly unknown[]))
      if (items.length > length) throw new Error(`The pages of ${search} do not end.`)
      search = nextOf(page)?.replace('/v1/samples', '')
    }
    expect([start, items]).toEqual([start, whole])
  }
}

describe.each((['postgres', 'mariadb'] as const).filter((engine) => has(engine)))(
  'rows older than the schema, in %s',
  (engine) => {
    let db: Kysely<unknown>
    let drop: () => Promise<unknown>
    beforeAll(async () => {
      ;({ db, drop } = await databaseOf<unknown>(engine as Engine))
      for (const statement of setup[engine]) await sql.raw(statement).execute(db)
    }, 60_000)
    afterAll(() => drop())

    test.each(Object.keys(fields[engine]))('a page ends at any %s', async (name) => {
      const field = fields[engine][name] as Field
      const values = [...field[2], 'null', ...field[2].slice(0, 2), 'null']
      const rows = values.map((value, place) => [`'i${place}'`, value])
      const { ask, errors } = await serviceOf(db, `t_${name}`, {
        fields: { [name]: field },
        id: [z.string(), 'varchar(9) primary key', []],
        rows,
        sortable: [name],
      })
      for (const sort of [name, `-${name}`, `-${name},-id`]) {
        await checkPages(ask, sort, rows.length)
        const first = await ask(`?sort=${sort}&limit=1`)
        const [mark, , id] = partsOf(cursorIn(nextOf(first)))
        for (const odd of oddValues) {
          const answer = await ask(`?sort=${sort}&limit=1&after=${forged([mark, odd, id])}`)
          expect([odd, ['200', '400 invalid_cursor'].includes(verdictOf(answer))]).toEqual([
            odd,
            true,
          ])
        }
      }
      expect(errors).toEqual([])
    })

    test.each(Object.keys(ids[engine]))('a page ends at any %s id', async (name) => {
      const id = ids[engine][name] as Field
      const rows = id[2].map((value, place) => [value, `'${place % 2}'`])
      const { ask, errors } = await serviceOf(db, `ids_${name}`, {
        fields: { name: [z.string(), 'varchar(9)', []] },
        id,
        rows,
        sortable: ['name'],
      })
      for (const sort of ['id', '-id', 'name', '-name,-id']) {
        await checkPages(ask, sort, rows.length)
        const first = await ask(`?sort=${sort}&limit=1`)
        const parts = partsOf(cursorIn(nextOf(first)))
        for (const odd of oddValues) {
          const after = forged([...parts.slice(0, -1), odd])
          const answer = await ask(`?sort=${sort}&limit=1&after=${after}`)
          expect([odd, ['200', '400 invalid_cursor'].includes(verdictOf(answer))]).toEqual([
            odd,
            true,
          ])
        }
      }
      expect(errors).toEqual([])
    })
  },
)
