import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  everything,
  handle,
  type Operation,
  problem,
  type Registry,
  type Resource,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, serviceOf } from '../support/things.ts'

const text = z.string()

/** A base as v2, and a view of it as v1, over some items. */
function serve(of: Resource, declared: object, items: readonly object[]): Registry {
  const view = Reflect.apply(defineView, null, ['things_v1', of, creating(declared)])
  return serviceOf(view, of, items)
}

/** Clients send what they get. */
const creating = (declared: object) => ({ create: Object(declared).schema, ...declared })

const things = (declared: object): Resource =>
  Reflect.apply(defineResource, null, ['things', declared])

const issuesOf = (body: unknown): readonly { pointer: string; code: string }[] =>
  Object(body).issues.map(({ pointer, code }: { pointer: string; code: string }) => ({
    pointer,
    code,
  }))

describe('a table whose values may be null', () => {
  const Stored = z.object({ id: text, state: z.enum(['a', 'b', 'c']).nullable().optional() })
  const Shown = z.object({ id: text, is: z.enum(['x', 'y']).nullable().optional() })
  const registry = serve(
    things({ schema: Stored, filterable: ['state'] }),
    {
      schema: Shown,
      filterable: ['is'],
      fields: { is: { of: 'state', values: { a: 'x', b: 'y', c: null } } },
    },
    [
      { id: '1', state: 'a' },
      { id: '2', state: 'b' },
      { id: '3', state: 'c' },
      { id: '4', state: null },
      { id: '5' },
    ],
  )
  test.each([
    ['is:null=true', ['3', '4', '5']],
    ['is:null=false', ['1', '2']],
    ['is=x', ['1']],
    ['is:ne=x', ['2', '3', '4', '5']],
  ])('is filtered by %s', async (query, ids) => {
    const { body } = await ask(registry, `GET /v1/things?${query}`)
    expect(Object(body).map(({ id }: { id: string }) => id)).toEqual(ids)
  })
})

test('a moment for none is found in any form', async () => {
  const at = z.iso.datetime()
  const registry = serve(
    things({ schema: z.object({ id: text, at: at.optional() }), filterable: ['at'] }),
    {
      schema: z.object({ id: text, at }),
      filterable: ['at'],
      fields: { at: { of: 'at', absent: '2026-01-01T00:00:00Z' } },
    },
    [{ id: '1', at: '2026-01-01T00:00:00Z' }, { id: '2' }],
  )
  const sent = '2026-01-01T00:00:00.000Z'
  const { body } = await ask(registry, `GET /v1/things?at=${sent}`)
  expect(Object(body).length).toBe(2)
  expect((await ask(registry, `GET /v1/things?at:ne=${sent}`)).body).toEqual([])
})

describe('the pointer of an issue beneath', () => {
  const Address = z.object({ street: text.max(3), lines: z.array(text.max(3)), zip: text.max(3) })
  const of = things({ schema: z.object({ id: text, name: text.max(3), address: Address }) })
  const registry = serve(
    of,
    {
      schema: z.object({
        id: text,
        initial: text,
        called: text,
        'a/b~c': z.array(text),
        constructor: text,
      }),
      update: z.object({ called: text, 'a/b~c': z.array(text), constructor: text }),
      readOnly: ['initial'],
      fields: {
        initial: { of: 'name', read: (name: string) => name.slice(0, 1) },
        called: 'name',
        'a/b~c': { in: 'address', field: 'lines' },
        constructor: { in: 'address', field: 'street' },
      },
      without: ['create'],
    },
    [{ id: '1', name: 'n', address: { street: 's', lines: [], zip: '1' } }],
  )
  const sent = { called: 'n', 'a/b~c': [], constructor: 's' }
  test.each([
    ['a field that can be written', { called: 'long' }, '/called'],
    ['the member at fault', { constructor: 'long' }, '/constructor'],
    ['the place inside a member', { 'a/b~c': ['ok', 'long'] }, '/a~1b~0c/1'],
  ])('names %s', async (_, given, pointer) => {
    const put = (line: string, body: object) => ask(registry, `PUT ${line}`, body)
    const issue = { pointer, code: 'too_big' }
    const one = await put('/v1/things/1', { ...sent, ...given })
    expect([one.status, issuesOf(one.body)]).toEqual([422, [issue]])
    const many = await put('/v1/things', [{ ...sent, ...given, id: '1' }])
    expect(issuesOf(many.body)).toEqual([{ ...issue, pointer: `/0${pointer}` }])
  })
})

