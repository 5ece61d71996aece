import { type Api, defineApi, defineResource } from 'nounful'
import {
  type Client,
  createClient,
  isProblem,
  type Page,
  type ProblemCode,
  retrying,
} from 'nounful/client'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { api } from '../../examples/companies/contract.ts'

// Both compilers of the gate check this file: a line after "@ts-expect-error" must not compile.

const badges = defineResource('badges', {
  schema: z.object({ id: z.number(), text: z.string() }),
  id: z.coerce.number(),
})
const teams = defineResource('teams', {
  schema: z.object({ id: z.string(), company_id: z.string(), name: z.string() }),
  create: z.object({ company_id: z.string(), name: z.string() }),
  sortable: ['name'],
})
const orders = defineResource('purchase-orders', {
  schema: z.object({
    id: z.string(),
    badge_id: z.number(),
    owner_id: z.string(),
    total: z.number(),
  }),
  create: z.object({ total: z.coerce.number<string>() }),
  filled: ['badge_id', 'owner_id'],
  sortable: ['total'],
})
const documents = defineResource('documents', {
  schema: z.looseObject({ id: z.string(), company_id: z.string(), title: z.string() }),
  create: z.looseObject({ company_id: z.string(), title: z.string() }),
})
const wide = defineApi({
  v1: {
    '/badges': badges,
    '/badges/:badge_id/purchase-orders': orders,
    '/companies': defineResource('companies', {
      schema: z.object({ id: z.string(), name: z.string() }),
    }),
    '/companies/:company_id/teams': teams,
    '/companies/:company_id/documents': documents,
    '/companies/:owner_id/purchase-orders': orders,
  },
  v2: { '/teams': teams },
})

const client = createClient<typeof api>({ baseUrl: 'http://nowhere.invalid' })
const { v1, v2 } = createClient<typeof wide>({ baseUrl: 'http://nowhere.invalid' })
const ann = { name: 'Ann', birthdate: '1990-01-01' }
const { companies, employees } = client.v1
type Employee = Awaited<ReturnType<ReturnType<typeof employees>['read']>>

function wrapped<A extends Api>(baseUrl: string): Client<A> {
  return createClient<A>({ baseUrl })
}

// Never called: it only has to compile.
export function taken(): unknown[] {
  const item = { id: '1', created_at: '', ...ann }
  return [
    employees.list(),
    employees.list({}),
    employees.list({ q: 'ann', sort: ['name', '-birthdate', '-created_at'], limit: 2, after: 'x' }),
    employees.list({ q: undefined, sort: undefined }, { signal: AbortSignal.abort(), headers: {} }),
    employees.first({ q: 'ann', sort: ['name'] }),
    employees.count({ q: 'ann' }),
    employees.create(ann),
    employees.create({ ...ann, email: 'a@b.c', company_id: '1' }, { headers: new Headers() }),
    employees('1').update(ann),
    employees('1').update({ ...item, name: 'Zoe' }, { ifRevision: 3 }),
    employees('1').delete({ ifRevision: '3', signal: AbortSignal.abort() }),
    employees.updateMany([item, { id: '2', ...ann }]),
    employees.deleteAll({ maxAffected: 3 }),
    companies('7').employees('8').read(),
    companies('7').employees.list({ sort: ['-name'] }),
    companies('7').customers.create({ name: 'Kay' }),
    companies('7').employees.pages({ limit: 2 }),
    companies('7').employees.items({ sort: ['name'] }),
    v1.badges(7)['purchase-orders'].list({ sort: ['-total'] }),
    v1.companies('7')['purchase-orders']('9').update({ total: '3', owner_id: '7' }),
    v1.companies('7').teams.create({ name: 'x' }),
    v1.companies('7').teams.create({ name: 'x', company_id: '7' }),
    v1.companies('7').documents.create({ title: 'x', pages: 3 }),
    v1.badges.updateMany([{ id: 7, text: 'x' }]),
    v1.badges(7).update({ text: 'x' }),
    v2.teams.create({ name: 'x', company_id: '7' }),
    createClient<typeof api>({
      baseUrl: '/api',
      fetch,
      headers: { a: 'b' },
    }),
    createClient<typeof api>({
      baseUrl: '/api',
      fetch: (request) => new Response(request.url),
      headers: async () => ({ authorization: 'Bearer' }),
    }),
    createClient<typeof api>({
      baseUrl: '/api',
      fetch: retrying({ attempts: 3, wait: 100, maxWait: 1000, fetch }),
    }),
  ]
}

