import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpResponse, handle } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cursorIn, forged, nextOf, oddValues, partsOf } from '../support/cursors.ts'
import { verdictOf } from '../support/registry.ts'
import { databaseOf } from '../support/stores.ts'
import '../support/properties.ts'

/** The columns of SQLite that hold values of any class, and the fields over them. */
const shape = {
  text: z.string(),
  varchar: z.string().optional(),
  typeless: z.string(),
  amount: z.number(),
  real: z.number().nullable(),
  whole: z.int(),
  loose: z.number(),
  flag: z.boolean(),
  day: z.iso.date(),
  moment: z.iso.datetime(),
  clock: z.iso.datetime(),
  price: z.string(),
  mixed: z.union([z.string(), z.number()]),
  inner: z.object({ a: z.number() }),
}
const columns: Readonly<Record<keyof typeof shape, string>> = {
  text: 'text',
  varchar: 'varchar(9) collate nocase',
  typeless: '',
  amount: 'numeric',
  real: 'real',
  whole: 'integer',
  loose: '',
  flag: 'boolean',
  day: 'date',
  moment: 'text',
  clock: 'datetime default current_timestamp',
  price: 'numeric(12,2)',
  mixed: '',
  inner: 'json',
}
type Field = keyof typeof shape
const fields = Object.keys(shape) as Field[]
const sortable = fields.filter((field): field is Exclude<Field, 'inner'> => field !== 'inner')

/** Types of the column of the ids, and the schema of the ids. */
const ids: Readonly<Record<string, readonly [column: string, isNumber: boolean]>> = {
  'text ids': ['text primary key', false],
  'ids without a type': ['unique', false],
  'numeric ids': ['int primary key', true],
  'number ids without a type': ['unique', true],
}

const literals = [
  'null', '0', '1', '2', '-7', '5', '9007199254740993', '9223372036854775807', '0.5', '5.0',
  '1e300', '9007199254740994.0', '9e999', '-9e999', '0.1 + 0.2', "''", "'abc'", "'ABD'", "'é'",
  "'5'", "'05'", "'5.0'", "'n/a'", "'t'", "'f'", "'true'", "'Infinity'", "'NaN'",
  "'9007199254740993'", "'1e400'", "'0x10'", "' 5'", "'X''61'''", "'X'''''", "'2026-01-01'",
  "'2026-13-01'", "'yesterday'", "'2026-01-01 00:00:00'", "'2026-01-01T00:00:00Z'",
  "'2026-01-01T00:00:00+02:00'", "'\"a\"'", "'[1]'", "'{\"a\":1}'", "'null'", "'true'", "'{'",
  "x''", "x'61'", "x'616263'", "x'ff'", "x'00'", "x'35'", "'a' || char(0) || 'b'",
] // biome-ignore format: words
const value = fc.constantFrom(...literals)

/** An id of each class that a column without a type holds, made unlike by its number. */
const idForms: readonly ((number: number) => string)[] = [
  (number) => `${number}`,
  (number) => `${number}.5`,
  (number) => `${9007199254740993n + BigInt(number)}`,
  (number) => `'n${number}'`,
  (number) => `'${number}0'`,
  (number) => `x'${(97 + number).toString(16)}'`,
  (number) => `'X''${(97 + number).toString(16)}'''`,
]
const row = fc.record({
  form: fc.nat(idForms.length - 1),
  values: fc.tuple(...fields.map(() => value)),
})
const order = fc
  .uniqueArray(fc.constantFrom(...sortable, 'id'), { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.boolean().map((isDown) => `${isDown ? '-' : ''}${name}`))),
  )
  .map((names) => names.join())

type Ask = (method: string, search: string) => Promise<HttpResponse>

interface Service {
  readonly db: Kysely<unknown>
  readonly ask: Ask
  readonly errors: unknown[]
}

const options = {
  sortable,
  searchable: ['text', 'typeless', 'price'],
  filterable: ['text', 'amount', 'real', 'whole', 'flag', 'day', 'moment', 'clock', 'price'],
  without: ['create', 'update'],
} as const

let drop: () => Promise<unknown> = async () => undefined
afterEach(() => drop())

async function serviceOf(name: string): Promise<Service> {
  const [column, isNumber] = ids[name] ?? ['', false]
  const { db, drop: dropped } = await databaseOf<unknown>('sqlite')
  drop = dropped
  const declared = fields.map((field) => `${field} ${columns[field]}`)
  await sql.raw(`create table samples (id ${column}, ${declared.join()})`).execute(db)
  const samples = isNumber
    ? defineResource('samples', {
        ...options,
        schema: z.object({ ...shape, id: z.number() }),
        id: z.coerce.number(),
      })
    : defineResource('samples', { ...options, schema: z.object({ ...shape, id: z.string() }) })
  const errors: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/samples': samples } }))
    .onError((error) => {
      if (Object(error).name !== 'StoredValueError') errors.push(`${Object(error).cause ?? error}`)
    })
    .adapters({ samples: kyselyAdapter(db, { table: 'samples' }) as never })
  const ask: Ask = async (method, search) =>
    handle({ method, url: search.startsWith('/') ? search : `/v1/samples${search}` }, registry)
  return { db, ask, errors }
}

interface AnyRow {
  readonly form: number
  readonly values: readonly string[]
}

