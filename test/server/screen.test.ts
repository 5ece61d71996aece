import { defineApi, defineRegistry, isProblem, type OperationKind } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { noQuery, type Outcome } from '../../src/contract/resource/operation.ts'
import type { Resource } from '../../src/contract/resource/resource.ts'
import { Lifetime } from '../../src/server/lifetime/lifetime.ts'
import { sourceOf } from '../../src/server/plan.ts'
import { screen as screenTask } from '../../src/server/steps/screen.ts'
import type { Task } from '../../src/server/task.ts'

const text = z.string()
const Note = z.object({
  id: text,
  text: z.any(),
  tags: z.array(z.object({ name: text })).optional(),
  at: z.object({ x: z.number(), y: z.number().optional() }).optional(),
})
const notes: Resource = defineResource('notes', { schema: Note, create: z.object({ text }) })
const open: Resource = defineResource('things', { schema: z.looseObject({ id: text }) })

/** The kind of a request, and the item that an adapter had to store. */
interface Given {
  readonly kind: OperationKind
  readonly stored?: object
  readonly replayed?: object
}

const read: Given = { kind: 'list' }
const registry = defineRegistry(
  defineApi({ v1: { '/notes': defineResource('notes', { schema: z.object({ id: text }) }) } }),
)

function screened(outcome: Outcome, resource: Resource, { kind, stored, replayed }: Given) {
  const told: unknown[] = []
  const lifetime = new Lifetime(
    { method: 'GET', url: '/' },
    registry.onError((error) => void told.push(error)).adapters({ notes: { read: () => null } }),
  )
  const task = {
    outcome,
    plan: { resource, source: sourceOf(kind) },
    operation: { query: noQuery, item: stored },
    included: [],
    replayed,
    lifetime,
  } as unknown as Task
  return { outcome: screenTask(task)?.outcome ?? outcome, told }
}

const screen = (outcome: Outcome, resource: Resource, given = read): Outcome =>
  screened(outcome, resource, given).outcome
const item = (given: unknown): Outcome => ({ gives: 'item', item: given as object })
const left = (given: unknown, resource = notes): unknown => {
  const outcome = screen(item(given), resource)
  return outcome.gives === 'item' ? outcome.item : outcome
}

