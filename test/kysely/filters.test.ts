import fc from 'fast-check'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { defineResource, type Operation, type UncheckedAdapter } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { StoredForm } from '../../src/contract/resource/adapter.ts'
import { noQuery, type SortField } from '../../src/contract/resource/operation.ts'
import { datesOf } from '../../src/contract/values/dates.ts'
import { compareBy, positionOf } from '../../src/contract/values/order.ts'
import { meeting } from '../../src/contract/values/search.ts'
import type { Condition, FilterType } from '../../src/convention/filter-operators.ts'
import { storedDate } from '../../src/convention/format.ts'
import { totalOrder } from '../../src/wire/meaning.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'
import { hostile, text } from '../support/texts.ts'

const numRuns = Number(process.env.RUNS ?? 400)
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }

type Item = Readonly<Record<string, unknown>> & { readonly id: string }

const Sample = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string().optional(),
  note: z.string().optional(),
  status: z.string().optional(),
  size: z.number().optional(),
  short: z.number().optional(),
  whole: z.number().int().optional(),
  big: z.number().optional(),
  price: z.number().optional(),
  digits: z.string().optional(),
  active: z.boolean().optional(),
  born: z.iso.date().optional(),
  clock: z.string().optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  coarse: z.iso.datetime({ offset: true }).optional(),
  written: z.iso.datetime({ offset: true }).optional(),
  code: z.uuid().optional(),
})
const samples = defineResource('samples', { schema: Sample })

const exact = 'character set utf8mb4 collate utf8mb4_nopad_bin'
/** The types of the columns, in the order of SQLite, PostgreSQL, MariaDB. */
const columns: Readonly<Record<string, readonly [string, string, string]>> = {
  id: ['text primary key', 'text collate "C" primary key', `varchar(50) ${exact} primary key`],
  owner: ['text not null', 'text not null', 'varchar(50) not null'],
  name: ['text', 'text collate "C"', `varchar(200) ${exact}`],
  note: ['text collate nocase', 'text', 'varchar(200)'],
  status: ['varchar(9)', 'status', "enum('new', 'old', 'é')"],
  size: ['double', 'double precision', 'double'],
  short: ['real', 'real', 'float'],
  whole: ['integer', 'integer', 'integer'],
  big: ['integer', 'bigint', 'bigint'],
  price: ['numeric', 'numeric', 'decimal(40,20)'],
  digits: ['numeric', 'numeric(20,2)', 'decimal(20,2)'],
  active: ['boolean', 'boolean', 'boolean'],
  born: ['date', 'date', 'date'],
  clock: ['time', 'time', 'time(3)'],
  at: ['timestamp', 'timestamptz', 'datetime(6)'],
  coarse: ['timestamp', 'timestamp(0)', 'timestamp(0) null'],
  written: ['text', 'text collate "C"', 'varchar(60)'],
  code: ['uuid', 'uuid', 'uuid'],
}
const names = Object.keys(columns)
const typeOf: Readonly<Record<string, FilterType>> = {
  id: 'text',
  owner: 'text',
  name: 'text',
  note: 'text',
  status: 'text',
  size: 'number',
  short: 'number',
  whole: 'integer',
  big: 'number',
  price: 'number',
  digits: 'text',
  active: 'boolean',
  born: 'date',
  clock: 'time',
  at: 'date-time',
  coarse: 'date-time',
  written: 'date-time',
  code: 'uuid',
}

