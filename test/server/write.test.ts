import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Operation,
  problem,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  delayed,
  type Line,
  mapOf,
  notesWith,
  noting,
  requestOf,
  verdictOf,
} from '../support/registry.ts'

const [a, b] = [
  { id: 'a', text: 'Ann' },
  { id: 'b', text: 'Bob' },
]

// Notes of teams, also at the top, bounded.
function boundedNotes() {
  const asked: string[] = []
  const text = z.string()
  const teams = defineResource('teams', { schema: z.object({ id: text }) })
  const notes = defineResource('notes', {
    schema: z.object({ id: text, team_id: text }),
    bounded: true,
  })
  const api = defineApi({
    v1: { '/teams': teams, '/notes': notes, '/teams/:team_id/notes': notes },
  })
  const { list, deleteAll, ...others } = mapOf(
    { id: 'a', team_id: '1' },
    { id: 'b', team_id: '1' },
    { id: 'c', team_id: '2' },
  )
  const adapter = {
    ...others,
    list: (operation: Operation) => noting(asked, operation.kind, list?.(operation, undefined)),
    deleteAll: (operation: Operation) =>
      noting(asked, operation.kind, deleteAll?.(operation, undefined)),
  }
  const registry = defineRegistry(api)
    .context(({ headers }: HttpRequest) => headers?.authorization === undefined)
    .adapters({ teams: { read: ({ id }) => ({ id }) }, notes: adapter as never })
  return { registry, asked }
}

describe('deleteAll of a bounded resource', () => {
  const some = { prefer: 'max-affected=3' }
  // biome-ignore format: a row stays a line
  const rows: [line: Line, verdict: string, asked: readonly string[], left: number][] = [
    [['DELETE', '/notes'],                                            '409 too_many_affected', [],                     3],
    [['DELETE', '/v1/notes'],                                         '409 too_many_affected', [],                     3],
    [['DELETE', '/notes', undefined, { prefer: 'wait' }],             '409 too_many_affected', [],                     3],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected=2' }],   '409 too_many_affected', ['list'],               3],
    [['DELETE', '/notes', undefined, some],                           '200',                   ['list', 'deleteAll'],  0],
    [['DELETE', '/teams/1/notes'],                                    '409 too_many_affected', [],                     3],
    [['DELETE', '/teams/1/notes', undefined, some],                   '200',                   ['list', 'deleteAll'],  1],
    [['DELETE', '/teams/1/notes', undefined, { prefer: 'max-affected=1' }], '409 too_many_affected', ['list'],         3],
    [['DELETE', '/notes', undefined, { authorization: 'no' }],        '403 forbidden',         [],                     3],
    [['DELETE', '/notes?q=a'],                                        '400 unknown_parameter', [],                     3],
    [['DELETE', '/notes', []],                                        '400 body_not_allowed',  [],                     3],
    [['DELETE', '/notes/a'],                                          '200',                   [],                     2],
  ]
  for (const [line, verdict, kinds, left] of rows) {
    test(`${line[1]} ${JSON.stringify(line.slice(2))} is ${verdict}`, async () => {
      const { registry, asked } = boundedNotes()
      expect(verdictOf(await handle(requestOf(line), registry))).toBe(verdict)
      expect(asked).toEqual(kinds)
      const { body } = await handle({ method: 'GET', url: '/notes' }, registry)
      expect(body).toHaveLength(left)
    })
  }

  test('tells what to send', async () => {
    const { body } = await handle({ method: 'DELETE', url: '/notes' }, boundedNotes().registry)
    expect(body).toMatchObject({
      detail:
        'This deletes the whole collection: send "prefer: max-affected=N" with the most items.',
    })
  })
})

