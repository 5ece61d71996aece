import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
  type Middleware,
  type Operation,
  problem,
} from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { byHand } from '../support/by-hand.ts'

const User = z.object({ id: z.string(), name: z.string() })
const Project = z.object({ id: z.coerce.number(), user_id: z.string() })
const Task = z.object({
  id: z.string(),
  title: z.string(),
  project_id: z.number(),
  owner_id: z.string().nullish(),
  parentId: z.string().optional(),
  revision: z.int(),
})
const users = defineResource('users', { schema: User })
const projects = defineResource('projects', { schema: Project, id: z.coerce.number().int() })
const tasks = defineResource('tasks', {
  schema: Task,
  create: Task.omit({ revision: true }).partial({ id: true }),
  revision: 'revision',
  sortable: ['title'],
  references: {
    project_id: 'projects',
    owner_id: { to: 'users', as: 'boss' },
    parentId: 'tasks',
  },
})
const notes = defineResource('notes', {
  schema: z.object({ id: z.string(), about: z.unknown() }),
  create: z.object({ about: z.unknown() }),
  references: { about: { to: 'users', as: 'subject' } },
})
const api = defineApi({
  v1: {
    '/notes': notes,
    '/users': users,
    '/projects': projects,
    '/projects/:project_id/tasks': tasks,
    '/tasks': tasks,
  },
  v2: { '/projects': projects, '/projects/:project_id/tasks': tasks },
})
const stored = {
  users: [
    { id: 'ann', name: 'Ann', secret: 'x' },
    { id: 'bob', name: 'Bob' },
  ],
  projects: [
    { id: 1, user_id: 'ann' },
    { id: 2, user_id: 'bob' },
  ],
  tasks: [
    { id: 'a', title: 'A', project_id: 1, owner_id: 'ann', revision: 1 },
    { id: 'b', title: 'B', project_id: 1, owner_id: 'bob', parentId: 'a', revision: 1 },
    { id: 'c', title: 'C', project_id: 2, owner_id: null, revision: 1 },
  ],
}

interface Setting {
  readonly use?: readonly Middleware[]
  /** Other methods of the adapter of users. */
  readonly users?: Adapter
  readonly notes?: Adapter
  /** Milliseconds until the deadline. */
  readonly time?: number
}

