import { type Api, defineApi, defineResource } from 'nounful'
import {
  type CallItWithAnIdFirst,
  type Client,
  type ClientOptions,
  type CountedPage,
  createClient,
  type DeleteOutcome,
  type ItemOf,
  isProblem,
  type Page,
  type ProblemCode,
  retrying,
} from 'nounful/client'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { api } from '../support/first-version.ts'

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
const tasks = defineResource('tasks', {
  schema: z.object({
    id: z.string(),
    title: z.string(),
    status: z.enum(['new', 'open', 'done']).nullable(),
    level: z.union([z.literal(1), z.literal(2)]),
    due: z.iso.date().optional(),
    done: z.boolean(),
    rank: z.number(),
    tags: z.array(z.string()),
  }),
  sortable: ['title', 'due', 'done', 'level', 'rank'],
  searchable: ['title'],
  filterable: ['title', 'status', 'level', 'due', 'done', 'tags'],
})
const files = defineResource('files', {
  schema: z.object({ id: z.number(), size: z.number(), extra: z.unknown() }),
  id: z.coerce.number(),
  sortable: ['id', 'size'],
  filterable: { id: 'number', size: 'number', extra: 'text' },
})
const Profile = z.object({
  name: z.string(),
  nickname: z.string().optional(),
  status: z.enum(['new', 'old']).nullable(),
  address: z.object({
    city: z.string(),
    zip: z.string().optional(),
    geo: z.object({ lat: z.number() }).nullable(),
  }),
  lines: z.array(z.object({ price: z.number() })),
  counts: z.record(z.string(), z.number()),
  code: z.string().brand<'code', 'inout'>(),
  extra: z.unknown(),
  contact: z.discriminatedUnion('by', [
    z.object({ by: z.literal('mail'), to: z.string() }),
    z.object({ by: z.literal('phone'), number: z.number() }),
  ]),
})
const profiles = defineResource('profiles', {
  schema: Profile.extend({ id: z.string(), created_at: z.string() }),
  create: Profile,
  readOnly: ['created_at'],
})
const people = defineResource('people', {
  schema: z.object({
    id: z.string(),
    address: z.object({ city: z.string(), zip: z.string(), floor: z.number().nullish() }).nullish(),
  }),
  filterable: ['address.city', 'address.floor'],
})
const clubs = defineResource('clubs', {
  schema: z.object({ id: z.string(), name: z.string(), size: z.int(), null: z.string() }),
  sortable: ['size'],
  searchable: ['name'],
  filterable: ['id', 'name', 'size', 'null'],
})
const members = defineResource('members', {
  schema: z.object({ id: z.string(), club_id: z.string(), boss: z.string(), note_id: z.string() }),
  filterable: ['club_id'],
  references: { club_id: 'clubs', boss: { to: 'members', as: 'chief' }, note_id: 'notes' },
})
const notes = defineResource('notes', { schema: z.object({ id: z.string(), text: z.string() }) })
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
  v2: { '/teams': teams, '/tasks': tasks, '/files': files, '/profiles': profiles },
  v3: { '/members': members, '/clubs': clubs, '/notes': notes },
  v4: { '/members': members, '/notes': notes },
  v5: { '/people': people },
})

