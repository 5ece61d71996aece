import fc from 'fast-check'
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { createClient, type Where } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isId } from '../../src/contract/resource/id.ts'
import { filtersOf } from '../../src/contract/schema/filter.ts'
import { type Condition, filterOperators } from '../../src/convention/filter-operators.ts'
import { parseRequest } from '../../src/wire/request.ts'

const Task = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['new', 'open', 'done']).nullable(),
  due: z.iso.date().optional(),
  rank: z.number(),
  done: z.boolean(),
})
const tasks = defineResource('tasks', {
  schema: Task,
  sortable: ['title', 'due', 'rank'],
  searchable: ['title'],
  filterable: ['title', 'status', 'due', 'rank', 'done'],
})
const pieces = defineResource('pieces', {
  schema: z.object({ id: z.number(), name: z.string() }),
  id: z.coerce.number(),
  defaultLimit: 7,
  maxLimit: 9,
})
const silences = defineResource('silences', {
  schema: Task.extend({ piece_id: z.number() }),
  create: Task,
  total: false,
})
const aides = defineResource('aides', {
  schema: z.object({ id: z.string(), boss_id: z.string() }),
  countable: ['boss_id'],
  references: { boss_id: 'tasks' },
})
const api = defineApi({
  v1: {
    '/tasks': tasks,
    '/aides': aides,
    '/pieces': pieces,
    '/pieces/:piece_id/silences': silences,
  },
})

const ann: z.infer<typeof Task> = {
  id: 'ann',
  title: 'Ann',
  status: 'new',
  due: '2020-01-01',
  rank: 1,
  done: false,
}
const bea: z.infer<typeof Task> = {
  id: 'bea',
  title: 'Bea',
  status: 'open',
  due: '2021-01-01',
  rank: 2,
  done: true,
}
const dan: z.infer<typeof Task> = { id: 'dan', title: 'Dan', status: null, rank: 3, done: false }

type Task = z.infer<typeof Task>

const people = [ann, bea, dan]
const aideItems = [
  { id: 'cy', boss_id: 'bea' },
  { id: 'di', boss_id: 'ann' },
]

function registryOf(items: readonly Task[] = people) {
  return defineRegistry(api).adapters({
    tasks: memoryAdapter({ items: items }),
    aides: memoryAdapter({
      items: items === people ? aideItems : [],
    }),
    pieces: memoryAdapter({
      items: Array.from({ length: 40 }, (_, id) => ({ id, name: `${id}` })),
    }),
    silences: memoryAdapter(),
  })
}

/** A client, and the targets of its requests. */
function clientOf(registry = registryOf()) {
  const targets: string[] = []
  const fetch = toFetchHandler(registry)
  const client = createClient<typeof api>({
    baseUrl: 'http://x.test',
    fetch: (request) => {
      targets.push(request.url.slice('http://x.test'.length))
      return fetch(request)
    },
  })
  return { v1: client.v1, targets }
}

async function thrownBy(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`Nothing was thrown, but ${JSON.stringify(value)} given`)
    },
    (error: unknown) => error,
  )
}

type Tasks = NonNullable<(typeof tasks)['shape']>
type RelatedWhere = NonNullable<
  NonNullable<Parameters<ReturnType<typeof clientOf>['v1']['aides']['list']>[0]>['where']
>