function serviceOf({ use = [], users, notes = memoryAdapter(), time = 30_000 }: Setting = {}) {
  const asked: Operation[] = []
  const errors: unknown[] = []
  const memory = byHand(memoryAdapter<never>({ items: stored.users as never }))
  const listening: Adapter = {
    ...memory,
    list: (operation, context) => {
      asked.push(operation)
      return memory.list?.(operation, context) ?? []
    },
    ...users,
  }
  const adapters = {
    users: listening,
    projects: memoryAdapter<never>({ items: stored.projects as never }),
    tasks: memoryAdapter<never>({ items: stored.tasks as never }),
    notes,
  }
  const registry = use
    .reduce(
      (built, layer) => built.use(layer as never),
      defineRegistry(api, { defaultVersion: 'v1', limits: { time } }),
    )
    .onError((error) => void errors.push(error))
    .adapters(adapters as never)
  const ask = async (line: string, body?: unknown): Promise<HttpResponse> => {
    const [method = '', url = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    return handle({ method, url, headers, body: JSON.stringify(body) }, registry)
  }
  return { ask, asked, errors, registry }
}

const bodyOf = async (given: Promise<HttpResponse>): Promise<unknown> => (await given).body
const ann = { id: 'ann', name: 'Ann' }

describe('a write names items that there are', () => {
  const task = { title: 'N', project_id: 1 }
  type Row = readonly [line: string, body: unknown, status: number, pointers?: readonly string[]]
  const rows: readonly Row[] = [
    ['POST /v1/tasks', task, 201],
    ['POST /v1/tasks', { ...task, owner_id: 'ann', parentId: 'a' }, 201],
    ['POST /v1/tasks', { ...task, owner_id: null }, 201],
    ['POST /v1/tasks', { ...task, project_id: 3 }, 422, ['/project_id']],
    ['POST /v1/tasks', { ...task, project_id: 1.5 }, 422, ['/project_id']],
    ['POST /v1/tasks', { ...task, owner_id: 'eve' }, 422, ['/owner_id']],
    ['POST /v1/tasks', { ...task, owner_id: '' }, 422, ['/owner_id']],
    ['POST /v1/tasks', { ...task, owner_id: 'first' }, 422, ['/owner_id']],
    ['POST /v1/notes', { about: { toString: null, valueOf: null } }, 422, ['/about']],
    ['POST /v1/notes', { about: ['ann'] }, 422, ['/about']],
    ['POST /v1/notes', { about: 1 }, 422, ['/about']],
    ['POST /v1/notes', { about: 'ann' }, 201],
    ['POST /v1/tasks', { ...task, owner_id: '__proto__', parentId: 'z', project_id: 9 }, 422, ['/project_id', '/owner_id', '/parentId']],
    ['POST /v1/projects/1/tasks', { title: 'N', owner_id: 'eve' }, 422, ['/owner_id']],
    ['POST /v1/projects/1/tasks', { title: 'N', owner_id: 'bob' }, 201],
    ['POST /v2/projects/1/tasks', { title: 'N', owner_id: 'eve' }, 422, ['/owner_id']],
    ['POST /v2/projects/1/tasks', { title: 'N', owner_id: 'bob' }, 201],
    ['POST /v1/projects/9/tasks', { title: 'N', owner_id: 'eve' }, 404],
    ['PUT /v1/tasks/a', { ...task, owner_id: 'bob' }, 200],
    ['PUT /v1/tasks/a', { ...task, owner_id: 'eve' }, 422, ['/owner_id']],
    ['PUT /v1/tasks/z', { ...task, owner_id: 'eve' }, 404],
    ['PUT /v1/tasks/%01', { ...task, owner_id: 'eve' }, 404],
    ['PUT /v1/tasks', [{ id: 'a', ...task, owner_id: 'bob', revision: 1 }, { id: 'b', ...task, revision: 1 }], 200],
    ['PUT /v1/tasks', [{ id: 'a', ...task, owner_id: 'eve', parentId: 'y', revision: 1 }, { id: 'b', ...task, project_id: 7, revision: 1 }], 422, ['/0/owner_id', '/0/parentId', '/1/project_id']],
    ['PUT /v1/tasks', [{ id: 'z', ...task, owner_id: 'eve', revision: 1 }, { id: 'b', ...task, revision: 1 }], 404, ['/0/id']],
  ] // biome-ignore format: a row stays a line
  for (const [line, body, status, pointers] of rows) {
    test(`${line} ${JSON.stringify(body)}`, async () => {
      const { ask } = serviceOf()
      const before = await bodyOf(ask('GET /v1/tasks'))
      const answer = await ask(line, body)
      expect(answer.status).toBe(status)
      if (status < 400) return
      const { issues } = answer.body as { issues?: readonly { pointer: string; code: string }[] }
      expect(issues?.map(({ pointer }) => pointer)).toEqual(pointers)
      const code = status === 404 ? 'not_found' : 'reference_not_found'
      for (const issue of issues ?? []) expect(issue.code).toBe(code)
      expect(await bodyOf(ask('GET /v1/tasks'))).toEqual(before)
    })
  }

  describe('but may repeat the stored name of one that is gone', () => {
    const gone: Middleware = (operation, _, next) => {
      const { kind, resource, id } = operation
      if (kind === 'read' && resource.name === 'users' && id === 'bob') throw problem('not_found')
      return next()
    }
    const b = { title: 'B', project_id: 1, owner_id: 'bob', parentId: 'a' }
    const a = { title: 'A', project_id: 1, owner_id: 'ann' }
    const bulk = [
      { id: 'a', ...a, revision: 1 },
      { id: 'b', ...b, revision: 1 },
    ]
    // biome-ignore format: a row stays a line
    const rows: readonly Row[] = [
      ['PUT /v1/tasks/b', b, 200],
      ['PUT /v1/tasks/b', { ...b, title: 'Z' }, 200],
      ['PUT /v1/tasks/b?dry_run=true', b, 200],
      ['PUT /v1/projects/1/tasks/b', b, 200],
      ['PUT /v2/projects/1/tasks/b', b, 200],
      ['PATCH /v1/tasks/b', { owner_id: 'bob' }, 200],
      ['PATCH /v1/tasks/b', { title: 'Z' }, 200],
      ['PUT /v1/tasks', bulk, 200],
      ['PATCH /v1/tasks', [{ id: 'b', owner_id: 'bob' }], 200],
      ['PUT /v1/tasks/b', { ...b, owner_id: 'eve' }, 422, ['/owner_id']],
      ['PUT /v1/tasks/b', { ...b, parentId: 'z' }, 422, ['/parentId']],
      ['PUT /v1/tasks/a', { ...a, owner_id: 'bob' }, 422, ['/owner_id']],
      ['PATCH /v1/tasks/a', { owner_id: 'bob' }, 422, ['/owner_id']],
      ['PUT /v1/tasks', [{ ...bulk[0], owner_id: 'bob' }, bulk[1]], 422, ['/0/owner_id']],
      ['PATCH /v1/tasks', [{ id: 'b', owner_id: 'bob' }, { id: 'a', owner_id: 'bob' }], 422, ['/1/owner_id']],
      ['POST /v1/tasks', b, 422, ['/owner_id']],
      ['PUT /v1/tasks/z', b, 404],
    ]
    for (const [line, body, status, pointers] of rows) {
      test(`${line} ${JSON.stringify(body)}`, async () => {
        const answer = await serviceOf({ use: [gone] }).ask(line, body)
        expect(answer.status).toBe(status)
        if (pointers === undefined) return
        const issues = pointers.map((pointer) => ({ pointer, code: 'reference_not_found' }))
        expect(answer.body).toMatchObject({ code: 'validation_failed', issues })
      })
    }
  })

  test('the core asks for all ids of a resource at once, and for none twice', async () => {
    const { ask, asked } = serviceOf()
    const bulk = ['a', 'b', 'c'].map((id) => ({
      id,
      ...task,
      owner_id: id === 'c' ? 'bob' : 'ann',
      revision: 1,
    }))
    expect((await ask('PUT /v1/tasks', bulk)).status).toBe(200)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.query.where).toEqual([
      { field: 'id', is: 'in', values: ['ann', 'bob'], type: 'text' },
    ])
    await ask('POST /v1/tasks', task)
    expect(asked).toHaveLength(1)
  })

  test('nothing waits where no adapter does', () => {
    const { registry } = serviceOf()
    const headers = { 'content-type': 'application/json' }
    const all = [
      { method: 'POST', url: '/v1/tasks', headers, body: { ...task, owner_id: 'ann' } },
      { method: 'PUT', url: '/v2/projects/1/tasks/b', headers, body: { ...task, parentId: 'a' } },
      { method: 'GET', url: '/v1/tasks?include=boss,parent&limit=9' },
      { method: 'GET', url: '/v2/projects/1/tasks/b?include=parent' },
    ]
    for (const request of all) expect(handle(request, registry)).toHaveProperty('status')
  })

  test('an update may send back the members that it got', async () => {
    const { ask } = serviceOf()
    const item = await bodyOf(ask('GET /v1/tasks/a?include=boss,project,parent'))
    const answer = await ask('PUT /v1/tasks/a', { ...(item as object), title: 'Z' })
    expect(answer).toMatchObject({ status: 200, body: { id: 'a', title: 'Z', owner_id: 'ann' } })
    expect(answer.body).not.toHaveProperty('boss')
  })
})

