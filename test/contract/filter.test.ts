import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import { filtersOf, readFilterable } from '../../src/contract/schema/filter.ts'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { refusalOf } from './thrown.ts'

const schema = z.object({
  id: z.string(),
  level: z.literal([1, 2]),
  rank: z.number(),
  day: z.iso.date().nullish(),
  dayOrText: z.iso.date().or(z.string()),
  dayOrMoment: z.iso.date().or(z.iso.datetime()),
  title: z.string(),
})
const typeOf = (name: string): unknown => {
  const fields = readFilterable([name], schema)
  return typeof fields === 'string' ? fields : fields[0]?.type
}

describe('the type of a field with alternatives', () => {
  test('is a format only where every text has it', () => {
    expect(typeOf('day')).toBe('date')
    expect(typeOf('dayOrText')).toBe('text')
    expect(typeOf('dayOrMoment')).toBe('text')
  })
})

describe('a type beside the name', () => {
  test('is refused against the schema', () => {
    expect(readFilterable({ level: 'text' }, schema)).toContain('write "number"')
    expect(readFilterable({ rank: 'boolean' }, schema)).toContain('write "number"')
    expect(readFilterable({ title: 'integer' }, schema)).toContain('write "text"')
  })

  test('may be narrower', () => {
    expect(readFilterable({ rank: 'integer' }, schema)).toMatchObject([{ type: 'integer' }])
    expect(readFilterable({ title: 'date-time' }, schema)).toMatchObject([{ type: 'date-time' }])
  })
})

/** A schema that tells a JSON Schema of the fields of an item. */
const schemaOf = (properties: Readonly<Record<string, unknown>>): StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value }),
    jsonSchema: { output: () => ({ type: 'object', properties }) },
  } as StandardSchema['~standard'],
})

type TypeRow = readonly [
  field: object,
  type?: string,
  values?: unknown[] | undefined,
  isList?: true,
]

describe('the type of a field by its JSON Schema', () => {
  // biome-ignore format: a row stays a line
  const types: readonly TypeRow[] = [
    [{ type: 'string' }, 'text'],
    [{ type: ['string', 'null'] }, 'text'],
    [{ type: 'string', format: 'email' }, 'text'],
    [{ type: 'string', format: 'uuid' }, 'uuid'],
    [{ type: 'integer' }, 'integer'],
    [{ type: ['integer', 'number'] }, 'number'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer'],
    [{ type: 'boolean' }, 'boolean'],
    [{ const: 'a' }, 'text', ['a']],
    [{ enum: ['a', 'b', null] }, 'text', ['a', 'b']],
    [{ anyOf: [{ const: 'a' }, { enum: ['b', 'a'] }] }, 'text', ['a', 'b']],
    [{ anyOf: [{ const: 'a' }, { type: 'string' }] }, 'text'],
    [{ type: 'string', enum: ['2020-01-01'], format: 'date' }, 'text', ['2020-01-01']],
    [{ enum: [1, 2] }, 'number', [1, 2]],
    [{ enum: [true] }, 'boolean', [true]],
    [{ type: ["string", "integer"] }],
    [{ enum: ['a', 1] }],
    [{ type: 'array', items: { type: 'string' } }, 'text', undefined, true],
    [{ type: ['array', 'null'], items: { type: ['integer', 'null'] } }, 'integer', undefined, true],
    [{ anyOf: [{ type: 'array', items: { enum: ['a'] } }, { type: 'null' }] }, 'text', ['a'], true],
    [{ type: 'array', items: { type: 'string', format: 'date' } }, 'date', undefined, true],
    [{ type: 'array', items: { type: ['string', 'number'] } }],
    [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }],
    [{ type: ['array', 'string'], items: { type: 'string' } }],
    [{ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] }],
    [{ type: 'object' }],
    [{}],
  ]
  for (const [property, type, values, isList] of types) {
    test(JSON.stringify(property), () => {
      const fields = readFilterable(['f'], schemaOf({ f: property }))
      if (type === undefined) expect(fields).toContain('neither text nor number nor boolean')
      else expect(fields).toEqual([{ name: 'f', type, values, ...(isList && { isList }) }])
    })
  }
})

test('a list whose schema tells no type of its elements has the type of the option', () => {
  for (const items of [undefined, true]) {
    const schema = schemaOf({ f: { type: 'array', items } })
    expect(readFilterable(['f'], schema)).toContain("Write filterable: { f: 'text' }")
    expect(readFilterable({ f: 'number' }, schema)).toEqual([
      { name: 'f', type: 'number', values: undefined, isList: true },
    ])
  }
})