describe('where selects items', () => {
  const rows: readonly (readonly [Where<Tasks>, readonly string[], string])[] = [
    [{}, ['ann', 'bea', 'dan'], ''],
    [{ status: 'new' }, ['ann'], '?status=new'],
    [{ status: ['new', 'open'] }, ['ann', 'bea'], '?status=new&status=open'],
    [{ status: { ne: 'new' } }, ['bea', 'dan'], '?status:ne=new'],
    [{ status: { ne: [] } }, ['ann', 'bea', 'dan'], ''],
    [{ status: { null: true } }, ['dan'], '?status:null=true'],
    [{ due: { null: false } }, ['ann', 'bea'], '?due:null=false'],
    [
      { due: { gte: '2020-06-01', lt: '2022-01-01' } },
      ['bea'],
      '?due:gte=2020-06-01&due:lt=2022-01-01',
    ],
    [{ rank: { gt: 1 }, done: false }, ['dan'], '?rank:gt=1&done=false'],
    [{ title: { contains: 'AN' } }, ['ann', 'dan'], '?title:contains=AN'],
    [{ title: { endsWith: 'a&b=c' } }, [], '?title:endsWith=a%26b%3Dc'],
    [{ id: ['dan', 'nope', ''] }, ['dan'], '?id=dan&id=nope&id='],
    [{ id: { eq: 'dan' }, title: undefined, rank: { lte: undefined } }, ['dan'], '?id=dan'],
  ]
  test.each(rows)('%j', async (where, ids, search) => {
    const { v1, targets } = clientOf()
    expect((await v1.tasks.list({ where })).map(({ id }) => id)).toEqual(ids)
    expect(await v1.tasks.count({ where })).toBe(ids.length)
    expect(targets).toEqual([`/v1/tasks${search}`, `/v1/tasks/count${search}`])
    const last = v1.tasks.last({ where, fields: ['id'] })
    if (ids.length > 0) expect(await last).toEqual({ id: ids.at(-1) })
    else expect(await thrownBy(last)).toMatchObject({ code: 'empty_collection' })
    const items: unknown[] = []
    for await (const { id } of v1.tasks.items({ where, limit: 1 })) items.push(id)
    expect(items).toEqual(ids)
  })

  const refused: readonly (readonly [unknown, RegExp])[] = [
    ['status=new', /"where" is status=new: use/],
    [null, /"where" is null/],
    [[['status', 'new']], /"where"/],
    [new Map([['status', 'new']]), /"where"/],
    [new URLSearchParams('status=new'), /"where"/],
    [{ status: null }, /"status" is null: use a value, a list, or { null: true }/],
    [{ status: [] }, /"status" is \[\]/],
    [{ status: { eq: [] } }, /"status" is \[\]/],
    [{ title: { contains: [] } }, /"title:contains" is \[\]/],
    [{ status: ['new', undefined] }, /text, numbers or booleans/],
    [{ status: [null] }, /text, numbers or booleans/],
    [{ status: [{}] }, /text, numbers or booleans/],
    [{ status: { ne: {} } }, /text, numbers or booleans/],
    [{ rank: 10n }, /text, numbers or booleans/],
    [{ rank: () => 1 }, /text, numbers or booleans/],
    [{ due: new Date(0) }, /use a value/],
    [{ title: /a/ }, /use a value/],
  ]
  test.each(refused)('but not %o', async (where, message) => {
    const { v1, targets } = clientOf()
    const query = { where } as never
    const { tasks } = v1
    for (const call of [tasks.list(query), tasks.count(query), tasks.pages(query).next()]) {
      const error = await thrownBy(call)
      expect(error).toBeInstanceOf(TypeError)
      expect(`${error}`).toMatch(message)
    }
    expect(targets).toEqual([])
  })

  test.each([
    [{ boss: { rank: 2 } }, '?boss.rank=2'],
    [{ 'boss.rank': 2 }, '?boss.rank=2'],
    [
      { boss: { title: { startsWith: 'B' }, rank: [2, 4] } },
      '?boss.title:startsWith=B&boss.rank=2&boss.rank=4',
    ],
    [
      { boss: { title: undefined }, 'boss.rank': { gt: 1, lt: 3 } },
      '?boss.rank:gt=1&boss.rank:lt=3',
    ],
  ] satisfies readonly (readonly [RelatedWhere, string])[])(
    'of related items: %j',
    async (where, search) => {
      const { v1, targets } = clientOf()
      expect(await v1.aides.list({ where })).toEqual([{ id: 'cy', boss_id: 'bea' }])
      expect(await v1.aides.first({ where })).toMatchObject({ id: 'cy' })
      expect(await v1.aides.last({ where })).toMatchObject({ id: 'cy' })
      expect(await v1.aides.count({ where })).toBe(1)
      expect(await v1.aides.count({ where, by: ['boss_id'] })).toMatchObject({ count: 1 })
      expect(await v1.aides.deleteMany({ where, maxAffected: 1 })).toBe(1)
      const ends = ['', '/first', '/last', '/count', '/count', '']
      expect(targets).toEqual(
        ends.map((end) => expect.stringContaining(`/v1/aides${end}${search}`)),
      )
    },
  )

  test.each([
    [{ boss: { rank: null } }, /"boss.rank" is null/],
    [{ boss: { title: [] } }, /"boss.title" is \[\]/],
    [{ boss: null }, /"boss" is null/],
    [{ boss: { title: { gt: {} } } }, /"boss.title:gt" is/],
  ])('but not of related items: %j', async (where, message) => {
    const { v1, targets } = clientOf()
    expect(`${await thrownBy(v1.aides.list({ where } as never))}`).toMatch(message)
    expect(targets).toEqual([])
  })

  test.each(['like', 'constructor', '__proto__', 'GT', ''])(
    'and the server refuses the operator %o',
    async (operator) => {
      const { v1 } = clientOf()
      const where = { title: JSON.parse(`{"${operator}": "a"}`) } as never
      expect(await thrownBy(v1.tasks.list({ where }))).toMatchObject({ code: 'unknown_parameter' })
    },
  )

  test('and the server names the allowed filters', async () => {
    const { v1 } = clientOf()
    const asked = (where: unknown) => thrownBy(v1.tasks.list({ where } as never))
    expect(await asked({ nope: 1 })).toMatchObject({ code: 'unknown_parameter' })
    expect(await asked({ status: { gt: 'new' } })).toMatchObject({ code: 'unknown_parameter' })
    expect(await asked({ status: 'old' })).toMatchObject({ code: 'bad_parameter' })
    expect(await asked({ rank: { gt: [1, 2] } })).toMatchObject({ code: 'repeated_parameter' })
  })

  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 9 })
    .map((part) => part.replaceAll('\0', ' ').toWellFormed())
  const values: Readonly<Record<string, fc.Arbitrary<string | number | boolean>>> = {
    title: text,
    id: text.filter(isId),
    status: fc.constantFrom('new', 'open', 'done'),
    due: fc.constantFrom('2020-01-01', '1999-12-31'),
    rank: fc.double({ noNaN: true, noDefaultInfinity: true }).map((rank) => rank + 0),
    done: fc.boolean(),
  }
  const filters = [...filtersOf(tasks).values()].map(({ field, operator }) => {
    const { takes, repeats } = filterOperators[operator]
    const one = takes === 'boolean' ? fc.boolean() : (values[field.name] ?? text)
    const given = repeats ? fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 4 })) : one
    return fc.record({
      field: fc.constant(field.name),
      operator: fc.constant(operator),
      given,
    })
  })

  test('as the server reads it', async () => {
    const written = fc.uniqueArray(fc.oneof(...filters), {
      maxLength: 9,
      selector: ({ field, operator }) => `${field}:${operator}`,
    })
    const urls: string[] = []
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x.test',
      fetch: ({ url }) => {
        urls.push(url)
        return Response.json([])
      },
    })
    const registry = registryOf()
    await fc.assert(
      fc.asyncProperty(written, async (all) => {
        const where: Record<string, Record<string, unknown>> = {}
        for (const { field, operator, given } of all) {
          where[field] = { ...where[field], [operator]: given }
        }
        await v1.tasks.list({ where })
        const request = { method: 'GET', url: `${urls.pop()}`, headers: {} }
        const { query, fault } = parseRequest(request, registry)
        expect(fault).toBeUndefined()
        expect(new Set(query.where.map(partsOf))).toEqual(new Set(all.map(expected)))
      }),
    )
  })

  function partsOf({ field, is, values }: Condition): string {
    return JSON.stringify([field, is, [...values].sort()])
  }

  function expected({
    field,
    operator,
    given,
  }: (typeof filters)[number] extends fc.Arbitrary<infer T> ? T : never) {
    const { is } = filterOperators[operator]
    const list = [given].flat()
    if (typeof is !== 'string') return JSON.stringify([field, is[given ? 0 : 1], []])
    return JSON.stringify([field, is, [...new Set(list)].sort()])
  }
})