describe('a rule over several fields of the base', () => {
  const Span = z.object({ id: text, start: z.int(), end: z.int(), note: text })
  const isSpan = ({ start, end }: { start: number; end: number }) => start <= end
  const create = Span.refine(isSpan, { path: ['end'], message: 'ends before it starts' })
  const shown = z.object({ id: text, from: z.int(), note: text })
  const declared = { schema: shown, fields: { from: 'start' }, hidden: { end: 9 } }
  const registry = () =>
    serve(things({ schema: Span, create }), declared, [
      { id: '1', start: 1, end: 5, note: '' },
      { id: '2', start: 3, end: 2, note: '' },
    ])

  test('holds though a view hides one', async () => {
    const all = registry()
    const { status, body } = await ask(all, 'PUT /v1/things/1', { from: 7, note: '' })
    expect([status, issuesOf(body)]).toEqual([422, [{ pointer: '', code: 'custom' }]])
    expect((await ask(all, 'GET /v2/things/1')).body).toMatchObject({ start: 1, end: 5 })
  })

  test('blames no client for what was stored', async () => {
    const all = registry()
    expect(await ask(all, 'PUT /v1/things/2', { from: 3, note: 'x' })).toMatchObject({
      status: 200,
      body: { from: 3, note: 'x' },
    })
    expect((await ask(all, 'GET /v2/things/2')).body).toMatchObject({ end: 2, note: 'x' })
  })
})

describe('a field that the base takes in no body', () => {
  const Thing = z.object({ id: text, title: text, code: text.optional() })
  const Body = z.object({ title: text })
  const of = things({ schema: Thing, create: Body.extend({ id: text }), update: Body })
  const declared = {
    schema: z.object({ id: text, name: text, code: text.optional() }),
    fields: { name: 'title' },
  }
  const registry = (more: object = {}) =>
    serve(of, { ...declared, ...more }, [{ id: '1', title: 't', code: 'c' }])
  const fault = [{ pointer: '/code', code: 'unrepresentable' }]

  test.each([
    ['PUT /v1/things/1', { name: 'x', code: 'new' }],
    ['PATCH /v1/things/1', { code: 'new' }],
    ['POST /v1/things', { id: '2', name: 'x', code: 'new' }],
  ])('is refused in %s', async (line, sent) => {
    const all = registry()
    const { status, body } = await ask(all, line, sent)
    expect([status, issuesOf(body)]).toEqual([422, fault])
    expect((await ask(all, 'GET /v2/things')).body).toEqual([{ id: '1', title: 't', code: 'c' }])
  })

  test('may be hidden with a value', async () => {
    const bare = { schema: z.object({ id: text, name: text }), hidden: { code: 'x' } }
    const { status, body } = await ask(registry(bare), 'POST /v1/things', { id: '2', name: 'x' })
    expect([status, body]).toEqual([201, { id: '2', name: 'x' }])
  })

  test('stays where its client says nothing of it', async () => {
    const all = registry({ update: z.object({ name: text }) })
    expect((await ask(all, 'PUT /v1/things/1', { name: 'x' })).status).toBe(200)
    expect((await ask(all, 'GET /v2/things/1')).body).toEqual({ id: '1', title: 'x', code: 'c' })
  })
})

test('a field that a schema empties is removed', async () => {
  const emptied = z.preprocess((value) => (value === '' ? undefined : value), text.optional())
  const registry = serve(
    things({ schema: z.object({ id: text, note: text.optional() }) }),
    {
      schema: z.object({ id: text, remark: text.optional() }),
      create: z.object({ remark: emptied }),
      fields: { remark: 'note' },
    },
    [{ id: '1', note: 'old' }],
  )
  expect((await ask(registry, 'PUT /v1/things/1', { remark: '' })).body).toEqual({ id: '1' })
  expect((await ask(registry, 'GET /v2/things/1')).body).toEqual({ id: '1' })
})

