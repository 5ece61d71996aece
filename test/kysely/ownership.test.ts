import { sql } from 'kysely'
import {
  type CallerScope,
  defineApi,
  defineRegistry,
  defineResource,
  everything,
  handle,
  type Operation,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, engines, has } from '../support/stores.ts'
import { type Tenancy, tenancyIn, tenancyItems } from '../support/tenancy.ts'

interface Asked {
  readonly who: string
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function ask({ registry }: Tenancy, { who, method, url, body, headers }: Asked) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return handle({ method, url, headers: { who, ...type, ...headers }, ...sent }, registry)
}

const { projects, tasks, notes } = tenancyItems
const [pa, pb] = projects as [(typeof projects)[0], (typeof projects)[0]]
const [ta, tb] = tasks as [(typeof tasks)[0], (typeof tasks)[0]]
const [na] = notes as [(typeof notes)[0]]
const item = (fields: object) => expect.objectContaining(fields)
const code = (name: string) => item({ code: name })
const issue = (name: string, pointer: string) =>
  item({ code: 'validation_failed', issues: [item({ code: name, pointer })] })
const bound = { prefer: 'max-affected=9' }
const named = { id: 'x', name: 'new' }

type Twin = readonly [method: string, hidden: string, absent: string, body?: unknown]
type Row = readonly [who: string, request: string, ...Answered]
type Answered =
  | readonly [status: number, answered: unknown]
  | readonly [body: unknown, status: number, answered: unknown]
  | readonly [
      body: unknown,
      status: number,
      answered: unknown,
      headers: Readonly<Record<string, string>>,
    ]