describe('a page', () => {
  test('has its items, the next cursor and the total', async () => {
    const { v1, targets } = clientOf()
    const first = await v1.tasks.page({ limit: 2, sort: ['-id'], fields: ['rank'] })
    expect(first).toEqual({
      items: [
        { id: 'dan', rank: 3 },
        { id: 'bea', rank: 2 },
      ],
      next: expect.any(String),
      total: 3,
    })
    const rest = await v1.tasks.page({ limit: 2, sort: ['-id'], after: first.next })
    expect(rest).toEqual({ items: [ann], next: undefined, total: 3 })
    expect(await v1.tasks.page({ where: { done: false }, limit: 1, offset: 1 })).toEqual({
      items: [dan],
      next: undefined,
      total: 2,
    })
    expect(targets.at(-1)).toBe('/v1/tasks?done=false&limit=1&offset=1')
    expect(await v1.tasks.list({ limit: 1, offset: 2, sort: ['-id'] })).toEqual([ann])
  })

  test('has no total where the server sends none', async () => {
    const { v1 } = clientOf()
    const page = await v1.pieces(1).silences.page()
    expect(page).toEqual({ items: [], next: undefined, total: undefined })
  })

  test('asks with Prefer, and no other call does', async () => {
    const prefers: (string | null)[] = []
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x.test',
      fetch: ({ headers }) => {
        prefers.push(headers.get('prefer'))
        return Response.json([])
      },
    })
    await v1.tasks.page()
    await v1.tasks.list()
    await v1.tasks.pages().next()
    await v1.tasks.page({}, { headers: { prefer: 'wait=1' } })
    expect(prefers).toEqual(['count=exact', null, null, 'count=exact'])
  })

  test('by number is followed by cursor', async () => {
    const { v1, targets } = clientOf()
    const ids: string[] = []
    for await (const { id } of v1.tasks.items({ offset: 1, limit: 1 })) ids.push(id)
    expect(ids).toEqual(['bea', 'dan'])
    expect(targets.map((target) => /offset/.test(target))).toEqual([true, false])
  })
})

