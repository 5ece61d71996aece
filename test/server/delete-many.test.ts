import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  narrow,
  type Operation,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Task = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(['open', 'done']),
  rank: z.number(),
  secret: z.string().optional(),
})
const options = {
  schema: Task,
  create: Task.omit({ id: true }),
  searchable: ['title'],
  sortable: ['rank'],
  filterable: ['state', 'title', 'rank', 'secret'],
  restricted: ['secret'],
} as const
const tasks = defineResource('tasks', options)
const tasks_v1 = defineView('tasks_v1', tasks, {
  schema: z.object({ id: z.string(), name: z.string(), rank: z.number() }),
  create: z.object({ name: z.string(), rank: z.number() }),
  fields: { name: 'title' },
  hidden: { state: 'open', secret: undefined },
  filterable: ['rank', 'name'],
})
const api = defineApi({ v1: { '/tasks': tasks_v1 }, v2: { '/tasks': tasks } })
const items = [
  { id: 'a', title: 'Write', state: 'open' as const, rank: 1, secret: 'x' },
  { id: 'b', title: 'Write tests', state: 'done' as const, rank: 2 },
  { id: 'c', title: 'Read', state: 'done' as const, rank: 3, secret: 'x' },
]

type Loose = Adapter & ReturnType<typeof memoryAdapter>

function serviceOf(wrap: (adapter: Loose) => object = (adapter) => adapter) {
  const adapter = memoryAdapter({ items }) as Loose
  const registry = defineRegistry(api, { defaultVersion: 'v2', limits: { bulk: 50 } }).adapters({
    tasks: wrap(adapter) as never,
  })
  const send = async (line: string, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', url = ''] = line.split(' ')
    const { status, body, headers: sent } = await handle({ method, url, headers }, registry)
    return { status, body, code: Reflect.get(Object(body), 'code'), allow: sent?.allow }
  }
  const ids = async () => {
    const { body } = await send('GET /v2/tasks')
    return (body as { id: string }[]).map(({ id }) => id).join('')
  }
  return { send, ids }
}

const bound = (most: number | string) => ({ prefer: `max-affected=${most}` })

