import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Loose, notesWith, requestOf } from '../support/registry.ts'

const All = z
  .object({ name: z.string(), by: z.string(), kind: z.string(), start: z.number() })
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
const Meta = z.object({ name: z.string(), meta: z.any(), more: z.unknown().optional() })

// biome-ignore format: a row stays a line
const rows: readonly (readonly [
  name: string, update: z.ZodType, stored: object, patch: object, status: number, after: object,
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
