import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  narrow,
  type Registry,
} from 'nounful'
import { createClient } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter, select } from 'nounful/memory'
import { toOpenApi } from 'nounful/openapi'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const NewTask = z.strictObject({
  title: z.string(),
  status: z.enum(['new', 'open', 'done']),
  level: z.number().nullable(),
  owner_id: z.string().optional(),
  salary: z.number().optional(),
  tags: z.array(z.string()).optional(),
})
const Task = NewTask.extend({ id: z.string() })
const tasks = defineResource('tasks', {
  schema: Task,
  create: NewTask,
  searchable: ['title'],
  filterable: ['status', 'level'],
  countable: ['status', 'level', 'owner_id', 'title', 'salary'],
  restricted: ['salary'],
})
const Item = z.object({
  id: z.string(),
  state: z.enum(['todo', 'done']),
  size: z.number().nullable(),
})
const views = defineView('tasks_v1', tasks, {
  schema: Item,
  without: ['create', 'update'],
  hidden: { title: 'x' },
  fields: {
    state: { of: 'status', values: { new: 'todo', open: 'todo', done: 'done' } },
    size: 'level',
  },
})
const api = defineApi({ v1: { '/tasks': views }, v2: { '/tasks': tasks } })

type TaskItem = z.infer<typeof Task>
const items: readonly TaskItem[] = [
  { id: '1', title: 'b', status: 'new', level: 1, owner_id: 'x', salary: 7 },
  { id: '2', title: 'a', status: 'new', level: null },
  { id: '3', title: 'c a', status: 'done', level: 2, owner_id: 'x' },
  { id: '4', title: 'd', status: 'open', level: 2 },
  { id: '5', title: 'e', status: 'new', level: 2, owner_id: 'y' },
  { id: '6', title: 'f', status: 'open', level: 1 },
]

function registryWith(adapter: object, reveals = false): Registry {
  return defineRegistry(api, { defaultVersion: 'v2' })
    .reveal(() => (reveals ? { tasks: ['salary'] } : {}))
    .onError(() => undefined)
    .adapters({ tasks: adapter as never }) as never
}

async function* streamed(list: readonly TaskItem[]): AsyncGenerator<readonly TaskItem[]> {
  for (const item of list) yield [item]
}

const list = memoryAdapter({ items })
const { countBy: _, ...listing } = { ...list }
const adapters = {
  memoryAdapter: list,
  'an adapter that lists an array': { list: (operation: never) => select(items, operation) },
  'an adapter that streams': { list: (operation: never) => streamed(select(items, operation)) },
  'an adapter whose countBy leaves it to the core': {
    list: (operation: never) => select(items, operation),
    countBy: () => undefined,
  },
}

async function get(path: string, registry: Registry): Promise<{ status: number; body: unknown }> {
  const { status, body } = await handle({ method: 'GET', url: path }, registry)
  return { status, body }
}

const rows: readonly (readonly [path: string, body: unknown])[] = [
  [
    '/v2/tasks/count?by=status',
    {
      count: 6,
      groups: [
        { status: 'new', count: 3 },
        { status: 'open', count: 2 },
        { status: 'done', count: 1 },
      ],
    },
  ],
  [
    '/v2/tasks/count?by=level',
    {
      count: 6,
      groups: [
        { level: 2, count: 3 },
        { level: 1, count: 2 },
        { level: null, count: 1 },
      ],
    },
  ],
  [
    '/v2/tasks/count?by=owner_id,status&level=2',
    {
      count: 3,
      groups: [
        { owner_id: 'x', status: 'done', count: 1 },
        { owner_id: 'y', status: 'new', count: 1 },
        { owner_id: null, status: 'open', count: 1 },
      ],
    },
  ],
  [
    '/v2/tasks/count?by=title&q=a',
    {
      count: 2,
      groups: [
        { title: 'a', count: 1 },
        { title: 'c a', count: 1 },
      ],
    },
  ],
  ['/v2/tasks/count?by=status&status=', { code: 'bad_parameter' }],
  ['/v2/tasks/count?by=status&q=zzz', { count: 0, groups: [] }],
  ['/v2/tasks/count?by=status,status&q=zzz', { count: 0, groups: [] }],
  ['/v2/tasks/count?by=', { count: 6 }],
  [
    '/v1/tasks/count?by=state',
    {
      count: 6,
      groups: [
        { state: 'todo', count: 5 },
        { state: 'done', count: 1 },
      ],
    },
  ],
  [
    '/v1/tasks/count?by=size&state=todo',
    {
      count: 5,
      groups: [
        { size: 1, count: 2 },
        { size: 2, count: 2 },
        { size: null, count: 1 },
      ],
    },
  ],
  [
    '/v1/tasks/count?by=size,state',
    {
      count: 6,
      groups: [
        { size: 1, state: 'todo', count: 2 },
        { size: 2, state: 'todo', count: 2 },
        { size: 2, state: 'done', count: 1 },
        { size: null, state: 'todo', count: 1 },
      ],
    },
  ],
]