describe('DELETE with a query', () => {
  type Row = readonly [line: string, headers: object, verdict: unknown, left: string]
  // biome-ignore format: a row stays a line
  const rows: readonly Row[] = [
    ['DELETE /v2/tasks?state=done',                  bound(2),    2,                     'a'],
    ['DELETE /v2/tasks?q=WRITE&rank:gte=2',          bound(50),   1,                     'ac'],
    ['DELETE /v2/tasks?id=a&id=c&id=zzz',            bound(2),    2,                     'b'],
    ['DELETE /v2/tasks?id=zzz',                      bound(0),    0,                     'abc'],
    ['DELETE /v1/tasks?name=Read',                   bound(1),    1,                     'ab'],
    ['DELETE /v1/tasks?q=read',                      bound(1),    1,                     'ab'],
    ['DELETE /v2/tasks?state=done&dry_run=true',     bound(2),    2,                     'abc'],
    ['DELETE /v1/tasks?rank:gt=1&dry_run=true',      bound(2),    2,                     'abc'],
    ['DELETE /v2/tasks?state=done',                  bound(1),    'too_many_affected',   'abc'],
    ['DELETE /v2/tasks?state=done&dry_run=true',     bound(1),    'too_many_affected',   'abc'],
    ['DELETE /v2/tasks?state=done',                  {},          'too_many_affected',   'abc'],
    ['DELETE /v2/tasks?state=done',                  bound(51),   'bad_request',         'abc'],
    ['DELETE /v2/tasks?state=done',                  bound('x'),  'bad_request',         'abc'],
    ['DELETE /v2/tasks?',                            bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v2/tasks?&&',                          bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v2/tasks?q=',                          bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v2/tasks?q=%20+',                      bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v2/tasks?dry_run=true',                bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v2/tasks?title:ne=',                   bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v2/tasks?title=&title:ne=',            bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v1/tasks?name:ne=',                    bound(50),   'bad_parameter',       'abc'],
    ['DELETE /v2/tasks?title:ne=&state=done',        bound(50),   2,                     'a'],
    ['DELETE /v2/tasks?title=&title:null=false',     bound(50),   0,                     'abc'],
    ['DELETE /v2/tasks?title:null=false',            bound(50),   3,                     ''],
    ['DELETE /v2/tasks?sort=rank&state=done',        bound(50),   'unknown_parameter',   'abc'],
    ['DELETE /v2/tasks?limit=1&state=done',          bound(50),   'unknown_parameter',   'abc'],
    ['DELETE /v2/tasks?secret=x',                    bound(50),   'unknown_parameter',   'abc'],
    ['DELETE /v2/tasks/?state=done',                 bound(50),   'bad_path',            'abc'],
    ['DELETE /v2/tasks?state=done', { ...bound(9), 'if-match': '"1"' },       'precondition_failed', 'abc'],
    ['DELETE /v2/tasks?state=done', { ...bound(9), 'if-none-match': '*' },    'precondition_failed', 'abc'],
    ['DELETE /v2/tasks?state=done', { ...bound(9), 'if-match': '*' },         2,                     'a'],
    ['DELETE /v2/tasks?state=done', { ...bound(9), 'idempotency-key': 'k' },  2,                     'a'],
    // A lost query deletes at most the bound.
    ['DELETE /v2/tasks',                             bound(2),    'too_many_affected',   'abc'],
    ['DELETE /v2/tasks',                             bound(3),    3,                     ''],
  ]
  test.each(rows)('%s with %j gives %s, leaves %s', async (line, headers, verdict, left) => {
    const { send, ids } = serviceOf()
    const { status, body, code } = await send(line, { ...headers })
    expect(code ?? Object(body).deleted).toBe(verdict)
    if (typeof verdict === 'number') expect([status, body]).toEqual([200, { deleted: verdict }])
    expect(await ids()).toBe(left)
  })

  test('is offered by the resource and by the adapter', async () => {
    const offered = serviceOf().send
    const only = serviceOf(({ deleteAll: _, ...rest }) => rest).send
    const neither = serviceOf(({ deleteAll: _, deleteMany: __, ...rest }) => rest).send
    const old = serviceOf(({ deleteMany: _, ...rest }) => rest).send
    const countless = serviceOf(({ deleteMany, deleteAll }) => ({ deleteMany, deleteAll })).send
    const answers = async (send: typeof offered) => {
      const [plain, filtered, empty] = [
        await send('DELETE /v2/tasks', bound(0)),
        await send('DELETE /v2/tasks?id=zzz', bound(0)),
        await send('DELETE /v2/tasks?', bound(0)),
      ]
      return [plain.code, filtered.code ?? filtered.body, empty.code, plain.allow]
    }
    const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
    const none = { deleted: 0 }
    expect(await answers(offered)).toEqual(['too_many_affected', none, 'bad_parameter', undefined])
    expect(await answers(only)).toEqual(['method_not_allowed', none, 'bad_parameter', methods])
    expect(await answers(old)).toEqual([
      'too_many_affected',
      'unknown_parameter',
      'bad_path',
      undefined,
    ])
    const { message } = Object((await old('DELETE /v2/tasks?', bound(3))).body)
    expect(message).toMatch(/takes no query, so the server deleted nothing: delete items by id\.$/)
    const [none405, , emptied] = await answers(neither)
    expect([none405, emptied]).toEqual(['method_not_allowed', 'bad_path'])
    expect((await countless('DELETE /v2/tasks?id=a', bound(1))).code).toBe('unknown_parameter')
    const { body } = await only('DELETE /v2/tasks')
    expect(Object(body).detail).toBe(
      '"DELETE" is not allowed here: send a filter, as in "?id=7", and "prefer: max-affected=N".',
    )
  })

  test('is described by OPTIONS', async () => {
    const { body } = await serviceOf().send('OPTIONS /v2/tasks')
    const { operations } = body as { operations: { kind: string }[] }
    expect(operations.filter(({ kind }) => kind.startsWith('delete'))).toMatchObject([
      { kind: 'deleteAll', method: 'DELETE', parameters: [] },
      {
        kind: 'deleteMany',
        method: 'DELETE',
        parameters: expect.arrayContaining(['q', 'dry_run']),
      },
    ])
  })

  test('is gone with delete', () => {
    const kept = defineResource('tasks', { ...options, without: ['delete'] })
    expect(kept.without).toEqual(['delete', 'deleteMany'])
  })
})

test('an adapter that deletes more than its bound is at fault', async () => {
  const { send } = serviceOf((adapter) => ({
    ...adapter,
    deleteAll: undefined,
    deleteMany: () => 9,
  }))
  expect((await send('DELETE /v2/tasks?state=done', bound(2))).status).toBe(500)
})

test('deletes what matches, or nothing', async () => {
  const seen: Operation[] = []
  const { send, ids } = serviceOf(({ deleteAll: _, ...adapter }) => {
    const deleteMany: Adapter['deleteMany'] = (operation, context) => {
      seen.push(operation)
      return adapter.deleteMany?.(operation as never, context) ?? 0
    }
    return narrow({ ...adapter, deleteMany } as Adapter, { state: 'done' })
  })
  // The other task is not in the scope.
  expect((await send('DELETE /v2/tasks?q=write', bound(1))).body).toEqual({ deleted: 1 })
  expect(seen.map(({ kind, maxAffected, query }) => [kind, maxAffected, query.words])).toEqual([
    ['deleteMany', 1, ['write']],
  ])
  expect(await ids()).toBe('c')
})

test('deletes at most its bound beside creates', async () => {
  const registry = defineRegistry(api, { defaultVersion: 'v2' }).adapters({
    tasks: memoryAdapter() as never,
  })
  const headers = { 'content-type': 'application/json' }
  const create = () =>
    handle(
      {
        method: 'POST',
        url: '/v2/tasks',
        headers,
        body: JSON.stringify({ title: 't', state: 'open', rank: 1 }),
      },
      registry,
    )
  const remove = () =>
    handle({ method: 'DELETE', url: '/v2/tasks?state=open', headers: bound(5) }, registry)
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, index) => (index % 10 === 9 ? remove() : create())),
  )
  let gone = 0
  for (const { status, body } of made) {
    if (status === 201) continue
    const { deleted = 0, code } = Object(body)
    expect(deleted).toBeLessThanOrEqual(5)
    if (status !== 200) expect(code).toBe('too_many_affected')
    gone += deleted
  }
  const { body } = await handle({ method: 'GET', url: '/v2/tasks/count' }, registry)
  expect(Object(body).count).toBe(54 - gone)
})

