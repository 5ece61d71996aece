import {
  defineApi,
  defineRegistry,
  defineResource,
  handle,
  type Middleware,
  type Operation,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sent, staff, staffWith, workerItems, workersInMemory } from '../support/staff.ts'

const registry = () => staffWith(workersInMemory())
const all = 'salary,boss_id'

describe('a caller without the grant', () => {
  test('gets items without restricted fields', async () => {
    const one = registry()
    const ann = { id: 'a', name: 'ann', rev: 1 }
    const bob = { id: 'b', name: 'bob', friend_id: 'a', rev: 1 }
    for (const [line, body] of [
      ['GET /v1/workers', [ann, bob]],
      ['GET /v1/workers/a', ann],
      ['GET /v1/workers/last', bob],
      ['GET /v1/workers/b?include=friend', { ...bob, friend: ann }],
      [
        'GET /v1/workers?fields=name',
        [
          { id: 'a', name: 'ann' },
          { id: 'b', name: 'bob' },
        ],
      ],
      ['GET /v1/workers/count?q=2', { count: 0 }],
    ] as const) {
      expect((await sent(one, line)).body, line).toEqual(body)
    }
  })

  test.each([
    ['sort=salary', 'sort_unknown_field', ['id', 'name']],
    ['salary=1', 'unknown_parameter', undefined],
    ['salary:contains=1', 'unknown_parameter', undefined],
    ['fields=salary', 'bad_parameter', ['id', 'name', 'note', 'friend_id', 'rev']],
    ['include=boss', 'bad_parameter', ['friend']],
  ])('finds no parameter for them: %s', async (query, code, allowed) => {
    const { status, body } = await sent(registry(), `GET /v1/workers?${query}`)
    expect({ status, code: (body as { code: string }).code }).toEqual({ status: 400, code })
    const [issue] = (body as { issues: { allowed?: readonly string[] }[] }).issues
    if (allowed) expect(issue?.allowed).toEqual(allowed)
    else expect(issue?.allowed?.join()).not.toMatch(/salary|boss_id/)
  })

  test.each([
    ['PUT /v1/workers/a', { name: 'x', salary: '1' }, '/salary'],
    ['PUT /v1/workers', [{ id: 'a', name: 'x', salary: '1' }], '/0/salary'],
    ['PATCH /v1/workers/a', { salary: '1' }, '/salary'],
    ['PATCH /v1/workers', [{ id: 'a', salary: '1' }], '/0/salary'],
    ['POST /v1/workers', { name: 'x', salary: null }, '/salary'],
    ['POST /v1/workers', [{ name: 'x', salary: '1' }], '/0/salary'],
  ])('sends none: %s %j', async (line, body, pointer) => {
    expect(await sent(registry(), line, { body })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer, code: 'read_only' }] },
    })
  })

  test.each([
    ['PUT /v1/workers/b', { name: 'x' }],
    ['PUT /v1/workers', [{ id: 'b', name: 'x' }]],
    ['PATCH /v1/workers/b', { name: 'x', friend_id: null }],
    ['PATCH /v1/workers', [{ id: 'b', name: 'x', friend_id: null }]],
    ['PUT /v1/workers/b', { name: 'x', rev: 1 }],
  ])('keeps what is stored: %s %j', async (line, body) => {
    const one = registry()
    const written = await sent(one, line, { body })
    expect(written.status).toBe(200)
    expect(JSON.stringify(written.body)).not.toContain('salary')
    const kept = { id: 'b', name: 'x', salary: '2', boss_id: 'a', rev: 2 }
    const { body: stored } = await sent(one, 'GET /v1/workers/b', { sees: all })
    expect({ ...Object(stored), friend_id: undefined }).toEqual(kept)
  })

  test('keeps it by the revision alone', async () => {
    const { modify: _, modifyMany: __, ...plain } = workersInMemory() as Record<string, unknown>
    const one = staffWith(plain)
    expect(await sent(one, 'PUT /v1/workers/b', { body: { name: 'x' } })).toMatchObject({
      status: 200,
      body: { id: 'b', name: 'x', rev: 2 },
    })
    await sent(one, 'PUT /v1/workers', { body: [{ id: 'a', name: 'y' }] })
    expect((await sent(one, 'GET /v1/workers', { sees: all })).body).toEqual([
      { id: 'a', name: 'y', salary: '1', rev: 2 },
      { id: 'b', name: 'x', salary: '2', boss_id: 'a', rev: 2 },
    ])
  })

  test.each([
    ['PUT /v1/workers/b?dry_run=true', { name: 'x' }],
    ['PATCH /v1/workers/b?dry_run=true', { name: 'x' }],
  ])('tries a write without them: %s', async (line, body) => {
    const one = registry()
    const tried = await sent(one, line, { body })
    expect({ ...Object(tried.body), friend_id: undefined }).toEqual({ id: 'b', name: 'x', rev: 1 })
    expect((await sent(one, 'GET /v1/workers/b')).body).toMatchObject({ name: 'bob' })
  })

  test.each([
    ['PUT /v1/workers/z', { name: 'x' }, 404],
    ['PUT /v1/workers/z', { name: 'x', salary: '1' }, 422],
    ['PUT /v1/workers', [{ id: 'z', name: 'x' }], 404],
    ['PUT /v1/workers', [], 200],
    ['PUT /v1/workers/a', { name: 1 }, 422],
    ['PUT /v1/workers/a', 7, 422],
    ['PUT /v1/workers/a', { id: 'b', name: 'x' }, 409],
    ['PUT /v1/workers/a', { name: 'x', rev: 7 }, 409],
    ['PUT /v1/workers/a', { name: 'x', friend_id: 'z' }, 422],
    ['PUT /v1/workers/z', { name: 'x', friend_id: 'y' }, 404],
    ['PUT /v1/workers/a', { name: 'x', friend_id: 'b' }, 200],
  ])('replaces as others do: %s %j is %i', async (line, body, status) => {
    const answer = await sent(registry(), line, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  })

  test('meets rules about hidden fields without their names', async () => {
    const one = registry()
    const body = { name: 'poor' }
    const refused = await sent(one, 'PUT /v1/workers/b', { body })
    expect(refused).toMatchObject({ status: 422, body: { issues: [{ pointer: '' }] } })
    expect(JSON.stringify(refused.body)).not.toContain('salary')
    expect(await sent(one, 'PATCH /v1/workers/b', { body })).toMatchObject({ status: 422 })
    expect(await sent(one, 'PUT /v1/workers/a', { body })).toMatchObject({ status: 200 })
  })

  test('deletes as before', async () => {
    expect(await sent(registry(), 'DELETE /v1/workers/b')).toMatchObject({ status: 200 })
  })
})