const storable = fc
  .oneof(
    hostile,
    text,
    fc.constantFrom('', '5', ' 5', '05', '\u{1f600}', '\uffff', '\ufffd', 'a%b'),
  )
  .filter(
    (value) =>
      value.length < 150 &&
      !/[\0\ud800-\udfff]/u.test(value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')),
  )
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 0.1, 0.5, 1, -1, 1.5, 2, 2147483647, -2147483648, 2147483648, 16777217),
  fc.constantFrom(0.10000000149011612, 0.1 + 1e-12, 1e300, -1e300, 3.5e38, 1e-60, 1e21),
  fc.constantFrom(2 ** 53, 2 ** 53 - 1, 2 ** 53 + 2, -(2 ** 53), 2 ** 62, 2 ** 63, 2 ** 64),
  fc.integer({ min: -3, max: 3 }),
)
const fractions = fc.constantFrom('', '.0', '.5', '.000001', '.0000015', '.123456789', '.999999999')
const days = fc.constantFrom('2020-01-01', '2020-02-29', '2019-12-31', '2020-01-02', '1969-12-31')
const clocks = fc.constantFrom('00:00:00', '12:00:00', '23:59:59', '00:30:00')
const zones = fc.constantFrom(
  'Z',
  'Z',
  'z',
  '+00:00',
  '-00:00',
  '+01:00',
  '-12:30',
  '+14:00',
  '+23:59',
)
const moments = fc
  .tuple(days, fc.constantFrom('T', 'T', 't', ' '), clocks, fractions, zones)
  .map((parts) => parts.join(''))
