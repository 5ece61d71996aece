import * as fc from 'fast-check'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { noQuery, type SortField } from '../../src/contract/resource/operation.ts'
import { datesOf } from '../../src/contract/values/dates.ts'
import { compareBy, reverse, sorted } from '../../src/contract/values/order.ts'
import { totalOrder } from '../../src/wire/meaning.ts'
import { nextOf } from '../support/cursors.ts'

const Visit = z.object({
  id: z.iso.datetime(),
  at: z.iso.datetime({ offset: true }).nullish(),
  day: z.iso.date().optional(),
  told: z.string().optional(),
  either: z.union([z.iso.datetime(), z.literal('never')]).optional(),
})
const visits = defineResource('visits', {
  schema: Visit,
  filterable: { told: 'date-time' },
  sortable: ['at', 'day', 'told', 'either'],
})

test('a field is a date by its format or its filter, and an id is none', () => {
  expect([...datesOf(visits)]).toEqual([
    ['at', 'date-time'],
    ['day', 'date'],
    ['told', 'date-time'],
  ])
  const validate = () => ({ value: { id: '' } })
  const schema = { '~standard': { version: 1, vendor: 'x', validate } } as const
  expect([...datesOf({ schema, filterable: [] })]).toEqual([])
})

const order: readonly SortField[] = [
  { field: 'at', direction: 'asc' },
  { field: 'id', direction: 'asc' },
]
const forms = fc
  .tuple(
    fc.constantFrom('2025-12-31T22:00:00', '2026-01-01T00:00:00', '2025-12-31T23:59:59'),
    fc.constantFrom('', '.0', '.5', '.500', '.0001', '.123456789'),
    fc.constantFrom('Z', 'z', '+02:00', '-02:00', '+00:00'),
  )
  .map((parts) => parts.join(''))
const texts = fc.oneof(forms, forms, forms, fc.constantFrom('', 'soon', '2026', 'infinity', null))

test('an order of moments is total, and sorts as it compares', () => {
  const typed = totalOrder(order, datesOf(visits))
  expect(typed).toEqual([{ ...order[0], type: 'date-time' }, order[1]])
  fc.assert(
    fc.property(fc.array(texts), (values) => {
      const items = values.map((at, id) => ({ id: `${id}`, at }))
      const expected = items.toSorted(compareBy(typed))
      expect(sorted(items, typed)).toEqual(expected)
      expect(items.toSorted(compareBy(reverse(typed)))).toEqual(expected.toReversed())
      const query = { ...noQuery, sort: typed }
      const selected = select(items, { resource: visits, scope: {}, query })
      expect(selected).toEqual(expected)
    }),
  )
})

const Lax = z.object({
  id: z.string(),
  at: z.string().meta({ format: 'date-time' }).optional(),
  made: z.iso.datetime({ offset: true }).optional(),
})
const notes = defineResource('notes', {
  schema: Lax,
  create: Lax.omit({ made: true }),
  sortable: ['at'],
  filterable: ['at'],
  readOnly: ['made'],
})

function open() {
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
    notes: memoryAdapter({ onCreate: () => ({ made: '2026-01-01T00:00:00+02:00' }) }),
  })
  return async (method: string, url: string, body?: object) =>
    handle(
      {
        method,
        url,
        headers: { 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      },
      registry,
    )
}

test('memory gives a moment one form, and takes another form as unchanged', async () => {
  const ask = open()
  const item = { id: 'a', at: '2026-01-01T00:00:00+02:00' }
  const stored = { id: 'a', at: '2025-12-31T22:00:00.000Z', made: '2025-12-31T22:00:00.000Z' }
  const created = await ask('POST', '/v1/notes', item)
  expect([created.status, created.body]).toEqual([201, stored])
  const same = await ask('PUT', '/v1/notes/a', { ...item, made: '2026-01-01T01:00:00.0+03:00' })
  expect([same.status, same.body]).toEqual([200, stored])
  const other = await ask('PUT', '/v1/notes/a', { ...item, made: '2026-01-01T01:00:00Z' })
  expect(other.status).toBe(422)
})

test('memory refuses a moment that has no such form', async () => {
  const ask = open()
  const finer = { id: 'b', at: '2026-01-01T00:00:00.0001Z' }
  const issue = { code: 'unrepresentable' }
  const created = await ask('POST', '/v1/notes', finer)
  expect([created.status, created.body]).toMatchObject([
    422,
    { issues: [{ ...issue, pointer: '/at' }] },
  ])
  await ask('POST', '/v1/notes', { id: 'b' })
  const updated = await ask('PUT', '/v1/notes', [finer])
  expect([updated.status, updated.body]).toMatchObject([
    422,
    { issues: [{ ...issue, pointer: '/0/at' }] },
  ])
})

test('pages by moment have every item once, also texts that are no moments', async () => {
  const ask = open()
  const given = ['soon', '2026-01-01T00:00:00+02:00', '2025-12-31T23:00:00Z', '2025', undefined]
  for (const [id, at] of given.entries()) await ask('POST', '/v1/notes', { id: `${id}`, at })
  for (const sort of ['at', '-at']) {
    const ids: string[] = []
    for (let url: string | undefined = `/v1/notes?sort=${sort}&limit=2`; url; ) {
      const response = await ask('GET', url)
      ids.push(...[response.body].flat().map((item) => Object(item).id))
      url = nextOf(response)
    }
    const expected = ['3', '1', '2', '0', '4']
    expect(ids).toEqual(sort === 'at' ? expected : expected.toReversed())
  }
  const found = await ask('GET', '/v1/notes?at:gte=2026-01-01T00:30:00%2B02:00&sort=at')
  expect([found.body].flat().map((item) => Object(item).id)).toEqual(['2', '0'])
})
