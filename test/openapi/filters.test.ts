import { defineApi, defineResource } from 'nounful'
import { type OpenApiDocument, toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { filterOperatorNames } from '../../src/convention/filter-operators.ts'
import type { OperationKind } from '../../src/convention/operations.ts'
import { parametersFor } from '../../src/wire/meaning.ts'
import { deep, info, versions } from './contracts.ts'
import { finderFor } from './declared.ts'

const Meeting = z.strictObject({
  id: z.string(),
  topic: z.string(),
  state: z.enum(['planned', 'held']).nullable(),
  seats: z.number().int(),
  price: z.number(),
  open: z.boolean(),
  day: z.iso.date(),
  start: z.string().meta({ format: 'time' }),
  made_at: z.iso.datetime(),
  room: z.uuid(),
  place: z.object({ town: z.string() }),
  a_b: z.string(),
  'é:c': z.string(),
})
const fields = [
  'topic',
  'state',
  'seats',
  'price',
  'open',
  'day',
  'start',
  'made_at',
  'room',
] as const
const meetings = defineResource('meetings', {
  schema: Meeting,
  sortable: ['topic', 'seats', 'price', 'day', 'start', 'made_at', 'open'],
  searchable: ['topic'],
  filterable: [...fields, 'place.town', 'a_b'],
})
const document = toOpenApi(defineApi({ v1: { '/meetings': meetings } }), { info })
const takenAt = (url: string, shown: OpenApiDocument = document) =>
  finderFor(shown)('GET', url)?.parameters.filter((parameter) => parameter.in === 'query')

describe('filters', () => {
  const id = { type: 'string' }
  const text = { type: 'string', minLength: 1, maxLength: 256 }

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, schema: object])[] = [
    ['id',               { type: 'array', maxItems: 100, items: id }],
    ['id:ne',            { type: 'array', maxItems: 100, items: id }],
    ['topic',            { type: 'array', maxItems: 100, items: { type: 'string' } }],
    ['topic:ne',         { type: 'array', maxItems: 100, items: { type: 'string' } }],
    ['topic:null',       { type: 'boolean' }],
    ['topic:gt',         { type: 'string' }],
    ['topic:contains',   text],
    ['topic:startsWith', text],
    ['topic:endsWith',   text],
    ['state',            { type: 'array', items: { type: 'string', enum: ['planned', 'held'] } }],
    ['seats',            { type: 'array', items: { type: 'integer' } }],
    ['seats:gte',        { type: 'integer' }],
    ['price:lt',         { type: 'number' }],
    ['open',             { type: 'array', items: { type: 'boolean' } }],
    ['day:lte',          { type: 'string', format: 'date' }],
    ['start:gt',         { type: 'string', format: 'time' }],
    ['made_at:gte',      { type: 'string', format: 'date-time' }],
    ['room:ne',          { type: 'array', items: { type: 'string', format: 'uuid' } }],
    ['place.town',       { type: 'array', items: { type: 'string' } }],
    ['a_b',              { type: 'array', items: { type: 'string' } }],
  ]
  test.each(rows)('%s has its schema', (name, schema) => {
    const found = takenAt('/v1/meetings')?.find((parameter) => parameter.name === name)
    expect(found).toMatchObject({ name, in: 'query', schema })
    const isArray = 'items' in schema
    expect([found?.style, found?.explode]).toEqual(
      isArray ? ['form', true] : [undefined, undefined],
    )
  })

  test('are those that the server takes, after the other parameters', () => {
    const ends = { list: '', first: '/first', last: '/last', count: '/count', read: '/7' }
    for (const [kind, end] of Object.entries(ends)) {
      const names = takenAt(`/v1/meetings${end}`)?.map(({ name }) => name)
      const collection = { resource: meetings, includes: [] }
      const taken = parametersFor(kind as OperationKind, collection as never)
      const plain = ['q', 'sort', 'limit', 'offset', 'after', 'fields']
      expect(names).toEqual([
        ...plain.filter((name) => taken.includes(name)),
        ...taken.filter((name) => !plain.includes(name)),
      ])
    }
  })

  test('have keys that name each of them, and a description', () => {
    const keys = Object.keys(Object(document.components.parameters))
    expect(keys.join('')).toMatch(/^[\w.-]+$/)
    expect(keys).toEqual(
      expect.arrayContaining([
        'meetings.where.day.gte',
        'meetings.where.place-2e-town',
        'meetings.where.a_b',
      ]),
    )
    const described = takenAt('/v1/meetings')?.filter(
      ({ description }) => description === undefined,
    )
    expect(described).toEqual([])
    expect(filterOperatorNames.length).toBeGreaterThan(9)
  })

  test('by id have the type of ids alone', () => {
    const regions = takenAt('/v1/regions', toOpenApi(deep().registry, { info }))
    const items = { type: 'integer' }
    expect(regions?.find(({ name }) => name === 'id')).toMatchObject({ schema: { items } })
  })
})

