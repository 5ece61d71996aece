import { type } from 'arktype'
import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  problem,
  type Registry,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, serviceOf } from '../support/things.ts'

const text = z.string()

interface Declared {
  readonly base: object
  readonly view: object
}

/** A base as v2, and a view of it as v1, over some items. */
function serve({ base, view }: Declared, items: readonly object[] = []): Registry {
  const of = Reflect.apply(defineResource, null, ['things', base])
  return serviceOf(
    Reflect.apply(defineView, null, ['things_v1', of, { create: Object(view).schema, ...view }]),
    of,
    items,
  )
}

const issuesOf = (body: unknown) => Object(body).issues

describe('a value that stands for a missing one', () => {
  const base = { schema: z.object({ id: text, country: text }) }
  const fields = { country: { of: 'country', absent: 'US' } }
  const country = z.object({ id: text, country: text.optional() })
  const optional = { schema: country, create: country, fields }
  const of = Reflect.apply(defineResource, null, ['things', base])
  const middle = Reflect.apply(defineView, null, ['things_v2', of, optional])
  const upper = Reflect.apply(defineView, null, [
    'things_v1',
    middle,
    { schema: country, create: country },
  ])
  const both = { schema: country, create: country, fields: { country: 'country' } }
  const renamed = Reflect.apply(defineView, null, ['things_v1', middle, both])
  const rows = [
    ['a view', middle],
    ['a view of a view', upper],
    ['a renaming view of a view', renamed],
  ] as const
  test.each(rows)('is in the new items of %s', async (_, view) => {
    const registry = serviceOf(view, of)
    expect((await ask(registry, 'POST /v1/things', { id: '1' })).status).toBe(201)
    expect((await ask(registry, 'POST /v1/things', [{ id: '2' }])).status).toBe(201)
    const sent = { id: '3', country: 'CH' }
    expect((await ask(registry, 'POST /v1/things', sent)).status).toBe(201)
    expect((await ask(registry, 'GET /v2/things')).body).toEqual([
      { id: '1', country: 'US' },
      { id: '2', country: 'US' },
      { id: '3', country: 'CH' },
    ])
  })
})

describe('a missing value that reads as null', () => {
  const work = z.object({ city: text }).optional()
  const declared = {
    base: { schema: z.object({ id: text, work, name: text.optional() }) },
    view: {
      schema: z.object({ id: text, town: text.nullable(), a: text.nullable(), b: text.nullish() }),
      update: z.object({ town: text.nullish(), a: text.nullish(), b: text.nullish() }),
      fields: {
        town: { in: 'work', field: 'city' },
        a: { part: 0, of: 'name', split: 'last' },
        b: { part: 1, of: 'name', split: 'last' },
      },
    },
  }
  const none = { town: null, a: null }
  test.each([
    ['POST /v1/things', { id: '2', ...none }, 201],
    ['POST /v1/things', { id: '2', town: 'c', a: 'x', b: 'y' }, 201],
    ['PUT /v1/things/1', { town: 'c', a: null }, 200],
    ['PATCH /v1/things/1', { town: null }, 200],
  ])('is written back by %s %j', async (line, sent, status) => {
    const answer = await ask(serve(declared, [{ id: '1' }]), line, sent)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject(sent)
  })
})

test('a missing value of another name reads as null', async () => {
  const declared = {
    base: { schema: z.object({ id: text, name: text.optional() }) },
    view: {
      schema: z.object({ id: text, title: text.nullable() }),
      update: z.object({ title: text.nullish() }),
      fields: { title: 'name' },
    },
  }
  const { body } = await ask(serve(declared, [{ id: '1' }]), 'GET /v1/things/1')
  expect(body).toEqual({ id: '1', title: null })
})

describe('two joined fields of few values', () => {
  const first = z.enum(['a', 'b'])
  const second = z.union([z.literal('c'), z.int(), z.null()]).optional()
  const viewOf = (shown: z.ZodType) => ({
    base: { schema: z.object({ id: text, first, second }) },
    view: {
      schema: z.object({ id: text, both: shown }),
      fields: { both: { join: ['first', 'second'], split: 'last' } },
      readOnly: ['both'],
      without: ['create'],
    },
  })

  test('show each pair', async () => {
    const items = [
      { id: '1', first: 'a', second: 'c' },
      { id: '2', first: 'b', second: null },
      { id: '3', first: 'b' },
    ]
    const registry = serve(viewOf(z.enum(['a', 'b', 'a c', 'b c'])), items)
    expect((await ask(registry, 'GET /v1/things')).body).toEqual([
      { id: '1', both: 'a c' },
      { id: '2', both: 'b' },
      { id: '3', both: 'b' },
    ])
  })

  test('need a schema that takes each pair', () => {
    expect(() => serve(viewOf(z.enum(['a', 'b', 'a c'])))).toThrow(/"b c"/)
  })
})