describe('the bound of an operation', () => {
  const people = defineResource('people', {
    schema: z.object({ id: z.string(), name: z.string() }),
    filterable: ['name'],
  })
  const jobs = defineResource('jobs', {
    schema: z.object({ id: z.string(), state: z.string(), person_id: z.string() }),
    references: { person_id: 'people' },
    filterable: ['state'],
  })
  const contract = defineApi({ v1: { '/jobs': jobs, '/people': people } })

  type Seen = readonly [kind: string, maxAffected: number | undefined]
  const boundsOf = async (query: string, adapter: object) => {
    const seen: Record<'before' | 'after' | 'onError', Seen[]> = {
      ...{ before: [], after: [], onError: [] },
    }
    const registry = defineRegistry(contract)
      .use(async (operation, _, next) => {
        // The list of the related items.
        if (operation.kind === 'list') return next()
        seen.before.push([operation.kind, operation.maxAffected])
        try {
          return await next()
        } finally {
          seen.after.push([operation.kind, operation.maxAffected])
        }
      })
      .onError((_, { operation }) => {
        if (operation) seen.onError.push([operation.kind, operation.maxAffected])
      })
      .adapters({
        jobs: { ...memoryAdapter(), ...adapter } as never,
        people: memoryAdapter({ items: [{ id: 'p', name: 'Ann' }] }),
      })
    const url = `/v1/jobs${query}`
    const { status } = await handle({ method: 'DELETE', url, headers: bound(9) }, registry)
    return { status, ...seen }
  }

  const storedForm = () => (_: string, value: unknown) => value
  const rows: readonly (readonly [name: string, query: string, kind: string, adapter: object])[] = [
    ['no filter', '', 'deleteAll', {}],
    ['a plain filter', '?state=done', 'deleteMany', {}],
    ['a filter by related items', '?person.name=Ann', 'deleteMany', {}],
    ['a filter in the form of the storage', '?state=done', 'deleteMany', { storedForm }],
    ['both', '?state=done&person.name=Ann', 'deleteMany', { storedForm }],
  ]
  test.each(rows)('is known to middleware with %s', async (_, query, kind, adapter) => {
    const seen = [[kind, 9]]
    const result = await boundsOf(query, adapter)
    expect(result).toEqual({ status: 200, before: seen, after: seen, onError: [] })
  })
  test.each(rows)('is known to onError with %s', async (_, query, kind, adapter) => {
    const fail = () => Promise.reject(new Error('full'))
    const result = await boundsOf(query, { ...adapter, deleteAll: fail, deleteMany: fail })
    const seen = [[kind, 9]]
    expect(result).toEqual({ status: 500, before: seen, after: seen, onError: seen })
  })
})
