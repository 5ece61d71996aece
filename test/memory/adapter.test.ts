import { type Api, defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Person = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string().optional(),
  boss_id: z.string().optional(),
  tags: z.array(z.string()).optional(),
})
const people = defineResource('people', {
  schema: Person,
  create: Person.partial({ id: true }),
  update: Person.omit({ id: true }),
  sortable: ['name'],
  searchable: ['name'],
})
const api = defineApi({ v1: { '/people': people } })

async function ask(
  registry: Registry<Api>,
  request: string,
  body?: object,
): Promise<[number, unknown]> {
  const [method = '', url = ''] = request.split(' ')
  const headers = { 'content-type': 'application/json' }
  const answer = await handle({ method, url, headers, body }, registry)
  return [answer.status, answer.body]
}

describe('unique fields', () => {
  const registry = (): Registry<Api> =>
    defineRegistry(api).adapters({
      people: memoryAdapter({
        unique: ['email'],
        items: [
          { id: 'a', name: 'Ann', email: 'ann@example.com' },
          { id: 'b', name: 'Bob', email: 'bob@example.com' },
          { id: 'c', name: 'Cid' },
          { id: 'd', name: 'Dan' },
        ],
      }),
    })
  const conflict = (...pointers: string[]): unknown =>
    expect.objectContaining({
      code: 'conflict',
      issues: pointers.map((pointer) => expect.objectContaining({ pointer, code: 'not_unique' })),
    })
  const ann = { name: 'Ann', email: 'ann@example.com' }
  const bob = { name: 'Bob', email: 'bob@example.com' }

  test.each<[string, object, number, unknown]>([
    ['POST /v1/people', ann, 409, conflict('/email')],
    ['PUT /v1/people/b', ann, 409, conflict('/email')],
    ['PUT /v1/people/a', ann, 200, { id: 'a', ...ann }],
    [
      'PUT /v1/people',
      [
        { id: 'c', ...ann },
        { id: 'd', ...bob },
      ],
      409,
      conflict('/0/email', '/1/email'),
    ],
    [
      'PUT /v1/people',
      [
        { id: 'c', name: 'C', email: 'x' },
        { id: 'd', name: 'D', email: 'x' },
      ],
      409,
      conflict('/1/email'),
    ],
    [
      'PUT /v1/people',
      [
        { id: 'a', ...bob },
        { id: 'b', ...ann },
      ],
      200,
      [
        { id: 'a', ...bob },
        { id: 'b', ...ann },
      ],
    ],
    [
      'PUT /v1/people',
      [
        { id: 'a', name: 'A' },
        { id: 'c', ...ann },
      ],
      200,
      [
        { id: 'a', name: 'A' },
        { id: 'c', ...ann },
      ],
    ],
  ])('%s %j is answered %i', async (request, body, status, answer) => {
    expect(await ask(registry(), request, body)).toEqual([status, answer])
  })

  test('a value is free once its item is gone', async () => {
    const some = registry()
    await ask(some, 'PUT /v1/people', [
      { id: 'a', ...bob },
      { id: 'b', ...ann },
    ])
    await ask(some, 'DELETE /v1/people/a')
    expect((await ask(some, 'POST /v1/people', bob))[0]).toBe(201)
    expect((await ask(some, 'POST /v1/people', ann))[0]).toBe(409)
    await ask(some, 'DELETE /v1/people')
    expect((await ask(some, 'POST /v1/people', ann))[0]).toBe(201)
  })
})

test.each([
  ['1', 409, 2],
  ['2', 200, 0],
  ['3', 200, 0],
])('a deletion of at most %s items is answered %i', async (most, status, count) => {
  const registry: Registry<Api> = defineRegistry(api).adapters({
    people: memoryAdapter({ items: [{ id: 'a' }, { id: 'b' }] as never }),
  })
  const headers = { prefer: `max-affected=${most}` }
  const response = await handle({ method: 'DELETE', url: '/v1/people', headers }, registry)
  expect(response.status).toBe(status)
  expect((await ask(registry, 'GET /v1/people/count'))[1]).toEqual({ count })
})