describe('a caller with the grant', () => {
  test.each([
    ['GET /v1/workers/b', undefined, { salary: '2', boss_id: 'a' }],
    ['GET /v1/workers?sort=-salary&limit=1', undefined, [{ id: 'b' }]],
    ['GET /v1/workers?salary=2', undefined, [{ id: 'b' }]],
    ['GET /v1/workers?q=2', undefined, [{ id: 'b' }]],
    ['GET /v1/workers?fields=salary&limit=1', undefined, [{ id: 'a', salary: '1' }]],
    ['GET /v1/workers/b?include=boss', undefined, { boss: { id: 'a', salary: '1' } }],
    ['PUT /v1/workers/b', { name: 'x', salary: '3' }, { salary: '3' }],
    ['PUT /v1/workers', [{ id: 'b', name: 'x', salary: '3' }], [{ salary: '3' }]],
    ['PUT /v1/workers/b', { name: 'x' }, { name: 'x' }],
    ['PATCH /v1/workers/b', { salary: '3' }, { salary: '3', boss_id: 'a' }],
    ['POST /v1/workers', { name: 'x', salary: '3', boss_id: 'b' }, { salary: '3' }],
  ])('sees and writes: %s', async (line, body, expected) => {
    const { body: given } = await sent(registry(), line, { body, sees: all })
    expect(given).toMatchObject(expected)
  })

  test('may see some of the fields', async () => {
    const one = registry()
    expect((await sent(one, 'GET /v1/workers/b', { sees: 'salary' })).body).toEqual({
      id: 'b',
      name: 'bob',
      salary: '2',
      friend_id: 'a',
      rev: 1,
    })
    await sent(one, 'PUT /v1/workers/b', { body: { name: 'x' }, sees: 'salary' })
    expect((await sent(one, 'GET /v1/workers/b', { sees: all })).body).toEqual({
      id: 'b',
      name: 'x',
      boss_id: 'a',
      rev: 2,
    })
  })

  test('alternates with others on one registry', async () => {
    const one = registry()
    for (let round = 0; round < 3; round++) {
      for (const [line, own, other] of [
        ['GET /v1/workers?sort=salary', 200, 400],
        ['GET /v1/workers?salary=1', 200, 400],
        ['GET /v1/workers?fields=salary', 200, 400],
      ] as const) {
        expect((await sent(one, line, { sees: 'salary' })).status).toBe(own)
        expect((await sent(one, line)).status).toBe(other)
      }
      expect((await sent(one, 'GET /v1/workers?q=2', { sees: all })).body).toHaveLength(1)
      expect((await sent(one, 'GET /v1/workers?q=2')).body).toEqual([])
      expect((await sent(one, 'GET /v1/workers/a', { sees: all })).body).toHaveProperty('salary')
      expect((await sent(one, 'GET /v1/workers/a')).body).not.toHaveProperty('salary')
    }
  })

  test('keeps a cursor that others cannot use', async () => {
    const one = registry()
    const { headers } = await sent(one, 'GET /v1/workers?sort=salary&limit=1', { sees: all })
    const next = /<([^>]*)>/.exec(String(headers.link))?.[1]
    expect(next).toContain('after=')
    expect((await sent(one, `GET ${next}`, { sees: all })).body).toMatchObject([{ id: 'b' }])
    expect(await sent(one, `GET ${next}`)).toMatchObject({ body: { code: 'sort_unknown_field' } })
    const moved = String(next).replace('sort=salary', 'sort=name')
    expect(await sent(one, `GET ${moved}`)).toMatchObject({ body: { code: 'invalid_cursor' } })
  })
})

