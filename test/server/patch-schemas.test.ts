import { defineApi, defineRegistry, defineResource, handle, type StandardSchema } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Loose, notesWith, requestOf } from '../support/registry.ts'

const All = z
  .object({ name: z.string(), by: z.string(), kind: z.string(), start: z.number() })
  .extend({ type: z.string(), digits: z.string(), iban: z.string(), note: z.string() })
  .extend({ left: z.number(), right: z.number(), x: z.number() })
  .extend({ end: z.number(), at: z.number(), meta: z.any(), more: z.any() })
  .partial()
  .extend({ id: z.string() })
const Base = z.object({ name: z.string() })
const Range = z.object({ kind: z.literal('range'), start: z.number(), end: z.number() })
const Point = z.object({ kind: z.literal('point'), at: z.number() })
const Shape = z
  .discriminatedUnion('kind', [Range, Point])
  .refine((shape) => shape.kind === 'point' || shape.start <= shape.end, 'ends before it starts')
const Strict = z.discriminatedUnion('kind', [Range.strict(), Point.strict()])
const range = { kind: 'range', start: 1, end: 5 }
const Prepared = Base.extend({ by: z.preprocess((by) => by, z.string().optional()) })
const Card = z.object({ type: z.literal('card'), digits: z.string(), note: z.string().optional() })
const Iban = z.object({ type: z.literal('iban'), iban: z.string(), note: z.string().optional() })
const Payment = z.discriminatedUnion('type', [Card, Iban])
const Sides = z.union([
  z.object({ left: z.number(), x: z.number().optional() }),
  z.object({ right: z.number() }),
])
const Moved = z.object({ start: z.number() }).transform(({ start }) => ({ at: start }))
const Text: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      const { name, by } = Object(value)
      return typeof name === 'string'
        ? { value: { name, ...(by === 'ann' && { by }) } }
        : { issues: [] }
    },
  },
}
const card = { type: 'card', digits: '42', note: 'n' }
const Meta = z.object({ name: z.string(), meta: z.any(), more: z.unknown().optional() })

// biome-ignore format: a row stays a line
const rows: readonly (readonly [
  name: string, update: StandardSchema, stored: object, patch: object, status: number,
  after: object,
])[] = [
  ['a union keeps its fields',           Shape,                  range,                   { start: 2 },                           200, { ...range, start: 2 }],
  ['a union keeps its rule',             Shape,                  range,                   { start: 9 },                           422, range],
  ['a strict union keeps its fields',    Strict,                 range,                   { end: 7 },                             200, { ...range, end: 7 }],
  ['a strict union changes',             Strict,                 range,                   { kind: 'point', at: 3, start: null, end: null }, 200, { kind: 'point', at: 3 }],
  ['a strict union refuses a mixture',   Strict,                 range,                   { kind: 'point', at: 3 },               422, range],
  ['a union knows more than objects',    z.union([Base, z.string()]), { name: 'a' },      { name: 'b' },                          200, { name: 'b' }],
  ['a union beside other fields',        Base.and(Shape),        { ...range, name: 'a' }, { name: 'b' },                          200, { ...range, name: 'b' }],
  ['an unknown field stays',             Base,                   { name: 'a', by: 'ann' }, { by: 'bob' },                         200, { name: 'a', by: 'ann' }],
  ['an unknown field stays, if null',    Base,                   { name: 'a', by: 'ann' }, { by: null },                          200, { name: 'a', by: 'ann' }],
  ['a strict schema refuses it',         Base.strict(),          { name: 'a', by: 'ann' }, { by: 'bob' },                         422, { name: 'a', by: 'ann' }],
  ['a strict schema has none to clear',   Base.strict(),          { name: 'a', by: 'ann' }, { by: null },                          200, { name: 'a', by: 'ann' }],
  ['a loose schema loses it',            Base.loose(),           { name: 'a', by: 'ann' }, { by: null },                          200, { name: 'a' }],
  ['null clears a prepared field',       Prepared,               { name: 'a', by: 'ann' }, { by: null },                          200, { name: 'a' }],
  ['a union changes its form',           Payment,                card,                    { type: 'iban', iban: 'DE' },           200, { type: 'iban', iban: 'DE', note: 'n' }],
  ['a form lacks a field',               Payment,                card,                    { iban: 'DE' },                         422, card],
  ['a form clears it already',           Payment,                card,                    { type: 'iban', iban: 'DE', digits: null }, 200, { type: 'iban', iban: 'DE', note: 'n' }],
  ['a form keeps one of no form',        Payment,                { ...card, by: 'ann' },  { type: 'iban', iban: 'DE' },           200, { type: 'iban', iban: 'DE', note: 'n', by: 'ann' }],
  ['a plain union drops a field',        Sides,                  { left: 1 },             { right: 2 },                           422, { left: 1 }],
  ['a plain union changes its form',     Sides,                  { left: 1, x: 3 },       { right: 2, left: null },               200, { right: 2 }],
  ['a field of no form is dropped',      Sides,                  { left: 1 },             { left: 2, name: 'x' },                 200, { left: 2 }],
  ['a transform moves a field',          Moved,                  { start: 1 },            { start: 2 },                           422, { start: 1 }],
  ['no JSON Schema clears nothing',      Text,                   { name: 'a', by: 'bob' }, { name: 'b' },                         200, { name: 'b', by: 'bob' }],
  ['no JSON Schema drops a field',       Text,                   { name: 'a', by: 'ann' }, { by: 'bob' },                         200, { name: 'a', by: 'ann' }],
  ['a missing field stays missing',      z.object({ name: z.string(), note: z.string().nullish() }), { name: 'a' }, { note: null }, 200, { name: 'a' }],
  ['any value may be null',              Meta,                   { name: 'a', meta: 1 },  { meta: null },                         200, { name: 'a', meta: null }],
  ['an unknown value may be null',       Meta,                   { name: 'a', meta: 1, more: 2 }, { more: null },                 200, { name: 'a', meta: 1, more: null }],
]