async function fill({ db, errors }: Service, rows: readonly AnyRow[]): Promise<void> {
  errors.length = 0
  await sql`delete from samples`.execute(db)
  for (const [number, { form, values }] of rows.entries()) {
    const id = idForms[form]?.(number)
    await sql.raw(`insert or ignore into samples values (${id}, ${values.join()})`).execute(db)
  }
}

// The text of a list tells more than its items: JSON has no bytes.
async function pagesOf(
  { ask }: Service,
  search: string,
  most: number,
): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for (let url: string | undefined = search; url !== undefined; ) {
    const page: HttpResponse = await ask('GET', url)
    expect([url, verdictOf(page)]).toEqual([url, '200'])
    items.push(...(page.body as readonly unknown[]))
    if (items.length > most) throw new Error(`The pages of ${search} do not end.`)
    url = nextOf(page)
  }
  return items
}

async function listOf({ ask }: Service, search: string): Promise<readonly unknown[]> {
  const { body, status } = await ask('GET', search)
  expect([search, status]).toEqual([search, 200])
  if (Array.isArray(body)) return body
  const items: unknown[] = []
  for await (const part of body as AsyncIterable<unknown>) items.push(...[part].flat())
  return items
}

describe.each(Object.keys(ids))('rows of any class, with %s', (name) => {
  test('joined pages are the list', { timeout: 120_000 }, async () => {
    const service = await serviceOf(name)
    const rows = fc.array(row, { minLength: 1, maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(rows, order, async (rows, sort) => {
        await fill(service, rows)
        const whole = await listOf(service, `?sort=${sort}`)
        expect(JSON.parse(JSON.stringify(whole))).toEqual(whole)
        for (const limit of [1, 2]) {
          const search = `?sort=${sort}&limit=${limit}`
          expect([search, await pagesOf(service, search, rows.length)]).toEqual([search, whole])
        }
        expect(service.errors).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('every read and deletion is right', { timeout: 120_000 }, async () => {
    const service = await serviceOf(name)
    const { ask, errors } = service
    const searches = [
      '?q=a', '?q=5', '?text=abc', '?text:ne=abc', '?amount=5', '?amount:gt=0', '?amount:ne=5',
      '?real:lte=1', '?whole=5', '?flag=true', '?flag:ne=true', '?day=2026-01-01',
      '?day:gt=2025-01-01',
      '?moment:gt=2020-01-01T00:00:00Z', '?clock:lt=2030-01-01T00:00:00Z', '?price=5',
      '?fields=id,text', '?text:null=true', '?price:ne=5', '/v1/samples/first?sort=real',
      '/v1/samples/last?sort=loose',
      '/v1/samples/count?q=a', '?q=a&limit=1&sort=-mixed',
    ] // biome-ignore format: words
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
        await fill(service, rows)
        for (const search of searches) {
          const { status } = await ask('GET', search)
          expect(`${search} ${status < 405} ${errors}`).toBe(`${search} true `)
        }
        const all = await listOf(service, '')
        for (const item of all) {
          const url = `/v1/samples/${encodeURIComponent(Object(item).id)}`
          const read = await ask('GET', url)
          expect([url, [200, 404].includes(read.status)]).toEqual([url, true])
          const deleted = await ask('DELETE', url)
          expect([url, deleted.status, errors]).toEqual([url, read.status, []])
          if (read.status === 200) expect(deleted.body).toEqual(read.body)
        }
        expect((await ask('DELETE', '')).status).toBe(200)
        expect(await listOf(service, '')).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  test('a list goes on after any row', { timeout: 60_000 }, async () => {
    const service = await serviceOf(name)
    const { db } = service
    const classes = `case n % 5 when 0 then n when 1 then n + .5 when 2 then 'n' || n
      when 3 then cast('n' || n as blob) else null end`
    const others = fields.map((field) => (field === 'inner' ? 'null' : classes))
    await sql
      .raw(
        `insert into samples with recursive numbers(n) as
          (select 1 union all select n + 1 from numbers where n < 1600)
          select case when n % 3 = 0 then cast('b' || n as blob) else n end, ${others.join()}
          from numbers`,
      )
      .execute(db)
    for (const sort of ['id', '-text', 'typeless', 'amount,-loose', '-flag', 'mixed']) {
      const whole = await listOf(service, `?sort=${sort}`)
      expect([sort, whole.length, service.errors]).toEqual([sort, 1600, []])
      expect(new Set(whole.map((item) => Object(item).id)).size).toBe(1600)
      const pages = await pagesOf(service, `?sort=${sort}&limit=400`, 1600)
      expect(pages).toEqual(whole)
    }
  })

  test.each(sortable)('no forged cursor by %s is a 5xx', async (field) => {
    const service = await serviceOf(name)
    const { ask, errors } = service
    const rows = literals
      .slice(0, 3)
      .map((literal) => ({ form: 3, values: fields.map(() => literal) }))
    await fill(service, rows)
    for (const sort of [field, `-${field}`]) {
      const first = await ask('GET', `?sort=${sort}&limit=1`)
      const [mark, , id] = partsOf(cursorIn(nextOf(first)))
      for (const odd of oddValues) {
        for (const parts of [
          [mark, odd, id],
          [mark, null, odd],
          [mark, odd, odd],
        ]) {
          const answer = await ask('GET', `?sort=${sort}&limit=1&after=${forged(parts)}`)
          expect([
            parts,
            ['200', '400 invalid_cursor', '400 uri_too_long'].includes(verdictOf(answer)),
          ]).toEqual([parts, true])
        }
      }
    }
    expect(errors).toEqual([])
  })
})