describe('.reveal()', () => {
  const revealing = (reveal: unknown, errors: unknown[] = []) =>
    defineRegistry(staff)
      .reveal(reveal as () => undefined)
      .onError((error) => void errors.push(error))
      .adapters({ workers: workersInMemory() } as never)
  const get = { method: 'GET', url: '/v1/workers/b' }

  test.each([undefined, null, {}, { workers: [] }, { workers: undefined }])(
    'reveals nothing with %j',
    async (given) => {
      expect(
        (
          await handle(
            get,
            revealing(() => given),
          )
        ).body,
      ).not.toHaveProperty('salary')
    },
  )

  test('may be asynchronous', async () => {
    const one = revealing(async () => ({ workers: ['salary'] }))
    expect((await handle(get, one)).body).toHaveProperty('salary', '2')
  })

  test.each([
    [false, ".reveal() gave false: return { employees: ['salary'] }, or {}."],
    [{ worker: [] }, '.reveal() names "worker", which is no resource: use workers.'],
    [{ workers: 'salary' }, '.reveal() gave no list of fields for "workers": write [].'],
    [
      { workers: ['name'] },
      '.reveal() names "name" of "workers", which is not restricted: use salary, boss_id.',
    ],
    [
      { workers: [undefined] },
      '.reveal() names "undefined" of "workers", which is not restricted: use salary, boss_id.',
    ],
  ])('is a 500 with %j', async (given, message) => {
    const errors: unknown[] = []
    expect(
      (
        await handle(
          get,
          revealing(() => given, errors),
        )
      ).status,
    ).toBe(500)
    expect(errors).toEqual([new TypeError(message)])
  })

  test('comes before the problems of parameters', async () => {
    const one = revealing(() => {
      throw new Error('down')
    })
    expect((await handle({ ...get, url: '/v1/workers?x=1' }, one)).status).toBe(500)
  })

  test('without one, nothing is revealed', async () => {
    const one = defineRegistry(staff).adapters({ workers: workersInMemory() } as never)
    expect((await handle(get, one)).body).not.toHaveProperty('salary')
    expect((await handle({ ...get, url: '/v1/workers?sort=salary' }, one)).status).toBe(400)
  })

  test('is not asked for a resource without restricted fields', async () => {
    const plain = defineResource('notes', { schema: z.object({ id: z.string() }) })
    const api = defineApi({ v1: { '/notes': plain, ...staff.declaration.v1 } })
    const one = defineRegistry(api)
      .reveal(() => {
        throw new Error('asked')
      })
      .adapters({ notes: memoryAdapter(), workers: workersInMemory() } as never)
    expect((await handle({ method: 'GET', url: '/v1/notes' }, one)).status).toBe(200)
  })

  test('needs a restricted field', () => {
    const api = defineApi({
      v1: { '/notes': defineResource('notes', { schema: z.object({ id: z.string() }) }) },
    })
    expect(() =>
      defineRegistry(api)
        .reveal(() => ({}))
        .adapters({ notes: memoryAdapter() }),
    ).toThrow('no resource has a restricted field')
    expect(() => defineRegistry(staff).reveal(7 as never)).toThrow('.reveal()')
  })

  test('serves more sets of fields than the core keeps', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `field${index}`)
    const schema = z.object({
      id: z.string(),
      ...Object.fromEntries(names.map((name) => [name, z.string().optional()])),
    })
    const many = defineResource('many', { schema, restricted: names as never, plural: true })
    const items = [{ id: 'a', ...Object.fromEntries(names.map((name) => [name, name])) }]
    const one = defineRegistry(defineApi({ v1: { '/many': many } }))
      .context(({ headers = {} }) => JSON.parse(String(headers.sees)) as never[])
      .reveal((sees) => ({ many: sees }))
      .adapters({ many: memoryAdapter({ items: items as never }) } as never)
    for (let set = 0; set < 32; set++) {
      const sees = names.filter((_, index) => set & (1 << index))
      const headers = { sees: JSON.stringify(sees) }
      const answer = await handle({ method: 'GET', url: '/v1/many/a', headers }, one)
      expect(Object.keys(Object(answer.body))).toEqual(['id', ...sees])
    }
  })
})