describe('a table', () => {
  const is = z.union([z.literal('a'), z.literal(1), z.boolean(), z.literal('')])
  const shown = z.object({ on: z.boolean(), tags: z.array(text) })
  const values = {
    a: { on: true, tags: ['a'] },
    1: { on: true, tags: ['a', 'b'] },
    true: { on: true, tags: [] },
    false: { on: false, tags: [] },
    '': { on: false, tags: [''] },
  }
  const declared = {
    base: { schema: z.object({ id: text, is }) },
    view: {
      schema: z.object({ id: text, was: shown }),
      fields: { was: { of: 'is', values } },
    },
  }
  const rows = [
    ['a', values.a],
    [1, values[1]],
    [true, values.true],
    [false, values.false],
    ['', values['']],
  ] as const
  test.each(rows)('may show %j as an object, and back', async (stored, was) => {
    const registry = serve(declared, [
      { id: '1', is: stored },
      { id: '2', is: stored === 'a' ? 1 : 'a' },
    ])
    expect((await ask(registry, 'GET /v1/things/1')).body).toEqual({ id: '1', was })
    expect((await ask(registry, 'PUT /v1/things/2', { was })).body).toEqual({ id: '2', was })
    expect((await ask(registry, 'GET /v2/things/2')).body).toEqual({ id: '2', is: stored })
  })
})

test('a table shows whole numbers, and back', async () => {
  const declared = {
    base: { schema: z.object({ id: text, open: z.literal([0, 1]) }) },
    view: {
      schema: z.object({ id: text, is_open: z.boolean() }),
      fields: { is_open: { of: 'open', values: { 0: false, 1: true } } },
    },
  }
  const registry = serve(declared, [{ id: '1', open: 0 }])
  const shown = { id: '1', is_open: true }
  expect((await ask(registry, 'PUT /v1/things/1', { is_open: true })).body).toEqual(shown)
  expect((await ask(registry, 'GET /v2/things/1')).body).toEqual({ id: '1', open: 1 })
})

describe('a function that throws', () => {
  const write = (at: string) => {
    if (at === 'conflict') throw problem('conflict', 'is taken')
    return new Date(at).toISOString()
  }
  const read = (at: string) => {
    if (at.startsWith('1970')) throw new RangeError('too old')
    return at.slice(0, 10)
  }
  const fields = { day: { of: 'at', read, write } }
  const schema = z.object({ id: text, day: text })
  const declared = { base: { schema: z.object({ id: text, at: text }) }, view: { schema, fields } }
  const bodies = [
    ['never', 422, 'unrepresentable'],
    ['1970-01-01', 422, 'unrepresentable'],
    ['conflict', 409, 'conflict'],
  ] as const
  const ways = [
    ['PUT /v1/things/1', ''],
    ['PATCH /v1/things/1', ''],
    ['POST /v1/things', ''],
    ['PUT /v1/things', '/0'],
    ['PATCH /v1/things', '/0'],
    ['POST /v1/things', '/0'],
  ] as const
  const rows = bodies.flatMap((body) => ways.map((way) => [...way, ...body] as const))
  test.each(rows)('refuses in %s%s the value %s: %d %s', async (line, at, day, status, code) => {
    const stored = [{ id: '1', at: '2026-01-01T00:00:00.000Z' }]
    const registry = serve(declared, stored)
    const sent = line.startsWith('POST') ? { id: '2', day } : { id: '1', day }
    const answer = await ask(registry, line, at === '' ? sent : [sent])
    const [issue] = issuesOf(answer.body) ?? [{ code: Object(answer.body).code }]
    expect([answer.status, issue.code]).toEqual([status, code])
    if (status === 422) expect(issue.pointer).toBe(`${at}/day`)
    expect((await ask(registry, 'GET /v2/things')).body).toEqual(stored)
  })
})

const isShort = (value: string) => value.length <= 3

describe('a message that names the field beneath', () => {
  const told = (message: string) => ({
    base: {
      schema: z.object({
        id: text,
        full_name: text.refine(isShort, message),
        tags: z.array(text.refine(isShort, message)),
      }),
    },
    view: {
      schema: z.object({ id: text, name: text, tags: z.array(text) }),
      fields: { name: 'full_name' },
    },
  })
  const rows = [
    ['full_name must be short', { name: 'long' }, '/name', 'name must be short'],
    ['Expected "full_name"', { name: 'long' }, '/name', 'is not valid'],
    ['full_names are short', { name: 'long' }, '/name', 'full_names are short'],
    ['full_name is short', { tags: ['long'] }, '/tags/0', 'full_name is short'],
    ['tags[0] must be short', { tags: ['long'] }, '/tags/0', 'tags[0] must be short'],
  ] as const
  test.each(rows)('%s', async (given, sent, pointer, message) => {
    const registry = serve(told(given), [{ id: '1', full_name: '', tags: [] }])
    const { body } = await ask(registry, 'PATCH /v1/things/1', sent)
    expect(issuesOf(body)).toEqual([{ pointer, code: 'custom', message }])
  })

  test('has the words of the view with ArkType', async () => {
    const declared = {
      base: { schema: type({ id: 'string', full_name: 'string <= 3' }) },
      view: { schema: type({ id: 'string', name: 'string' }), fields: { name: 'full_name' } },
    }
    const registry = serve(declared, [{ id: '1', full_name: '' }])
    const { body } = await ask(registry, 'PUT /v1/things/1', { name: 'long' })
    expect(issuesOf(body)).toMatchObject([
      { pointer: '/name', message: 'must have at most 3 characters' },
    ])
  })
})