describe('a dry run through a view', () => {
  const Thing = z.object({ id: text, title: text.max(3), cents: z.int() })
  const registryOf = () =>
    serve(
      things({ schema: Thing }),
      {
        schema: z.object({ id: text, name: text, price: text }),
        fields: { name: 'title', price: { of: 'cents', read: String, write: Number } },
      },
      [{ id: '1', title: 't', cents: 3 }],
    )
  const lines = ['PUT /v1/things/1', 'PATCH /v1/things/1', 'POST /v1/things'] as const
  const bulks = ['PUT /v1/things', 'PATCH /v1/things', 'POST /v1/things'] as const
  const bodies = [
    [{ name: 'too long', price: '3' }, 422],
    [{ name: 't', price: '03' }, 422],
    [{ name: 'new', price: '4' }, 200],
  ] as const
  const rows = bodies.flatMap(([body, status]) => [
    ...lines.map((line) => [line, { id: line.startsWith('POST') ? '2' : '1', ...body }, status]),
    ...bulks.map((line) => [line, [{ id: line.startsWith('POST') ? '2' : '1', ...body }], status]),
  ]) as [string, unknown, number][]
  test.each(rows)('of %s %j is %d', async (line, sent, status) => {
    const registry = registryOf()
    expect((await ask(registry, `${line}?dry_run=true`, sent)).status).toBe(status)
    expect((await ask(registry, 'GET /v2/things')).body).toEqual([
      { id: '1', title: 't', cents: 3 },
    ])
  })

  test('of an item that is absent is 404', async () => {
    const sent = { name: 'new', price: '4' }
    expect((await ask(registryOf(), 'PUT /v1/things/9?dry_run=true', sent)).status).toBe(404)
  })
})

test('an adapter gets hints and parents of the base', async () => {
  const of = things({ schema: z.object({ id: text, shelf_id: text, title: text }) })
  const shelves = defineResource('shelves', { schema: z.object({ id: text }) })
  const Rack = z.object({ id: text })
  const racks = defineView('racks', shelves, { schema: Rack, create: Rack })
  const view = Reflect.apply(defineView, null, [
    'things_v1',
    of,
    creating({
      schema: z.object({ id: text, rack_id: text, name: text }),
      fields: { name: 'title', rack_id: 'shelf_id' },
    }),
  ])
  const paths = { v1: { '/racks': racks, '/racks/:rack_id/things': view } }
  const asked: Operation[] = []
  const list = (operation: Operation) => {
    asked.push(operation)
    return []
  }
  const api = Reflect.apply(defineApi, null, [paths])
  const registry = Reflect.apply(defineRegistry(api).adapters, null, [
    { things: { list }, shelves: { read: () => ({ id: '1' }) } },
  ])
  expect((await ask(registry, 'GET /v1/racks/1/things?fields=name')).status).toBe(200)
  expect(asked.map(({ scope, query, parents }) => [scope, query.fields, parents])).toEqual([
    [{ shelf_id: '1' }, ['title'], [{ resource: shelves, id: '1' }]],
  ])
})

test('an adapter tells the table of a view', () => {
  const of = things({ schema: z.object({ id: text, title: text }) })
  const declared = creating({ schema: z.object({ id: text, title: text }) })
  const view = Reflect.apply(defineView, null, ['things_v1', of, declared])
  const api = Reflect.apply(defineApi, null, [{ v1: { '/things': view } }])
  const layout = { table: 'things', columns: {} }
  const adapters = { things: { list: () => [], layout: () => layout } }
  const { bindings } = Reflect.apply(defineRegistry(api).adapters, null, [adapters])
  const adaptersOfView = [...bindings.values()].map(({ adapter }) => adapter)
  expect(adaptersOfView.map((adapter) => adapter.layout?.())).toEqual([layout])
})

test('an adapter advises on the base of a view', async () => {
  const of = things({ schema: z.object({ id: text, title: text }) })
  const declared = creating({ schema: z.object({ id: text, title: text }) })
  const view = Reflect.apply(defineView, null, ['things_v1', of, declared])
  const mute = defineResource('shelves', { schema: z.object({ id: text }) })
  const api = Reflect.apply(defineApi, null, [{ v1: { '/things': view, '/shelves': mute } }])
  const asked: unknown[] = []
  const advise = (resource: Resource) => {
    asked.push(resource.name)
    return []
  }
  const adapters = { things: { list: () => [], advise }, shelves: { list: () => [] } }
  const registry = Reflect.apply(defineRegistry(api).adapters, null, [adapters])
  expect([await registry.advise(), asked]).toEqual([[], ['things']])
})