describe('include adds the items that references name', () => {
  const one = { id: 1, user_id: 'ann' }
  const rows: readonly (readonly [query: string, answer: unknown])[] = [
    ['/tasks/a?include=boss', { ...stored.tasks[0], boss: ann }],
    ['/tasks/c?include=boss', { ...stored.tasks[2], boss: null }],
    ['/tasks/b?include=parent,project,boss', { ...stored.tasks[1], project: one, boss: { id: 'bob', name: 'Bob' }, parent: stored.tasks[0] }],
    ['/tasks/b?include=parent&include=boss&include=parent', { ...stored.tasks[1], boss: { id: 'bob', name: 'Bob' }, parent: stored.tasks[0] }],
    ['/tasks/a?include=parent', { ...stored.tasks[0], parent: null }],
    ['/tasks/a?include=', stored.tasks[0]],
    ['/tasks/a?include=boss&fields=title', { id: 'a', title: 'A', boss: ann }],
    ['/tasks/first?include=boss', { ...stored.tasks[0], boss: ann }],
    ['/tasks/last?include=boss', { ...stored.tasks[2], boss: null }],
    ['/tasks?include=boss&limit=2&fields=id', [{ id: 'a', boss: ann }, { id: 'b', boss: { id: 'bob', name: 'Bob' } }]],
    ['/projects/1/tasks?include=project&limit=9&fields=id', [{ id: 'a', project: one }, { id: 'b', project: one }]],
  ] // biome-ignore format: a row stays a line
  for (const [url, answer] of rows) {
    test(url, async () => {
      const { ask } = serviceOf()
      expect(await ask(`GET /v1${url}`)).toMatchObject({ status: 200, body: answer })
      expect(await bodyOf(ask(`GET /v1${url}`))).toEqual(answer)
    })
  }

  test('the next page includes them too, and the entity tag stays', async () => {
    const { ask } = serviceOf()
    const { headers } = await ask('GET /v1/tasks?include=boss&limit=1')
    const next = /<([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
    expect(next).toContain('include=boss')
    expect(await bodyOf(ask(`GET ${next}`))).toMatchObject([{ id: 'b', boss: { id: 'bob' } }])
    const plain = await ask('GET /v1/tasks/a')
    const more = await ask('GET /v1/tasks/a?include=boss')
    expect(more.headers.etag).toBe(plain.headers.etag)
  })

  const allowed = ['project', 'boss', 'parent']
  const refused: readonly (readonly [
    query: string,
    message: string,
    allowed?: readonly string[],
  ])[] = [
    [
      '/tasks/a?include=owner_id',
      '"include" does not take "owner_id". Allowed: project, boss, parent.',
      allowed,
    ],
    [
      '/tasks/a?include=boss,',
      '"include" holds an empty name: write names between commas',
      allowed,
    ],
    [
      '/tasks/a?include=__proto__',
      '"include" does not take "__proto__". Allowed: project, boss, parent.',
      allowed,
    ],
    [
      '/tasks/a?include=boss.name',
      '"include" does not take "boss.name". Did you mean "boss"?',
      allowed,
    ],
    ['/tasks/a?include=a,b,c,d,e', '"include" takes at most 4 names'],
    ['/tasks?include=boss', '"include" needs a "limit" of at most 1000'],
  ]
  for (const [url, message, names] of refused) {
    test(`${url} is refused`, async () => {
      const { body } = await serviceOf().ask(`GET /v1${url}`)
      expect(body).toMatchObject({ code: 'bad_parameter', message })
      expect((body as { allowed?: unknown }).allowed).toEqual(names)
    })
  }

  test.each([
    ['GET /v1/tasks/count?include=boss', undefined],
    ['GET /v1/users/ann?include=boss', undefined],
    ['PUT /v1/tasks/a?include=boss', { title: 'N', project_id: 1 }],
  ])('%s takes no include', async (line, body) => {
    expect(await bodyOf(serviceOf().ask(line, body))).toMatchObject({ code: 'unknown_parameter' })
  })

  test('a version without the other resource offers no include of it', async () => {
    const { ask } = serviceOf()
    expect(await bodyOf(ask('GET /v2/projects/1/tasks?include=boss&limit=1'))).toMatchObject({
      code: 'bad_parameter',
      allowed: ['project', 'parent'],
    })
  })
})

describe('a reference is read as its client may read', () => {
  const hiding =
    (code: 'unauthenticated' | 'forbidden' | 'not_found' | 'rate_limited'): Middleware =>
    (operation, _, next) => {
      if (
        operation.kind === 'read' &&
        operation.resource.name === 'users' &&
        operation.id === 'bob'
      )
        throw problem(code, undefined, code === 'rate_limited' ? { retryAfter: 1 } : undefined)
      return next()
    }
  for (const code of ['unauthenticated', 'forbidden', 'not_found'] as const) {
    test(`an item that a middleware hides by ${code} is no item`, async () => {
      const { ask } = serviceOf({ use: [hiding(code)] })
      const list = await bodyOf(ask('GET /v1/tasks?include=boss&limit=9&fields=id'))
      expect(list).toEqual([
        { id: 'a', boss: ann },
        { id: 'b', boss: null },
        { id: 'c', boss: null },
      ])
      const hidden = await ask('POST /v1/tasks', { title: 'N', project_id: 1, owner_id: 'bob' })
      const absent = await ask('POST /v1/tasks', { title: 'N', project_id: 1, owner_id: 'eve' })
      expect(JSON.parse(JSON.stringify(hidden).replaceAll('bob', 'eve'))).toEqual(absent)
    })
  }

  test('another problem of a middleware is the answer', async () => {
    const { ask } = serviceOf({ use: [hiding('rate_limited')] })
    expect(await ask('GET /v1/tasks/b?include=boss')).toMatchObject({ status: 429 })
    expect(await ask('GET /v1/tasks/a?include=boss')).toMatchObject({ status: 200 })
  })

  test('a middleware sees each read, and can change the item', async () => {
    const seen: Operation[] = []
    const masking: Middleware = async (operation, _, next) => {
      seen.push(operation)
      const outcome = await next()
      if (operation.resource.name !== 'users' || outcome.gives !== 'item') return outcome
      return { gives: 'item', item: { ...outcome.item, name: '***' } }
    }
    const { ask } = serviceOf({ use: [masking] })
    expect(await bodyOf(ask('GET /v1/tasks/a?include=boss,project'))).toMatchObject({
      boss: { id: 'ann', name: '***' },
      project: { id: 1 },
    })
    const told = seen.map(({ kind, resource, path, id }) => [kind, resource.name, path, id])
    expect(told).toEqual([
      ['read', 'tasks', '/tasks', 'a'],
      ['read', 'projects', '/projects', 1],
      ['read', 'users', '/users', 'ann'],
    ])
  })

  test('a resource below a parent is read with the parent as its scope', async () => {
    const seen: Operation[] = []
    const listening: Middleware = (operation, _, next) => {
      seen.push(operation)
      return next()
    }
    const { ask } = serviceOf({ use: [listening] })
    await ask('GET /v2/projects/1/tasks/b?include=parent')
    expect(seen.at(-1)).toMatchObject({
      kind: 'read',
      path: '/projects/:project_id/tasks',
      scope: { project_id: 1 },
      id: 'a',
    })
  })

  test('an adapter without a list reads one after another', async () => {
    const read = (operation: Operation) =>
      stored.users.find(({ id }) => id === operation.id) ?? null
    const { ask } = serviceOf({ users: { list: undefined, read } as never })
    expect(await bodyOf(ask('GET /v1/tasks/b?include=boss'))).toMatchObject({ boss: { id: 'bob' } })
    expect(
      (await ask('POST /v1/tasks', { title: 'N', project_id: 1, owner_id: 'eve' })).status,
    ).toBe(422)
  })

  test('an update needs no read of its own adapter', async () => {
    const { read, ...others } = memoryAdapter<never>({
      items: [{ id: 'n', about: 'ann' }] as never,
    })
    const { ask } = serviceOf({ notes: others as never })
    expect((await ask('PUT /v1/notes/n', { about: 'bob' })).status).toBe(200)
    expect((await ask('PUT /v1/notes/n', { about: 'eve' })).status).toBe(422)
  })

  test('an adapter can give a stream', async () => {
    async function* list({ query }: Operation) {
      yield* select(stored.users, { resource: users, scope: {}, query } as never)
    }
    const { ask } = serviceOf({ users: { list } as never })
    expect(await bodyOf(ask('GET /v1/tasks/b?include=boss'))).toMatchObject({ boss: { id: 'bob' } })
  })

  test('an adapter that gives other items fails', async () => {
    const { ask, errors } = serviceOf({ users: { list: () => stored.users } as never })
    expect((await ask('GET /v1/tasks/b?include=boss')).status).toBe(500)
    expect(String(errors)).toContain('obey query.where')
  })

  for (const code of ['unauthenticated', 'forbidden', 'not_found'] as const) {
    test(`an adapter can hide an item by ${code}`, async () => {
      const read = ({ id }: Operation) => {
        if (id === 'ann') return ann
        throw problem(code)
      }
      const refuses = () => {
        throw problem(code)
      }
      for (const list of [undefined, refuses]) {
        const { ask } = serviceOf({ users: { list, read } as never })
        const answer = await bodyOf(ask('GET /v1/tasks?include=boss&limit=2&fields=id'))
        expect(answer).toEqual([
          { id: 'a', boss: ann },
          { id: 'b', boss: null },
        ])
        const task = { title: 'N', project_id: 1, owner_id: 'bob' }
        expect((await ask('POST /v1/tasks', task)).status).toBe(422)
      }
    })
  }

  test('after the deadline, the core reads no more of them', async () => {
    const seen: unknown[] = []
    const waiting: Middleware = async ({ id, kind, signal }, _, next) => {
      if (kind === 'list') return next()
      seen.push(id)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return next()
    }
    const { ask, errors } = serviceOf({ use: [waiting], time: 20 })
    expect((await ask('GET /v1/tasks?include=boss&limit=2')).status).toBe(503)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seen).toEqual(['ann'])
    expect(errors).toHaveLength(1)
  })

  test('a middleware can answer by itself, and change the reference', async () => {
    const changing: Middleware = async (operation, _, next) => {
      if (operation.resource.name !== 'tasks') return next()
      if (operation.id === 'a') return { gives: 'item', item: stored.tasks[0] as object }
      const outcome = await next()
      if (outcome.gives !== 'item') return outcome
      return { gives: 'item', item: { ...outcome.item, owner_id: 'ann' } }
    }
    const { ask, asked } = serviceOf({ use: [changing] })
    for (const id of ['a', 'b']) {
      expect(await bodyOf(ask(`GET /v1/tasks/${id}?include=boss`))).toMatchObject({ boss: ann })
    }
    const ids = asked.map(({ query }) => query.where[0]?.values)
    expect(ids).toEqual([['ann'], ['bob'], ['ann']])
  })

  test('the core includes inside the middleware, once', async () => {
    const order: string[] = []
    const listening: Middleware = async (operation, _, next) => {
      order.push(`${operation.resource.name} begins`)
      const outcome = await next()
      order.push(`${operation.resource.name} ends`)
      return outcome
    }
    const { ask, asked } = serviceOf({ use: [listening] })
    await ask('GET /v1/tasks/b?include=boss')
    expect(order).toEqual(['tasks begins', 'users begins', 'users ends', 'tasks ends'])
    expect(asked).toHaveLength(1)
  })

  test('a stream of a middleware is included whole', async () => {
    const streaming: Middleware = async (operation, _, next) => {
      const outcome = await next()
      if (operation.kind !== 'list' || outcome.gives !== 'items') return outcome
      const all = outcome.items as readonly object[]
      async function* each() {
        for (let times = 0; times < 600; times++) yield* all
      }
      return { gives: 'items', items: each() }
    }
    const { ask } = serviceOf({ use: [streaming] })
    const list = await bodyOf(ask('GET /v1/tasks?include=boss&limit=2&fields=id'))
    expect(list).toHaveLength(1200)
    expect(list).toMatchObject({ 0: { boss: { id: 'ann' } }, 1199: { boss: { id: 'bob' } } })
  })
})

describe('an item that no path names is no item', () => {
  const Company = z.object({ id: z.string() })
  const Team = z.object({ id: z.string(), company_id: z.string() })
  const Member = z.object({ id: z.string(), team_id: z.string() })
  const Badge = z.object({ id: z.string(), member_id: z.string() })
  const companies = defineResource('companies', { schema: Company })
  const teams = defineResource('teams', { schema: Team })
  const badges = defineResource('badges', {
    schema: Badge,
    create: Badge.partial({ id: true }),
    references: { member_id: 'members' },
  })
  const places = {
    t1: 'c1',
    t2: 'c2',
    t3: 'gone',
  }
  // Whether the members hold the company too. A team can change its company, unlike its members.
  const cases = [
    ['chain', Member, ['m1', 'm2']],
    ['fields', Member.extend({ company_id: z.string() }), ['m1']],
  ] as const
  const paths: string[] = []
  const logging: Middleware = (operation, _, next) => {
    if (operation.kind === 'read') paths.push(operation.parents.map(({ id }) => id).join('/'))
    return next()
  }
  for (const [name, schema, seen] of cases) {
    for (const use of [[], [logging]]) {
      test(`by ${name}, with ${use.length} middleware`, async () => {
        paths.length = 0
        const reads: unknown[] = []
        const members = defineResource('members', { schema })
        const nested = '/companies/:company_id/teams'
        const v1 = {
          '/companies': companies,
          [nested]: teams,
          [`${nested}/:team_id/members`]: members,
          '/badges': badges,
        }
        const items = [
          { id: 'm1', team_id: 't1', company_id: 'c1' },
          { id: 'm2', team_id: 't2', company_id: 'c1' },
          { id: 'm3', team_id: 't3', company_id: 'gone' },
          { id: 'm4', team_id: 'gone', company_id: 'c1' },
          { id: 'm5' },
        ]
        const memory = byHand(
          memoryAdapter<never>({
            items: Object.entries(places).map(([id, company_id]) => ({ id, company_id })) as never,
          }),
        )
        const adapters = {
          companies: memoryAdapter({ items: [{ id: 'c1' }, { id: 'c2' }] }),
          teams: {
            ...memory,
            list: (operation: Operation) => {
              reads.push(...(operation.query.where[0]?.values ?? []))
              return memory.list?.(operation as never, undefined)
            },
          },
          members: memoryAdapter<never>({ items: items as never }),
          badges: memoryAdapter({
            items: ['m1', 'm2', 'm3', 'm4', 'm5', 'm1'].map((member_id, place) => ({
              id: `b${place}`,
              member_id,
            })),
          }),
        }
        const registry = use
          .reduce(
            (built, layer) => built.use(layer as never),
            defineRegistry(defineApi({ v1 } as never)),
          )
          .adapters(adapters as never)
        const list = await handle(
          { method: 'GET', url: '/badges?include=member&limit=9' },
          registry as never,
        )
        const shown = (list.body as { member: { id: string } | null }[]).map(
          ({ member }) => member?.id,
        )
        const expected = items.map(({ id }) => (seen.some((one) => one === id) ? id : undefined))
        expect(shown).toEqual([...expected, 'm1'])
        expect(reads).toEqual(['t1', 't2', 't3', 'gone'])
        const told = name === 'chain' ? ['c1/t1', 'c2/t2'] : ['c1/t1']
        expect(paths).toEqual(use.length === 0 ? [] : told)
        for (const { id } of items) {
          const answer = await handle(
            {
              method: 'POST',
              url: '/badges',
              headers: { 'content-type': 'application/json' },
              body: { member_id: id },
            },
            registry as never,
          )
          expect([id, answer.status]).toEqual([id, seen.some((one) => one === id) ? 201 : 422])
        }
      })
    }
  }
})

describe('references are refused', () => {
  test('to a resource that the api does not have', () => {
    expect(() => defineApi({ v1: { '/tasks': tasks } })).toThrow(
      'Resource "tasks" references "projects", which the api does not have: ' +
        'mount it, or name another resource.',
    )
  })

  test('to an adapter that can read nothing', () => {
    const users = { create: () => ann }
    const adapters = {
      users,
      projects: memoryAdapter(),
      tasks: memoryAdapter(),
      notes: memoryAdapter(),
    }
    const bind = () => defineRegistry(api, { defaultVersion: 'v1' }).adapters(adapters as never)
    expect(bind).toThrow('so the adapter of "users" needs "list" or "read".')
  })

  test('for include, to a resource without read', async () => {
    const hidden = defineResource('users', { schema: User, without: ['read'] })
    const some = defineResource('tasks', { schema: Task, references: { owner_id: 'users' } })
    const registry = defineRegistry(
      defineApi({ v1: { '/users': hidden, '/tasks': some } }),
    ).adapters({
      users: memoryAdapter(),
      tasks: memoryAdapter(),
    })
    expect(await handle({ method: 'GET', url: '/tasks/a?include=owner' }, registry)).toMatchObject({
      body: { code: 'unknown_parameter' },
    })
  })
})
