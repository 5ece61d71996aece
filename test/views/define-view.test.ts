import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { View } from '../../src/contract/resource/resource.ts'
import { unreadableFieldsIn } from '../../src/contract/values/show.ts'
import { defineView } from '../../src/views/define-view.ts'

const id = z.string()

/** Defines a view anew at each call, as a program without types would declare it. */
function viewOver(
  stored: Record<string, z.ZodType>,
  shown: Record<string, z.ZodType>,
  given: object,
): () => View {
  const schema = z.object({ id, ...stored })
  const base = defineResource('notes', { schema, create: schema.partial({ id: true }) })
  const view = z.object({ id, ...shown })
  const declaration = { schema: view, create: view.partial({ id: true }), ...given }
  return () => Reflect.apply(defineView, undefined, ['notes_v1', base, declaration]).view
}

const text = z.string()
const maybe = text.nullish()

interface Row {
  readonly name: string
  readonly view: () => View
  /** As stored, as shown, and again for each pair. */
  readonly reads?: readonly (readonly [stored: object, shown: object])[]
  /** Over what is stored, the item of the view, as stored then; `undefined` for a fault. */
  readonly writes?: readonly (readonly [stored: object, item: object, then: object | undefined])[]
  readonly makes?: readonly (readonly [item: object, stored: object | undefined])[]
}