// biome-ignore format: a row stays a line
const rows: readonly Row[] = [
  ['a', 'GET /projects', 200, [pa]],
  ['a', 'GET /projects?q=project', 200, [pa]],
  ['a', 'GET /projects?tenant_id=b', 200, []],
  ['a', 'GET /projects?name:gt=project%20a', 200, []],
  ['a', 'GET /projects/count', 200, { count: 1 }],
  ['b', 'GET /projects/first?sort=name', 200, pb],
  ['a', 'GET /projects/last?sort=name', 200, pa],
  ['c', 'GET /projects', 200, []],
  ['c', 'GET /projects/first', 404, code('empty_collection')],
  ['ab', 'GET /projects', 200, [pa, pb]],
  ['ab', 'GET /projects/last', 200, pb],
  ['nobody', 'GET /projects', 200, []],
  ['nobody', 'GET /projects/count', 200, { count: 0 }],
  ['nobody', 'GET /projects/pa', 404, code('not_found')],
  ['operator', 'GET /projects', 200, [pa, pb]],
  ['operator', 'GET /projects/pb', 200, pb],
  ['a', 'GET /tenants/count', 200, { count: 3 }],
  ['nobody', 'GET /tenants/count', 200, { count: 3 }],
  // Paths that name the owner.
  ['a', 'GET /tenants/a/projects', 200, [pa]],
  ['a', 'GET /tenants/b/projects', 404, code('parent_not_found')],
  ['a', 'GET /tenants/b/projects/pb', 404, code('parent_not_found')],
  ['a', 'POST /tenants/b/projects', named, 404, code('parent_not_found')],
  ['a', 'POST /tenants/b/projects', { ...named, tenant_id: 'b' }, 404, code('parent_not_found')],
  ['a', 'POST /tenants/a/projects', { ...named, tenant_id: 'b' }, 422, issue('scope_mismatch', '/tenant_id')],
  ['a', 'DELETE /tenants/b/projects', 404, code('parent_not_found')],
  ['ab', 'GET /tenants/b/projects', 200, [pb]],
  ['ab', 'POST /tenants/b/projects', named, 201, item({ tenant_id: 'b' })],
  ['nobody', 'GET /tenants/b/projects', 404, code('parent_not_found')],
  ['operator', 'POST /tenants/b/projects', named, 201, item({ tenant_id: 'b' })],
  ['operator', 'DELETE /tenants/c/projects', 200, { deleted: 0 }],
  // Creates.
  ['a', 'POST /projects', named, 201, item({ tenant_id: 'a' })],
  ['a', 'POST /projects', { ...named, tenant_id: 'a' }, 201, item({ tenant_id: 'a' })],
  ['a', 'POST /projects', { ...named, tenant_id: 'b' }, 422, issue('scope_mismatch', '/tenant_id')],
  ['a', 'POST /projects', [named, { ...named, id: 'y', tenant_id: 'b' }], 422, issue('scope_mismatch', '/1/tenant_id')],
  ['ab', 'POST /projects', { ...named, tenant_id: 'b' }, 201, item({ tenant_id: 'b' })],
  ['ab', 'POST /projects', { ...named, tenant_id: 'c' }, 422, issue('scope_mismatch', '/tenant_id')],
  ['ab', 'POST /projects', named, 422, issue('required', '/tenant_id')],
  ['nobody', 'POST /projects', named, 422, issue('required', '/tenant_id')],
  ['nobody', 'POST /projects', { ...named, tenant_id: 'a' }, 422, issue('scope_mismatch', '/tenant_id')],
  ['operator', 'POST /projects', named, 422, issue('required', '/tenant_id')],
  ['operator', 'POST /projects', { ...named, tenant_id: 7 }, 422, issue('invalid_type', '/tenant_id')],
  ['operator', 'POST /projects', { ...named, tenant_id: null }, 422, issue('invalid_type', '/tenant_id')],
  ['operator', 'POST /projects', { ...named, tenant_id: 'c' }, 201, item({ tenant_id: 'c' })],
  ['operator', 'POST /projects', [{ ...named, tenant_id: 'c' }], 201, [item({ tenant_id: 'c' })]],
  ['a', 'POST /projects?dry_run=true', named, 200, item({ tenant_id: 'a' })],
  // Items of another owner.
  ['b', 'GET /projects/pa', 404, code('not_found')],
  ['b', 'PUT /projects/pa', { name: 'x' }, 404, code('not_found')],
  ['b', 'PUT /projects/pa?dry_run=true', { name: 'x' }, 404, code('not_found')],
  ['b', 'PATCH /projects/pa', { name: 'x' }, 404, code('not_found')],
  ['b', 'DELETE /projects/pa', 404, code('not_found')],
  ['b', 'PUT /projects', [{ id: 'pb', name: 'x' }, { id: 'pa', name: 'x' }], 404, item({ issues: [item({ pointer: '/1/id' })] })],
  ['b', 'PATCH /projects', [{ id: 'pb', name: 'x' }, { id: 'pa', name: 'x' }], 404, item({ issues: [item({ pointer: '/1/id' })] })],
  ['b', 'DELETE /notes', 200, { deleted: 1 }],
  ['ab', 'DELETE /notes', 200, { deleted: 2 }],
  ['nobody', 'DELETE /notes', 200, { deleted: 0 }],
  ['operator', 'DELETE /projects', 409, code('too_many_affected')],
  ['operator', 'DELETE /notes', undefined, 200, { deleted: 2 }, bound],
  ['operator', 'DELETE /tenants', 200, { deleted: 3 }],
  // Items that change.
  ['a', 'PUT /projects/pa', { name: 'x' }, 200, item({ name: 'x', tenant_id: 'a' })],
  ['a', 'PUT /projects/pa', { name: 'x', tenant_id: 'b' }, 422, issue('scope_mismatch', '/tenant_id')],
  ['a', 'PATCH /projects/pa', { tenant_id: 'b' }, 422, issue('scope_mismatch', '/tenant_id')],
  ['a', 'PATCH /projects/pa', { tenant_id: null }, 422, issue('scope_mismatch', '/tenant_id')],
  ['a', 'PATCH /projects', [{ id: 'pa', tenant_id: 'b' }], 422, issue('scope_mismatch', '/0/tenant_id')],
  ['ab', 'PUT /projects/pa', { name: 'x' }, 422, issue('required', '/tenant_id')],
  ['ab', 'PUT /projects/pa', { name: 'x', tenant_id: 'b' }, 200, item({ tenant_id: 'b' })],
  ['ab', 'PATCH /projects/pa', { name: 'x' }, 200, item({ name: 'x', tenant_id: 'a' })],
  ['ab', 'PATCH /projects/pa', { tenant_id: 'b' }, 200, { ...pa, tenant_id: 'b' }],
  ['ab', 'PATCH /projects/pa', { tenant_id: 'c' }, 422, issue('scope_mismatch', '/tenant_id')],
  ['operator', 'PUT /projects/pa', { name: 'x' }, 422, issue('required', '/tenant_id')],
  ['operator', 'PATCH /projects/pa', { tenant_id: 'c' }, 200, { ...pa, tenant_id: 'c' }],
  ['operator', 'PATCH /projects/pa', { name: 'x' }, 200, { ...pa, name: 'x' }],
  // Parents.
  ['a', 'GET /projects/pa/tasks', 200, [ta]],
  ['a', 'GET /projects/pb/tasks', 404, code('parent_not_found')],
  ['a', 'GET /projects/pb/tasks/tb', 404, code('parent_not_found')],
  ['a', 'GET /projects/pa/tasks/tb', 404, code('not_found')],
  ['a', 'POST /projects/pb/tasks', { id: 'x', title: 'x' }, 404, code('parent_not_found')],
  ['a', 'DELETE /projects/pb/tasks', 404, code('parent_not_found')],
  ['ab', 'GET /projects/pb/tasks/tb', 200, tb],
  ['operator', 'GET /projects/pb/tasks/tb', 200, tb],
  // References.
  ['a', 'POST /projects', { ...named, lead_id: 'ua' }, 201, item({ lead_id: 'ua' })],
  ['a', 'POST /projects', { ...named, lead_id: 'ub' }, 422, issue('reference_not_found', '/lead_id')],
  ['a', 'PATCH /projects/pa', { lead_id: 'ub' }, 422, issue('reference_not_found', '/lead_id')],
  ['a', 'POST /projects/pa/tasks', { id: 'x', title: 'x', assignee_id: 'ub' }, 422, issue('reference_not_found', '/assignee_id')],
  ['operator', 'PATCH /projects/pa', { lead_id: 'ub' }, 200, item({ lead_id: 'ub' })],
  ['a', 'POST /notes', { id: 'x', text: 'x', task_id: 'ta' }, 201, item({ tenant_id: 'a' })],
  ['a', 'POST /notes', { id: 'x', text: 'x', task_id: 'tb' }, 422, issue('reference_not_found', '/task_id')],
  ['a', 'POST /notes', { id: 'x', text: 'x', task_id: 'gone' }, 422, issue('reference_not_found', '/task_id')],
  ['a', 'GET /notes/na?include=task', 200, { ...na, task: ta }],
  ['a', 'GET /projects/pa?include=lead', 200, item({ lead: item({ id: 'ua' }) })],
]