describe('fields', () => {
  test('give a part of an item', async () => {
    const { v1 } = clientOf()
    const query = { fields: ['title'] } as const
    const part = { id: 'ann', title: 'Ann' }
    expect(await v1.tasks('ann').read(query)).toEqual(part)
    expect(await v1.tasks.first(query)).toEqual(part)
    expect((await v1.tasks.list(query))[0]).toEqual(part)
    expect((await v1.tasks.pages(query).next()).value).toMatchObject({ items: [part, {}, {}] })
    expect((await v1.tasks.items(query).next()).value).toEqual(part)
  })

  test('that name none give the whole item', async () => {
    const { v1 } = clientOf()
    for (const fields of [undefined, []]) {
      expect(await v1.tasks('ann').read({ fields })).toEqual(ann)
    }
  })
})

describe('many are read by id', () => {
  const many = (ids: readonly string[]) => ids.map((id, rank) => ({ ...ann, id, rank }))

  test('in the order of the ids', async () => {
    const { v1, targets } = clientOf()
    const ids = ['dan', 'nope', 'ann', 'dan', '', '.', 'first', '\0', 'a'.repeat(256)]
    expect(await v1.tasks.readMany(ids)).toEqual([dan, undefined, ann, dan, ...Array(5)])
    expect(targets).toEqual(['/v1/tasks?id=dan&id=nope&id=ann'])
    expect(await v1.pieces.readMany([5, 3, 99])).toEqual([
      { id: 5, name: '5' },
      { id: 3, name: '3' },
      undefined,
    ])
  })

  test('without a request for none', async () => {
    const { v1, targets } = clientOf()
    expect(await v1.tasks.readMany([])).toEqual([])
    expect(await v1.tasks.readMany(['first', ''])).toEqual([undefined, undefined])
    expect(targets).toEqual([])
  })

  test('page by page where the resource has a limit', async () => {
    const { v1, targets } = clientOf()
    const ids = Array.from({ length: 41 }, (_, id) => id)
    const items = await v1.pieces.readMany(ids)
    expect(items.map((item) => item?.id)).toEqual([...ids.slice(0, 40), undefined])
    expect(targets).toHaveLength(6)
  })

  const sizes: readonly (readonly [string, readonly string[], number])[] = [
    ['100 ids', Array.from({ length: 100 }, (_, id) => `${id}`), 1],
    ['101 ids', Array.from({ length: 101 }, (_, id) => `${id}`), 2],
    ['250 ids', Array.from({ length: 250 }, (_, id) => `${id}`), 3],
    ['long ids', Array.from({ length: 40 }, (_, id) => `${id}`.padEnd(255, 'x')), 4],
    ['longest ids', ['a', 'b', 'c'].map((id) => id + '😀'.repeat(254)), 3],
  ]
  test.each(sizes)('with short targets: %s', async (_, ids, requests) => {
    const server = await serve(registryOf(many(ids)), { port: 0 })
    const targets: string[] = []
    const { v1 } = createClient<typeof api>({
      baseUrl: server.url,
      fetch: (request) => {
        targets.push(request.url.slice(server.url.length))
        return fetch(request)
      },
    })
    const items = await v1.tasks.readMany(ids)
    await server.close()
    expect(items.map((item) => item?.id)).toEqual(ids)
    expect(targets).toHaveLength(requests)
    for (const target of targets) expect(target.length).toBeLessThan(4096)
  })

  test('whatever the ids', async () => {
    const anyId = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }).filter(isId)
    const ids = fc.uniqueArray(anyId, { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(ids, ids, async (stored, absent) => {
        const { v1, targets } = clientOf(registryOf(many(stored)))
        const asked = [...absent, ...stored, ...stored]
        const items = await v1.tasks.readMany(asked)
        expect(items.map((item) => item?.id)).toEqual(
          asked.map((id) => (stored.includes(id) ? id : undefined)),
        )
        for (const target of targets) expect(target.length).toBeLessThan(4096)
      }),
      { numRuns: 50 },
    )
  })

  test('but never by something that is no id', async () => {
    const { v1, targets } = clientOf()
    for (const id of [undefined, null, {}, Number.NaN, true, Symbol('x')]) {
      expect(await thrownBy(v1.tasks.readMany(['ann', id as never]))).toBeInstanceOf(TypeError)
    }
    for (const ids of ['ann', undefined, 7]) {
      expect(await thrownBy(v1.tasks.readMany(ids as never))).toBeInstanceOf(TypeError)
    }
    expect(await thrownBy(v1.tasks.readMany([], { limit: 3 } as never))).toBeInstanceOf(TypeError)
    expect(targets).toEqual([])
  })

  test('until the signal aborts', async () => {
    const controller = new AbortController()
    const reason = new Error('gone')
    let asked = 0
    const { v1 } = createClient<typeof api>({
      baseUrl: 'http://x.test',
      fetch: () => {
        asked++
        controller.abort(reason)
        return Response.json([])
      },
    })
    const ids = Array.from({ length: 300 }, (_, id) => `${id}`)
    expect(await thrownBy(v1.tasks.readMany(ids, { signal: controller.signal }))).toBe(reason)
    expect(asked).toBe(1)
  })

  test('throws the problem of a parent', async () => {
    const { v1 } = clientOf()
    const error = await thrownBy(v1.pieces(99).silences.readMany(['a']))
    expect(error).toMatchObject({ code: 'parent_not_found' })
  })
})