const rows: readonly Row[] = [
  {
    name: 'another name',
    view: viewOver({ title: maybe }, { name: maybe }, { fields: { name: 'title' } }),
    reads: [
      [{ title: 'x' }, { name: 'x' }],
      [{}, {}],
      [{ title: null }, { name: null }],
    ],
    writes: [
      [{ title: 'x' }, {}, {}],
      [{ title: 'x' }, { name: 'y' }, { title: 'y' }],
    ],
  },
  {
    name: 'a table of texts',
    view: viewOver(
      { state: z.enum(['a', 'b', 'c']).nullish() },
      { on: z.boolean().nullish() },
      { fields: { on: { of: 'state', values: { a: true, b: false, c: false } } } },
    ),
    reads: [
      [{ state: 'c' }, { on: false }],
      [{ state: null }, { on: null }],
      [{}, {}],
    ],
    writes: [
      [{ state: 'c' }, { on: false }, { state: 'c' }],
      [{ state: 'c' }, { on: true }, { state: 'a' }],
      [{ state: 'a' }, { on: false }, { state: 'b' }],
      [{ state: 'a' }, { on: null }, { state: null }],
      [{ state: 'a' }, {}, {}],
    ],
    makes: [[{ on: false }, { state: 'b' }]],
  },
  {
    name: 'a table of booleans',
    view: viewOver(
      { on: z.boolean() },
      { state: text },
      { fields: { state: { of: 'on', values: { true: 'yes', false: 'no' } } } },
    ),
    reads: [[{ on: false }, { state: 'no' }]],
    writes: [[{ on: false }, { state: 'yes' }, { on: true }]],
  },
  {
    name: 'a table of numbers',
    view: viewOver(
      { level: z.literal([1, 2]) },
      { grade: text },
      { fields: { grade: { of: 'level', values: { 1: 'low', 2: 'high' } } } },
    ),
    reads: [[{ level: 2 }, { grade: 'high' }]],
    writes: [
      [{ level: 2 }, { grade: 'low' }, { level: 1 }],
      [{ level: 2 }, { grade: 'other' }, undefined],
    ],
  },
  {
    name: 'a value for none',
    view: viewOver(
      { land: maybe },
      { land: text },
      { fields: { land: { of: 'land', absent: 'US' } } },
    ),
    reads: [
      [{}, { land: 'US' }],
      [{ land: null }, { land: 'US' }],
    ],
    writes: [
      [{ land: null }, { land: 'US' }, { land: null }],
      [{}, { land: 'CH' }, { land: 'CH' }],
      [{ land: 'CH' }, {}, { land: 'US' }],
    ],
  },
  {
    name: 'two texts as one',
    view: viewOver(
      { one: maybe, two: maybe },
      { both: maybe },
      { fields: { both: { join: ['one', 'two'], split: 'first' } } },
    ),
    reads: [
      [{ one: 'a', two: 'b c' }, { both: 'a b c' }],
      [{ one: '', two: 'b' }, { both: 'b' }],
      [{}, {}],
    ],
    writes: [
      [{ one: 'a' }, { both: 'x y z' }, { one: 'x', two: 'y z' }],
      [{ one: 'a' }, { both: 'x' }, { one: 'x', two: '' }],
      [{ one: 'a' }, { both: ' x' }, undefined],
      [{ one: 'a' }, { both: null }, undefined],
      [{ one: 'a', two: 'b' }, {}, {}],
    ],
  },
  {
    name: 'one text as two',
    view: viewOver(
      { both: maybe },
      { one: maybe, two: maybe },
      {
        fields: {
          one: { part: 0, of: 'both', split: 'last' },
          two: { part: 1, of: 'both', split: 'last' },
        },
      },
    ),
    reads: [
      [{ both: 'a b c' }, { one: 'a b', two: 'c' }],
      [{ both: 'a' }, { one: 'a', two: '' }],
      [{ both: null }, { one: null, two: null }],
      [{}, {}],
    ],
    writes: [
      [{ both: 'a b' }, { one: 'x', two: 'b' }, { both: 'x b' }],
      [{ both: 'a b' }, { one: 'a', two: 'b c' }, undefined],
      [{ both: 'a b' }, {}, {}],
    ],
  },
  {
    name: 'one part of a text',
    view: viewOver(
      { both: text },
      { two: text },
      { fields: { two: { part: 1, of: 'both', split: 'first' } } },
    ),
    reads: [[{ both: 'a b' }, { two: 'b' }]],
    writes: [[{ both: 'a b' }, { two: 'x y' }, { both: 'a x y' }]],
  },
  {
    name: 'a member',
    view: viewOver(
      { place: z.object({ street: text, city: text.optional() }) },
      { city: text.optional() },
      {
        fields: { city: { in: 'place', field: 'city' } },
        hidden: { place: { street: 'none' } },
      },
    ),
    reads: [
      [{ place: { street: 's', city: 'c' } }, { city: 'c' }],
      [{ place: 'text' }, {}],
    ],
    writes: [
      [{ place: { street: 's', city: 'c' } }, {}, { place: { street: 's' } }],
      [{ place: 'text' }, { city: 'c' }, { place: { city: 'c' } }],
    ],
    makes: [
      [{ city: 'c' }, { place: { street: 'none', city: 'c' } }],
      [{}, { place: { street: 'none' } }],
    ],
  },
  {
    name: 'a member of an object that may be absent',
    view: viewOver(
      { place: z.object({ city: text.optional() }).optional() },
      { city: text.optional() },
      { fields: { city: { in: 'place', field: 'city' } } },
    ),
    makes: [[{}, {}]],
  },
  {
    name: 'functions',
    view: viewOver(
      { cents: z.int() },
      { price: text },
      {
        fields: {
          price: {
            of: 'cents',
            read: (cents: number) => `${cents / 100}`,
            write: (price: string) => Math.round(Number(price) * 100),
          },
        },
      },
    ),
    reads: [[{ cents: 150 }, { price: '1.5' }]],
    writes: [
      [{ cents: 150 }, { price: '2' }, { cents: 200 }],
      [{ cents: 150 }, { price: '2.001' }, undefined],
    ],
  },
  {
    name: 'a function that only reads',
    view: viewOver(
      { name: text },
      { name: text, initial: text },
      {
        fields: { initial: { of: 'name', read: (name: string) => name.slice(0, 1) } },
        readOnly: ['initial'],
      },
    ),
    writes: [[{ name: 'Ada' }, { name: 'Bob', initial: 'A' }, { name: 'Bob' }]],
    makes: [[{ name: 'Ada' }, { name: 'Ada' }]],
  },
  {
    name: 'a constant',
    view: viewOver({}, { fax: z.null() }, { fields: { fax: { always: null } } }),
    reads: [[{}, { fax: null }]],
    writes: [
      [{}, { fax: null }, {}],
      [{}, { fax: 7 }, undefined],
    ],
  },
]