// A message names the id that the client sent.
function withIdsOf(response: object, url: string): unknown {
  const ids = url.split('/').filter((_, at) => at > 0 && at % 2 === 0)
  const text = ids.reduce(
    (text, id) => text.replaceAll(`"${id}\\"`, '"id\\"'),
    JSON.stringify(response),
  )
  return JSON.parse(text)
}

describe.each(['memory', ...engines.filter(has)] as const)('owners on %s', (home) => {
  let service: Tenancy
  beforeAll(async () => {
    service = await tenancyIn(home)
  })
  beforeEach(() => service.reset())
  afterAll(() => service.drop())

  for (const [who, request, ...rest] of rows) {
    const [body, status, answered, headers] = rest.length === 2 ? [undefined, ...rest] : rest
    const [method = '', url = ''] = request.split(' ')
    test(`${who}: ${request} ${JSON.stringify(body) ?? ''} → ${status}`, async () => {
      const given = await ask(service, { who, method, url, body, ...(headers && { headers }) })
      expect([given.status, given.body]).toEqual([status, answered])
      if (status >= 400) expect(await service.stored()).toEqual(tenancyItems)
    })
  }

  // biome-ignore format: a row stays a line
  const twins: readonly Twin[] = [
    ['GET', '/projects/pa', '/projects/pz'],
    ['PUT', '/projects/pa', '/projects/pz', { name: 'x' }],
    ['PATCH', '/projects/pa', '/projects/pz', { name: 'x' }],
    ['DELETE', '/projects/pa', '/projects/pz'],
    ['GET', '/projects/pa/tasks', '/projects/pz/tasks'],
    ['GET', '/projects/pa/tasks/ta', '/projects/pz/tasks/tz'],
    ['POST', '/projects/pa/tasks', '/projects/pz/tasks', { id: 'x', title: 'x' }],
    ['GET', '/tenants/a/projects', '/tenants/z/projects'],
    ['POST', '/tenants/a/projects', '/tenants/z/projects', { id: 'x', name: 'x' }],
  ]
  for (const [method, hidden, absent, body] of twins) {
    test(`${method} ${hidden} answers as ${absent}`, async () => {
      const seen = await ask(service, { who: 'b', method, url: hidden, body })
      const unseen = await ask(service, { who: 'b', method, url: absent, body })
      expect(withIdsOf(seen, hidden)).toEqual(withIdsOf(unseen, absent))
    })
  }

  test('a client deletes only its own items', async () => {
    await ask(service, { who: 'b', method: 'DELETE', url: '/notes' })
    expect(await service.stored()).toEqual({ ...tenancyItems, notes: [na] })
  })

  test('a reference to a hidden item answers as one to none', async () => {
    const lead = async (lead_id: string) =>
      await ask(service, {
        who: 'b',
        method: 'POST',
        url: '/projects',
        body: { ...named, lead_id },
      })
    const hidden = withIdsOf(await lead('ua'), '/users/ua')
    expect(hidden).toEqual(withIdsOf(await lead('uz'), '/users/uz'))
  })

  test('an item that a reference names is shown to its owner only', async () => {
    const body = { lead_id: 'ub' }
    await ask(service, { who: 'operator', method: 'PATCH', url: '/projects/pa', body })
    const url = '/projects/pa?include=lead'
    expect(await ask(service, { who: 'a', method: 'GET', url })).toMatchObject({
      body: { lead: null },
    })
  })

  test('a cursor serves only the caller who got it', async () => {
    const url = '/projects?limit=1&sort=name'
    for (const name of ['x', 'y']) {
      const body = { id: name, name }
      await ask(service, { who: 'a', method: 'POST', url: '/projects', body })
    }
    const first = await ask(service, { who: 'a', method: 'GET', url })
    const next = String(/<([^>]*)>/.exec(first.headers.link ?? '')?.[1])
    const statuses = []
    for (const who of ['a', 'b', 'ab', 'operator', 'nobody']) {
      statuses.push((await ask(service, { who, method: 'GET', url: next })).status)
    }
    expect(statuses).toEqual([200, 400, 400, 400, 400])
  })
})

