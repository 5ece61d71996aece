import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const text = z.string()
const Stored = z.object({
  id: text,
  full_name: text.max(20).trim(),
  cents: z.int().max(1000),
  state: z.enum(['active', 'left']),
  motto: text.default('none'),
  revision: z.int(),
  created_at: text,
})
const people_v3 = defineResource('people_v3', {
  schema: Stored,
  create: Stored.omit({ id: true, revision: true, created_at: true }),
  readOnly: ['created_at'],
  revision: 'revision',
})
const Parted = z.object({
  id: text,
  first_name: text,
  last_name: text,
  price: text,
  motto: text,
  revision: z.int(),
  year: z.int(),
})
const people_v2 = defineView('people_v2', people_v3, {
  schema: Parted,
  create: Parted.omit({ id: true, revision: true, year: true }).partial({ motto: true }),
  readOnly: ['year'],
  revision: 'revision',
  fields: {
    first_name: { part: 0, of: 'full_name', split: 'last' },
    last_name: { part: 1, of: 'full_name', split: 'last' },
    price: { of: 'cents', read: (cents) => `${cents / 100}`, write: (price) => +price * 100 },
    year: { of: 'created_at', read: (moment) => Number(moment.slice(0, 4)) },
  },
  hidden: { state: 'active' },
})
// A view of a view.
const Short = z.object({ id: text, first: text, price: text })
const people = defineView('people', people_v2, {
  schema: Short,
  create: Short.omit({ id: true }),
  fields: { first: 'first_name' },
  hidden: { last_name: 'Doe' },
})
const api = defineApi({
  v1: { '/people': people },
  v2: { '/people': people_v2 },
  v3: { '/people': people_v3 },
})

const stored = {
  id: '1',
  full_name: 'Ann Lee',
  cents: 150,
  state: 'left',
  motto: 'none',
  revision: 1,
  created_at: '2024-05-05',
} as const

// With `modify` of the adapter, and without: then a revision guards the write.
const adapters = {
  modify: () =>
    memoryAdapter({ items: [stored], onCreate: () => Object({ created_at: '2025-01-01' }) }),
  revision: () => {
    const { modify, modifyMany, ...rest } = adapters.modify()
    return rest
  },
}

function service(adapter: object) {
  const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({ people_v3: adapter })
  return async (line: string, sent?: unknown) => {
    const [method = '', url = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
    const { status, body: answer } = await handle({ method, url, headers, ...body }, registry)
    return { status, body: answer as object }
  }
}

const draft = { first_name: 'Bo', last_name: 'Low', price: '2' }
const rows: readonly (readonly [line: string, sent: unknown, dry: number])[] = [
  // A part cannot be written.
  ['POST /v2/people', { ...draft, last_name: 'de la Cruz' }, 422],
  ['POST /v2/people', [draft, { ...draft, last_name: 'de la Cruz' }], 422],
  ['PUT /v2/people/1', { ...draft, last_name: 'de la Cruz' }, 422],
  ['PATCH /v2/people/1', { last_name: 'de la Cruz' }, 422],
  ['PUT /v2/people', [{ ...draft, id: '1', last_name: 'de la Cruz' }], 422],
  ['PATCH /v2/people', [{ id: '1', last_name: 'de la Cruz' }], 422],
  // A number does not read back.
  ['POST /v2/people', { ...draft, price: 'much' }, 422],
  ['PATCH /v2/people/1', { price: 'much' }, 422],
  // The base refuses the value.
  ['POST /v2/people', { ...draft, price: '11' }, 422],
  ['POST /v1/people', { first: 'Bo', price: '11' }, 422],
  ['PUT /v2/people/1', { ...draft, price: '11' }, 422],
  ['PUT /v1/people/1', { first: 'A very long first name', price: '1' }, 422],
  ['PATCH /v1/people/1', { price: '11' }, 422],
  ['PUT /v2/people', [{ ...draft, id: '1', price: '11' }], 422],
  ['PATCH /v1/people', [{ id: '1', price: '11' }], 422],
  // What is stored is shown.
  ['POST /v2/people', draft, 200],
  ['POST /v2/people', [draft, draft], 200],
  ['POST /v2/people', [], 200],
  ['POST /v1/people', { first: 'Bo', price: '2' }, 200],
  ['PUT /v2/people/1', draft, 200],
  ['PUT /v1/people/1', { first: ' Bo', price: '2' }, 200],
  ['PATCH /v2/people/1', { price: '2' }, 200],
  ['PATCH /v2/people/1', {}, 200],
  ['PUT /v2/people', [{ ...draft, id: '1' }], 200],
  ['PATCH /v1/people', [{ id: '1', first: 'Bo' }], 200],
  ['PATCH /v1/people', [], 200],
  // Before and beside the view.
  ['PUT /v2/people/7', draft, 404],
  ['PATCH /v1/people', [{ id: '7', first: 'Bo' }], 404],
  ['PUT /v2/people', [{ ...draft, id: '7' }], 404],
  ['PUT /v2/people/1', { ...draft, revision: 7 }, 409],
]

// The storage gives these.
function asTried(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(asTried)
  const { id: _, revision: __, year: ___, ...rest } = body as Record<string, unknown>
  return rest
}

describe.each(Object.entries(adapters))('with a guard by %s, a dry run', (_, make) => {
  test.each(rows)('of %s %j answers as the write does', async (line, sent, dry) => {
    const ask = service(make())
    const before = (await ask('GET /v3/people')).body
    const tried = await ask(`${line}?dry_run=true`, sent)
    expect((await ask('GET /v3/people')).body).toEqual(before)
    const written = await ask(line, sent)
    expect(tried.status).toBe(dry)
    if (dry === 200) {
      expect(written.status).toBe(line.startsWith('POST') ? 201 : 200)
      expect(asTried(tried.body)).toEqual(asTried(written.body))
    } else expect(tried).toEqual(written)
  })
})

test('a dry run of a create tells what only the base knows', async () => {
  const { body } = await service(adapters.modify())('POST /v2/people?dry_run=true', draft)
  expect(body).toEqual({ ...draft, motto: 'none' })
})

test('a dry run tells what it read of an item that is gone meanwhile', async () => {
  for (const [line, sent] of [
    ['PUT /v2/people/1', draft],
    ['PATCH /v2/people', [{ id: '1', ...draft }]],
  ] as const) {
    let reads = 0
    const { read: _, list: __, first, last, count, ...rest } = adapters.revision()
    const ask = service({ ...rest, read: () => (reads++ === 0 ? stored : null) })
    expect(await ask(`${line}?dry_run=true`, sent)).toMatchObject({ status: 200 })
  }
})

test('a dry run without "read" tells what the client sends', async () => {
  const adapter = { update: () => stored, modify: () => stored }
  const Plain = z.object({ id: text, name: text })
  const base = defineResource('notes', { schema: Plain.extend({ more: text }) })
  const view = defineView('notes_v1', base, {
    schema: Plain,
    create: Plain,
    hidden: { more: '' },
  })
  const registry = defineRegistry(defineApi({ v1: { '/notes': view } })).adapters({
    notes: adapter as never,
  })
  const { status, body } = await handle(
    {
      method: 'PUT',
      url: '/v1/notes/1?dry_run=true',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: '1', name: 'x' }),
    },
    registry,
  )
  expect({ status, body }).toEqual({ status: 200, body: { id: '1', name: 'x' } })
})