describe('references', () => {
  const Team = z.object({ id: z.string() })
  const Member = z.object({ id: z.string(), team_id: z.string().nullish() })
  const teams = defineResource('teams', { schema: Team })
  const members = defineResource('members', {
    schema: Member,
    references: { team_id: 'teams' },
  })
  const nested = defineApi({ v1: { '/teams': teams, '/members': members } })
  const registry = (): Registry<Api> => {
    const adapter = memoryAdapter<never>({ items: [{ id: 'red' }, { id: 'blue' }] as never })
    const items = [{ id: '1', team_id: 'red' }, { id: '2', team_id: null }, { id: '3' }]
    return defineRegistry(nested).adapters({
      teams: adapter,
      members: memoryAdapter({ items }),
    })
  }
  const unknown = expect.objectContaining({ code: 'validation_failed' })
  const conflict = expect.objectContaining({ code: 'conflict' })

  test.each<[string, object | undefined, number, unknown]>([
    ['POST /v1/members', { id: '4', team_id: 'green' }, 422, unknown],
    ['POST /v1/members', { id: '4', team_id: 'blue' }, 201, { id: '4', team_id: 'blue' }],
    ['PUT /v1/members/1', { team_id: 'green' }, 422, unknown],
    [
      'PUT /v1/members',
      [
        { id: '1', team_id: 'blue' },
        { id: '2', team_id: 'x' },
      ],
      422,
      unknown,
    ],
    ['DELETE /v1/teams/red', undefined, 409, conflict],
    ['DELETE /v1/teams/blue', undefined, 200, { id: 'blue' }],
    ['DELETE /v1/teams', undefined, 409, conflict],
  ])('%s %j is answered %i', async (request, body, status, answer) => {
    const some = registry()
    expect(await ask(some, request, body)).toEqual([status, answer])
    if (status > 201) expect((await ask(some, 'GET /v1/members/count'))[1]).toEqual({ count: 3 })
  })

  test('are held by the storage itself, whatever the core has read', () => {
    const teamItems = memoryAdapter<never>({ items: [{ id: 'red' }] as never })
    const memberItems = memoryAdapter<never>()
    defineRegistry(nested).adapters({ teams: teamItems, members: memberItems })
    const create = (team_id: string) =>
      memberItems.create?.(
        { kind: 'create', resource: members, scope: {}, item: { id: '1', team_id } } as never,
        undefined as never,
      )
    expect(() => create('green')).toThrow(expect.objectContaining({ code: 'validation_failed' }))
    expect(create('red')).toEqual({ id: '1', team_id: 'red' })
  })

  test('are kept once by adapters of two registries', async () => {
    const adapters = {
      teams: memoryAdapter<never>({ items: [{ id: 'red' }] as never }),
      members: memoryAdapter<never>({ items: [{ id: '1', team_id: 'red' }] as never }),
    }
    const first = defineRegistry(nested).adapters(adapters)
    const expected = await ask(first, 'DELETE /v1/teams/red')
    const second = defineRegistry(nested).adapters(adapters)
    expect(await ask(second, 'DELETE /v1/teams/red')).toEqual(expected)
    const unknownTeam = await ask(second, 'POST /v1/members', { id: '2', team_id: 'x' })
    expect(unknownTeam[1]).toHaveProperty('issues.length', 1)
  })

  describe('to items of the same resource', () => {
    const Part = z.object({ id: z.string(), part_id: z.string().nullish() })
    const parts = defineResource('parts', { schema: Part, references: { part_id: 'parts' } })
    const chained = defineApi({ v1: { '/parts': parts, '/parts/:part_id/parts': parts } })
    const chain = (): Registry<Api> =>
      defineRegistry(chained).adapters({
        parts: memoryAdapter({
          items: [
            { id: 'a', part_id: 'a' },
            { id: 'b', part_id: 'c' },
            { id: 'c', part_id: 'b' },
            { id: 'd', part_id: 'b' },
            { id: 'e', part_id: 'd' },
          ],
        }),
      })

    test.each<[string, number, number]>([
      ['DELETE /v1/parts/a', 200, 4],
      ['DELETE /v1/parts/b', 409, 5],
      ['DELETE /v1/parts/e', 200, 4],
      ['DELETE /v1/parts/a/parts', 200, 4],
      ['DELETE /v1/parts/b/parts', 409, 5],
      ['DELETE /v1/parts', 200, 0],
    ])('%s is answered %i: only items that stay count', async (request, status, count) => {
      const some = chain()
      expect((await ask(some, request))[0]).toBe(status)
      expect((await ask(some, 'GET /v1/parts/count'))[1]).toEqual({ count })
    })
  })

  describe('of several fields and resources to one', () => {
    const Coach = z.object({ id: z.string(), team_id: z.string() })
    const Fan = z.object({ id: z.string(), team_id: z.string(), rival_id: z.string() })
    const to = { team_id: 'teams' }
    const shared = defineApi({
      v1: {
        '/teams': teams,
        '/coaches': defineResource('coaches', { schema: Coach, references: to }),
        '/fans': defineResource('fans', { schema: Fan, references: { ...to, rival_id: 'teams' } }),
      },
    })
    const ids = ['red', 'blue', 'green', 'grey'].map((id) => ({ id }))
    const coaches = [{ id: '1', team_id: 'green' }]
    const fans = [{ id: '1', team_id: 'red', rival_id: 'blue' }]
    const adapters = () => ({
      teams: memoryAdapter<never>({ items: ids as never }),
      coaches: memoryAdapter<never>({ items: coaches as never }),
      fans: memoryAdapter<never>({ items: fans as never }),
    })

    // Registries can share adapters, which register once.
    test.each([
      ['red', 409],
      ['blue', 409],
      ['green', 409],
      ['grey', 200],
    ])('the deletion of %s is answered %i', async (id, status) => {
      const stored = adapters()
      defineRegistry(shared).adapters(stored)
      const some: Registry<Api> = defineRegistry(shared).adapters(stored)
      expect((await ask(some, `DELETE /v1/teams/${id}`))[0]).toBe(status)
    })
  })

  test('items to start with reference items', () => {
    const start = () =>
      defineRegistry(nested).adapters({
        teams: memoryAdapter({ items: [{ id: 'red' }] }),
        members: memoryAdapter({ items: [{ id: '1' }, { id: '2', team_id: 'blue' }] }),
      })
    const message = 'The "team_id" of items[1] is the id of no item: change it.'
    expect(start).toThrow(new TypeError(message))
  })

  test('a wrapped adapter keeps them too, in each registry once', async () => {
    const own = memoryAdapter<never>({ items: [{ id: 'red' }] as never })
    const adapters = {
      teams: { ...own },
      members: memoryAdapter({ items: [{ id: '1', team_id: 'red' }] as never }),
    }
    for (const some of [1, 2].map(() => defineRegistry(nested).adapters(adapters as never))) {
      expect((await ask(some, 'DELETE /v1/teams/red'))[0]).toBe(409)
    }
  })
})