const uuids = fc.constantFrom(
  ...['0', '9', 'a', 'f'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`),
)

const oddMoments = fc.constantFrom(
  ...['2020-02-30T00:00:00Z', '2021-02-29T00:00:00Z', '0000-01-01T00:00:00Z', 'x', ''],
  ...['0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '2020-01-01T24:00:00Z'],
  ...['infinity', '-infinity', '0044-03-15 BC', '2020-01-01T00:00:00', '2020-01-01'],
  ...['2020-01-01T00:00:00.1234567890Z', '2020-01-01T00:00:60Z', '2020-01-01T00:00:00+24:00'],
  ...['2020-01-01T00:00:00.Z', '2020-01-01T00:00Z', 'éééééééééé'],
)

const valuesOf: Readonly<Record<string, fc.Arbitrary<string | number | boolean>>> = {
  id: fc.integer({ min: 0, max: 80 }).map(String),
  owner: fc.constantFrom('a', 'A', 'b'),
  name: storable,
  note: storable,
  status: fc.constantFrom('new', 'old', 'é', 'NEW', 'none', ''),
  size: numbers,
  short: numbers,
  whole: numbers,
  big: numbers,
  price: numbers,
  digits: fc.constantFrom('1.50', '1.5', '10.00', '9.00', '-1.00', '10', '9', '-1', 'x', '0.00'),
  active: fc.boolean(),
  born: days,
  clock: fc.oneof(clocks, fc.constantFrom('12:00', '12:00:00.5', '12:00:00.500', '12:00:00Z')),
  at: moments,
  coarse: moments,
  written: moments,
  code: fc.oneof(
    uuids,
    uuids.map((uuid) => uuid.toUpperCase()),
  ),
}

/** Literals of the rows: some that only other programs write. */
const rowValues: Readonly<Record<string, Readonly<Record<Engine, fc.Arbitrary<unknown>>>>> = {
  ...Object.fromEntries(names.map((name) => [name, both(valuesOf[name] ?? fc.constant(''))])),
  status: both(fc.constantFrom('new', 'old', 'é')),
  short: both(fc.constantFrom(0.1, 0.5, 0, 1.5, 16777216, -3)),
  whole: both(fc.constantFrom(0, 1, 2, -1, 2147483647, -2147483648)),
  big: both(
    fc
      .constantFrom(
        '0',
        '1',
        '9007199254740991',
        '9007199254740993',
        '9007199254740992',
        '-9007199254740993',
        '4611686018427387904',
        '9223372036854775807',
        '4611686018427387905',
      )
      .map(BigInt),
  ),
  price: {
    sqlite: fc.constantFrom(0.1, 0.5, 1, 2, -1, 1e300),
    postgres: fc.constantFrom(
      '0.1',
      '0.10',
      '0.10000000000000000001',
      '0.09999999999999999999',
      'NaN',
      '9007199254740993',
      '1e300',
    ),
    mariadb: fc.constantFrom(
      '0.1',
      '0.10000000000000000001',
      '0.09999999999999999999',
      '9007199254740993',
      '0.5',
    ),
  },
  digits: {
    sqlite: fc.constantFrom(1.5, 10, 9, -1, 0),
    postgres: fc.constantFrom('1.50', '10.00', '9.00', '-1.00'),
    mariadb: fc.constantFrom('1.50', '10.00', '9.00', '-1.00'),
  },
  clock: both(fc.oneof(clocks, fc.constantFrom('12:00:00.500'))),
  at: { sqlite: inForm(moments), ...served(moments) },
  coarse: { sqlite: inForm(moments), ...served(moments.filter((moment) => moment > '2000')) },
  written: both(inForm(fc.oneof(moments, moments, oddMoments))),
  code: {
    ...both(uuids),
    sqlite: fc.oneof(
      uuids,
      uuids.map((uuid) => uuid.toUpperCase()),
    ),
  },
}

// Moments as the adapter stores them, and texts that are no moments.
function inForm(values: fc.Arbitrary<string>) {
  return values.map(storedDate).filter((text) => text !== undefined)
}

function both<Value>(values: fc.Arbitrary<Value>) {
  return { sqlite: values, postgres: values, mariadb: values }
}

function served(values: fc.Arbitrary<string>) {
  const utc = values.map((value) => new Date(value).toISOString())
  const micro = fc
    .tuple(utc, fc.constantFrom('', '001', '000', '999'))
    .map(([value, more]) => value.replace('Z', `${more}Z`))
  return {
    postgres: micro,
    mariadb: micro.map((value) => value.replace('T', ' ').replace('Z', '')),
  }
}

const rowOf = (engine: Engine) =>
  fc.record(
    Object.fromEntries(
      names
        .filter((name) => name !== 'id')
        .map((name) => {
          const values = rowValues[name]?.[engine] ?? fc.constant(null)
          return [name, name === 'owner' ? values : fc.option(values, { nil: null, freq: 5 })]
        }),
    ),
  )

const setKinds = ['in', 'notIn', 'missing', 'present'] as const
const rangeKinds = ['gt', 'gte', 'lt', 'lte'] as const
const partKinds = ['contains', 'startsWith', 'endsWith'] as const
const parts = new Set(['id', 'name', 'note', 'status', 'digits', 'written'])

const condition: fc.Arbitrary<Condition> = fc.constantFrom(...names).chain((field) => {
  const type = typeOf[field] ?? 'text'
  const value = valuesOf[field] ?? fc.constant('')
  const sets = fc
    .constantFrom(...setKinds)
    .chain((is) =>
      fc
        .array(value, { maxLength: is === 'in' || is === 'notIn' ? 5 : 0 })
        .map((values) => ({ field, is, values, type })),
    )
  const range = fc
    .tuple(fc.constantFrom(...rangeKinds), value)
    .map(([is, bound]) => ({ field, is, values: [bound], type }))
  const part = fc
    .tuple(fc.constantFrom(...partKinds), fc.oneof(storable, fc.constantFrom('0', 'Z', 'N', 'É')))
    .filter(([, value]) => value !== '')
    .map(([is, value]) => ({ field, is, values: [value], type }))
  return fc.oneof(sets, ...(type === 'boolean' ? [] : [range]), ...(parts.has(field) ? [part] : []))
})

const never = new AbortController().signal
const id: SortField = { field: 'id', direction: 'asc' }

interface Reading extends Operation {
  readonly kind: 'list' | 'first' | 'last' | 'count'
}

function operationOf(
  kind: Reading['kind'],
  query: Partial<Operation['query']>,
  scope = {},
): Reading {
  return {
    kind,
    resource: samples,
    version: 'v1',
    path: '/samples',
    scope,
    parents: [],
    id: undefined,
    query: { ...noQuery, ...query },
    item: undefined,
    items: undefined,
    ids: undefined,
    isDryRun: false,
    isDeprecated: false,
    maxAffected: undefined,
    ifRevision: undefined,
    signal: never,
  }
}

// The core writes the values so before it calls the adapter.
function formed(condition: Condition, form?: StoredForm): Condition {
  const { field, is, values } = condition
  if (form === undefined || /contains|With/.test(is)) return condition
  return { ...condition, values: values.map((value) => form(field, value) as typeof value) }
}

describe.each(engines.filter(has))('%s', (engine) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  let adapter: UncheckedAdapter
  let all: readonly Item[]
  const sent = new Set<string>()
  const queries: CompiledQuery[] = []

  const ask = async <Answer>(operation: Reading): Promise<Answer> =>
    adapter[operation.kind]?.(operation, undefined) as Promise<Answer>

  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine))
    if (engine === 'postgres') await sql`create type status as enum ('new', 'old', 'é')`.execute(db)
    const index = engines.indexOf(engine)
    const declared = names.map((name) => `${name} ${columns[name]?.[index]}`)
    await sql.raw(`create table samples (${declared.join(', ')})`).execute(db)
    const rows = fc.sample(rowOf(engine), { numRuns: 80, seed: 5 })
    for (const [at, row] of rows.entries()) {
      const values = names.map((name) => (name === 'id' ? `${at}` : toSql(row[name])))
      await sql`insert into samples values (${sql.join(values)})`.execute(db)
    }
    adapter = kyselyAdapter(db, { table: 'samples' })
    all = await ask<readonly Item[]>(operationOf('list', {}))
    expect(all).toHaveLength(80)
  }, 60_000)
  afterAll(() => drop?.())

  const toSql = (value: unknown) =>
    typeof value === 'boolean' && engine === 'sqlite' ? Number(value) : value

  const questions = fc.record({
    where: fc.array(condition, { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom('id', 'name', 'note', 'size', 'whole', 'born', 'at', 'coarse', 'written'),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    scope: fc.constantFrom({}, {}, { owner: 'a' }),
  })

  test('every read obeys the filters', { timeout: 200_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(questions, async ({ where, by, direction, scope }) => {
        const sort = totalOrder(
          by === 'id' ? [{ ...id, direction }] : [{ field: by, direction }, id],
          datesOf(samples),
        )
        const held = await adapter.storedForm?.(operationOf('list', {}), undefined)
        const meets = meeting(where.map((one) => formed(one, held)))
        const inScope = all.filter((item) => !('owner' in scope) || item.owner === scope.owner)
        const expected = inScope
          .filter(meets)
          .sort(compareBy(sort))
          .map((item) => item.id)
        const query = { where, sort }
        const pages: string[] = []
        for (let after: Operation['query']['after']; ; ) {
          const page = await ask<Item[]>(operationOf('list', { ...query, limit: 7, after }, scope))
          pages.push(...page.map((item) => item.id))
          const last = page.at(-1)
          if (last === undefined || page.length < 7) break
          after = positionOf(last, sort)
        }
        expect(pages).toEqual(expected)
        expect(await ask(operationOf('count', query, scope))).toBe(expected.length)
        const first = await ask<Item | undefined>(operationOf('first', query, scope))
        const last = await ask<Item | undefined>(operationOf('last', query, scope))
        expect([first?.id, last?.id]).toEqual([expected[0], expected.at(-1)])
      }),
      { numRuns, ...seed },
    )
  })

  test('few statements serve all filters', { timeout: 60_000 }, async () => {
    const own: UncheckedAdapter = kyselyAdapter(logged(), { table: 'samples' })
    const isOne = fc.array(fc.constantFrom('new', 'old', 'x'), { minLength: 1, maxLength: 100 })
    sent.clear()
    for (const [at, values] of fc.sample(isOne, { numRuns: 500, seed: 3 }).entries()) {
      const where = [
        { field: 'status', is: 'in', values, type: 'text' },
        { field: 'name', is: 'gt', values: [`${at}`], type: 'text' },
        { field: 'whole', is: 'lt', values: [at / 2 + 1], type: 'integer' },
      ] as const
      await own.list?.(operationOf('list', { where, limit: 5 }), undefined)
    }
    // The sizes 1 to 128, and two forms of a bound between whole numbers.
    expect([...sent].filter((statement) => statement.includes('order by')).length).toBeLessThan(40)
  })

  test('a value is data', async () => {
    const values = [
      "' or 1=1 --",
      '" or "1"="1',
      '`',
      '\\',
      '%',
      "x'; drop table samples; --",
      '$1',
      '?',
    ]
    for (const value of values) {
      for (const is of ['in', 'notIn', 'gt', 'contains', 'startsWith', 'endsWith'] as const) {
        const where = [{ field: 'name', is, values: [value], type: 'text' }] as const
        const expected = all
          .filter(meeting(where))
          .map((item) => item.id)
          .sort()
        const found = await ask<Item[]>(operationOf('list', { where }))
        expect([is, value, found.map((item) => item.id).sort()]).toEqual([is, value, expected])
      }
    }
  })

  test('an index serves the filters', async () => {
    await sql`create table notes (id ${sql.raw(typeIn('id'))}, name ${sql.raw(typeIn('name'))},
      written ${sql.raw(typeIn('written'))}, whole integer)`.execute(db)
    await sql`create index by_name on notes (name, id)`.execute(db)
    await sql`create index by_written on notes (written, id)`.execute(db)
    await sql`create index by_whole on notes (whole, id)`.execute(db)
    for (let start = 0; start < 3000; start += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        const day = new Date((start + at) * 86_400_000).toISOString()
        return sql`(${`${start + at}`}, ${`n${start + at}`}, ${day}, ${start + at})`
      })
      await sql`insert into notes values ${sql.join(rows)}`.execute(db)
    }
    await sql.raw(engine === 'mariadb' ? 'analyze table notes' : 'analyze notes').execute(db)
    const notes = defineResource('notes', {
      schema: Sample.pick({ id: true, name: true, written: true, whole: true }),
    })
    const own: UncheckedAdapter = kyselyAdapter(logged(), { table: 'notes' })
    const day = '1972-01-01T00:00:00Z'
    const cases = [
      ['by_name', { field: 'name', is: 'in', values: ['n7', 'n8'], type: 'text' }],
      ['by_name', { field: 'name', is: 'gt', values: ['n998'], type: 'text' }],
      ['by_whole', { field: 'whole', is: 'lte', values: [9.5], type: 'integer' }],
      ['by_whole', { field: 'whole', is: 'in', values: [1, 2, 3], type: 'integer' }],
      ['by_written', { field: 'written', is: 'in', values: [day], type: 'date-time' }],
      [
        'by_written',
        { field: 'written', is: 'lt', values: ['1970-01-09T00:00:00+01:00'], type: 'date-time' },
      ],
    ] as const
    for (const [index, filter] of cases) {
      queries.length = 0
      await own.count?.(
        { ...operationOf('count', { where: [filter] }), resource: notes },
        undefined,
      )
      const query = queries.findLast(({ sql }) => sql.includes('count(*)'))
      if (query === undefined) throw new Error('The adapter has sent no count.')
      const explain = engine === 'sqlite' ? 'explain query plan ' : 'explain '
      const { rows } = await db.executeQuery({
        ...query,
        sql: `${explain}${query.sql}`,
      } as CompiledQuery)
      expect([filter, JSON.stringify(rows)]).toEqual([filter, expect.stringContaining(index)])
    }
  })

  function typeIn(name: string): string {
    return columns[name]?.[engines.indexOf(engine)] ?? ''
  }

  // The same database, with its statements.
  function logged(): Kysely<unknown> {
    const executor = db.getExecutor()
    const provideConnection: typeof executor.provideConnection = (perform) =>
      executor.provideConnection((connection) =>
        perform({
          streamQuery: (...given) => connection.streamQuery(...given),
          executeQuery: (query, ...rest) => {
            sent.add(query.sql)
            queries.push(query)
            return connection.executeQuery(query, ...rest)
          },
        }),
      )
    const own = new Proxy(executor, {
      get: (target, name) =>
        name === 'provideConnection'
          ? provideConnection
          : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
    })
    return Object.assign(Object.create(db), {
      withoutPlugins() {
        return this
      },
      getExecutor: () => own,
    })
  }
})
