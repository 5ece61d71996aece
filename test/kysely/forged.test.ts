import { type Kysely, sql } from 'kysely'
import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cursorIn, forged, nextOf, oddValues, partsOf } from '../support/cursors.ts'
import { verdictOf } from '../support/registry.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Sample = z.object({
  id: z.uuid(),
  name: z.string(),
  note: z.string().nullable(),
  share: z.number().optional(),
  whole: z.int(),
  flag: z.boolean(),
  day: z.iso.date(),
  moment: z.iso.datetime({ offset: true }),
  clock: z.iso.time().meta({ format: 'time' }),
  key: z.uuid().optional(),
  mood: z.enum(['sad', 'ok']),
})
const fields = Object.keys(Sample.shape) as (keyof typeof Sample.shape)[]
const samples = defineResource('samples', { schema: Sample, id: z.uuid(), sortable: fields })
const api = defineApi({ v1: { '/samples': samples } })

const columns: Readonly<Record<Engine, string>> = {
  sqlite: `id text primary key, name text not null, note text, share real,
    whole integer not null, flag boolean not null, day date not null,
    moment text not null, clock text not null, key uuid, mood text not null`,
  postgres: `id uuid primary key, name text not null, note text, share double precision,
    whole bigint not null, flag boolean not null, day date not null, moment timestamptz not null,
    clock time not null, key uuid, mood text not null`,
  mariadb: `id varchar(36) primary key, name text not null, note text, share double,
    whole bigint not null, flag boolean not null, day date not null, moment datetime(6) not null,
    clock time(6) not null, \`key\` varchar(36), mood varchar(9) not null`,
}
const items = [1, 2, 3].map((place) => ({
  id: `0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a1${place}`,
  name: `a${place}`,
  note: place === 1 ? null : 'x',
  share: place / 7,
  whole: place,
  flag: place === 2,
  day: `2026-01-0${place}`,
  moment: `2026-01-01T00:00:00.00${place}Z`,
  clock: `10:00:0${place}`,
  mood: place === 1 ? 'sad' : 'ok',
}))

// Values that no column of the field holds. Every number and every text is a value.
const never: Readonly<Record<string, readonly unknown[]>> = {
  name: [1, true, null, '\0', '\ud800'],
  note: [1, true, '\0'],
  share: ['1', 'now', '0x10', true],
  whole: ['1', 1.5, 'NaN', 'Infinity', true, null],
  flag: ['true', 't', 1, 0, null],
  day: ['now', 'epoch', '2026-02-30', '20260101', '2026-01-01T00:00:00Z', '', null, 1],
  moment: ['now', '2026', '2026-01-01', '2026-01-01T24:00:00Z', 'Jan 1 2026', '', null, 1],
  clock: ['now', 'allballs', '10:00 PM', '', null, 1],
  key: ['now', '0190b6a31f5a7c3e8a360c5d2b9b6a11', '{0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11}', '', 1],
  mood: ['happy', 'now', '', null, 1],
  id: ['now', '0190b6a31f5a7c3e8a360c5d2b9b6a11', '', null, 1, true],
}

// Columns differ in times beyond a day or a year, and in days and numbers that JSON does not hold.
const wide = /\d\d:\d\d|\d{16}|^NaN$|^-?infinity$|^0000-|BC$/i

type Held = (value: unknown) => boolean

const isText: Held = (value) => typeof value === 'string'
const isTextOrNumber: Held = (value) => isText(value) || typeof value === 'number'
const isPlainText: Held = (value) => isText(value) && isWellFormed(`${value}`)