// A call that is sent fails the run at once, and not only where a name is looked up in time.
const options: ClientOptions = {
  baseUrl: 'http://nowhere.invalid',
  fetch: () => Promise.reject(new Error('This file tests types and sends nothing.')),
}
const client = createClient<typeof api>(options)
const { v1, v2, v3, v4, v5 } = createClient<typeof wide>(options)
const ann = { name: 'Ann', birthdate: '1990-01-01' }
const { companies, employees } = client.v1
const profile = v2.profiles('1')
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
    employees.createMany([]),
    employees.createMany([ann, { ...ann, email: 'a@b.c' }], { signal: AbortSignal.abort() }),
    employees.createMany([ann], { dry_run: true, headers: {} }),
    employees.create(ann, { dry_run: true }),
    employees.updateMany([item], { dry_run: true }),
    employees('1').update(ann, { dry_run: true, ifRevision: 3 }),
    employees('1').patch({}),
    employees('1').patch({ email: null, company_id: null }, { ifRevision: 3 }),
    employees('1').patch({ ...item, email: undefined }, { dry_run: true, ifRevision: '3' }),
    employees.patchMany([{ id: '1' }, { id: '2', name: 'Zoe', email: null }], { headers: {} }),
    employees.patchMany([{ id: '1', name: 'Zoe' }], { dry_run: true }),
    employees.deleteMany(['1', '2'], { signal: AbortSignal.abort() }),
    employees.deleteMany({ where: { id: ['1'] }, q: 'a', maxAffected: 1, headers: {} }),
    profile.patch({ status: null, nickname: null, created_at: '2020', id: '1' }),
    profile.patch({ address: { zip: null } }),
    profile.patch({ address: { city: 'Rome', geo: null } }),
    profile.patch({ address: { geo: { lat: 1 } } }),
    profile.patch({ counts: { a: 1, b: null }, lines: [{ price: 1 }], extra: null }),
    profile.patch({ contact: { number: 3 } }),
    profile.patch({ contact: { by: 'mail', to: 'a@b.c' } }),
    companies('7').employees('8').patch({ name: 'Zoe' }),
    v1.companies('7').teams('8').patch({ company_id: '7' }),
    v1.companies('7').documents('8').patch({ pages: 3, sheets: null }),
    v1.badges.patchMany([{ id: 7, text: 'x' }]),
    v1.badges.deleteMany([7]),
    v1.companies('7')['purchase-orders']('9').patch({ total: '3' }),
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
    v2.tasks.list({ where: {} }),
    v2.tasks.list({ where: { status: 'new', level: [1, 2], done: true, title: undefined } }),
    v2.tasks.list({
      where: { status: ['new', 'open'], due: { gte: '2020-01-01', lt: undefined } },
    }),
    v2.tasks.list({ where: { status: { ne: ['new', 'done'], null: false }, level: { lte: 2 } } }),
    v2.tasks.first({ where: { title: { contains: 'an', startsWith: 'A', endsWith: 'n' } } }),
    v2.tasks.last({ where: { id: { ne: ['1', '2'] } }, sort: ['-id'] }),
    v2.tasks.count({ where: { id: ['1', '2'], due: { null: true } } }),
    v2.tasks.page({ where: { done: { ne: true } }, limit: 20, offset: 40, fields: ['title'] }),
    v2.tasks.pages({ where: { title: { gt: 'a' } } }, { signal: AbortSignal.abort() }),
    v2.tasks.items({ where: { title: { eq: ['a', 'b'] } }, fields: ['rank'] }),
    v2.tasks.readMany(['1', '2', '1'], { headers: {} }),
    v2.tasks('1').read({ fields: ['title'] }, { signal: AbortSignal.abort() }),
    v2.tasks('1').read({}, {}),
    v2.files.list({ where: { id: { gt: 3, ne: [5] }, size: 3, extra: ['x', 3, true] } }),
    v2.tasks.list({ where: { tags: { has: 'red' } } }),
    v2.tasks.count({ where: { tags: { has: ['red', 'blue'] }, done: true } }),
    v2.tasks.list({ where: { tags: undefined } }),
    v2.files.readMany([1, 2]),
    v5.people.list({ where: { address: { city: 'Bern', floor: { gt: 3, null: false } } } }),
    v5.people.list({ where: { 'address.city': { contains: 'be' }, address: undefined } }),
    v3.members.list({ where: { club: { name: 'a' } } }),
    v3.members.list({ where: { club: { name: { contains: 'a' }, size: { gt: 3, ne: [5] } } } }),
    v3.members.first({ where: { 'club.name': ['a', 'b'], 'club.size': { lte: 2, null: false } } }),
    v3.members.last({ where: { 'club.null': 'x', club: undefined, chief: { club_id: '7' } } }),
    v3.members.count({ where: { club: {}, club_id: '7', id: '1' }, by: [] }),
    v3.members.page({ where: { club: { name: undefined } }, include: ['club'], limit: 1 }),
    v3.members.list({ sort: ['-club.size', 'id'] }),
    v3.members.first({ sort: ['club.size'], fields: ['boss'], include: ['club'] }),
    v3.members.deleteMany({ where: { club: { name: 'a' } }, maxAffected: 1 }),
    v4.members.list({ where: { chief: { club_id: ['7'] }, 'chief.club_id': '8' } }),
    employees.list({ where: { id: ['1', '2'] }, sort: ['id', '-name'], fields: ['name', 'email'] }),
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
  companies.employees.list()
  // @ts-expect-error: a function's length
  companies.length
  // @ts-expect-error: a function's name
  companies.name
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
  // @ts-expect-error: a field that is not filterable
  v2.tasks.list({ where: { rank: 3 } })
  // @ts-expect-error: an unknown field
  v2.tasks.list({ where: { nope: 3 } })
  // @ts-expect-error: an unknown member of an enum
  v2.tasks.list({ where: { status: 'old' } })
  // @ts-expect-error: an unknown member of an enum in a list
  v2.tasks.list({ where: { status: ['new', 'old'] } })
  // @ts-expect-error: an unknown member of an enum by operator
  v2.tasks.list({ where: { status: { ne: 'old' } } })
  // @ts-expect-error: a number that no item has
  v2.tasks.list({ where: { level: 3 } })
  // @ts-expect-error: a value of another type
  v2.tasks.list({ where: { title: 3 } })
  // @ts-expect-error: `null` as a value
  v2.tasks.list({ where: { status: null } })
  // @ts-expect-error: a text for `null`
  v2.tasks.list({ where: { status: { null: 'true' } } })
  // @ts-expect-error: a range of a field that is not sortable
  v2.tasks.list({ where: { status: { gte: 'new' } } })
  // @ts-expect-error: a range of booleans
  v2.tasks.list({ where: { done: { gt: false } } })
  // @ts-expect-error: a list for a range
  v2.tasks.list({ where: { due: { gte: ['2020-01-01'] } } })
  // @ts-expect-error: a part of a field that is not searchable
  v2.tasks.list({ where: { status: { contains: 'n' } } })
  // @ts-expect-error: a part as a number
  v2.tasks.list({ where: { title: { contains: 3 } } })
  // @ts-expect-error: an unknown operator
  v2.tasks.list({ where: { title: { like: 'a' } } })
  // @ts-expect-error: a value in place of an element
  v2.tasks.list({ where: { tags: 'red' } })
  // @ts-expect-error: an operator that a list does not take
  v2.tasks.list({ where: { tags: { ne: 'red' } } })
  // @ts-expect-error: an element of another type
  v2.tasks.list({ where: { tags: { has: 3 } } })
  // @ts-expect-error: an operator of lists
  v2.tasks.list({ where: { status: { has: 'new' } } })
  // @ts-expect-error: an unknown field of a related item
  v3.members.list({ where: { club: { nope: 'a' } } })
  // @ts-expect-error: a path to an unknown field
  v3.members.list({ where: { 'club.nope': 'a' } })
  // @ts-expect-error: a value of another type
  v3.members.list({ where: { club: { size: 'a' } } })
  // @ts-expect-error: a value of another type at a path
  v3.members.list({ where: { 'club.size': { gt: 'a' } } })
  // @ts-expect-error: an operator that the field does not take
  v3.members.list({ where: { club: { size: { contains: 'a' } } } })
  // @ts-expect-error: the id, which `club_id` holds
  v3.members.list({ where: { club: { id: '1' } } })
  // @ts-expect-error: the id by its path
  v3.members.list({ where: { 'club.id': '1' } })
  // @ts-expect-error: a field by which the other resource does not sort
  v3.members.list({ sort: ['club.name'] })
  // @ts-expect-error: an order by the id, which `club_id` holds
  v3.members.last({ sort: ['-club.id'] })
  // @ts-expect-error: an order by a resource that the version does not have
  v4.members.page({ sort: ['club.size'] })
  // @ts-expect-error: a field that the other resource does not filter
  v3.members.list({ where: { note: { text: 'a' } } })
  // @ts-expect-error: a resource that the version does not have
  v4.members.list({ where: { club: { name: 'a' } } })
  // @ts-expect-error: a related item of a related item
  v3.members.count({ where: { chief: { club: { name: 'a' } } } })
  // @ts-expect-error: a value in place of fields
  v3.members.deleteMany({ where: { club: 'a' }, maxAffected: 1 })
  // @ts-expect-error: a range of ids that are not filterable
  v2.tasks.list({ where: { id: { gt: '1' } } })
  // @ts-expect-error: an id is never missing
  v2.files.list({ where: { id: { null: true } } })
  // @ts-expect-error: ids of another type
  v2.files.list({ where: { id: ['1'] } })
  // @ts-expect-error: a member of another type
  v5.people.list({ where: { address: { city: 3 } } })
  // @ts-expect-error: a member that is not filterable
  v5.people.list({ where: { address: { zip: '1' } } })
  // @ts-expect-error: a part of a number
  v5.people.list({ where: { 'address.floor': { contains: '1' } } })
  // @ts-expect-error: a filter of another resource
  employees.count({ where: { status: 'new' } })
  // @ts-expect-error: an unknown field
  v2.tasks.list({ fields: ['nope'] })
  // @ts-expect-error: fields as text
  v2.tasks.list({ fields: 'title' })
  // @ts-expect-error: fields for `count`
  v2.tasks.count({ fields: ['title'] })
  // @ts-expect-error: an offset for `first`
  v2.tasks.first({ offset: 3 })
  // @ts-expect-error: an id of another type
  v2.tasks.readMany([1])
  // @ts-expect-error: one id instead of a list
  v2.tasks.readMany('1')
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
  // @ts-expect-error: `null` for a required field
  employees('1').patch({ name: null })
  // @ts-expect-error: a field of another type
  employees('1').patch({ name: 3 })
  // @ts-expect-error: an unknown field
  employees('1').patch({ salary: 3 })
  // @ts-expect-error: `null` for a read-only field
  employees('1').patch({ created_at: null })
  // @ts-expect-error: a list of patches for one item
  employees('1').patch([{ name: 'Zoe' }])
  // @ts-expect-error: no patch
  employees('1').patch()
  // @ts-expect-error: `null` for a required field at depth
  profile.patch({ address: { city: null } })
  // @ts-expect-error: `null` for a required object
  profile.patch({ address: null })
  // @ts-expect-error: `null` for a required field two levels down
  profile.patch({ address: { geo: { lat: null } } })
  // @ts-expect-error: an unknown field at depth
  profile.patch({ address: { street: 'x' } })
  // @ts-expect-error: an unknown member of an enum
  profile.patch({ status: 'gone' })
  // @ts-expect-error: a part of an element of an array
  profile.patch({ lines: [{}] })
  // @ts-expect-error: `null` for an array
  profile.patch({ lines: null })
  // @ts-expect-error: a field of another type in a record
  profile.patch({ counts: { a: 'x' } })
  // @ts-expect-error: text without its brand
  profile.patch({ code: 'x' })
  // @ts-expect-error: an unknown kind in a union
  profile.patch({ contact: { by: 'pigeon' } })
  // @ts-expect-error: the schema's output as its input
  v1.companies('7')['purchase-orders']('9').patch({ total: 3 })
  // @ts-expect-error: a patch without its id
  employees.patchMany([{ name: 'Zoe' }])
  // @ts-expect-error: one patch instead of a list
  employees.patchMany({ id: '1', name: 'Zoe' })
  // @ts-expect-error: `null` for an id
  employees.patchMany([{ id: null, name: 'Zoe' }])
  // @ts-expect-error: an id of another type
  v1.badges.patchMany([{ id: '7', text: 'x' }])
  // @ts-expect-error: a revision for many items
  employees.patchMany([{ id: '1' }], { ifRevision: 1 })
  // @ts-expect-error: one item instead of a list
  employees.createMany(ann)
  // @ts-expect-error: a list instead of one item
  employees.create([ann])
  // @ts-expect-error: half an item
  employees.createMany([ann, { name: 'Ann' }])
  // @ts-expect-error: an id of another type
  employees.deleteMany([1])
  // @ts-expect-error: one id instead of a list
  employees.deleteMany('1')
  // @ts-expect-error: filters without a bound
  employees.deleteMany({ where: { id: '1' } })
  // @ts-expect-error: filters by an unknown field
  employees.deleteMany({ where: { nothing: '1' }, maxAffected: 1 })
  // @ts-expect-error: a revision for many items
  employees.deleteMany(['1'], { ifRevision: 1 })
  // @ts-expect-error: a dry run that may be none
  employees.create(ann, { dry_run: Math.random() > 0.5 })
  // @ts-expect-error: a dry run that may be undefined
  employees.create(ann, { dry_run: undefined })
  // @ts-expect-error: a dry run of a deletion
  employees('1').delete({ dry_run: true })
  // @ts-expect-error: a dry run of many deletions
  employees.deleteMany(['1'], { dry_run: true })
  // @ts-expect-error: a dry run of a read
  employees('1').read({}, { dry_run: true })
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
  employees.upsert()
  // @ts-expect-error: an item's write on a collection
  employees.patch({})
  // @ts-expect-error: a collection's write on an item
  employees('1').patchMany([])
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
    // Never called.
    const count = () => employees.count()
    expectTypeOf(count).returns.resolves.toBeNumber()
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

  test('of writes', () => {
    const item = employees('1')
    type Result<Method extends (...args: never) => unknown> = Awaited<ReturnType<Method>>
    expectTypeOf<Result<typeof employees.create>>().toEqualTypeOf<Employee>()
    expectTypeOf<Result<typeof employees.createMany>>().toEqualTypeOf<readonly Employee[]>()
    expectTypeOf<Result<typeof employees.updateMany>>().toEqualTypeOf<readonly Employee[]>()
    expectTypeOf<Result<typeof employees.patchMany>>().toEqualTypeOf<readonly Employee[]>()
    expectTypeOf<Result<typeof item.update>>().toEqualTypeOf<Employee>()
    expectTypeOf<Result<typeof item.patch>>().toEqualTypeOf<Employee>()
    expectTypeOf<Parameters<typeof item.patch>[0]['email']>().toEqualTypeOf<
      string | null | undefined
    >()
  })

  test('of dry runs', () => {
    const dry = { dry_run: true } as const
    // Never called.
    const asked = () => ({
      create: employees.create(ann, dry),
      createMany: employees.createMany([ann], dry),
      update: employees('1').update(ann, { ...dry, ifRevision: 1 }),
      patch: employees('1').patch({}, dry),
      updateMany: employees.updateMany([], dry),
      patchMany: employees.patchMany([], dry),
    })
    type Asked = {
      [Name in keyof ReturnType<typeof asked>]: Awaited<ReturnType<typeof asked>[Name]>
    }
    type Known = Partial<Employee>
    expectTypeOf<Asked>().toEqualTypeOf<{
      create: Known
      createMany: readonly Known[]
      update: Known
      patch: Known
      updateMany: readonly Known[]
      patchMany: readonly Known[]
    }>()
  })

  test('of the outcomes of many deletions', () => {
    type Outcome = Awaited<ReturnType<typeof employees.deleteMany>>[number]
    expectTypeOf<Outcome>().toEqualTypeOf<DeleteOutcome<Employee>>()
    expectTypeOf<Outcome['id']>().toBeString()
    expectTypeOf<Outcome['item']>().toEqualTypeOf<Employee | undefined>()
    const nameOf = ({ item, error }: Outcome): unknown => item?.name ?? error
    expect(nameOf({ id: '1', error: 'x' })).toBe('x')
    // @ts-expect-error: both
    const both: Outcome = { id: '1', error: 'x', item: { id: '1', created_at: '', ...ann } }
    expect(both).toBeDefined()
  })

  test('of pages and items', () => {
    expectTypeOf(companies('7').employees.items).returns.toExtend<AsyncIterable<Employee>>()
    expectTypeOf(employees.pages).returns.toExtend<AsyncIterable<Page<Employee>>>()
  })

  test('of selected fields', async () => {
    type Part = Pick<Employee, 'id' | 'name'>
    const part = { fields: ['name'] } as const
    // Never called.
    const asked = () => ({
      list: employees.list(part),
      literal: employees.list({ fields: ['name', 'id'] }),
      first: employees.first({ ...part, q: 'a' }),
      last: employees.last(part),
      read: employees('1').read(part),
      page: employees.page(part),
      pages: employees.pages(part),
      items: employees.items(part),
      all: employees.list({ fields: undefined }),
      none: employees.list({ fields: [] }),
      many: employees.readMany(['1']),
      counted: employees.page(),
    })
    type Asked = ReturnType<typeof asked>
    expectTypeOf<Awaited<Asked['list']>>().toEqualTypeOf<readonly Part[]>()
    expectTypeOf<Awaited<Asked['literal']>>().toEqualTypeOf<readonly Part[]>()
    expectTypeOf<Awaited<Asked['first']>>().toEqualTypeOf<Part>()
    expectTypeOf<Awaited<Asked['last']>>().toEqualTypeOf<Part>()
    expectTypeOf<Awaited<Asked['read']>>().toEqualTypeOf<Part>()
    expectTypeOf<Awaited<Asked['page']>>().toEqualTypeOf<CountedPage<Part>>()
    expectTypeOf<Asked['pages']>().toExtend<AsyncIterable<Page<Part>>>()
    expectTypeOf<Asked['items']>().toExtend<AsyncIterable<Part>>()
    expectTypeOf<Awaited<Asked['all']>>().toEqualTypeOf<readonly Employee[]>()
    expectTypeOf<Awaited<Asked['none']>>().toEqualTypeOf<readonly Employee[]>()
    expectTypeOf<Awaited<Asked['many']>>().toEqualTypeOf<readonly (Employee | undefined)[]>()
    expectTypeOf<Awaited<Asked['counted']>>().toEqualTypeOf<CountedPage<Employee>>()
    expectTypeOf<Awaited<Asked['counted']>['total']>().toEqualTypeOf<number | undefined>()
  })

  test('of an item by its version and noun', () => {
    expectTypeOf<ItemOf<typeof api, 'v1', 'employees'>>().toEqualTypeOf<Employee>()
    expectTypeOf<ItemOf<typeof wide, 'v2', 'files'>['id']>().toBeNumber()
    expectTypeOf<ItemOf<typeof wide, 'v1', 'teams'>['company_id']>().toBeString()
    // @ts-expect-error: a noun of another version
    expectTypeOf<ItemOf<typeof wide, 'v2', 'badges'>>().toBeNever()
  })

  test('of the nouns of an item, which its collection lacks', () => {
    const nested = companies.employees
    expectTypeOf(nested).toEqualTypeOf<CallItWithAnIdFirst>()
    expect(nested).toBeUndefined()
  })

  test('of nested ids', () => {
    expectTypeOf(v1.badges).parameter(0).toBeNumber()
    expectTypeOf(v1.badges(7)['purchase-orders']).parameter(0).toBeString()
  })

  test('of a client of several versions', () => {
    type Either = (typeof v1)['companies'] | (typeof v2)['teams']
    expectTypeOf<Either>().parameter(0).toBeString()
    expectTypeOf<keyof Client<typeof wide>>().toEqualTypeOf<'v1' | 'v2' | 'v3' | 'v4' | 'v5'>()
  })

  test('of problems, whose codes are closed', () => {
    const statusOf = (error: unknown): number | undefined => (isProblem(error) ? error.status : 0)
    expectTypeOf<ProblemCode>().toExtend<string>()
    // @ts-expect-error: an unknown code
    const none: ProblemCode = 'teapot'
    expect([statusOf(none), typeof taken, typeof refused]).toEqual([0, 'function', 'function'])
  })
})