describe('pages and parts', () => {
  test('have their bounds', () => {
    const taken = takenAt('/v1/meetings') ?? []
    const found = (name: string) => taken.find((parameter) => parameter.name === name)
    expect(found('offset')).toMatchObject({
      schema: { type: 'integer', minimum: 0, maximum: 10_000 },
    })
    const names = Object.keys(Meeting.shape)
    const schema = { type: 'array', items: { enum: names }, maxItems: 100 }
    expect(found('fields')).toMatchObject({ style: 'form', explode: false, schema })
    const sort = { items: { enum: expect.arrayContaining(['id', '-id', 'day', '-day']) } }
    expect(found('sort')).toMatchObject({ schema: sort })
  })

  test('leave fields open that the schema does not name', () => {
    const notes = defineResource('notes', { schema: z.looseObject({ id: z.string() }) })
    const shown = toOpenApi(defineApi({ v1: { '/notes': notes } }), { info })
    const found = takenAt('/v1/notes/7', shown)
    expect(found).toMatchObject([{ name: 'fields', schema: { items: { type: 'string' } } }])
    expect(Object(found?.[0]?.schema).items).not.toHaveProperty('enum')
  })

  const totals: readonly (readonly [total: boolean | undefined, headers: readonly string[]])[] = [
    [undefined, ['Link', 'X-Total-Count', 'Preference-Applied']],
    [true, ['Link', 'X-Total-Count', 'Preference-Applied']],
    [false, ['Link']],
  ]
  test.each(totals)('with total %s have the headers %j', (total, headers) => {
    const schema = z.strictObject({ id: z.string() })
    const notes = defineResource('notes', { schema, ...(total !== undefined && { total }) })
    const shown = toOpenApi(defineApi({ v1: { '/notes': notes } }), { info })
    const list = finderFor(shown)('GET', '/v1/notes')
    const asked = list?.parameters.filter((parameter) => parameter.in === 'header')
    const prefer = { name: 'Prefer', description: expect.stringContaining('count=exact') }
    expect(asked).toMatchObject(total === false ? [] : [prefer])
    const given = Object(list?.responses[200]?.headers)
    expect(Object.keys(given)).toEqual(headers)
    const isRequired = (header: string): unknown => {
      const name = `${given[header]?.$ref}`.split('/').at(-1) ?? ''
      return Object(shown.components.headers)[name]?.required
    }
    expect(isRequired('X-Total-Count')).toBe(total === true ? true : undefined)
    expect(isRequired('Preference-Applied')).toBe(undefined)
    expect(list?.responses[200]?.description).toContain('With `fields`')
    const first = finderFor(shown)('GET', '/v1/notes/first')
    expect(first?.parameters.every((parameter) => parameter.in === 'query')).toBe(true)
  })
})

describe('problems of parameters', () => {
  const shown = toOpenApi(versions().registry, { info })
  const ofDocument = (url: string): readonly string[] => {
    const response = finderFor(shown)('GET', url)?.responses[400]
    const { schema } = Object(response?.content)['application/problem+json']
    const codes: readonly string[] = schema.allOf[1].properties.code.enum
    return codes.filter((code) => /parameter|sort|cursor/.test(code))
  }
  const sort = ['sort_invalid', 'sort_unknown_field', 'sort_duplicate_field']
  const plain = ['unknown_parameter', 'bad_parameter']
  const single = ['unknown_parameter', 'repeated_parameter', 'bad_parameter']

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [url: string, codes: readonly string[]])[] = [
    ['/v1/people',       [...single, ...sort, 'invalid_cursor']],
    ['/v1/people/first', [...plain, ...sort]],
    ['/v1/people/count', plain],
    ['/v1/people/7',     plain],
    ['/v2/people/first', [...single, ...sort]],
    ['/v2/people/count', single],
    ['/v2/people/7',     plain],
  ]
  test.each(rows)('of %s are %j', (url, codes) => {
    expect(ofDocument(url)).toEqual(codes)
  })
})