describe.each(Object.entries(adapters))('%s', (_name, adapter) => {
  for (const [path, body] of rows) {
    test(`${path}`, async () => {
      const response = await get(path, registryWith(adapter))
      if (Object(body).code === undefined) expect(response).toEqual({ status: 200, body })
      else expect(response.body).toMatchObject(Object(body))
    })
  }
})

describe('the forms of one moment are one value', () => {
  const Firm = z.object({
    id: z.string(),
    founded: z.iso.datetime({ offset: true }).optional(),
    closed: z.iso.date().optional(),
    kind: z.string(),
  })
  const firms = defineResource('firms', {
    schema: Firm,
    filterable: ['founded', 'closed', 'kind'],
    countable: ['founded', 'closed', 'kind'],
  })
  const forms = ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000z']
  const stored = [...forms, '2025-12-31T23:59:59.999Z', '2026-01-01T01:00:00Z', undefined].map(
    (founded, index) => ({ id: `${index}`, kind: `${index % 2}`, closed: '2026-01-01', founded }),
  )
  const file = new DatabaseSync(':memory:')
  file.exec('create table firms (id text primary key, kind text, closed text, founded text)')
  for (const { id, kind, closed, founded = null } of stored)
    file.prepare('insert into firms values (?, ?, ?, ?)').run(id, kind, closed, founded)
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  const [before, start, after] = [stored[3], stored[2], stored[4]].map((item) => item?.founded)
  test.each([
    ['memoryAdapter', 3, memoryAdapter({ items: stored as never })],
    ['memoryAdapter, reversed', 3, memoryAdapter({ items: stored.toReversed() as never })],
    ['a list', 3, { list: (operation: never) => select(stored, operation) }],
    // A text column finds the one form in which the core stores moments.
    ['SQLite', 0, kyselyAdapter(db, { table: 'firms' })],
  ])('%s', async (_name, count, adapter) => {
    const api = defineApi({ v1: { '/firms': firms } })
    const registry = defineRegistry(api).adapters({ firms: adapter as never }) as never
    const groupsBy = async (by: string) =>
      Object((await get(`/v1/firms/count?by=${by}`, registry)).body).groups
    expect(await groupsBy('founded')).toEqual([
      { founded: start, count: 3 },
      { founded: before, count: 1 },
      { founded: after, count: 1 },
      { founded: null, count: 1 },
    ])
    expect((await groupsBy('founded,kind'))[0]).toEqual({ founded: start, kind: '0', count: 2 })
    expect(await groupsBy('closed')).toEqual([{ closed: '2026-01-01', count: 6 }])
    const found = await get(`/v1/firms/count?founded=${start}`, registry)
    expect(found.body).toEqual({ count })
  })
})

describe('bad input is 400', () => {
  const allowed = ['status', 'level', 'owner_id', 'title']
  for (const by of [
    'x',
    'status,x',
    'status,level,title',
    'tags',
    'salary',
    'status,',
    '__proto__',
  ])
    test(by, async () => {
      const { status, body } = await get(`/v2/tasks/count?by=${by}`, registryWith(list))
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'bad_parameter', allowed })
    })
  test('but a field that the caller sees', async () => {
    const { body } = await get('/v2/tasks/count?by=salary', registryWith(list, true))
    expect(body).toEqual({
      count: 6,
      groups: [
        { salary: null, count: 5 },
        { salary: 7, count: 1 },
      ],
    })
  })
  test('by of a list, and twice', async () => {
    const codes = ['?by=status', '/count?by=status&by=x', '/first?by=status'].map(async (path) => {
      const { body } = await get(`/v2/tasks${path}`, registryWith(list))
      return Object(body).code
    })
    expect(await Promise.all(codes)).toEqual([
      'unknown_parameter',
      'bad_parameter',
      'unknown_parameter',
    ])
  })
})