describe('options', () => {
  test('the server adds fields on create and update', async () => {
    const registry = defineRegistry(api).adapters({
      people: memoryAdapter({
        nextId: () => 'next',
        onCreate: () => ({ tags: ['new'] }),
        onUpdate: (item, stored) => ({ tags: [...(stored.tags ?? []), item.name] }),
      }),
    })
    const made = { id: 'next', name: 'Ann', tags: ['new'] }
    expect(await ask(registry, 'POST /v1/people', { name: 'Ann' })).toEqual([201, made])
    const changed = { id: 'next', name: 'Eve', tags: ['new', 'Eve'] }
    expect(await ask(registry, 'PUT /v1/people/next', { name: 'Eve' })).toEqual([200, changed])
    expect((await ask(registry, 'POST /v1/people', { name: 'Bob' }))[0]).toBe(409)
  })

  const date = new Date(0)
  const noJson = 'JSON has no such value'
  const useJson = 'use text, numbers, lists and plain objects'
  // biome-ignore format: a row stays a line
  const unstorable: readonly (readonly [given: object, message: string])[] = [
    [{ at: date },                 `[object Date] in "at": ${noJson}, write date.toISOString().`],
    [{ seen: { by: [1, date] } },  `[object Date] in "seen.by.1": ${noJson}, write date.toISOString().`],
    [{ tags: new Map() },          `[object Map] in "tags": ${noJson}, ${useJson}.`],
    [{ tags: new Set(['a']) },     `[object Set] in "tags": ${noJson}, ${useJson}.`],
    [{ raw: new Uint8Array(2) },   `[object Uint8Array] in "raw": ${noJson}, ${useJson}.`],
    [{ size: Number.NaN },         `NaN in "size": ${noJson}, ${useJson}.`],
    [{ size: 1n },                 `1 in "size": ${noJson}, ${useJson}.`],
    [{ tags: [undefined] },        `undefined in "tags.0": ${noJson}, ${useJson}.`],
  ]
  for (const [given, message] of unstorable) {
    test(`an adapter cannot store ${message}`, async () => {
      const error = new TypeError(`A memoryAdapter cannot store ${message}`)
      const errors: unknown[] = []
      const hooks = { onCreate: () => given as never, onUpdate: () => given as never }
      const items = [{ id: 'a', name: 'Ann' }]
      const registry = defineRegistry(api)
        .onError((error) => void errors.push(error))
        .adapters({ people: memoryAdapter({ items, ...hooks }) })
      expect((await ask(registry, 'POST /v1/people', { name: 'Bob' }))[0]).toBe(500)
      expect((await ask(registry, 'PUT /v1/people/a', { name: 'Eve' }))[0]).toBe(500)
      expect(errors).toEqual([error, error])
      expect(await ask(registry, 'GET /v1/people')).toEqual([200, items])
      const started = { items: [{ id: 'b', name: 'Bo', ...given }] as never }
      expect(() => memoryAdapter(started)).toThrow(error)
    })
  }

  test('objects without a prototype are stored', async () => {
    const tags = Object.assign(Object.create(null), { a: 1 })
    const options = { items: [{ id: 'a', name: 'Ann', tags }] as never }
    const registry = defineRegistry(api).adapters({ people: memoryAdapter(options) })
    expect(await registry.ready()).toBe(undefined)
  })

  test('ids are in the order of creation', async () => {
    const registry = defineRegistry(api).adapters({ people: memoryAdapter() })
    for (let index = 0; index < 300; index++)
      await ask(registry, 'POST /v1/people', { name: `${index}` })
    const [, items] = await ask(registry, 'GET /v1/people')
    const names = (items as { name: string }[]).map(({ name }) => Number(name))
    expect(names).toEqual(names.toSorted((one, other) => one - other))
  })

  test('callers cannot change stored items', async () => {
    const item = { id: 'a', name: 'Ann', tags: ['x'] }
    const registry = defineRegistry(api).adapters({ people: memoryAdapter({ items: [item] }) })
    item.tags.push('y')
    const [, read] = await ask(registry, 'GET /v1/people/a')
    expect(read).toEqual({ id: 'a', name: 'Ann', tags: ['x'] })
    expect(() => (read as typeof item).tags.push('z')).toThrow(TypeError)
  })

  test('a revision counts the writes', async () => {
    const Page = z.object({ id: z.string(), text: z.string(), revision: z.number() })
    const create = Page.omit({ id: true, revision: true })
    const pages = defineResource('pages', { schema: Page, create, revision: 'revision' })
    const some = defineRegistry(defineApi({ v1: { '/pages': pages } })).adapters({
      pages: memoryAdapter({ nextId: () => 'a' }),
    })
    expect(await ask(some, 'POST /v1/pages', { text: 'x' })).toEqual([
      201,
      { id: 'a', text: 'x', revision: 1 },
    ])
    expect(await ask(some, 'PUT /v1/pages/a', { text: 'y' })).toEqual([
      200,
      { id: 'a', text: 'y', revision: 2 },
    ])
    expect((await ask(some, 'PUT /v1/pages/a', { text: 'z', revision: 1 }))[0]).toBe(409)
  })
})