describe('the option "filterable" is refused', () => {
  const silent = { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: {} }) } }
  // biome-ignore format: a row stays a line
  const cases: readonly (readonly [filterable: unknown, says: string])[] = [
    ['title', "filterable: ['status']"],
    [7, "filterable: ['status']"],
    [['title', 'title'], 'name it once'],
    [['__proto__'], 'name it otherwise'],
    [{ title: 'string' }, 'use text, number'],
    [{ rank: 'text' }, 'write "number"'],
  ]
  for (const [filterable, says] of cases) {
    test(JSON.stringify(filterable), () => {
      const declare = () => defineResource('notes', { schema, filterable } as never)
      expect(refusalOf(declare)).toContain(says)
    })
  }

  const fields = z.looseObject({ id: z.string(), page: z.string() })
  test.each([
    ['a:b', 'without a colon'],
    ['', 'without a colon'],
    ['q', 'a parameter has this name'],
    ['sort', 'a parameter has this name'],
    ['limit', 'a parameter has this name'],
    ['after', 'a parameter has this name'],
    ['offset', 'a parameter has this name'],
    ['fields', 'a parameter has this name'],
    ['include', 'a parameter has this name'],
    ['dry_run', 'a parameter has this name'],
    ['by', 'a parameter has this name'],
    ['salary', "filterable: { salary: 'text' }"],
  ])('for a field "%s"', (name, says) => {
    const declare = () => defineResource('notes', { schema: fields, filterable: [name] } as never)
    expect(refusalOf(declare)).toContain(says)
  })

  test.each(['page', 'cursor', 'view', 'lang', 'format'])('but not for a field "%s"', (name) => {
    const filterable = { [name]: 'text' }
    const notes = defineResource('notes', { schema: fields, filterable } as never)
    expect([...filtersOf(notes).keys()]).toContain(`${name}:ne`)
  })

  test('where a schema tells no types, unless the option does', () => {
    const declaration = { schema: silent, filterable: ['title'] } as never
    expect(refusalOf(() => defineResource('notes', declaration))).toContain("{ title: 'text' }")
    const typed = { schema: silent, filterable: { title: 'text' } } as never
    expect(defineResource('notes', typed).filterable).toMatchObject([{ type: 'text' }])
  })

  test('but counts by any field of such a schema', () => {
    const notes = defineResource('notes', { schema: silent, countable: ['title'] } as never)
    expect(notes.countable).toEqual(['title'])
  })

  test('after the schema, if that is none', () => {
    const declaration = { schema: null, filterable: 7 } as never
    expect(refusalOf(() => defineResource('notes', declaration))).toContain('no Standard Schema')
  })
})

describe('the filters of a resource', () => {
  const names = (given: object): readonly string[] => [
    ...filtersOf(defineResource('notes', { schema, ...given } as never)).keys(),
  ]

  test('are those of the id alone without the option', () => {
    expect(names({})).toEqual(['id', 'id:ne'])
  })

  test('include ranges of the id where it is declared and sortable', () => {
    expect(names({ filterable: ['rank', 'id'], sortable: ['id'] })).toEqual([
      ...['rank', 'rank:ne', 'rank:null'],
      ...['id', 'id:ne', 'id:gt', 'id:gte', 'id:lt', 'id:lte'],
    ])
  })

  test('are made once', () => {
    const notes = defineResource('notes', { schema })
    expect(filtersOf(notes)).toBe(filtersOf(notes))
  })
})

describe('a member of an object', () => {
  const Person = z.object({
    id: z.string(),
    name: z.string(),
    'own.name': z.string(),
    address: z
      .object({
        city: z.string().nullish(),
        floor: z.int(),
        isHome: z.boolean(),
        tags: z.array(z.string()),
        geo: z.object({ lat: z.number() }),
      })
      .nullish(),
  })

  test('takes the operators of its type', () => {
    const people = defineResource('people', {
      schema: Person,
      filterable: ['address.city', 'address.floor', 'address.isHome'],
    })
    expect([...filtersOf(people).keys()]).toEqual([
      ...['id', 'id:ne'],
      ...['', ':ne', ':null', ':gt', ':gte', ':lt', ':lte'].map((name) => `address.city${name}`),
      ...[':contains', ':startsWith', ':endsWith'].map((name) => `address.city${name}`),
      ...['', ':ne', ':null', ':gt', ':gte', ':lt', ':lte'].map((name) => `address.floor${name}`),
      ...['', ':ne', ':null'].map((name) => `address.isHome${name}`),
    ])
  })

  test('has the type that the option tells', () => {
    const open = z.object({ id: z.string(), address: z.record(z.string(), z.any()) })
    expect(readFilterable({ 'address.city': 'text' }, open)).toMatchObject([{ type: 'text' }])
    const hint = "Write filterable: { 'address.city': 'text' }"
    expect(readFilterable(['address.city'], open)).toContain(hint)
  })

  test.each([
    ['own.name', 'has a dot in its name: rename the field'],
    ['name.city', '"name" is no object. Name a field, or a member of an object'],
    ['address.geo.lat', 'write one dot'],
    ['address."', 'no quotes'],
    ['address.tags', 'a list in an object'],
    ['address.geo', 'neither text nor number'],
    ['address.nope', 'tells no type'],
    ['nope.city', '"nope.city" is no field of "people"'],
  ])('is refused: %s', (name, fault) => {
    const options = { schema: Person, filterable: [name] }
    expect(refusalOf(() => defineResource('people', options as never))).toContain(fault)
  })
})