test('a middleware sees the scope of the caller', async () => {
  const seen: Operation[] = []
  const service = await tenancyIn('memory', (operation) => void seen.push(operation))
  for (const [who, url] of [
    ['a', '/projects'],
    ['ab', '/projects/pa/tasks'],
    ['ab', '/tenants/b/projects'],
    ['a', '/tenants/b/projects'],
    ['operator', '/tenants/b/projects'],
    ['operator', '/projects'],
    ['a', '/tenants'],
  ] as const) {
    await ask(service, { who, method: 'GET', url })
  }
  expect(seen.map(({ scope }) => scope)).toEqual([
    { tenant_id: 'a' },
    { project_id: 'pa' },
    { tenant_id: 'b' },
    { tenant_id: [] },
    { tenant_id: 'b' },
    {},
    {},
  ])
})

describe('owners of two kinds', () => {
  const Note = z.object({ id: z.string(), tenant_id: z.string(), author: z.string() })
  const text = { 'content-type': 'application/json' }
  const api = defineApi({
    v1: {
      '/notes': defineResource('notes', {
        schema: Note,
        create: Note.partial(),
        ownedBy: ['tenant_id', 'author'],
        idempotent: true,
      }),
      '/walls': defineResource('walls', { schema: Note, ownedBy: ['tenant_id'] }),
    },
  })
  const owners: Readonly<Record<string, CallerScope<typeof api>>> = {
    ann: { tenant_id: 'a', author: 'ann' },
    bob: { tenant_id: 'a', author: 'bob' },
    team: { tenant_id: 'a', author: ['ann', 'bob'] },
    operator: everything,
  }
  const service = () => {
    const registry = defineRegistry(api)
      .context(({ headers = {} }) => ({ who: String(headers.who) }))
      .scope(({ who }) => owners[who])
      .adapters({ notes: memoryAdapter(), walls: memoryAdapter() })
    return async (who: string, request: string, body?: object, key?: string) => {
      const [method = '', url = ''] = request.split(' ')
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const keyed = key === undefined ? {} : { 'idempotency-key': key }
      const headers = { who, ...(body === undefined ? {} : text), ...keyed }
      const { status, body: answered } = await handle({ method, url, headers, ...sent }, registry)
      return { status, body: Object(answered) }
    }
  }

  test('confine a resource by those that it names', async () => {
    const ask = service()
    await ask('ann', 'POST /notes', {})
    await ask('ann', 'POST /walls', { id: 'w', tenant_id: 'a', author: 'someone' })
    const counts = async (path: string) =>
      Promise.all(
        Object.keys(owners).map(async (who) => (await ask(who, `GET ${path}/count`)).body.count),
      )
    expect(await counts('/notes')).toEqual([1, 0, 1, 1])
    expect(await counts('/walls')).toEqual([1, 1, 1, 1])
    expect(await ask('team', 'POST /notes', { author: 'eve' })).toMatchObject({ status: 422 })
    expect(await ask('team', 'POST /notes', { author: 'bob' })).toMatchObject({
      status: 201,
      body: { tenant_id: 'a', author: 'bob' },
    })
    const unnamed = await ask('operator', 'POST /notes', {})
    const pointers = unnamed.body.issues.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(['/tenant_id', '/author'])
  })

  test('tell callers with one idempotency key apart', async () => {
    const ask = service()
    const full = { tenant_id: 'a', author: 'ann' }
    const made = [
      await ask('ann', 'POST /notes', {}, 'k'),
      await ask('ann', 'POST /notes', {}, 'k'),
      await ask('bob', 'POST /notes', {}, 'k'),
      await ask('operator', 'POST /notes', full, 'k'),
      await ask('operator', 'POST /notes', full, 'k'),
      await ask('operator', 'POST /notes', { ...full, author: 'bob' }, 'k'),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
    const ids = made.map(({ body }) => body.id)
    expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 2, 3, 3, 5])
  })
})

