import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
  type Registry,
} from 'nounful'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { d1Of } from '../support/d1.ts'

const Note = z.object({ id: z.string(), text: z.string(), revision: z.number() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.pick({ text: true }),
  searchable: ['text'],
  readOnly: ['revision'],
  revision: 'revision',
})
const api = defineApi({ v1: { '/notes': notes } })

/** Notes 1 and 2 on D1, and a write between the read and the write of a bulk. */
function openNotes(meanwhile: string, onUpdate?: (item: object, stored: object) => object) {
  const file = new DatabaseSync(':memory:')
  file.exec('create table notes (id text primary key, text text not null, revision integer)')
  file.exec("insert into notes values ('1', 'a', 1), ('2', 'b', 1)")
  const database = d1Of(file)
  let isFirst = true
  const batch: typeof database.batch = (statements) => {
    if (isFirst) file.exec(meanwhile)
    isFirst = false
    return database.batch(statements)
  }
  const db = new Kysely<unknown>({ dialect: d1Dialect({ ...database, batch }) })
  const options = { table: 'notes', ...(onUpdate && { onUpdate }) }
  const registry = defineRegistry(api).adapters({ notes: kyselyAdapter(db, options) })
  const textsOf = () => file.prepare('select text from notes order by id').all().map(Object.values)
  return { registry, textsOf }
}

const headers = { 'content-type': 'application/json' }
const bulk = {
  method: 'PUT',
  url: '/v1/notes',
  headers,
  body: '[{"id":"1","text":"x","revision":1},{"id":"2","text":"y","revision":1}]',
}
const few = { method: 'DELETE', url: '/v1/notes', headers: { prefer: 'max-affected=2' } }

test.each([
  ['nothing', '', bulk, 200, [['x'], ['y']]],
  [
    'another write of an item',
    'update notes set revision = 2 where id = 2',
    bulk,
    409,
    [['a'], ['b']],
  ],
  ['a deletion', 'delete from notes where id = 2', bulk, 404, [['a']]],
  ['nothing', '', few, 200, []],
  ['a new item', "insert into notes values ('3', 'c', 1)", few, 409, [['a'], ['b'], ['c']]],
] as const)(
  'after %s a batch is whole or nothing',
  async (_, meanwhile, request, status, texts) => {
    const { registry, textsOf } = openNotes(meanwhile)
    expect((await handle(request, registry)).status).toBe(status)
    expect(textsOf()).toEqual(texts)
  },
)

test('an update starts again after another write of its item', async () => {
  const join = (item: object, stored: object) => ({
    text: `${Object(item).text} after ${Object(stored).text}`,
  })
  const { registry, textsOf } = openNotes("update notes set text = 'c' where id = 1", join)
  const body = '{"text":"x"}'
  await handle({ method: 'PUT', url: '/v1/notes/1', headers, body }, registry)
  expect(textsOf()).toEqual([['x after c'], ['b']])
})

test.each([
  ['a', 3],
  ['\ufffd', 1],
  ['\ufffe', 1],
  ['\uffff', 1],
  ['A\uffff', 1],
  ['b\uffff', 0],
])('a search for %j finds no character that SQLite takes for it', async (word, found) => {
  const { registry } = openNotes('')
  for (const text of ['xa\ufffd', 'B\ufffe', 'a\uffff']) {
    const body = JSON.stringify({ text })
    await handle({ method: 'POST', url: '/v1/notes', headers, body }, registry)
  }
  const url = `/v1/notes/count?q=${encodeURIComponent(word)}`
  const { body } = await handle({ method: 'GET', url }, registry)
  expect(body).toEqual({ count: found })
})