// Never called.
export function refused(): void {
  // @ts-expect-error: the type of the api was forgotten
  createClient({ baseUrl: 'http://nowhere.invalid' }).v1
  // A wrapper passes the type on.
  expectTypeOf(wrapped<typeof api>).returns.toEqualTypeOf<Client<typeof api>>()
  // @ts-expect-error: an unknown version
  client.v2
  // @ts-expect-error: an unknown noun
  client.v1.employeez
  // @ts-expect-error: a noun of another version
  v2.companies
  // @ts-expect-error: a nested noun at the top
  client.v1.customers
  // @ts-expect-error: a top noun under an item
  companies('7').companies
  // @ts-expect-error: a noun under a leaf
  companies('7').employees('8').customers
  // @ts-expect-error: a noun under a collection instead of an item
  companies.employees
  // @ts-expect-error: an item without an id
  employees()
  // @ts-expect-error: a number as an id of text
  employees(7)
  // @ts-expect-error: text as an id of numbers
  v1.badges('7')
  // @ts-expect-error: no id
  employees(undefined)
  // @ts-expect-error: an unknown sort field
  employees.list({ sort: ['email'] })
  // @ts-expect-error: an unknown descending sort field
  employees.list({ sort: ['-email'] })
  // @ts-expect-error: a sort as text
  employees.list({ sort: 'name' })
  // @ts-expect-error: a sort of an unsortable resource
  v1.badges.list({ sort: ['text'] })
  // @ts-expect-error: an unknown parameter
  employees.list({ filter: 'x' })
  // @ts-expect-error: a limit as text
  employees.list({ limit: '2' })
  // @ts-expect-error: a limit for `first`
  employees.first({ limit: 2 })
  // @ts-expect-error: a sort for `count`
  employees.count({ sort: ['name'] })
  // @ts-expect-error: an unknown field
  employees.create({ ...ann, salary: 3 })
  // @ts-expect-error: a field of another type
  employees.create({ ...ann, name: 3 })
  // @ts-expect-error: half an item
  employees.create({ name: 'Ann' })
  // @ts-expect-error: an id that the server makes
  companies.create({ id: '7', name: 'Acme' })
  // @ts-expect-error: half an item
  employees('1').update({ name: 'Ann' })
  // @ts-expect-error: an unknown field
  employees('1').update({ ...ann, salary: 3 })
  // @ts-expect-error: a read-only field of another type
  employees('1').update({ ...ann, created_at: 3 })
  // @ts-expect-error: an item without its id
  employees.updateMany([ann])
  // @ts-expect-error: one item instead of a list
  employees.updateMany({ id: '1', ...ann })
  // @ts-expect-error: a missing parent id
  v2.teams.create({ name: 'x' })
  // @ts-expect-error: half an item with an index signature
  v1.companies('7').documents.create({ pages: 3 })
  // @ts-expect-error: the schema's output as its input
  v1.badges(7)['purchase-orders'].create({ total: 3 })
  // @ts-expect-error: `maxAffected` for one item
  employees('1').delete({ maxAffected: 1 })
  // @ts-expect-error: a revision for a collection
  employees.deleteAll({ ifRevision: 1 })
  // @ts-expect-error: a condition for `read`
  employees('1').read({ ifRevision: 1 })
  // @ts-expect-error: a condition that may be undefined
  employees('1').delete({ ifRevision: undefined })
  // @ts-expect-error: a query for `read`
  employees.deleteAll({ q: 'ann' })
  // @ts-expect-error: a collection's method on an item
  employees('1').list()
  // @ts-expect-error: an item's method on a collection
  employees.read()
  // @ts-expect-error: an unknown operation
  employees.patch()
  // @ts-expect-error: no base URL
  createClient<typeof api>({})
  // @ts-expect-error: an unknown option
  createClient<typeof api>({ baseUrl: '/', base: '/' })
  // @ts-expect-error: retries without `attempts`
  createClient<typeof api>({ baseUrl: '/', fetch: retrying({}) })
  // @ts-expect-error: a type other than an api
  createClient<{ v1: Record<never, never> }>({ baseUrl: '/' })
  // @ts-expect-error: a client is read-only
  client.v1 = v1
}

describe('types follow from the contract', () => {
  test('of what operations give', () => {
    expectTypeOf(employees.list).returns.resolves.toEqualTypeOf<readonly Employee[]>()
    expectTypeOf(employees.first).returns.resolves.toEqualTypeOf<Employee>()
    expectTypeOf(employees.count).returns.resolves.toBeNumber()
    expectTypeOf(employees.deleteAll).returns.resolves.toBeNumber()
    expectTypeOf<Employee>().toEqualTypeOf<{
      id: string
      name: string
      birthdate: string
      created_at: string
      email?: string | undefined
      company_id?: string | undefined
    }>()
  })

  test('of pages and items', () => {
    expectTypeOf(companies('7').employees.items).returns.toExtend<AsyncIterable<Employee>>()
    expectTypeOf(employees.pages).returns.toExtend<AsyncIterable<Page<Employee>>>()
  })

  test('of nested ids', () => {
    expectTypeOf(v1.badges).parameter(0).toBeNumber()
    expectTypeOf(v1.badges(7)['purchase-orders']).parameter(0).toBeString()
  })

  test('of a client of several versions', () => {
    type Either = (typeof v1)['companies'] | (typeof v2)['teams']
    expectTypeOf<Either>().parameter(0).toBeString()
    expectTypeOf<keyof Client<typeof wide>>().toEqualTypeOf<'v1' | 'v2'>()
  })

  test('of problems, whose codes are closed', () => {
    const statusOf = (error: unknown): number | undefined => (isProblem(error) ? error.status : 0)
    expectTypeOf<ProblemCode>().toExtend<string>()
    // @ts-expect-error: an unknown code
    const none: ProblemCode = 'teapot'
    expect([statusOf(none), typeof taken, typeof refused]).toEqual([0, 'function', 'function'])
  })
})