describe('deleteAll', () => {
  // biome-ignore format: a row stays a line
  const rows: [line: Line, verdict: string][] = [
    [['DELETE', '/notes'],                                                          '200'],
    [['DELETE', '/notes?q=Ann'],                                                    '400 unknown_parameter'],
    [['DELETE', '/notes?'],                                                         '400 bad_path'],
    [['DELETE', '/notes?id=a'],                                                     '400 unknown_parameter'],
    [['DELETE', '/notes/'],                                                         '400 bad_path'],
    [['DELETE', '/notes', [a]],                                                     '400 body_not_allowed'],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected=2' }],                 '200'],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected=1' }],                 '409 too_many_affected'],
    [['DELETE', '/notes', undefined, { prefer: 'wait=5, Max-Affected = "1"' }],     '409 too_many_affected'],
    [['DELETE', '/notes', undefined, { prefer: ['wait', 'max-affected=1'] }],       '409 too_many_affected'],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected=0' }],                 '409 too_many_affected'],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected=-1' }],                '400 bad_request'],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected=many' }],              '400 bad_request'],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected' }],                   '400 bad_request'],
    [['DELETE', '/notes', undefined, { prefer: 'wait=1' }],                         '200'],
    [['DELETE', '/notes/a', undefined, { prefer: 'max-affected=0' }],               '200'],
  ]
  for (const [line, verdict] of rows) {
    test(`${line[1]} ${JSON.stringify(line[3] ?? {})} is ${verdict}`, async () => {
      const counted = () => ({ ...mapOf(a, b), count: () => 2 })
      for (const adapter of [mapOf(a, b), counted(), delayed(mapOf(a, b)), delayed(counted())]) {
        const { registry } = notesWith(adapter)
        expect(verdictOf(await handle(requestOf(line), registry))).toBe(verdict)
        const left = await handle({ method: 'GET', url: '/notes/b' }, registry)
        if (verdict !== '200') expect(left.body).toEqual(b)
      }
    })
  }

  test('tells its adapter the bound', () => {
    const seen: unknown[] = []
    const deleteAll = ({ maxAffected }: Operation) => noting(seen, maxAffected, 0)
    const { registry } = notesWith({ ...mapOf(), deleteAll })
    for (const prefer of ['max-affected=7', 'wait']) {
      handle({ method: 'DELETE', url: '/notes', headers: { prefer } }, registry)
    }
    expect(seen).toEqual([7, undefined])
  })

  test('keeps no bound that cannot be counted', () => {
    const { registry } = notesWith({ deleteAll: () => 1 })
    const headers = { prefer: 'max-affected=5' }
    const answer = handle({ method: 'DELETE', url: '/notes', headers }, registry) as HttpResponse
    expect(verdictOf(answer)).toBe('409 too_many_affected')
    expect(handle({ method: 'DELETE', url: '/notes' }, registry)).toMatchObject({
      body: { deleted: 1 },
    })
  })

  test('keeps a bound where there is a count and no list', () => {
    const { registry } = notesWith({ deleteAll: () => 1, count: () => 1 })
    const headers = { prefer: 'max-affected=5' }
    expect(handle({ method: 'DELETE', url: '/notes', headers }, registry)).toMatchObject({
      status: 200,
    })
  })

  test('may be refused by the adapter itself', () => {
    const deleteAll = () => {
      throw problem('too_many_affected')
    }
    const { registry } = notesWith({ deleteAll, count: () => 1 })
    const headers = { prefer: 'max-affected=5' }
    expect(handle({ method: 'DELETE', url: '/notes', headers }, registry)).toMatchObject({
      status: 409,
    })
  })
})

const stamped = {
  schema: z.object({
    id: z.string(),
    text: z.string(),
    made: z.string(),
    seen: z.boolean().optional(),
    tags: z.array(z.string()),
  }),
  create: z.strictObject({ text: z.string() }),
  readOnly: ['made', 'tags', 'seen'],
  sortable: [],
}
const old = { id: 'a', text: 'Ann', made: '2024', tags: ['x'] }

describe('read-only fields', () => {
  // biome-ignore format: a row stays a line
  const rows: [body: object, verdict: string][] = [
    [{ text: 'x' },                                       '200'],
    [{ text: 'x', made: '2024' },                         '200'],
    [{ text: 'x', made: '2024', tags: ['x'], id: 'a' },   '200'],
    [{ text: 'x', made: '2025' },                         '422 validation_failed'],
    [{ text: 'x', made: null },                           '422 validation_failed'],
    [{ text: 'x', tags: [] },                             '422 validation_failed'],
    [{ text: 'x', seen: true },                           '422 validation_failed'],
  ]
  for (const [body, verdict] of rows) {
    test(`${JSON.stringify(body)} is ${verdict}`, async () => {
      for (const isDelayed of [false, true]) {
        const adapter = mapOf(old)
        const { registry } = notesWith(isDelayed ? delayed(adapter) : adapter, {
          declaration: stamped,
        })
        for (const line of [
          ['PUT', '/notes/a', body],
          ['PUT', '/notes', [{ id: 'a', ...body }]],
        ] as Line[]) {
          const answer = await handle(requestOf(line), registry)
          expect(verdictOf(answer)).toBe(verdict)
          const { seen, ...kept } = { seen: undefined, ...adapter.stored.get('a') }
          expect(kept).toStrictEqual(verdict === '200' ? { ...old, text: 'x' } : old)
          expect(adapter.stored.get('a')).not.toHaveProperty('seen')
        }
      }
    })
  }

  test('are no reason to read what is deleted', async () => {
    const asked: unknown[] = []
    const read = ({ kind }: Operation) => noting(asked, kind, old)
    const { registry } = notesWith({ ...mapOf(old), read }, { declaration: stamped })
    expect(handle({ method: 'DELETE', url: '/notes/a' }, registry)).toMatchObject({ body: old })
    expect(asked).toEqual([])
  })

  test('are read before, in the same scope', async () => {
    const asked: unknown[] = []
    const read = ({ kind, id, scope }: Operation) => noting(asked, [kind, id, scope], old)
    const { registry } = notesWith({ ...mapOf(old), read }, { declaration: stamped })
    await handle(requestOf(['PUT', '/notes/a', { text: 'x' }]), registry)
    expect(asked).toEqual([['read', 'a', {}]])
  })

  test('that changed meanwhile stay as stored', () => {
    const { registry } = notesWith({ ...mapOf(old), update: () => null }, { declaration: stamped })
    expect(handle(requestOf(['PUT', '/notes/a', { text: 'x' }]), registry)).toMatchObject({
      status: 404,
    })
  })
})