test('references take one list for a thousand ids of a resource', async () => {
  const asked: unknown[] = []
  const text = z.string()
  const users = defineResource('users', {
    schema: z.object({ id: text, tenant_id: text }),
    ownedBy: ['tenant_id'],
  })
  const Task = z.object({ id: text, tenant_id: text, lead: text, author: text })
  const tasks = defineResource('tasks', {
    schema: Task,
    create: Task.omit({ tenant_id: true }),
    ownedBy: ['tenant_id'],
    references: { lead: { to: 'users', as: 'leader' }, author: { to: 'users', as: 'writer' } },
  })
  const items = Array.from({ length: 1001 }, (_, id) => ({ id: `u${id}`, tenant_id: 'a' }))
  const registry = defineRegistry(defineApi({ v1: { '/users': users, '/tasks': tasks } }))
    .scope(() => ({ tenant_id: 'a' }))
    .adapters({
      users: {
        list: ({ scope, query }) => {
          asked.push([scope, query.where[0]?.values.length])
          const ids = new Set(query.where[0]?.values)
          return items.filter(({ id }) => ids.has(id))
        },
      },
      tasks: memoryAdapter(),
    })
  const create = async (count: number) => {
    asked.length = 0
    const drafts = Array.from({ length: count }, (_, id) => ({
      id: `t${count}${id}`,
      lead: `u${id}`,
    }))
    const body = JSON.stringify(drafts.map((draft, id) => ({ ...draft, author: `u${id + 1}` })))
    const headers = { 'content-type': 'application/json' }
    return (await handle({ method: 'POST', url: '/tasks', headers, body }, registry)).status
  }
  expect([await create(999), asked]).toEqual([201, [[{ tenant_id: 'a' }, 1000]]])
  expect([await create(1000), asked.length]).toEqual([201, 2])
})

