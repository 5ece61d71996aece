import { defineResource, defineView, type Registry, type Resource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, serviceOf } from '../support/things.ts'

const text = z.string()

function viewOf(of: Resource, declaration: { readonly schema: z.ZodType }, name = 'things_v1') {
  const declared = { create: declaration.schema, ...declaration }
  return Reflect.apply(defineView, null, [name, of, declared])
}

function resourceOf(declaration: object): Resource {
  return Reflect.apply(defineResource, null, ['things', declaration])
}

const place = z.object({ city: text, street: text.optional() })

/** Two fields of a view that show the same value source, with two values that each takes. */
const forms = {
  'two names': {
    source: { x: text },
    shown: { a: text, b: text },
    fields: { a: 'x', b: 'x' },
    values: [
      { a: 'p', b: 'p' },
      { a: 'q', b: 'q' },
    ],
  },
  'a name and a table': {
    source: { x: z.enum(['open', 'done']) },
    shown: { a: z.enum(['open', 'done']), b: z.boolean() },
    fields: { a: 'x', b: { of: 'x', values: { open: false, done: true } } },
    values: [
      { a: 'open', b: false },
      { a: 'done', b: true },
    ],
  },
  'a name and a join': {
    source: { x: text, y: text },
    shown: { x: text, y: text, b: text },
    fields: { b: { join: ['x', 'y'], split: 'last' } },
    values: [
      { x: 'p', y: 'q', b: 'p q' },
      { x: 'r', y: 's', b: 'r s' },
    ],
  },
  'a name and parts': {
    source: { x: text },
    shown: { a: text, b: text, c: text },
    fields: {
      a: 'x',
      b: { part: 0, of: 'x', split: 'last' },
      c: { part: 1, of: 'x', split: 'last' },
    },
    values: [
      { a: 'p q', b: 'p', c: 'q' },
      { a: 'r s', b: 'r', c: 's' },
    ],
  },
  'an object and its member': {
    source: { x: place },
    shown: { x: place, b: text },
    fields: { b: { in: 'x', field: 'city' } },
    values: [
      { x: { city: 'p' }, b: 'p' },
      { x: { city: 'q' }, b: 'q' },
    ],
  },
  'a member by two names': {
    source: { x: place },
    shown: { a: text, b: text },
    fields: { a: { in: 'x', field: 'city' }, b: { in: 'x', field: 'city' } },
    values: [
      { a: 'p', b: 'p' },
      { a: 'q', b: 'q' },
    ],
  },
  'a name and a function': {
    source: { x: z.int() },
    shown: { a: z.int(), b: text },
    fields: { a: 'x', b: { of: 'x', read: String, write: Number } },
    values: [
      { a: 1, b: '1' },
      { a: 2, b: '2' },
    ],
  },
} as const

type Fields = Readonly<Record<string, unknown>>

/** A service with one item, as the first values say. */
async function serviceWith(name: keyof typeof forms, storage: object = {}) {
  const { source, shown, fields, values } = forms[name]
  const of = resourceOf({ schema: z.object({ id: text, ...source }), ...storage })
  const view = viewOf(of, { schema: z.object({ id: text, ...shown }), fields } as never)
  const registry = serviceOf(view, of)
  const [before, after]: readonly Fields[] = values
  expect((await ask(registry, 'POST /v1/things', { id: '1', ...before })).status).toBe(201)
  const names = Object.keys(shown)
  // The last field contradicts the others.
  const last = names.at(-1) as string
  const contradicting: Fields = { ...after, [last]: before?.[last] }
  return { registry, before: before as Fields, after: after as Fields, contradicting, last }
}

const pointersOf = (body: unknown, at = '') =>
  (Object(body).issues ?? []).map(({ pointer }: { pointer: string }) => pointer.slice(at.length))

const names = Object.keys(forms) as (keyof typeof forms)[]
const bodies = {
  'POST /v1/things': (item: Fields) => ({ ...item, id: '2' }),
  'POST /v1/things?dry_run=true': (item: Fields) => ({ ...item, id: '2' }),
  'PUT /v1/things/1': (item: Fields) => item,
  'PUT /v1/things/1?dry_run=true': (item: Fields) => item,
  'PATCH /v1/things/1': (item: Fields) => item,
  'PATCH /v1/things/1?dry_run=true': (item: Fields) => item,
  'POST  /v1/things': (item: Fields) => [{ ...item, id: '2' }],
  'PUT /v1/things': (item: Fields) => [{ ...item, id: '1' }],
  'PATCH /v1/things': (item: Fields) => [{ ...item, id: '1' }],
} as const
const ways = Object.keys(bodies) as (keyof typeof bodies)[]
const rows = names.flatMap((name) => ways.map((way) => [name, way] as const))

