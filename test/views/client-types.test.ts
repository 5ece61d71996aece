import { defineApi, defineResource, defineView } from 'nounful'
import { createClient } from 'nounful/client'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const text = z.string()
const Person = z.object({
  id: text,
  first: text,
  last: text,
  title: text,
  state: z.enum(['open', 'done']),
  note: text.optional(),
  age: z.int(),
  pay: z.int().optional(),
  company_id: text,
  address: z.object({ city: text }),
})
const people = defineResource('people_v2', {
  schema: Person,
  create: Person.omit({ id: true }),
  plural: true,
  sortable: ['title', 'age', 'pay'],
  searchable: ['first', 'last', 'title', 'note'],
  filterable: ['title', 'state', 'note', 'age', 'company_id'],
  restricted: ['pay'],
  references: { company_id: 'companies' },
})
const companies = defineResource('companies', {
  schema: z.object({ id: text, name: text }),
  create: z.object({ name: text }),
})
const Shown = z.object({
  id: text,
  name: text,
  heading: text,
  is_open: z.boolean(),
  note: text,
  age: z.int(),
  wage: z.int().optional(),
  firm_id: text,
  city: text,
  years: text,
  kind: z.literal('person'),
})
const declared = {
  schema: Shown,
  create: Shown.omit({ id: true, years: true }),
  readOnly: ['years'],
  plural: true,
} as const
const fields = {
  name: { join: ['first', 'last'], split: 'last' },
  heading: 'title',
  is_open: { of: 'state', values: { open: true, done: false } },
  note: { of: 'note', absent: '-' },
  wage: 'pay',
  firm_id: 'company_id',
  city: { in: 'address', field: 'city' },
  years: { of: 'age', read: String },
  kind: { always: 'person' },
} as const
const inherits = defineView('people', people, { ...declared, fields })
const names = defineView('people', people, {
  ...declared,
  fields,
  sortable: ['heading'],
  searchable: ['name'],
  filterable: ['is_open'],
  references: {},
})

test('a view inherits options in its own names', () => {
  type Shape = NonNullable<(typeof inherits)['shape']>
  expectTypeOf<Shape['sortable']>().toEqualTypeOf<'heading' | 'age' | 'wage'>()
  expectTypeOf<Shape['searchable']>().toEqualTypeOf<'name' | 'heading'>()
  expectTypeOf<Shape['filterable']>().toEqualTypeOf<
    'heading' | 'is_open' | 'note' | 'age' | 'firm_id'
  >()
  expectTypeOf<Shape['restricted']>().toEqualTypeOf<'wage'>()
  expectTypeOf<Shape['references']['firm_id']>().toEqualTypeOf<'companies'>()
  expect(inherits.sortable.toSorted()).toEqual(['age', 'heading', 'wage'])
  expect(inherits.searchable.toSorted()).toEqual(['heading', 'name'])
  expect(inherits.filterable.map(({ name }) => name).toSorted()).toEqual([
    'age',
    'firm_id',
    'heading',
    'is_open',
    'note',
  ])
  expect(inherits.restricted).toEqual(['wage'])
})

test('options that a view names replace the inherited ones', () => {
  type Shape = NonNullable<(typeof names)['shape']>
  expectTypeOf<Shape['sortable']>().toEqualTypeOf<'heading'>()
  expectTypeOf<Shape['searchable']>().toEqualTypeOf<'name'>()
  expectTypeOf<Shape['filterable']>().toEqualTypeOf<'is_open'>()
  expect(names.sortable).toEqual(['heading'])
})

test('a client sorts and filters by the fields of its version', () => {
  const api = defineApi({
    v1: { '/people': inherits, '/companies': companies },
    v2: { '/people': people, '/companies': companies },
  })
  const { v1, v2 } = createClient<typeof api>({ baseUrl: 'http://x.example' })
  const calls = () => [
    v1.people.list({ sort: ['-heading', 'age'], where: { is_open: true, heading: { gte: 'a' } } }),
    v1.people.list({ where: { heading: { contains: 'x' }, note: '-' }, q: 'x' }),
    v1.people.list({ include: ['firm'], limit: 10 }),
    v2.people.list({ sort: ['-title'], where: { state: 'open' } }),
    // @ts-expect-error: the name beneath
    v1.people.list({ sort: ['title'] }),
    // @ts-expect-error: no store sorts by it
    v1.people.list({ sort: ['name'] }),
    // @ts-expect-error: the name beneath
    v1.people.list({ where: { state: 'open' } }),
    // @ts-expect-error: a value of a table has no order
    v1.people.list({ where: { is_open: { gte: true } } }),
  ]
  type Item = Awaited<ReturnType<ReturnType<typeof v1.people>['read']>>
  expectTypeOf<Item['wage']>().toEqualTypeOf<number | undefined>()
  expect(calls).toBeTypeOf('function')
})