describe.each(rows)('$name', ({ view, reads = [], writes = [], makes = [] }) => {
  test.each(reads)('%o is shown as %o', (stored, shown) => {
    expect(view().get({ id: '1', ...stored })).toEqual({ id: '1', ...shown })
  })

  test.each(writes)('over %o, %o is stored as %o', (stored, item, then) => {
    const { item: made } = view().put({ id: '1', ...item }, { id: '1', ...stored })
    expect(made).toEqual(then && { id: '1', ...then })
  })

  test.each(makes)('%o makes %o', (item, stored) => {
    expect(view().make(item).item).toEqual(stored)
  })
})

test('a value that the table lacks is not shown', () => {
  const view = (rows[1] as Row).view()
  for (const state of ['z', 'y']) {
    const shown = view.get({ id: '1', state })
    expect(shown).toEqual({ id: '1' })
    const message = `"values" of "on" has no "${state}", which an item has: add it.`
    expect(unreadableFieldsIn(shown)).toEqual([['on', expect.objectContaining({ message })]])
  }
  expect(unreadableFieldsIn(view.get({ id: '1', state: 'a' }))).toEqual([])
})

test('a view answers for fields that it does not have', () => {
  const view = (rows[1] as Row).view()
  expect(view.sourcesOf('other')).toEqual([])
  expect(view.partsWith('other')).toEqual([])
  expect(view.plainOf('other')).toBeUndefined()
  expect(view.plainOf('on')).toBeUndefined()
  const other = { field: 'other', is: 'in', values: ['a'], type: 'text' } as const
  expect(view.conditionsOf(other)).toEqual([other])
  const on = { field: 'on', is: 'in', values: [false, 'no value'], type: 'boolean' } as const
  expect(view.conditionsOf(on)).toEqual([{ ...on, field: 'state', values: ['b', 'c'] }])
  expect(view.pathOf(['other'])).toBeUndefined()
})

describe('a condition on a field that is never missing', () => {
  const country = { fields: { country: { of: 'land', absent: 'US' } } }
  const viewOfLand = viewOver({ land: maybe }, { country: text }, country)
  test.each([
    ['in', ['DE'], [['in', ['DE']]]],
    ['in', ['DE', 'US'], [['inOrMissing', ['DE', 'US']]]],
    ['notIn', ['DE'], [['notIn', ['DE']]]],
    [
      'notIn',
      ['US'],
      [
        ['notIn', ['US']],
        ['present', []],
      ],
    ],
    ['missing', [], [['in', []]]],
    ['present', [], []],
  ] as const)('is %s %j: beneath %j', (is, values, then) => {
    const given = { field: 'country', is, values, type: 'text' } as const
    expect(viewOfLand().conditionsOf(given)).toEqual(
      then.map(([is, values]) => ({ field: 'land', is, values, type: 'text' })),
    )
  })
})