const results: readonly (readonly [result: unknown, message: RegExp])[] = [
  ['groups', /gave, for "count", no array of groups/],
  [[{ status: 'new' }], /a group without the number of its items/],
  [[{ status: 'new', count: 0 }], /a group without the number of its items/],
  [[{ status: 'new', count: 1.5 }], /a group without the number of its items/],
  [[null], /a group without the number of its items/],
]
for (const [result, message] of results) {
  test(`countBy that returns ${JSON.stringify(result)} is 500`, async () => {
    const errors: unknown[] = []
    const registry = defineRegistry(api, { defaultVersion: 'v2' })
      .onError((error) => errors.push(error))
      .adapters({ tasks: { ...list, countBy: (() => result) as never } as Adapter as never })
    expect((await get('/v2/tasks/count?by=status', registry as never)).status).toBe(500)
    expect(String(errors[0])).toMatch(message)
  })
}

test('the core merges groups, and takes lists and objects for missing', async () => {
  const groups = [
    { status: 'new', count: 1 },
    { status: ['x'], count: 2 },
    { status: 'new', count: 3, secret: 1 },
    { count: 4 },
  ]
  const { body } = await get(
    '/v2/tasks/count?by=status',
    registryWith({ countBy: () => groups, count: () => 10 }),
  )
  expect(body).toEqual({
    count: 10,
    groups: [
      { status: null, count: 6 },
      { status: 'new', count: 4 },
    ],
  })
})

describe('more than 1,000 groups', () => {
  const many = Array.from({ length: 1500 }, (_, index): TaskItem => {
    const title = `t${String(index % 1400).padStart(4, '0')}`
    return { id: `${index}`, title, status: 'new', level: 1 }
  })
  test.each([
    ['by countBy', memoryAdapter({ items: many })],
    ['over list', { list: (operation: never) => select(many, operation) }],
    ['in parts', { list: (operation: never) => streamed(select(many, operation)) }],
    [
      'of a cut result',
      { ...memoryAdapter({ items: many }), countBy: (operation: never) => cut(operation) },
    ],
  ])('%s are cut, the number is whole', async (_name, adapter) => {
    const { body } = await get('/v2/tasks/count?by=title', registryWith(adapter))
    const { count, groups, more } = Object(body)
    expect([count, groups.length, more]).toEqual([1500, 1000, true])
    expect(groups[0]).toEqual({ title: 't0000', count: 2 })
    expect(groups.at(-1)).toEqual({ title: 't0999', count: 1 })
  })
  async function cut(operation: never): Promise<readonly object[]> {
    const groups = (await memoryAdapter({ items: many }).countBy?.(operation, undefined)) ?? []
    return groups.slice(0, 1001)
  }
})

test('a long list lets other requests go on', async () => {
  const long = Array.from({ length: 25_000 }, (_, index): TaskItem => {
    return { id: `${index}`, title: 'a', status: 'new', level: index % 2 }
  })
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const adapters = [memoryAdapter({ items: long }), { list: () => streamed(long) }]
  for (const adapter of adapters) {
    const { body } = await get('/v2/tasks/count?by=level', registryWith(adapter))
    expect(Object(body).count).toBe(25_000)
  }
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

test('OPTIONS tells the fields of by', async () => {
  const registry = registryWith(list)
  const { body } = await handle({ method: 'OPTIONS', url: '/v2/tasks/count' }, registry)
  const { countable, limits, operations } = Object(body)
  expect(countable).toEqual(['status', 'level', 'owner_id', 'title', 'salary'])
  expect(limits.by).toBe(2)
  expect(operations[0].parameters).toContain('by')
  const first = await handle({ method: 'OPTIONS', url: '/v1/tasks/count' }, registry)
  expect(Object(first.body).countable).toEqual(['state', 'size'])
})

test('OpenAPI describes by and groups', () => {
  const document = JSON.parse(
    JSON.stringify(toOpenApi(registryWith(list), { info: { title: 'x', version: '1' } })),
  )
  const { parameters, responses } = document.paths['/v2/tasks/count'].get
  const names = parameters.map(({ $ref, name }: { $ref?: string; name?: string }) => $ref ?? name)
  expect(names.join()).toContain('by')
  const { schema } = responses[200].content['application/json']
  const { groups, more } = schema.allOf[1].properties
  expect(groups.items.properties.status).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] })
  expect(groups.items.required).toEqual(['count'])
  expect(more.const).toBe(true)
})