describe('a problem that an adapter of the base tells of its own', () => {
  const of = things({ schema: z.object({ id: text, heading: text, price: text }) })
  const view = Reflect.apply(defineView, null, [
    'things_v1',
    of,
    creating({
      schema: z.object({ id: text, name: text }),
      fields: { name: 'heading' },
      hidden: { price: '1' },
    }),
  ])
  const issues = ['/heading', '/price'].map((pointer) => ({
    pointer,
    code: 'locked',
    message: 'is locked',
  }))
  const locked = problem('conflict', 'The heading and the price are locked.', { issues })
  const ways = {
    'by throwing it': () => {
      throw locked
    },
    'by rejecting with it': () => Promise.reject(locked),
  }
  const rows = Object.entries(ways).flatMap(([way, fail]) => [
    [`GET /v1/things`, way, fail] as const,
    [`GET /v1/things/1`, way, fail] as const,
    [`DELETE /v1/things/1`, way, fail] as const,
  ])
  test.each(rows)('has the words of the view: %s %s', async (line, _, fail) => {
    const api = Reflect.apply(defineApi, null, [{ v1: { '/things': view } }])
    const registry = Reflect.apply(defineRegistry(api).adapters, null, [
      { things: { list: fail, read: fail, delete: fail } },
    ])
    const { status, body } = await ask(registry, line)
    expect([status, Object(body).issues]).toEqual([
      409,
      [
        { pointer: '/name', code: 'locked', message: 'is locked' },
        { pointer: '', code: 'locked', message: 'is not valid' },
      ],
    ])
    expect(JSON.stringify(body)).not.toMatch(/heading|price/)
  })
})

test('a caller of every owner names the owner', async () => {
  const Note = z.object({ id: text, tenant_id: text, title: text })
  const create = Note.omit({ tenant_id: true })
  const notes = defineResource('notes', { schema: Note, create, ownedBy: ['tenant_id'] })
  const Shown = z.object({ id: text, org: text, name: text })
  const view = defineView('notes_v1', notes, {
    schema: Shown,
    create: Shown.omit({ org: true }),
    fields: { org: 'tenant_id', name: 'title' },
  })
  const registry = defineRegistry(defineApi({ v1: { '/notes': view } }))
    .context(() => ({}))
    .scope(() => everything)
    .adapters({ notes: memoryAdapter() })
  const sent = { id: '1', org: 'a', name: 'x' }
  const url = '/v1/notes'
  const headers = { 'content-type': 'application/json' }
  const send = (method: string, path: string, body: object) =>
    handle({ method, url: path, headers, body: JSON.stringify(body) }, registry)
  expect(await send('POST', url, sent)).toMatchObject({ status: 201, body: sent })
  const moved = { ...sent, org: 'b' }
  expect(await send('PUT', `${url}/1`, moved)).toMatchObject({ status: 200, body: moved })
})

test('no view searches in a part that it hides', () => {
  const of = things({ schema: z.object({ id: text, name: text }), searchable: ['name'] })
  const parts = { schema: z.object({ id: text, a: text, b: text }), searchable: ['a', 'b'] }
  const split = (part: number) => ({ part, of: 'name', split: 'last' })
  const over = (view: unknown, declared: object) =>
    Reflect.apply(defineView, null, ['things_v1', view, creating(declared)])
  const both = over(of, { ...parts, fields: { a: split(0), b: split(1) } })
  const same = over(both, parts)
  const one = { schema: z.object({ id: text, b: text }), searchable: ['b'], hidden: { a: '' } }
  const message =
    'searches in "b", which is a part of a text in "things_v1": search in its "a" too, or leave'
  expect(() => over(both, one)).toThrow(message)
  expect(() => over(same, one)).toThrow(message)
  expect(over(both, { ...one, searchable: [] }).view.partsWith('b')).toEqual(['b', 'b'])
  const joined = { join: ['a', 'b'], split: 'last' }
  const whole = {
    schema: z.object({ id: text, c: text }),
    searchable: ['c'],
    fields: { c: joined },
  }
  expect(over(same, whole)).toMatchObject({ searchable: ['c'] })
})

test('a view keeps a field of its own', async () => {
  const note = text.nullable().optional()
  const Thing = z.object({ id: text, title: text, note, more: text.optional() })
  const Shown = z.object({ id: text, name: text, remark: note, more: text.optional() })
  const fields = { name: 'title', remark: 'note' }
  const item = { id: '1', title: 't', note: 'n', more: 'm' }
  const of = things({ schema: Thing })
  const registry = serve(of, { schema: Shown, fields, keep: ['remark'] }, [item])
  const put = async (sent: object) => {
    expect((await ask(registry, 'PUT /v1/things/1', sent)).status).toBe(200)
    return (await ask(registry, 'GET /v2/things/1')).body
  }
  expect(await put({ name: 'x' })).toEqual({ id: '1', title: 'x', note: 'n' })
  expect(await put({ name: 'x', remark: null })).toEqual({ id: '1', title: 'x', note: null })
})