describe('a view of a view', () => {
  const base = defineResource('notes', { schema: z.object({ id, both: text, cents: z.int() }) })
  const read = (cents: number) => (cents === 1 ? '1' : '0')
  const middle = z.object({ id, one: text, two: text, price: z.enum(['0', '1']) })
  const parts = {
    one: { part: 0, of: 'both', split: 'last' },
    two: { part: 1, of: 'both', split: 'last' },
  } as const
  const upper = z.object({ id, first: text, two: text, cost: z.boolean() })
  const viewOf = () => {
    const notes_v2 = defineView('notes_v2', base, {
      schema: middle,
      create: middle,
      fields: { ...parts, price: { of: 'cents', read, write: Number } },
    })
    return Reflect.apply(defineView, undefined, [
      'notes_v1',
      notes_v2,
      {
        schema: upper,
        create: upper,
        fields: { first: 'one', cost: { of: 'price', values: { 1: true, 0: false } } },
      },
    ]).view as View
  }
  const stored = { id: '1', both: 'a b', cents: 1 }

  test('is one step', () => {
    const view = viewOf()
    expect(view.base).toBe(base)
    expect(view.get(stored)).toEqual({ id: '1', first: 'a', two: 'b', cost: true })
    expect(view.put({ id: '1', first: 'x', two: 'b', cost: false }, stored)).toMatchObject({
      item: { id: '1', both: 'x b', cents: 0 },
    })
    expect(view.make({ id: '1', first: 'x', two: 'y', cost: true })).toMatchObject({
      item: { id: '1', both: 'x y', cents: 1 },
    })
  })

  test('shows the item that it would create', () => {
    const draft = { both: 'a b', cents: 1 }
    expect(viewOf().getNew(draft)).toEqual({ first: 'a', two: 'b', cost: true })
  })

  test('tells faults of each step in its own words', () => {
    const put = (item: object) =>
      viewOf().put({ id: '1', first: 'a', two: 'b', cost: true, ...item }, stored)
    const faultsOf = (item: object) => put(item).faults?.map(({ field }) => field)
    expect(faultsOf({ two: 'x y' })).toEqual(['first', 'two'])
    expect(faultsOf({ cost: 'neither' })).toEqual(['cost'])
  })

  test('answers for its fields', () => {
    const view = viewOf()
    expect(view.plainOf('first')).toBeUndefined()
    expect(view.plainOf('cost')).toBeUndefined()
    expect(view.plainOf('id')).toBe('id')
    expect(view.valuesOf('cost')).toBeInstanceOf(Map)
    expect(view.valuesOf('two')).toBeUndefined()
    expect(view.valuesOf('other')).toBeUndefined()
    const ofId = { field: 'id', is: 'in', values: ['a'], type: 'text' } as const
    expect(view.conditionsOf(ofId)).toEqual([ofId])
    expect(view.pathOf(['both'])).toEqual(['first'])
    expect(view.pathOf(['other'])).toBeUndefined()
    const costs = { field: 'cost', is: 'in', values: [true], type: 'boolean' } as const
    expect(view.conditionsOf(costs)).toEqual([{ ...costs, field: 'cents', values: ['1'] }])
  })
})

test('a base that tells no JSON Schema takes what it gets', () => {
  const untold = {
    '~standard': { version: 1, vendor: 'own', validate: (value: object) => ({ value }) },
  }
  const base = Reflect.apply(defineResource, undefined, ['notes', { schema: untold }])
  const { view } = Reflect.apply(defineView, undefined, [
    'notes_v1',
    base,
    {
      schema: z.object({ id, on: z.boolean().optional() }),
      create: z.object({ on: z.boolean().optional() }),
      fields: { on: { of: 'state', values: { a: true, b: false } } },
    },
  ])
  expect(view.make({ id: '1', on: false }).item).toEqual({ id: '1', state: 'b' })
})

test('a view of a view shows the whole item if both do', () => {
  const base = defineResource('notes', { schema: z.object({ id, title: text }) })
  const schema = z.object({ id, name: text })
  const notes_v2 = defineView('notes_v2', base, {
    schema,
    create: schema,
    fields: { name: 'title' },
  })
  const notes_v1 = defineView('notes_v1', notes_v2, { schema, create: schema })
  expect(notes_v1.view?.isWhole).toBe(true)
})

test('a base that tells no fields hides some', () => {
  const base = defineResource('notes', { schema: z.looseObject({ id }) })
  const shown = { schema: z.object({ id }), create: z.object({}) }
  const { view } = Reflect.apply(defineView, undefined, ['notes_v1', base, shown])
  expect(view.isWhole).toBe(false)
  expect(view.make({ id: '1' }).item).toEqual({ id: '1' })
})

test('a view has the owners and the restricted fields of its base', () => {
  const Task = z.object({ id, project_id: text, pay: text.optional() })
  const base = defineResource('tasks', {
    schema: Task,
    create: Task.omit({ id: true }),
    ownedBy: 'parent',
    restricted: ['pay'],
    references: { project_id: 'projects' },
  })
  const Shown = z.object({ id, plan_id: text, wage: text.optional() })
  const tasks_v1 = defineView('tasks_v1', base, {
    schema: Shown,
    create: Shown.omit({ id: true }),
    references: { plan_id: 'projects' },
    fields: { plan_id: 'project_id', wage: 'pay' },
  })
  expect(tasks_v1).toMatchObject({ ownedBy: 'parent', restricted: ['wage'] })
})