test('the client types the groups by the fields', async () => {
  const handler = toFetchHandler(registryWith(list))
  const client = createClient<typeof api>({
    baseUrl: 'http://x',
    fetch: (request) => Promise.resolve(handler(request)),
  })
  const { count, groups, more } = await client.v2.tasks.count({ by: ['status'] })
  expectTypeOf(groups).toEqualTypeOf<
    readonly ({ readonly status: 'new' | 'open' | 'done' | null } & { readonly count: number })[]
  >()
  expect([count, groups.length, more]).toEqual([6, 3, undefined])
  expectTypeOf(await client.v2.tasks.count({ where: { status: 'new' } })).toBeNumber()
  expect(await client.v2.tasks.count()).toBe(6)
  const sizes = await client.v1.tasks.count({ by: ['size', 'state'], where: { state: 'todo' } })
  expect(sizes.groups[0]?.size).toBe(1)
  // @ts-expect-error: no countable field
  await expect(client.v2.tasks.count({ by: ['tags'] })).rejects.toThrow('"by" does not take "tags"')
})

const faults: readonly (readonly [options: object, message: RegExp])[] = [
  [{ countable: ['x'] }, /names "x" in "countable"/],
  [{ countable: ['tags'] }, /counts by "tags", which is neither text nor number nor boolean/],
  [{ countable: ['count'] }, /counts by "count", the name of the numbers/],
  [{ countable: ['a,b'] }, /counts by "a,b": use a field name without a comma/],
  [{ countable: ['title', 'title'] }, /names a field twice in "countable"/],
  [{ countable: 'title' }, /needs a list as "countable"/],
  [{ countable: ['title'], without: ['count'] }, /has "countable", but offers no "count"/],
]
for (const [options, message] of faults) {
  test(`refuses ${JSON.stringify(options)}`, () => {
    const schema = Task.extend({ count: z.number(), 'a,b': z.string() })
    const declare = () => defineResource('tasks', { schema, ...(options as object) })
    expect(declare).toThrow(message)
  })
}

test('a view counts by fields whose sources are countable', () => {
  const plain = defineResource('tasks', { schema: Task, countable: ['status'] })
  const schema = z.object({ id: z.string(), name: z.string() })
  const declare = () =>
    defineView('tasks_v1', plain, {
      schema,
      without: ['create', 'update'],
      countable: ['name'],
      fields: { name: 'title' },
      hidden: { status: 'new', level: 1 },
    })
  expect(declare).toThrow('counts by "name": add "title" to "countable" of "tasks"')
  const uncounted = defineView('tasks_v1', plain, {
    schema: z.object({ id: z.string(), status: z.enum(['new', 'open', 'done']) }),
    without: ['create', 'update', 'count'],
    hidden: { title: 'x', level: 1 },
  })
  expect(uncounted.countable).toEqual([])
})

test('a wrapper of list hides items from the countBy of another adapter', async () => {
  const { read, first, last, count, ...rest } = list
  const hiding = { ...rest, list: () => items.slice(0, 2), read, first, last, count }
  const wrapped = {
    ...list,
    list: () => items.slice(0, 2),
    read: () => null,
    first: () => null,
    last: () => null,
    count: () => 2,
  }
  expect(() => registryWith(hiding)).toThrow('an item that one hides shows through the other')
  for (const adapter of [wrapped, narrow(wrapped as never, {})]) {
    for (const path of ['/v2/tasks/count?by=status', '/v1/tasks/count?by=size,state']) {
      const { body } = await get(path, registryWith(adapter))
      expect(Object(body).count).toBe(2)
    }
  }
})

test('an adapter needs a method that tells the values', () => {
  const { count } = listing
  expect(() => registryWith({ count })).toThrow('give its adapter a "countBy" or a "list"')
})