function isWellFormed(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Values that a column holds and the schema refuses. A column of SQLite holds any text. */
const holds: Readonly<Record<Engine, Readonly<Record<string, Held>>>> = {
  sqlite: {
    ...Object.fromEntries(fields.map((field) => [field, isText])),
    flag: isTextOrNumber,
    whole: isTextOrNumber,
  },
  postgres: { mood: isPlainText },
  mariadb: { id: isText, name: isText, note: isText, key: isText, mood: isText },
}

type Ask = (search: string) => Promise<HttpResponse>

async function askingOf(adapter: Adapter, errors: unknown[]): Promise<Ask> {
  const registry = defineRegistry(api)
    .onError((error) => void errors.push(error))
    .adapters({ samples: adapter as never })
  for (const item of items) {
    const body = JSON.stringify(item)
    const headers = { 'content-type': 'application/json' }
    const { status } = await handle({ method: 'POST', url: '/v1/samples', headers, body }, registry)
    expect(status).toBe(201)
  }
  return async (search) => handle({ method: 'GET', url: `/v1/samples?${search}` }, registry)
}

async function verdictsBy(ask: Ask, sort: string): Promise<ReadonlyMap<unknown, string>> {
  const first = await ask(`sort=${sort}&limit=1`)
  const [mark, ...values] = partsOf(cursorIn(nextOf(first)))
  const verdicts = new Map<unknown, string>()
  for (const value of oddValues) {
    const after = forged([mark, value, ...values.slice(1)])
    verdicts.set(value, verdictOf(await ask(`sort=${sort}&limit=1&after=${after}`)))
  }
  return verdicts
}

const sorts = fields.flatMap((field) => [field, `-${field}`])

describe('in memory', () => {
  test.each(sorts)('without holdsValue the schema decides by %s', async (sort) => {
    const { holdsValue, ...adapter } = memoryAdapter()
    const verdicts = await verdictsBy(await askingOf(adapter, []), sort)
    const refused = oddValues.filter((value) => verdicts.get(value) === '400 invalid_cursor')
    const known = oddValues.filter((value) => never[sort.replace('-', '')]?.includes(value))
    expect(refused).toEqual(expect.arrayContaining([...known]))
  })

  test.each(sorts)('any scalar is held by %s', async (sort) => {
    const errors: unknown[] = []
    const verdicts = await verdictsBy(await askingOf(memoryAdapter(), errors), sort)
    const refused = [...verdicts].filter(([, verdict]) => verdict === '400 invalid_cursor')
    // Memory holds any scalar, but no item without an id.
    const known = oddValues.filter((value) =>
      sort.endsWith('id') && value === null ? true : typeof value === 'object' && value !== null,
    )
    expect(refused.map(([value]) => value)).toEqual(known)
    expect([[...new Set(verdicts.values())].toSorted(), errors]).toEqual([
      ['200', '400 invalid_cursor'],
      [],
    ])
  })
})

describe.each(engines.filter(has))('%s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  let ask: Ask
  let inMemory: Ask
  const errors: unknown[] = []

  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
    await sql`create table samples (${sql.raw(columns[engine])})`.execute(db)
    ask = await askingOf(kyselyAdapter(db, { table: 'samples' }), errors)
    const { holdsValue, ...ofSchema } = memoryAdapter()
    inMemory = await askingOf(ofSchema, errors)
  }, 60_000)
  afterAll(() => drop())

  test.each(sorts)('takes cursors by %s that the column holds', async (sort) => {
    const verdicts = await verdictsBy(ask, sort)
    const others = await verdictsBy(inMemory, sort)
    const differing = oddValues.filter((value) => verdicts.get(value) !== others.get(value))
    const isOf = (verdict: string) => (value: unknown) => verdicts.get(value) === verdict
    const taken = differing.filter(isOf('200'))
    const refused = differing.filter(isOf('400 invalid_cursor'))
    expect([taken.length + refused.length, errors]).toEqual([differing.length, []])
    // A database knows the limits of its column, which the schema does not declare.
    expect(refused.filter((value) => typeof value === 'string' && !wide.test(value))).toEqual([])
    // A row may be older than the schema.
    const isHeld = holds[engine][sort.replace('-', '')] ?? (() => false)
    expect(taken.filter((value) => !isHeld(value))).toEqual([])
  })
})