test('references are read in the scope where an adapter has no list', async () => {
  const text = z.string()
  const owned = { schema: z.object({ id: text, tenant_id: text }), ownedBy: ['tenant_id'] } as const
  const Task = z.object({ id: text, tenant_id: text, lead: text })
  const tasks = defineResource('tasks', {
    schema: Task,
    create: Task.omit({ tenant_id: true }),
    ownedBy: ['tenant_id'],
    references: { lead: { to: 'users', as: 'leader' } },
  })
  const users = defineResource('users', owned)
  const stored = ['a', 'b'].map((tenant_id) => ({ id: `of-${tenant_id}`, tenant_id }))
  const registry = defineRegistry(defineApi({ v1: { '/users': users, '/tasks': tasks } }))
    .scope(() => ({ tenant_id: 'a' }))
    .adapters({
      // It looks at no scope: the core holds each item against it.
      users: { read: ({ id }) => stored.find((user) => user.id === id) },
      tasks: memoryAdapter({ items: [{ id: 't', tenant_id: 'a', lead: 'of-b' }] }),
    })
  const headers = { 'content-type': 'application/json' }
  const create = async (lead: string) => {
    const body = JSON.stringify({ id: lead, lead })
    return (await handle({ method: 'POST', url: '/tasks', headers, body }, registry)).status
  }
  expect([await create('of-a'), await create('of-b'), await create('of-c')]).toEqual([
    201, 422, 422,
  ])
  const { body } = await handle({ method: 'GET', url: '/tasks/t?include=leader' }, registry)
  expect(body).toMatchObject({ leader: null })
})

test('a search of your own gets the fields that its caller sees', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table people (id text primary key, name text, note text)`.execute(db)
  const text = z.string()
  const people = defineResource('people', {
    schema: z.object({ id: text, name: text, note: text.optional() }),
    plural: true,
    searchable: ['name', 'note'],
    restricted: ['note'],
  })
  const asked: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/people': people } }))
    .context(({ headers = {} }) => ({ isHr: headers.who === 'hr' }))
    .reveal(({ isHr }) => (isHr ? { people: ['note'] } : {}))
    .adapters({
      people: kyselyAdapter(db, {
        table: 'people',
        search: ({ fields }) => {
          asked.push(fields)
          return sql`1 = 1`
        },
      }),
    })
  for (const who of ['hr', 'all', 'hr'])
    await handle({ method: 'GET', url: '/people?q=x', headers: { who } }, registry)
  expect(asked).toEqual([['name', 'note'], ['name'], ['name', 'note']])
  await drop()
})