class Money {
  readonly #cents: number
  constructor(cents: number) {
    this.#cents = cents
  }
  toJSON() {
    return { cents: this.#cents }
  }
}

class Row {
  id = 'a'
  text = 'x'
  password = 'secret'
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

const circle: { id: string; text?: unknown } = { id: 'a' }
circle.text = [circle]

describe('what leaves', () => {
  // biome-ignore format: a row stays a line
  const rows: [name: string, given: unknown, left: unknown][] = [
    ['loses what is not declared',  { id: 'a', password: 'x', text: 'x' },      { id: 'a', text: 'x' }],
    ['loses it in the first place', { password: 'x', id: 'a', text: 1 },        { id: 'a', text: 1 }],
    ['loses it within a field',     { id: 'a', text: 1, at: { x: 1, z: 1 } },   { id: 'a', text: 1, at: { x: 1 } }],
    ['loses it within elements',    { id: 'a', text: 1, tags: [{ name: 'x' }, { name: 'y', z: 1 }, { name: 'z' }] }, { id: 'a', text: 1, tags: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] }],
    ['loses it, unwritable or not', { id: 'a', text: 1, big: 1n },              { id: 'a', text: 1 }],
    ['of a class loses it too',     new Row(),                                  { id: 'a', text: 'x' }],
    ['keeps what is open',          { id: 'a', text: { any: [{ thing: null }] } }, { id: 'a', text: { any: [{ thing: null }] } }],
    ['has dates as text',           { id: 'a', text: new Date(0) },             { id: 'a', text: '1970-01-01T00:00:00.000Z' }],
    ['asks toJSON once',            { id: 'a', text: new Money(7) },            { id: 'a', text: { cents: 7 } }],
    ['takes toJSON of lists',       { id: 'a', text: { toJSON: () => [1] } },   { id: 'a', text: [1] }],
    ['takes toJSON of the item',    { toJSON: () => ({ id: 'a', text: 1, z: 1 }) }, { id: 'a', text: 1 }],
    ['leaves a key of that name',   { id: 'a', text: JSON.parse('{"toJSON":"x","then":"y"}') }, { id: 'a', text: JSON.parse('{"toJSON":"x","then":"y"}') }],
    ['is without what is undefined', { id: 'a', text: 1, tags: undefined, z: 1 }, { id: 'a', text: 1 }],
    ['may be of no prototype',      Object.assign(Object.create(null), { id: 'a', text: {} }), { id: 'a', text: {} }],
    ['keeps a lone surrogate',      { id: 'a', text: '\ud800' },                { id: 'a', text: '\ud800' }],
  ]
  for (const [name, given, expected] of rows) {
    test(name, () => expect(left(given)).toEqual(expected))
  }

  test('is the very same where nothing is wrong', () => {
    const whole = { id: 'a', text: 'x', tags: [{ name: 'x' }], at: { x: 1 } }
    expect(left(whole)).toBe(whole)
    const items = [whole, whole]
    expect(screen({ gives: 'items', items }, notes)).toMatchObject({ items })
    const count: Outcome = { gives: 'count', count: 3 }
    expect(screen(count, notes)).toBe(count)
  })

  test('is looked through item by item', () => {
    const whole = { id: 'a', text: 'x' }
    const outcome = screen(
      { gives: 'items', items: [whole, { ...whole, z: 1 }, whole], next: 'n' },
      notes,
    )
    expect(outcome).toEqual({ gives: 'items', items: [whole, whole, whole], next: 'n' })
  })

  test('is not read where nobody declared it', () => {
    const given = {
      id: 'a',
      get lazy() {
        throw new Error('read')
      },
      text: 1,
    }
    expect(left(given)).toEqual({ id: 'a', text: 1 })
  })

  test('keeps a key called __proto__ a key', () => {
    const given = JSON.parse('{"id":"a","__proto__":{"x":1},"at":"2"}')
    given.when = new Date(0)
    expect(JSON.stringify(left(given, open))).toBe(
      '{"id":"a","__proto__":{"x":1},"at":"2","when":"1970-01-01T00:00:00.000Z"}',
    )
  })

  test('has nothing that it inherits', () => {
    const given = Object.assign(Object.create({ text: 'inherited', z: 1n }), { id: 'a' })
    given.when = new Date(0)
    expect(left(given, open)).toEqual({ id: 'a', when: '1970-01-01T00:00:00.000Z' })
  })

  // biome-ignore format: a row stays a line
  const refused: [name: string, given: unknown, message: RegExp][] = [
    ['NaN',                    { id: 'a', text: Number.NaN },                 /gave NaN in "text"/],
    ['Infinity',               { id: 'a', text: [Number.NEGATIVE_INFINITY] }, /gave -Infinity in "text"/],
    ['a bigint',               { id: 'a', text: 1n },                         /a bigint in "text"/],
    ['a function',             { id: 'a', text: () => 1 },                    /a function in/],
    ['a symbol',               { id: 'a', text: Symbol('x') },                /a symbol in/],
    ['a Map',                  { id: 'a', text: new Map([[1, 2]]) },          /write as \{\} in/],
    ['what only inherits',     { id: 'a', text: Object.create(Object.create({ x: 1 })) }, /write as \{\} in/],
    ['a Set in a list',        { id: 'a', text: [new Set()] },                /write as \{\} in/],
    ['a promise',              { id: 'a', text: Promise.resolve() },          /write as \{\} in/],
    ['an error',               { id: 'a', text: new Error('x') },             /write as \{\} in/],
    ['bytes',                  { id: 'a', text: Buffer.from('x') },           /bytes in/],
    ['numbers of one type',    { id: 'a', text: new Float64Array(1) },        /bytes in/],
    ['an invalid date',        { id: 'a', text: new Date(Number.NaN) },       /toJSON gives nothing/],
    ['a toJSON of nothing',    { id: 'a', text: { toJSON: () => undefined } }, /toJSON gives nothing/],
    ['a toJSON of NaN',        { id: 'a', text: { toJSON: () => Number.NaN } }, /gave NaN/],
    ['an item without toJSON', { id: 'a', toJSON: () => 'x' },                /a value that is no object/],
    ['a hole',                 { id: 'a', text: new Array(2) },               /a hole/],
    ['undefined in a list',    { id: 'a', text: [undefined] },                /a hole/],
    ['a circle',               circle,                                        /without an end/],
    ['a deep well',            { id: 'a', text: nested(1001) },               /without an end/],
    ['no item',                7,                                             /a value that is no object/],
    ['null',                   null,                                          /a value that is no object/],
  ]
  for (const [name, given, message] of refused) {
    test(`cannot be ${name}`, () => {
      expect(() => left(given)).toThrow(message)
      try {
        left(given)
      } catch (error) {
        expect([error instanceof TypeError, isProblem(error)]).toEqual([true, false])
      }
    })
  }

  test('may be nested deep', () => {
    const deep = { id: 'a', text: nested(900) }
    expect(left(deep)).toBe(deep)
  })
})

describe('a field that an item lacks', () => {
  const whole = { id: 'a', text: 1, tags: [{ name: 'x' }], at: { x: 1 } }
  const { text: _, ...bare } = whole
  const { at, ...flat } = whole
  const hollow = { ...whole, at: {}, tags: [{}, { name: 'x' }] }
  const fault = (field: string) =>
    expect.objectContaining({ name: 'StoredValueError', resource: 'notes', id: 'a', field })
  const inner = [fault('tags'), fault('at')]
  const open = { ...whole, text: undefined }
  const bytes = { ...whole, text: new Uint8Array(1) }
  type Left = object | RegExp

  // biome-ignore format: a row stays a line
  const rows: [name: string, given: Given, item: object, left: Left, told?: unknown[]][] = [
    ['of a list is null',               { kind: 'list' },                 bare,   { ...whole, text: null }, [fault('text')]],
    ['of a read is null',               { kind: 'read' },                 bare,   { ...whole, text: null }, [fault('text')]],
    ['of an end is null',               { kind: 'last' },                 bare,   { ...whole, text: null }, [fault('text')]],
    ['of a deletion is null',           { kind: 'delete' },               bare,   { ...whole, text: null }, [fault('text')]],
    ['of a replay is null',             { kind: 'create', replayed: {} }, bare,   { ...whole, text: null }, [fault('text')]],
    ['of an item unchanged is null',    { kind: 'patch', stored: bare },  bare,   { ...whole, text: null }, [fault('text')]],
    ['that is undefined is null',       { kind: 'read' },                 open,   { ...whole, text: null }, [fault('text')]],
    ['beside an undeclared one is null', { kind: 'read' },                { ...bare, z: 1 }, { ...whole, text: null }, [fault('text')]],
    ['in a value stays missing',        { kind: 'list' },                 hollow, hollow,                   inner],
    ['in a value unchanged too',        { kind: 'update', stored: hollow }, hollow, hollow,                 inner],
    ['beside one undeclared too',       { kind: 'read' },                 { ...whole, at: { y: 1, z: 1 } }, { ...whole, at: { y: 1 } }, [fault('at')]],
    ['that is optional is missing',     { kind: 'read' },                 flat,   flat,                     []],
    ['of a new item is an error',       { kind: 'create', stored: bare }, bare,   /without "text"/],
    ['that the adapter lost is one',    { kind: 'update', stored: whole }, bare,  /without "text"/],
    ['inside that it lost is one',      { kind: 'patch', stored: whole }, hollow, /without "name"/],
    ['of a middleware item is one',     { kind: 'update' },               bare,   /without "text"/],
    ['is no value of another kind',     { kind: 'read' },                 bytes,  /gave bytes in "text"/],
    ['of a deletion may be unwritable', { kind: 'delete' },               bytes,  { ...whole, text: null }, [fault('text')]],
  ]
  for (const [name, given, stored, expected, told] of rows) {
    test(name, () => {
      const act = () => screened(item(stored), notes, given)
      if (expected instanceof RegExp) expect(act).toThrow(expected)
      else expect(act()).toEqual({ outcome: item(expected), told })
    })
  }

  test('is told once for a resource, field and registry', () => {
    const items = [bare, { ...bare, id: 'b' }, hollow]
    const { told } = screened({ gives: 'items', items }, notes, read)
    expect(told).toEqual([fault('text'), ...inner])
    expect(String(told[0])).toBe(
      'StoredValueError: Item "a" of "notes" is stored with a fault in "text"',
    )
    expect(String(Object(told[0]).cause)).toMatch(
      'an item without "text", which the schema requires',
    )
  })
})

describe('an item after a usual one', () => {
  const Plain = z.object({ id: text, name: text })
  const plain = () => defineResource('plains', { schema: Plain, create: Plain })
  const both = (second: object) => {
    const resource = plain()
    const items = [{ id: '1', name: 'a' }, { id: '1', name: 'a' }, second]
    const outcome = screen({ gives: 'items', items }, resource)
    return outcome.gives === 'items' ? (outcome.items as readonly object[])[2] : undefined
  }
  const secret = { id: '2', name: 'b', secret: 's' }

  test('loses undeclared fields that a hidden toJSON gives', () => {
    const hidden = { value: () => secret }
    const given = Object.defineProperty({ id: '2', name: 'b' }, 'toJSON', hidden)
    expect(both(given)).toEqual({ id: '2', name: 'b' })
  })

  test('loses its undeclared fields', () => {
    expect(both(secret)).toEqual({ id: '2', name: 'b' })
    expect(both({ secret: 's', id: '2', name: 'b' })).toEqual({ id: '2', name: 'b' })
  })

  test('has null for a required field that it lacks', () => {
    const inherited = Object.assign(Object.create({ name: 'a' }), { id: '1' })
    const resource = plain()
    for (const items of [
      [inherited, { id: '2' }],
      [{ id: '1', name: 'a' }, { id: '2' }],
    ]) {
      expect(screen({ gives: 'items', items }, resource)).toMatchObject({
        items: [{ id: '1' }, { id: '2', name: null }],
      })
    }
  })

  test('must hold values that JSON carries', () => {
    for (const name of [Number.NaN, () => 'a', 1n]) {
      expect(() => both({ id: '2', name })).toThrow(TypeError)
    }
  })
})