describe('many items', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({
    id: `${index}`,
    name: `N${(index * 7919) % 20_000}`,
  }))
  const registryOfItems = () => defineRegistry(api).adapters({ people: memoryAdapter({ items }) })

  test('dropped orders are created again', async () => {
    const registry = registryOfItems()
    for (const sort of ['name', '-name', 'id', '-id,name']) {
      const [status] = await ask(registry, `GET /v1/people?limit=3&sort=${sort}`)
      expect(status).toBe(200)
    }
  })

  test('items that change at once stay in order', async () => {
    const many = defineRegistry(api, { limits: { bulk: 1000 } }).adapters({
      people: memoryAdapter({ items: items.slice(0, 1000) }),
    })
    await ask(many, 'GET /v1/people?sort=name')
    const turned = items.slice(0, 300).map(({ id }) => ({ id, name: `A${id.padStart(3, '0')}` }))
    expect((await ask(many, 'PUT /v1/people', turned))[0]).toBe(200)
    expect(await ask(many, 'GET /v1/people?sort=name&limit=300')).toEqual([200, turned])
  })

  test('deleteAll finds the items of an unread owner', async () => {
    const bosses = defineApi({ v1: { '/people': people, '/people/:boss_id/people': people } })
    const owned = items.map((item, index) => ({ ...item, boss_id: `${index % 2}` }))
    const some = defineRegistry(bosses).adapters({ people: memoryAdapter({ items: owned }) })
    const [, deleted] = await ask(some, 'DELETE /v1/people/1/people')
    expect([deleted, await ask(some, 'GET /v1/people/count')]).toEqual([
      { deleted: 10_000 },
      [200, { count: 10_000 }],
    ])
  })

  test('deleteAll deletes everything at once', async () => {
    const registry = registryOfItems()
    expect(await ask(registry, 'DELETE /v1/people')).toEqual([200, { deleted: 20_000 }])
    expect(await ask(registry, 'GET /v1/people?sort=name')).toEqual([200, []])
  })
})

