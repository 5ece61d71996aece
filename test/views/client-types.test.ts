import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { createClient } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
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

const teams = defineResource('teams', {
  schema: z.object({ id: text, name: text, size: z.int() }),
  create: z.object({ name: text, size: z.int() }),
  sortable: ['name'],
  filterable: ['name', 'size'],
})
const posts = defineResource('posts', {
  schema: z.object({ id: text, team_id: text, rival_id: text, title: text }),
  create: z.object({ team_id: text, rival_id: text, title: text }),
  references: { team_id: 'teams', rival_id: { to: 'teams', as: 'enemy' } },
})
const Group = z.object({ id: text, label: text })
const group = {
  schema: Group,
  create: Group.omit({ id: true }),
  fields: { label: 'name' },
  hidden: { size: 1 },
} as const
const groups = defineView('groups', teams, group)
const clusters = defineView('clusters', groups, {
  schema: z.object({ id: text, mark: text }),
  create: z.object({ mark: text }),
  fields: { mark: 'label' },
})
const Article = z.object({ id: text, group_id: text, rival_id: text, title: text })
const articles = defineView('articles', posts, {
  schema: Article,
  create: Article.omit({ id: true }),
  fields: { group_id: 'team_id' },
})
const Text = z.object({ id: text, cluster_id: text, rival_id: text, title: text })
const texts = defineView('texts', articles, {
  schema: Text,
  create: Text.omit({ id: true }),
  fields: { cluster_id: 'group_id' },
})
const stored = [{ id: '1', team_id: 't', rival_id: 'u', title: 'x' }]

test('an inherited reference leads to the view of its target', async () => {
  const api = defineApi({
    v1: { '/teams': teams, '/posts': posts },
    v2: { '/groups': groups, '/articles': articles },
    v3: { '/clusters': clusters, '/texts': texts },
    // The name of the stored resource stands for itself.
    v4: { '/teams': teams, '/groups': groups, '/articles': articles },
    // Each of two views is a target by its own name only.
    v5: { '/groups': groups, '/clusters': clusters, '/articles': articles },
  })
  const registry = defineRegistry(api, { defaultVersion: 'v2' }).adapters({
    teams: memoryAdapter({ items: ['t', 'u'].map((id) => ({ id, name: id, size: 3 })) }),
    posts: memoryAdapter({ items: stored }),
  })
  const handler = toFetchHandler(registry)
  const client = createClient<typeof api>({
    baseUrl: 'http://localhost',
    fetch: (request) => Promise.resolve(handler(request)),
  })
  const [article] = await client.v2.articles.list({
    where: { group: { label: 't' }, 'enemy.label': { ne: 't' } },
    sort: ['group.label', '-enemy.label'],
    include: ['group', 'enemy'],
    limit: 9,
  })
  expect(article?.group?.label).toBe('t')
  expectTypeOf(article?.enemy?.label).toEqualTypeOf<string | undefined>()
  const query = { where: { 'cluster.mark': 't' }, include: ['cluster'] } as const
  expect((await client.v3.texts.first(query)).cluster?.mark).toBe('t')
  const ofTeam = { where: { group: { size: 3 } }, include: ['group'], limit: 9 } as const
  expect((await client.v4.articles.list(ofTeam))[0]?.group?.size).toBe(3)

  // @ts-expect-error: a field of the stored team
  await expect(client.v2.articles.list({ where: { 'group.name': 'a' } })).rejects.toThrow('group')
  // @ts-expect-error: a member of the base
  await expect(client.v2.articles.list({ sort: ['team.name'] })).rejects.toThrow('sort')
  // @ts-expect-error: two views of the target
  await expect(client.v5.articles.list({ include: ['group'] })).rejects.toThrow('include')
})