describe('a patch of a schema', () => {
  for (const [name, update, stored, patch, status, after] of rows) {
    test(`where ${name}`, async () => {
      const { registry, errors } = notesWith(
        memoryAdapter({ items: [{ id: 'a', ...stored }] }) as Loose,
        {
          declaration: {
            schema: All,
            create: update,
            update,
            sortable: [],
            searchable: [],
          },
        },
      )
      for (const line of [
        ['PATCH', '/notes/a', patch],
        ['PATCH', '/notes', [{ id: 'a', ...patch }]],
      ] as const)
        expect(await handle(requestOf([...line]), registry)).toMatchObject({ status })
      const { body } = await handle({ method: 'GET', url: '/notes/a' }, registry)
      expect(body).toEqual({ id: 'a', ...after })
      expect(errors).toEqual([])
    })
  }
})

const Note = z.object({ id: z.string(), text: z.string(), rev: z.number().optional() })

test('a patch without the revision of the item writes nothing', async () => {
  const written: unknown[] = []
  const item = { id: 'a', text: 'old' }
  const adapter: Loose = {
    read: () => item,
    update: ({ item }) => written.push(item) && item,
    updateMany: ({ items }) => written.push(items) && items,
  }
  const { registry, errors } = notesWith(adapter, {
    declaration: { schema: Note, create: Note.pick({ text: true }), revision: 'rev', sortable: [] },
  })
  for (const line of [
    ['PATCH', '/notes/a', { text: 'new' }],
    ['PATCH', '/notes', [{ id: 'a', text: 'new' }]],
  ] as const)
    expect(await handle(requestOf([...line]), registry)).toMatchObject({ status: 500 })
  expect(errors.map(String)).toEqual([
    expect.stringContaining('without its "rev"'),
    expect.stringContaining('without its "rev"'),
  ])
  expect(written).toEqual([])
})

test('ids that no item can have reach no adapter', async () => {
  const called: unknown[] = []
  const adapter: Loose = {
    read: () => null,
    modify: () => called.push('modify'),
    modifyMany: ({ ids }) => called.push(ids),
  }
  const { registry } = notesWith(adapter)
  const body = [
    { id: 'first', text: 'x' },
    { id: 'x'.repeat(300), text: 'x' },
  ]
  expect(await handle(requestOf(['PATCH', '/notes', body]), registry)).toMatchObject({
    status: 404,
    body: { issues: [{ pointer: '/0/id' }, { pointer: '/1/id' }] },
  })
  expect(called).toEqual([])
})

test('dates of an adapter are texts for a patch', async () => {
  const Task = z.object({ id: z.string(), text: z.string(), due: z.iso.datetime() })
  const tasks = defineResource('tasks', { schema: Task, create: Task.omit({ id: true }) })
  const due = new Date('2026-01-02T03:04:05.678Z')
  let stored: object = { id: 'a', text: 'old', due }
  const adapter: Loose = {
    read: () => stored,
    modify: (_, __, change) => {
      stored = Object(change?.(stored))
      return stored
    },
  }
  const registry = defineRegistry(defineApi({ v1: { '/tasks': tasks } })).adapters({
    tasks: adapter as never,
  })
  const patch = (body: object) => handle(requestOf(['PATCH', '/tasks/a', body]), registry)
  expect(await patch({ text: 'new' })).toMatchObject({ status: 200 })
  expect(stored).toEqual({ id: 'a', text: 'new', due })
  expect(await patch({ due: due.toJSON() })).toMatchObject({ status: 200 })
  expect(stored).toEqual({ id: 'a', text: 'new', due })
  const later = '2027-01-02T03:04:05.678Z'
  expect(await patch({ due: later })).toMatchObject({ status: 200 })
  expect(stored).toEqual({ id: 'a', text: 'new', due: later })
})