describe('a search', () => {
  const annAndBob = () => [
    { id: 'a', name: 'Ann', email: 'bob@example.com' },
    { id: 'b', name: 'Bob', email: 'ann@example.com' },
  ]
  const found = async (registry: Registry<Api>, url: string): Promise<string> =>
    JSON.stringify((await ask(registry, `GET ${url}`))[1])

  test('finds items written since the last search', async () => {
    const some = defineRegistry(api).adapters({ people: memoryAdapter({ items: annAndBob() }) })
    expect(await found(some, '/v1/people/count?q=ann')).toBe('{"count":1}')
    await ask(some, 'PUT /v1/people/a', { name: 'Eve' })
    await ask(some, 'PUT /v1/people', [{ id: 'b', name: 'Annie' }])
    expect(await found(some, '/v1/people/count?q=eve')).toBe('{"count":1}')
    expect(await found(some, '/v1/people?q=ANN')).toBe('[{"id":"b","name":"Annie"}]')
    await ask(some, 'DELETE /v1/people/b')
    await ask(some, 'POST /v1/people', { id: 'b', name: 'Joe' })
    expect(await found(some, '/v1/people?q=ann')).toBe('[]')
    expect(await found(some, '/v1/people?q=joe')).toBe('[{"id":"b","name":"Joe"}]')
  })

  test('reads the fields of its own resource', async () => {
    const byEmail = defineResource('people_v2', { schema: Person, searchable: ['email'] })
    const both = defineApi({ v1: { '/people': people }, v2: { '/people': byEmail } })
    const shared = memoryAdapter({ items: annAndBob() })
    const some = defineRegistry(both, { defaultVersion: false }).adapters({
      people: shared as never,
      people_v2: shared as never,
    })
    for (const _ of [1, 2]) {
      expect(await found(some, '/v1/people?q=ann')).toContain('"id":"a"')
      expect(await found(some, '/v2/people?q=ann')).toContain('"id":"b"')
    }
  })
})

describe('items to start with', () => {
  const start = (options: object): unknown => Reflect.apply(memoryAdapter, undefined, [options])

  const rows = [
    [
      { items: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] },
      'The "id" of items[2] is taken by another item: change it.',
    ],
    [
      {
        unique: ['email'],
        items: [
          { id: 'a', email: 'x' },
          { id: 'b', email: 'x' },
        ],
      },
      'The "email" of items[1] is taken by another item: change it.',
    ],
  ] as const
  for (const [options, message] of rows) {
    test(message, () => expect(() => start(options)).toThrow(new TypeError(message)))
  }

  test('may have no unique value', () => {
    const items = [{ id: 'a', team_id: 'red' }, { id: 'b', team_id: null }, { id: 'c' }]
    expect(start({ unique: ['team_id'], items })).toBeDefined()
  })
})

describe('initial items without an id', () => {
  const withoutId = [{ id: null, name: 'Nul' }, { name: 'None' }] as never[]
  const named = (id: string) => ({ id, name: id })

  test('are no items', async () => {
    const items = [...withoutId, named('a')]
    const registry = defineRegistry(api).adapters({ people: memoryAdapter({ items }) })
    expect(await ask(registry, 'GET /v1/people')).toEqual([200, [named('a')]])
    expect(await ask(registry, 'GET /v1/people/count')).toEqual([200, { count: 1 }])
  })

  test('count as places in messages', () => {
    const items = [...withoutId, named('a'), named('a')]
    expect(() => memoryAdapter({ items })).toThrow('items[3]')
  })
})

