import { defineResource, defineView } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, serviceOf } from '../support/things.ts'

const text = z.string()
const split = 'last'
const address = z.object({ city: text.optional(), street: text.optional() })

/** An optional field of a view: the fields source, its schema, its link, and two values. */
const forms = {
  'a member of an object': [{ addr: address }, text, { in: 'addr', field: 'city' }, 'p', 'q'],
  'a member of an optional object': [
    { addr: address.optional() },
    text,
    { in: 'addr', field: 'city' },
    'p',
    'q',
  ],
  'a required member of an optional object': [
    { addr: z.object({ city: text }).optional() },
    text,
    { in: 'addr', field: 'city' },
    'p',
    'q',
  ],
  'a member of a nullable object': [
    { addr: address.nullable() },
    text,
    { in: 'addr', field: 'city' },
    'p',
    'q',
  ],
  'a member of a record': [
    { addr: z.record(text, text) },
    text,
    { in: 'addr', field: 'city' },
    'p',
    'q',
  ],
  'a join': [
    { a: text.optional(), b: text.optional() },
    text,
    { join: ['a', 'b'], split },
    'p q',
    'r s',
  ],
  'a part': [{ a: text.optional() }, text, { part: 0, of: 'a', split }, 'p', 'q'],
  'a table': [
    { a: z.enum(['x', 'y']).optional() },
    z.boolean(),
    { of: 'a', values: { x: true, y: false } },
    true,
    false,
  ],
  'a stand-in': [{ a: text }, text, { of: 'a', absent: '-' }, 'p', 'q'],
  'a name': [{ a: text.optional() }, text, 'a', 'p', 'q'],
} as const

const names = Object.keys(forms) as (keyof typeof forms)[]

function service(name: keyof typeof forms) {
  const [source, shown, link] = forms[name]
  const of = Reflect.apply(defineResource, null, [
    'things',
    { schema: z.object({ id: text, ...source }) },
  ])
  const schema = z.object({ id: text, v: shown.optional() })
  const declared = { schema, create: schema, fields: { v: link } }
  return serviceOf(Reflect.apply(defineView, null, ['things_v1', of, declared]), of)
}

describe('an optional field may be left out', () => {
  test.each(names)('%s', async (name) => {
    const registry = service(name)
    const [, , , first, second] = forms[name]
    const none = name === 'a stand-in' ? '-' : undefined
    const holds = async (line: string, sent: unknown, expected: unknown, id = '1') => {
      const { status, body } = await ask(registry, line, sent)
      const item = expected === undefined ? { id } : { id, v: expected }
      const stored = await ask(registry, `GET /v1/things/${id}`)
      const base = await ask(registry, `GET /v2/things/${id}`)
      expect([line, status, [body].flat()[0], stored.body, base.status]).toEqual([
        line,
        line.startsWith('POST') ? 201 : 200,
        item,
        item,
        200,
      ])
    }
    await holds('POST /v1/things', { id: '1' }, none)
    await holds('POST /v1/things', [{ id: '2' }], none, '2')
    await holds('PATCH /v1/things/1', { v: first }, first)
    await holds('PUT /v1/things/1', {}, none)
    await holds('PUT /v1/things/1', { v: second }, second)
    await holds('PATCH /v1/things/1', {}, second)
    await holds('PATCH /v1/things/1', { v: null }, none)
    await holds('PUT /v1/things', [{ id: '2', v: first }], first, '2')
    await holds('PATCH /v1/things', [{ id: '2', v: null }], none, '2')
    await holds('PUT /v1/things', [{ id: '2' }], none, '2')
    await holds('POST /v1/things', { id: '3', v: second }, second, '3')
  })
})

test('a part of a nullable text takes null', async () => {
  const of = Reflect.apply(defineResource, null, [
    'things',
    { schema: z.object({ id: text, a: text.nullable() }) },
  ])
  const schema = z.object({ id: text, v: text.nullable() })
  const declared = { schema, create: schema, fields: { v: { part: 0, of: 'a', split } } }
  const view = Reflect.apply(defineView, null, ['things_v1', of, declared])
  const registry = serviceOf(view, of, [{ id: '1', a: 'p' }])
  const { status, body } = await ask(registry, 'PUT /v1/things/1', { v: null })
  expect([status, body]).toEqual([200, { id: '1', v: null }])
  expect((await ask(registry, 'GET /v2/things/1')).body).toEqual({ id: '1', a: null })
})