describe('create', () => {
  test('gives what was stored', () => {
    const create = ({ item }: Operation) => ({ id: 'é/?', ...item, text: 'STORED' })
    const { registry } = notesWith({ create })
    expect(handle(requestOf(['POST', '/notes', { text: 'x' }]), registry)).toEqual({
      status: 201,
      headers: { 'content-type': 'application/json', location: '/v1/notes/%C3%A9%2F%3F' },
      body: { id: 'é/?', text: 'STORED' },
    })
  })

  test('that gives an id no path can name is 500', () => {
    const errors: unknown[] = []
    const { registry } = notesWith({ create: () => ({ id: 7, text: 'x' }) })
    const told = { ...registry, onError: (error: unknown) => void errors.push(error) }
    expect(handle(requestOf(['POST', '/notes', { text: 'x' }]), told)).toMatchObject({
      status: 500,
    })
    expect(String(errors)).toMatch(/an id of type number that no path can name: declare/)
  })

  test('refuses parameters and conditions are ignored', () => {
    const { registry } = notesWith(mapOf())
    for (const [url, headers, status] of [
      ['/notes?dry=1', {}, 400],
      ['/notes', { 'if-match': '"3"', 'if-none-match': '*' }, 201],
    ] as const) {
      expect(handle(requestOf(['POST', url, { text: 'x' }, headers]), registry)).toMatchObject({
        status,
      })
    }
  })
})

describe('an absent item', () => {
  test('is not made by PUT', () => {
    const adapter = mapOf(a)
    const { registry } = notesWith(adapter)
    for (const line of [
      ['PUT', '/notes/z', { text: 'x' }],
      ['PUT', '/notes', [{ id: 'z', text: 'x' }]],
    ] as Line[]) {
      expect(handle(requestOf(line), registry)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
    }
    expect([...adapter.stored]).toEqual([['a', a]])
  })

  test('that is one has no issues', () => {
    const { registry } = notesWith({ ...mapOf(a), update: () => null, delete: () => null })
    for (const line of [
      ['PUT', '/notes/z', { text: 'x' }],
      ['PUT', '/notes/a', { text: 'x' }],
      ['DELETE', '/notes/z'],
    ] as Line[]) {
      const { status, body } = handle(requestOf(line), registry) as HttpResponse
      expect(status).toBe(404)
      expect(body).not.toHaveProperty('issues')
    }
  })

  test('of an id that is none is not asked for', () => {
    const asked: unknown[] = []
    const ask = ({ kind }: Operation) => noting(asked, kind, null)
    const update = z.object({ id: z.number(), text: z.string() })
    const declaration = { schema: update, create: update, update, id: z.coerce.number() }
    const { registry } = notesWith({ read: ask, update: ask, delete: ask }, { declaration })
    for (const line of [
      ['GET', '/notes/x'],
      ['PUT', '/notes/x', { text: 'x' }],
      ['DELETE', '/notes/x'],
    ] as Line[]) {
      expect(verdictOf(handle(requestOf(line), registry) as HttpResponse)).toBe('404 not_found')
    }
    expect(asked).toEqual([])
  })

  test('is deleted once', () => {
    const { registry } = notesWith(mapOf(a))
    const statuses = [1, 2].map(
      () => (handle({ method: 'DELETE', url: '/notes/a' }, registry) as HttpResponse).status,
    )
    expect(statuses).toEqual([200, 404])
  })

  test('outside the scope is absent, too', () => {
    // These adapters do not look at the scope: the core does.
    for (const kind of ['read', 'update', 'delete'] as const) {
      const { registry } = notesWith({ [kind]: () => null })
      const line: Line = [
        { read: 'GET', update: 'PUT', delete: 'DELETE' }[kind],
        '/notes/a',
        kind === 'update' ? { text: 'x' } : undefined,
      ]
      expect(handle(requestOf(line), registry)).toMatchObject({ status: 404 })
    }
  })
})

test.each([
  [1000, ['stored', 'other']],
  [300_000, ['other', 'stored']],
])('the order beside a body of %i characters is %j', async (length, expected) => {
  const Letter = z.object({ id: z.string(), text: z.string() })
  const letters = defineResource('letters', { schema: Letter, create: Letter })
  const order: string[] = []
  const create = ({ item }: { readonly item: z.infer<typeof Letter> }) => {
    order.push('stored')
    return item
  }
  const registry = defineRegistry(defineApi({ v1: { '/letters': letters } })).adapters({
    letters: { create } as never,
  })
  const body = JSON.stringify({ id: 'a', text: 'x'.repeat(length) })
  const headers = { 'content-type': 'application/json' }
  const other = new Promise<void>((resolve) =>
    // The first turn is still that of this request.
    setImmediate(() =>
      setImmediate(() => {
        order.push('other')
        resolve()
      }),
    ),
  )
  const { status } = await handle({ method: 'POST', url: '/letters', headers, body }, registry)
  await other
  expect([status, order]).toEqual([201, expected])
})