const Row = z.object({ name: z.string(), size: z.number().max(9), tags: z.array(z.string()) })
const Trimmed = Row.extend({ name: z.string().trim() })
const Coerced = Row.extend({ name: z.coerce.string() })
const Piped = Row.extend({ name: z.string().transform(Number) })
const Ruled = Row.refine(({ name, size }) => name !== 'no' && size !== 8, 'is no pair')
const Waiting = Row.extend({ name: z.string().refine(async () => true) })
const form = (kind: string, name: z.ZodType) =>
  z.object({ kind: z.literal(kind), size: z.number(), name })
const Forms = z.discriminatedUnion('kind', [
  form('x', z.string().optional()),
  form('y', z.string().optional()),
])
const Moving = z.discriminatedUnion('kind', [
  form('x', z.string().transform(Number).optional()),
  form('y', z.string().optional()),
])
const either = z.union([Row, z.object({ other: z.string() })])
const Everything = All.extend({
  size: z.number(),
  tags: z.array(z.json()),
  other: z.string(),
}).partial()
const bad = { name: 'a', size: 10, tags: ['x', 7] }

// biome-ignore format: a row stays a line
const faulty: readonly (readonly [
  name: string, update: z.ZodType, stored: object, patch: object, faults: string | undefined,
])[] = [
  ['another field is written as sent',   Row,     bad,                     { name: 'b' },              undefined],
  ['a missing field refuses nothing',    Row,     { size: 1, tags: [] },   { size: 2 },                undefined],
  ['each own fault is told',             Row,     bad,                     { name: 7 },                '/name'],
  ['a field at fault may be fixed',     Row,     bad,                     { size: 9 },                undefined],
  ['all of them may be fixed',          Row,     bad,                     { size: 9, tags: ['x'] },   undefined],
  ['a field at fault stays at fault',    Row,     bad,                     { size: 11 },               '/size'],
  ['a new fault of it is told',          Row,     bad,                     { tags: ['x', 'y', 7] },    '/tags/2'],
  ['a missing field may come',           Row,     { size: 1, tags: [] },   { name: 'b' },              undefined],
  ['a missing field may not be null',    Row,     { size: 1, tags: [] },   { name: null },             '/name'],
  ['a field of no schema is dropped',    Row,     bad,                     { name: 'b', by: 'ann' },   undefined],
  ['a trimmed text stays itself',        Trimmed, bad,                     { name: 'b' },              undefined],
  ['a text to trim cannot change alone', Trimmed, bad,                     { name: ' b' },             '/name'],
  ['a coerced value likewise',           Coerced, bad,                     { name: 7 },                '/name'],
  ['a piped value likewise',             Piped,   bad,                     { name: '7' },              '/name'],
  ['a check that waits cannot run alone', Waiting, bad,                    { name: 'b' },              '/name'],
  ['a form with faults takes a field',   Forms,   { kind: 'x', size: 'no' }, { name: 'b' },            undefined],
  ['a form may change with faults',      Forms,   { kind: 'x', size: 'no' }, { kind: 'y' },            undefined],
  ['a form that moves a field is told',  Moving,  { kind: 'x', size: 'no' }, { name: '7' },            '/name'],
  ['a rule of the whole is told',        Ruled,   { ...bad, size: 8, tags: [] }, { name: 'b' },        ''],
  ['the nearest form of a union counts', either,  bad,                     { name: 'b' },              undefined],
  ['a union without a nearest is told',  Sides,   {},                      { x: 7 },                   ''],
]

describe('a patch of an item with faults', () => {
  for (const [name, update, stored, patch, faults] of faulty) {
    test(`where ${name}`, async () => {
      const { registry } = notesWith(memoryAdapter({ items: [{ id: 'a', ...stored }] }) as Loose, {
        declaration: { schema: Everything, create: update, update, sortable: [], searchable: [] },
      })
      const one = await handle(requestOf(['PATCH', '/notes/a', patch]), registry)
      const many = await handle(requestOf(['PATCH', '/notes', [{ id: 'a', ...patch }]]), registry)
      const pointers = ({ body }: { readonly body?: unknown }) =>
        ((Object(body).issues ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)
      const isRefused = faults !== undefined
      expect([one.status, ...pointers(one)]).toEqual(isRefused ? [422, faults] : [200])
      expect([many.status, ...pointers(many)]).toEqual(isRefused ? [422, `/0${faults}`] : [200])
      const { by: _, ...written } = { ...stored, ...patch, id: 'a' } as Record<string, unknown>
      const { body } = await handle({ method: 'GET', url: '/notes/a' }, registry)
      expect(body).toEqual(isRefused ? { ...stored, id: 'a' } : written)
    })
  }
})