describe('D1 takes 100 parameters, and a list with', () => {
  const Row = z.object({
    id: z.string(),
    text: z.string().optional(),
    name: z.string().optional(),
    at: z.iso.datetime({ offset: true }).optional(),
    size: z.number().optional(),
    other: z.number().optional(),
    'is it?': z.string().optional(),
  })
  const fields = ['text', 'name', 'at', 'size', 'other', 'is it?'] as const
  const rows = defineResource('rows', {
    schema: Row,
    sortable: fields,
    searchable: ['text', 'name'],
    filterable: fields,
  })
  const file = new DatabaseSync(':memory:')
  file.exec(`create table rows (id text primary key, text text, name text, at text, size real,
    other integer, "is it?" text)`)
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789αβγδ'].join(' ')
  const items: z.infer<typeof Row>[] = Array.from({ length: 300 }, (_, index) => ({
    id: `${index}`,
    ...(index % 5 > 0 && { text: `Über ${letters} ${index % 4}?` }),
    ...(index % 3 > 0 && { name: `n'${index % 7}` }),
    ...(index % 2 > 0 && { at: new Date(index * 1e9).toISOString() }),
    ...(index % 6 > 0 && { size: (index % 5) / 2 }),
    ...(index % 4 > 0 && { other: index % 3, 'is it?': 'yes' }),
  }))
  for (const item of items) {
    const values = ['id', ...fields].map((field) => Object(item)[field] ?? null)
    file.prepare('insert into rows values (?, ?, ?, ?, ?, ?, ?)').run(...values)
  }
  let most = 0
  const database = d1Of(file)
  const prepare: typeof database.prepare = (text) => {
    const statement = database.prepare(text)
    const bind: typeof statement.bind = (...values) => {
      most = Math.max(most, values.length)
      return statement.bind(...values)
    }
    return { all: () => statement.all(), bind }
  }
  const db = new Kysely<unknown>({ dialect: d1Dialect({ ...database, prepare }) })
  const api = defineApi({ v1: { '/rows': rows } })
  const options = { limits: { target: 16_384 } }
  const onD1 = defineRegistry(api, options).adapters({ rows: kyselyAdapter(db, { table: 'rows' }) })
  const inMemory = defineRegistry(api, options).adapters({ rows: memoryAdapter({ items }) })

  const ids = items.slice(0, 250).map(({ id }) => id)
  const some = (name: string, values: readonly unknown[]) =>
    values.map((value) => `&${name}=${encodeURIComponent(`${value}`)}`).join('')
  const moments = items.flatMap(({ at = [] }) => at).slice(0, 100)
  const texts = [...new Set(items.flatMap(({ text = [] }) => text))]
  const ranges = [
    'size:gte=0',
    'size:lt=9',
    'other:gte=0',
    'other:lte=2',
    'text:gt=A',
    'text:lt=%C3%A0',
  ]
  const parts = [
    'text:contains=a+b',
    'text:startsWith=%C3%9Cber',
    'text:endsWith=1?',
    'name:contains=N',
  ]
  const sort = `&sort=-size,text,-other,name,-at,${encodeURIComponent('is it?')}`
  const words = encodeURIComponent(letters).replaceAll('%20', '+')

  const long = some('id:ne', ids.slice(0, 90))
  const several = [some('id', ids.slice(0, 100)), some('text:ne', texts.slice(1))]
  const filters = ['', ...ranges, ...parts].join('&') + long
  // biome-ignore format: a row stays a line
  const lists: readonly (readonly [name: string, search: string, least: number])[] = [
    ['100 ids',                     some('id', ids.slice(0, 100)), 60],
    ['100 other ids',               some('id:ne', ids.slice(0, 100)) + sort, 200],
    ['100 moments',                 some('at', moments), 100],
    ['several long lists',          several.join('') + some('at:ne', moments) + sort, 10],
    ['many filters',                filters + some('text', texts) + sort, 10],
    ['many words',                  `&q=${words}${sort}`, 100],
    ['words, filters and an order', `&q=${words}${filters}${sort}`, 10],
  ]
  test.each(lists)('%s', async (_, search, least) => {
    const get = async (registry: Registry, url: string) =>
      handle({ method: 'GET', url, headers: {} }, registry)
    let url: string | undefined = `/v1/rows?limit=7${search}`
    let count = 0
    while (url !== undefined) {
      const expected: HttpResponse = await get(inMemory, url)
      const found = await get(onD1, url)
      expect(found.body).toEqual(expected.body)
      expect(found.status).toBe(200)
      count += (expected.body as readonly unknown[]).length
      url = /<(.*)>/.exec(expected.headers.link ?? '')?.[1]
    }
    expect(count).toBeGreaterThanOrEqual(least)
    const counted = `/v1/rows/count?${search.replace(/&sort=[^&]*/, '').slice(1)}`
    expect((await get(onD1, counted)).body).toEqual({ count })
    expect(most).toBeLessThanOrEqual(100)
  })

  test('more words than a statement has parameters', () => expect(most).toBe(100))
})