describe('two fields over one value', () => {
  test.each(rows)('%s must agree: %s', async (name, way) => {
    const { registry, contradicting, after, last } = await serviceWith(name)
    const line = way.replace(/ +/, ' ')
    const body = bodies[way](contradicting)
    const refused = await ask(registry, line, body)
    expect(refused.status).toBe(422)
    const pointers = pointersOf(refused.body, Array.isArray(body) ? '/0' : '')
    expect(pointers).toContain(`/${last}`)
    expect(pointers.length).toBeGreaterThan(1)
    const written = await ask(registry, line, bodies[way](after))
    expect(written.status).toBe(way.startsWith('POST') && !way.includes('dry') ? 201 : 200)
    expect([written.body].flat()[0]).toMatchObject(after)
  })

  test.each(names)('%s follow each other in a PATCH', async (name) => {
    const { registry, before, after } = await serviceWith(name)
    for (const field of Object.keys(after)) {
      await ask(registry, 'PUT /v1/things/1', before)
      const { status, body } = await ask(registry, 'PATCH /v1/things/1', { [field]: after[field] })
      expect(status).toBe(200)
      const { body: item } = await ask(registry, 'GET /v1/things/1')
      expect(body).toEqual(item)
      expect(Object(item)[field]).toEqual(after[field])
      expect((await ask(registry, 'PUT /v1/things/1', item)).status).toBe(200)
    }
  })
})

test('a value that a field cannot store is no contradiction', async () => {
  const of = resourceOf({ schema: z.object({ id: text, x: z.int() }) })
  const schema = z.object({ id: text, a: z.int(), b: text })
  const fields = { a: 'x', b: { of: 'x', read: String, write: Number } }
  const registry = serviceOf(viewOf(of, { schema, fields } as never), of, [{ id: '1', x: 1 }])
  const { status, body } = await ask(registry, 'PUT /v1/things/1', { a: 2, b: 'two' })
  expect([status, pointersOf(body)]).toEqual([422, ['/b']])
})

test('a filter through a link over an id compares ids', async () => {
  const of = resourceOf({ schema: z.object({ id: text }), filterable: ['id'] })
  const schema = z.object({ id: text, key: text })
  const fields = { key: { of: 'id', absent: '-' } }
  const view = viewOf(of, { schema, fields, filterable: ['key'], readOnly: ['key'] } as never)
  const registry = serviceOf(view, of, [{ id: '1' }, { id: '2' }])
  const { body } = await ask(registry, 'GET /v1/things?key=2')
  expect(body).toEqual([{ id: '2', key: '2' }])
})

describe('an optional field over the value of another', () => {
  const of = resourceOf({ schema: z.object({ id: text, x: text.optional() }) })
  const schema = z.object({ id: text, a: text.optional(), b: text.optional() })
  const twice = viewOf(of, { schema, fields: { a: 'x', b: 'x' } } as never)
  const middle = viewOf(of, { schema, fields: { a: 'x', b: 'x' } } as never, 'things_v2')
  const above = viewOf(middle, { schema } as never)
  const stored = [{ id: '1', x: 'old' }]
  const changes = [
    ['POST', '', { id: '2', b: 'new' }, 201, 'new'],
    ['POST', '', { id: '2', a: 'new' }, 201, 'new'],
    ['PUT', '/1', { b: 'new' }, 200, 'new'],
    ['PUT', '/1', { b: 'old' }, 200, 'old'],
    ['PUT', '/1', { a: 'new' }, 200, 'new'],
    ['PUT', '/1', {}, 200, undefined],
    ['PATCH', '/1', { a: null }, 200, undefined],
    ['PATCH', '/1', { a: 'new', b: 'new' }, 200, 'new'],
    ['PATCH', '/1', { a: 'new', b: 'old' }, 422, undefined],
    ['PATCH', '/1', { a: null, b: 'new' }, 422, undefined],
  ] as const
  const services: readonly (readonly [string, (items: readonly object[]) => Registry])[] = [
    ['a view', (items) => serviceOf(twice, of, items)],
    ['a view of such a view', (items) => serviceOf(above, of, items)],
  ]
  const cases = services.flatMap(([name, make]) =>
    changes.map((row) => [name, ...row, make] as const),
  )
  test.each(cases)('follows it in %s: %s%s %j', async (...row) => {
    const [, method, at, sent, status, x, make] = row
    const answer = await ask(make(stored), `${method} /v1/things${at}`, sent)
    expect(answer.status).toBe(status)
    if (status === 422) expect(pointersOf(answer.body)).toEqual(['/a', '/b'])
    else {
      const { id: _, ...fields } = Object(answer.body)
      expect(fields).toEqual(x === undefined ? {} : { a: x, b: x })
    }
  })
})

describe('a table that says less than the schemas', () => {
  const declared = (state: z.ZodType) => {
    const of = resourceOf({ schema: z.object({ id: text, state }) })
    const schema = z.object({ id: text, status: z.enum(['here', 'gone', 'new', 'lost']) })
    const values = { active: 'here', left: 'gone', lost: 'lost' }
    return serviceOf(
      viewOf(of, { schema, fields: { status: { of: 'state', values } } } as never),
      of,
      [{ id: '1', state: 'active' }],
    )
  }
  const sent = [
    ['a value without a row', 'new', 'must be one of here, gone, lost'],
    ['a value that is not source', 'lost', 'must be one of here, gone'],
  ] as const
  const all = sent.flatMap((row) => ways.map((way) => [...row, way] as const))
  test.each(all)('refuses %s: %s, %s, by %s', async (_, status, message, way) => {
    const registry = declared(z.enum(['active', 'left']))
    const body = bodies[way]({ status })
    const answer = await ask(registry, way.replace(/ +/, ' '), body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      issues: [{ pointer: `${Array.isArray(body) ? '/0' : ''}/status`, message }],
    })
  })
})