describe('a repeated create through a view', () => {
  const uuid = z.uuid()
  const declared = {
    base: {
      schema: z.object({ id: uuid, title: text, country: text }),
      create: z.object({ title: text.trim(), country: text }),
      idempotent: true,
    },
    view: {
      schema: z.object({ id: uuid, name: text, country: text.nullable() }),
      create: z.object({ name: text, country: text.nullable() }),
      fields: { name: 'title', country: { of: 'country', absent: 'US' } },
      idempotent: true,
    },
  }
  const rows = [
    ['what a value stands for', { name: 'x', country: null }, {}, 201],
    ['a text that the base trims', { name: ' x ', country: 'CH' }, {}, 201],
    ['another text', { name: ' x ', country: 'CH' }, { name: 'y' }, 422],
  ] as const
  test.each(rows)('with %s', async (_, sent, changed, status) => {
    const registry = serve(declared)
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' }
    const create = (item: object) =>
      handle({ method: 'POST', url: '/v1/things', headers, body: JSON.stringify(item) }, registry)
    const one = await create(sent)
    expect(one.status).toBe(201)
    const two = await create({ ...sent, ...changed })
    expect(two.status).toBe(status)
    expect(Object(two.body)).toMatchObject(
      status === 201 ? Object(one.body) : { code: 'idempotency_mismatch' },
    )
  })
})

describe('an "updateMany" of a revision', () => {
  const stored = { id: '1', title: 'x', note: '', revision: 1 }
  const schema = z.object({ id: text, title: text, note: text, revision: z.int() })
  const update = z.object({ title: text, note: text })
  const base = { schema, create: update.extend({ id: text }), update, revision: 'revision' }
  const of = Reflect.apply(defineResource, null, ['things', base])
  const Shown = z.object({ id: text, name: text })
  const declared = {
    schema: Shown,
    create: Shown,
    fields: { name: 'title' },
    hidden: { note: '' },
  }
  const view = Reflect.apply(defineView, null, ['things_v1', of, declared])
  const rows = ['PUT', 'PATCH'].flatMap((method) => [
    [method, 'null', null],
    [method, 'a number', 7],
    [method, 'an item', stored],
  ]) as [string, string, unknown][]
  test.each(rows)('that gives no array is told: %s, %s', async (method, _, given) => {
    const told: unknown[] = []
    const api = Reflect.apply(defineApi, null, [{ v1: { '/things': view } }])
    const registry = Reflect.apply(
      defineRegistry(api).onError((error) => told.push(error)).adapters,
      null,
      [{ things: { read: () => stored, updateMany: () => given } }],
    )
    const sent = [{ id: '1', name: 'y' }]
    expect((await ask(registry, `${method} /v1/things`, sent)).status).toBe(500)
    expect(String(told[0])).toContain('The adapter of "things_v1" gave, for ')
  })
})

describe('a view of an object and of its member', () => {
  const place = z.object({ city: text, street: text })
  const declared = {
    base: { schema: z.object({ id: text, place }) },
    view: {
      schema: z.object({ id: text, place, city: text }),
      fields: { city: { in: 'place', field: 'city' } },
    },
  }
  const stored = [{ id: '1', place: { city: 'a', street: 's' } }]
  const rows = [
    ['POST', '', { id: '2', place: { city: 'b', street: 't' }, city: 'b' }, 201],
    ['POST', '', { id: '2', place: { city: 'b', street: 't' }, city: 'c' }, 422],
    ['PATCH', '/1', { city: 'b' }, 200],
    ['PATCH', '/1', { place: { city: 'b' } }, 200],
    ['PATCH', '/1', { place: { city: 'b' }, city: 'c' }, 422],
  ] as const
  test.each(rows)('takes the same value twice: %s%s %j is %d', async (method, at, sent, status) => {
    const answer = await ask(serve(declared, stored), `${method} /v1/things${at}`, sent)
    expect(answer.status).toBe(status)
    if (status !== 422) expect(answer.body).toMatchObject({ place: { city: 'b' }, city: 'b' })
  })
})