describe('unknown options are refused', () => {
  const rows = [
    [{ item: [] }, 'A memoryAdapter has no option "item": write "items" if that is meant.'],
    [[{ id: 'a' }], 'A memoryAdapter takes an object: write some of { items, nextId, '],
    [{ items: { a: 1 } }, 'A memoryAdapter needs a list as "items": write "items: […]".'],
    [{ unique: 'email' }, `write "unique: ['email']".`],
  ] as const
  for (const [options, message] of rows) {
    test(message, () => {
      expect(() => Reflect.apply(memoryAdapter, undefined, [options])).toThrow(message)
    })
  }
})

describe('default ids', () => {
  const registryOf = (id: z.ZodType<string | number>, options: object = {}): Registry<Api> => {
    const schema = z.object({ id: z.any(), name: z.string() })
    const create = z.object({ id: z.any().optional(), name: z.string() })
    const badges = defineResource('badges', { schema, create, id })
    const badge = defineApi({ v1: { '/badges': badges } })
    return defineRegistry(badge)
      .onError(() => {})
      .adapters({ badges: memoryAdapter(options) })
  }
  const made = async (registry: Registry<Api>, item: object = {}): Promise<unknown> =>
    (await ask(registry, 'POST /v1/badges', { name: 'x', ...item }))[1]

  test('count up for numbers', async () => {
    const registry = registryOf(z.coerce.number().int())
    expect([await made(registry), await made(registry)]).toEqual([
      { id: 1, name: 'x' },
      { id: 2, name: 'x' },
    ])
    expect((await ask(registry, 'GET /v1/badges/2'))[0]).toBe(200)
  })

  test('count on from the highest, deleted or not', async () => {
    const items = [
      { id: 7, name: 'x' },
      { id: 3, name: 'x' },
    ]
    const registry = registryOf(z.coerce.number().int(), { items })
    await ask(registry, 'DELETE /v1/badges/7')
    expect(await made(registry)).toEqual({ id: 8, name: 'x' })
    expect(await made(registry, { id: 20 })).toEqual({ id: 20, name: 'x' })
    expect(await made(registry)).toEqual({ id: 21, name: 'x' })
  })

  test('are digits for an id schema of digits', async () => {
    expect(await made(registryOf(z.string().regex(/^\d+$/)))).toEqual({ id: '1', name: 'x' })
  })

  test('are UUIDs for an id schema of UUIDs', async () => {
    expect(await made(registryOf(z.uuid()))).toEqual({ id: expect.stringMatching(/-7/), name: 'x' })
  })

  test('fail with a message for other id schemas', async () => {
    const registry = registryOf(z.string().regex(/^[a-z]+$/))
    const errors: unknown[] = []
    const listening = { ...registry, onError: (error: unknown) => errors.push(error) }
    expect((await ask(listening, 'POST /v1/badges', { name: 'x' }))[0]).toBe(500)
    expect(String(errors)).toContain(
      'TypeError: The ids of "badges" are neither UUIDs nor numbers: ' +
        'give its memoryAdapter a "nextId"',
    )
    expect(await made(registry, { id: 'a' })).toEqual({ id: 'a', name: 'x' })
  })

  test('replace an undefined id', async () => {
    const adapter = memoryAdapter<never>({ nextId: (() => 'a') as never })
    const item = { id: undefined, name: 'x' }
    const operation = { kind: 'create', item, resource: people, scope: {} }
    expect(adapter.create?.(operation as never, undefined as never)).toEqual({ id: 'a', name: 'x' })
  })
})

describe('a list of a big collection', () => {
  const items = Array.from({ length: 5000 }, (_, index) => ({ id: `${index}`, name: 'n' }))
  const registry: Registry<Api> = defineRegistry(api).adapters({ people: memoryAdapter({ items }) })

  test('reads many by id at once', async () => {
    expect(await ask(registry, 'GET /v1/people?id=4999&id=7&id=none&id=7')).toEqual([
      200,
      [
        { id: '4999', name: 'n' },
        { id: '7', name: 'n' },
      ],
    ])
  })
})
