import { type } from 'arktype'
import { defineApi, defineRegistry, defineResource, type StandardSchema } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { type OpenApiOptions, toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { arktypes, deep, info, recursive, valibots, versions } from './contracts.ts'
import { finderFor } from './declared.ts'

type Shown = Readonly<Record<string, unknown>>

function schemasOf(
  registry: Parameters<typeof toOpenApi>[0],
  options?: Partial<OpenApiOptions>,
): Readonly<Record<string, Shown>> {
  const { schemas } = toOpenApi(registry, { info, ...options }).components
  return Object(schemas)
}

function propertiesOf(schema: Shown | undefined): string[] {
  return Object.keys(Object(schema?.properties)).sort()
}

/** A schema with any JSON Schema. */
function saying(input: unknown, output: unknown = input): StandardSchema<object, { id: string }> {
  const give = (json: unknown) => () => {
    if (json instanceof Error) throw json
    return json
  }
  const jsonSchema = { input: give(input), output: give(output) }
  const validate = (value: unknown) => ({ value: value as { id: string } })
  return { '~standard': { version: 1, vendor: 'test', validate, jsonSchema } } as never
}

function notes(schema: StandardSchema<unknown, { id: string }>) {
  return defineApi({ v1: { '/notes': defineResource('notes', { schema }) } })
}

describe('schemas', () => {
  test('have the names of their resources', () => {
    const { registry } = versions()
    expect(Object.keys(schemasOf(registry))).toEqual(
      expect.arrayContaining(['Person', 'NewPerson', 'PersonUpdate', 'PersonV2', 'NewPersonV2']),
    )
  })

  test('are shared if they are equal', () => {
    const { PersonV2, Person } = schemasOf(versions().registry)
    const address = { $ref: '#/components/schemas/Address' }
    expect(PersonV2?.properties).toMatchObject({ work: address })
    expect(Person?.properties).toMatchObject({ work: address, home: address })
  })

  test('of bodies differ from those of items if input does', () => {
    const { Address2, Address2Input } = schemasOf(versions().registry)
    expect(Address2?.required).toEqual(['country', 'city'])
    expect(Address2Input?.required).toEqual(['city'])
  })

  test('may be recursive', () => {
    const { Folder, NoteExtra } = schemasOf(recursive().registry)
    expect(Folder?.properties).toMatchObject({
      trees: { items: { $ref: '#/components/schemas/Folder' } },
    })
    expect(JSON.stringify(NoteExtra)).toContain('#/components/schemas/NoteExtra')
  })

  test('keep a field with the name of a keyword', () => {
    expect(schemasOf(recursive().registry).Note?.properties).toMatchObject({
      $ref: { type: 'string' },
    })
  })

  test('of alternatives take the id in each', () => {
    const { PaymentUpdate } = schemasOf(arktypes().registry)
    const members = Object(PaymentUpdate).anyOf as Shown[]
    expect(members.map(propertiesOf)).toEqual([
      ['id', 'kind', 'number'],
      ['amount', 'id', 'kind'],
    ])
    expect(members.map(({ required }) => required)).toEqual([
      ['kind', 'number'],
      ['kind', 'amount'],
    ])
  })

  test('of bodies do not require a parent id from the path', () => {
    const { NewRoom, NewRoomOfSiteOfRegion } = schemasOf(deep().registry)
    expect(NewRoom?.required).toContain('site_id')
    expect(NewRoomOfSiteOfRegion?.required).toEqual(['label', 'seats'])
    expect(propertiesOf(NewRoomOfSiteOfRegion)).toEqual(propertiesOf(NewRoom))
  })

  test('of alternatives mark read-only fields', () => {
    const kinds = ['a', 'b'].map((kind) => z.strictObject({ kind: z.literal(kind) }))
    const whole = { id: z.string(), made_at: z.string() }
    const notes = defineResource('notes', {
      schema: z.union(kinds.map((kind) => kind.extend(whole))),
      create: z.union(kinds),
      readOnly: ['made_at'],
    })
    const item = { id: '1', kind: 'a', made_at: 'today' }
    const api = defineApi({ v1: { '/notes': notes } })
    const { Note, NewNote } = schemasOf(api, { examples: { notes: item } })
    const fields = (Object(Note).anyOf as Shown[]).map(
      ({ properties }) => Object(properties).made_at,
    )
    expect(fields).toEqual([
      { type: 'string', readOnly: true },
      { type: 'string', readOnly: true },
    ])
    expect(NewNote?.examples).toEqual([{ kind: 'a' }])
  })

  test('of a bulk show items with their ids', () => {
    const { registry, options } = deep()
    const declared = finderFor(toOpenApi(registry, options))('PUT', '/v1/rooms')
    expect(declared?.body).toMatchObject({ examples: [[{ id: 'r1', seats: 4 }]] })
  })

  test('accept unchanged read-only fields', () => {
    const { Room, NewRoom, RoomUpdate } = schemasOf(deep().registry)
    expect(Room?.properties).toMatchObject({ made_at: { readOnly: true } })
    expect(propertiesOf(NewRoom)).not.toContain('made_at')
    expect(propertiesOf(RoomUpdate)).toEqual(expect.arrayContaining(['id', 'made_at', 'revision']))
    // Tools never send a field marked readOnly.
    expect(JSON.stringify(RoomUpdate)).not.toContain('readOnly')
  })

  test('that are open reject read-only fields', () => {
    const schema = z.object({ id: z.string(), text: z.string(), made_at: z.string() })
    const notes = defineResource('notes', {
      schema,
      create: schema.pick({ text: true }),
      readOnly: ['made_at'],
    })
    const { NewNote, NoteUpdate } = schemasOf(defineApi({ v1: { '/notes': notes } }))
    expect(NewNote?.propertyNames).toEqual({
      not: { type: 'string', enum: ['made_at'] },
    })
    expect(NoteUpdate?.propertyNames).toBeUndefined()
    // A closed schema does so by itself.
    expect(schemasOf(deep().registry).NewRoom?.propertyNames).toBeUndefined()
  })

  // biome-ignore format: a row stays a line
  const constants: readonly (readonly [schema: object, type: unknown])[] = [
    [{ const: 'new' },                                'string'],
    [{ const: 404 },                                  'integer'],
    [{ const: 0.5 },                                  'number'],
    [{ const: true },                                 'boolean'],
    [{ const: null },                                 'null'],
    [{ const: ['a'] },                                'array'],
    [{ const: { a: 1 } },                             'object'],
    [{ const: 'new', type: ['string', 'null'] },      ['string', 'null']],
    [{ enum: ['new', 'old'] },                        'string'],
    [{ enum: [1, 2] },                                'integer'],
    [{ enum: [1, 2.5] },                              undefined],
    [{ enum: ['new', null] },                         undefined],
    [{ enum: [] },                                    undefined],
    [{ minLength: 1 },                                undefined],
  ]
  test.each(constants)('with %j tell its type', (schema, type) => {
    const properties = { id: { type: 'string' }, field: schema, list: { items: schema } }
    const { Note } = schemasOf(notes(saying({ type: 'object', properties })))
    const { field, list } = Object(Note?.properties)
    expect([field.type, list.items.type]).toEqual([type, type])
  })

  test('have the type of an unnamed constant', () => {
    const properties = { id: { type: 'string' }, field: { $ref: '#/$defs/__schema0' } }
    const $defs = { __schema0: { const: 'new' } }
    const { Note } = schemasOf(notes(saying({ type: 'object', properties, $defs })))
    expect(Note?.properties).toHaveProperty('field', { const: 'new', type: 'string' })
  })

  test('give up a name to a resource', () => {
    const schema = z.object({ id: z.string() })
    const api = defineApi({
      v1: Object.fromEntries(
        ['issues', 'targets'].map((name) => [`/${name}`, defineResource(name, { schema })]),
      ),
    } as never)
    expect(Object.keys(schemasOf(api))).toEqual(
      expect.arrayContaining(['Issue', 'NewIssue', 'Target', 'NewTarget']),
    )
  })

  test('that are unknown say so', () => {
    const { Staff, NewStaff } = schemasOf(valibots().registry)
    expect(Staff).toMatchObject({ type: 'object', required: ['id'] })
    expect(Staff?.description).toMatch(/are unknown/)
    expect(NewStaff?.description).toMatch(/are unknown/)
  })

  const odd: readonly (readonly [name: string, told: unknown])[] = [
    ['nothing', undefined],
    ['an error', new Error('cannot')],
    ['a list', [1]],
    ['what is no JSON', circle()],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['nothing but itself', { $ref: '#' }],
    [
      'a circle of references',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    ['a broken pointer', { $ref: '#/%zz', properties: 7, required: 'id', allOf: 'x' }],
    ['keys of the prototype', { $ref: '#/__proto__/x', properties: { id: {}, constructor: true } }],
  ]
  test.each(odd)('that tell %s are no reason to fail', (_, told) => {
    const { Note } = schemasOf(notes(saying(told)))
    expect(Note).toBeDefined()
    expect(JSON.stringify(Note)).not.toContain('"#/$defs')
  })

  test('name unnamed parts after their fields', () => {
    const tree = {
      anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/__schema0' } }],
    }
    const told = {
      properties: { id: {}, tree: { $ref: '#/$defs/__schema0' } },
      $defs: { __schema0: tree },
    }
    expect(Object.keys(schemasOf(notes(saying(told))))).toContain('NoteTree')
  })

  test('with the same name and other content get another name', () => {
    const first = saying({
      properties: { id: {}, a: { $ref: '#/$defs/Part' } },
      $defs: { Part: { type: 'object', properties: { x: {} } } },
    })
    const other = saying({
      properties: { id: {}, a: { $ref: '#/$defs/Part' } },
      $defs: { Part: { type: 'object', properties: { y: {} } } },
    })
    const api = defineApi({
      v1: {
        '/notes': defineResource('notes', { schema: first }),
        '/memos': defineResource('memos', { schema: other }),
      },
    })
    const { Note, Memo, Part, Part2 } = schemasOf(api)
    expect([Note?.properties, Memo?.properties]).toEqual([
      { id: {}, a: { $ref: '#/components/schemas/Part' } },
      { id: {}, a: { $ref: '#/components/schemas/Part2' } },
    ])
    expect([propertiesOf(Part), propertiesOf(Part2)]).toEqual([['x'], ['y']])
  })

  test('give up a name to the library', () => {
    const schema = z.object({ id: z.string() })
    const api = defineApi({ v1: { '/problems': defineResource('problems', { schema }) } })
    expect(Object.keys(schemasOf(api))).toEqual(expect.arrayContaining(['Problem', 'Problem2']))
  })

  test('come from toJsonSchema first', () => {
    const schema = z.object({ id: z.string() })
    const asked: string[] = []
    const { Note } = schemasOf(notes(schema), {
      toJsonSchema: (_, direction) => {
        asked.push(direction)
        return direction === 'output' ? { type: 'object', title: 'mine' } : undefined
      },
    })
    expect(Note).toMatchObject({ title: 'mine' })
    expect(asked.sort()).toEqual(['input', 'output'])
  })

  test('of arktype are the same each time', () => {
    const make = () => {
      const { tree } = type.module({ tree: { name: 'string', 'trees?': 'tree[]' } })
      const schema = type({ id: 'string', tree })
      const trees = defineResource('trees', { schema })
      const registry = defineRegistry(defineApi({ v1: { '/trees': trees } })).adapters({
        trees: memoryAdapter(),
      })
      return JSON.stringify(toOpenApi(registry, { info }))
    }
    expect(make()).toBe(make())
    expect(make()).not.toMatch(/intersection\d/)
  })
})

function circle(): object {
  const one: Record<string, unknown> = {}
  one.self = one
  return one
}