describe('a middleware', () => {
  const through = (use: Middleware<unknown>) =>
    defineRegistry(staff)
      .use(use)
      .adapters({ workers: workersInMemory() } as never)

  test('sees whole outcomes, and its own are screened', async () => {
    const seen: unknown[] = []
    const one = through(async (_, __, next) => {
      const outcome = await next()
      seen.push(outcome)
      return outcome.gives === 'item'
        ? { gives: 'item', item: { ...outcome.item, salary: 'mine', name: 'x' } }
        : outcome
    })
    const answer = await handle({ method: 'GET', url: '/v1/workers/a' }, one)
    expect(seen).toEqual([{ gives: 'item', item: workerItems[0] }])
    expect(answer.body).toEqual({ id: 'a', name: 'x', rev: 1 })
  })

  test('may stream, and finds the hidden fields in the resource', async () => {
    const seen: Operation[] = []
    const one = through((operation) => {
      seen.push(operation)
      return {
        gives: 'items',
        items: (async function* () {
          yield* workerItems
        })(),
      }
    })
    const answer = await handle({ method: 'GET', url: '/v1/workers' }, one)
    const parts: unknown[] = []
    for await (const part of answer.body as AsyncIterable<unknown>) parts.push(part)
    expect(JSON.stringify(parts)).not.toMatch(/salary|boss/)
    expect(seen[0]?.resource.restricted).toEqual(['salary', 'boss_id'])
  })
})

test('a schema that tells no fields hides them too', async () => {
  const schema = z.looseObject({ id: z.string(), salary: z.string().optional() })
  const loose = defineResource('loose', { schema, restricted: ['salary'], plural: true })
  const items = [{ id: 'a', salary: '1', other: '2' }]
  const one = defineRegistry(defineApi({ v1: { '/loose': loose } })).adapters({
    loose: memoryAdapter({ items }),
  })
  const get = { method: 'GET', url: '/v1/loose/a' }
  expect((await handle(get, one)).body).toEqual({ id: 'a', other: '2' })
  const put = { method: 'PUT', url: '/v1/loose/a', headers: { 'content-type': 'application/json' } }
  await handle({ ...put, body: '{"other":"3"}' }, one)
  expect((await handle(get, one)).body).toEqual({ id: 'a', other: '3' })
})

test('a raise between the read and a PUT is not lost', async () => {
  for (const lacking of [[], ['modify', 'modifyMany']]) {
    const adapter = { ...workersInMemory() } as Record<string, unknown>
    for (const method of lacking) delete adapter[method]
    const one = staffWith(adapter)
    const raise = { body: { salary: '9' }, sees: all }
    const [put] = await Promise.all([
      sent(one, 'PUT /v1/workers/b', { body: { name: 'x' } }),
      sent(one, 'PATCH /v1/workers/b', raise),
      sent(one, 'PUT /v1/workers', { body: [{ id: 'b', name: 'y' }] }),
    ])
    expect(put.status).toBe(200)
    expect((await sent(one, 'GET /v1/workers/b', { sees: all })).body).toMatchObject({
      salary: '9',
      boss_id: 'a',
    })
  }
})

test('an item that another resource includes hides its fields', async () => {
  const text = z.string()
  const Owner = z.object({ id: text, name: text, salary: z.number().optional() })
  const api = defineApi({
    v1: {
      '/owners': defineResource('owners', { schema: Owner, restricted: ['salary'] }),
      '/cats': defineResource('cats', {
        schema: z.object({ id: text, owner_id: text }),
        references: { owner_id: 'owners' },
      }),
    },
  })
  const registry = defineRegistry(api)
    .context(({ headers = {} }) => ({ isHr: headers.who === 'hr' }))
    .reveal(({ isHr }) => (isHr ? { owners: ['salary'] } : {}))
    .adapters({
      owners: memoryAdapter({ items: [{ id: 'o', name: 'Ann', salary: 7 }] }),
      cats: memoryAdapter({ items: [{ id: 'c', owner_id: 'o' }] }),
    })
  const owner = async (who: string) => {
    const request = { method: 'GET', url: '/cats/c?include=owner', headers: { who } }
    return Object((await handle(request, registry)).body).owner
  }
  expect(await owner('all')).toEqual({ id: 'o', name: 'Ann' })
  expect(await owner('hr')).toEqual({ id: 'o', name: 'Ann', salary: 7 })
  expect(await owner('all')).toEqual({ id: 'o', name: 'Ann' })
})
