import { type AdapterFor, defineApi, defineRegistry, defineResource } from 'nounful'
import { createClient, isProblem, isUnexpected } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const NewMember = z.strictObject({
  name: z.string().min(1),
  nickname: z.string().optional(),
  status: z.enum(['new', 'old']).nullable(),
  address: z.object({ city: z.string(), zip: z.string().optional() }).optional(),
  tags: z.array(z.string()),
})
const members = defineResource('members', {
  schema: NewMember.extend({ id: z.string(), club_id: z.string(), revision: z.int() }),
  create: NewMember,
  revision: 'revision',
})
const clubs = defineResource('clubs', { schema: z.object({ id: z.string() }) })
const api = defineApi({ v1: { '/clubs': clubs, '/clubs/:club_id/members': members } })

const ann: z.infer<typeof NewMember> = {
  name: 'Ann',
  nickname: 'A',
  status: 'new',
  address: { city: 'Rome', zip: '00100' },
  tags: ['x', 'y'],
}
const [one, two] = ['1', '2'].map((id) => ({ ...ann, id, club_id: '7', revision: 1 }))

type Fetch = (request: Request) => Response | Promise<Response>

/** The members of a club with two, and the requests of the client. */
function clubOf(wrap: (fetch: Fetch) => Fetch = (fetch) => fetch) {
  const memory: AdapterFor<typeof api, 'members'> = memoryAdapter({
    items: [one, two].filter((item) => item !== undefined),
    nextId: () => `${++last}`,
  })
  let last = 2
  const registry = defineRegistry(api).adapters({
    clubs: memoryAdapter({ items: [{ id: '7' }] }),
    members: {
      ...memory,
      createMany: async (operation, context) => {
        const made = operation.items.map((item) => memory.create?.({ ...operation, item }, context))
        return (await Promise.all(made)).filter((item) => item !== undefined)
      },
    },
  })
  const sent: unknown[] = []
  const fetch = wrap(toFetchHandler(registry))
  const { v1 } = createClient<typeof api>({
    baseUrl: 'http://x.test',
    fetch: async (request) => {
      const { method, url, headers } = request
      const [target, type] = [url.slice('http://x.test/v1/clubs'.length), headers.get('if-match')]
      const content = headers.get('content-type')
      sent.push([method, target, ...(content ? [content] : []), ...(type ? [type] : [])])
      return fetch(request)
    },
  })
  return { club: v1.clubs('7').members, lost: v1.clubs('8').members, sent }
}
type Club = ReturnType<typeof clubOf>['club']

async function thrownBy(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`Nothing was thrown, but ${JSON.stringify(value)} given`)
    },
    (error: unknown) => error,
  )
}

function codeOf(error: unknown): unknown {
  return isProblem(error) ? error.code : error
}

const json = 'application/json'
const merge = 'application/merge-patch+json'

describe('changes items', () => {
  type Row = readonly [name: string, (club: Club) => Promise<unknown>, object, readonly unknown[]]
  const rows: readonly Row[] = [
    [
      'a field',
      (club) => club('1').patch({ status: 'old' }),
      { ...one, status: 'old', revision: 2 },
      ['PATCH', '/7/members/1', merge],
    ],
    [
      'a field and an array at depth',
      (club) => club('1').patch({ address: { zip: null, city: 'Bari' }, tags: ['z'] }),
      { ...one, address: { city: 'Bari' }, tags: ['z'], revision: 2 },
      ['PATCH', '/7/members/1', merge],
    ],
    [
      'nothing, with the item as read',
      (club) => club('1').patch({ ...ann, id: '1', club_id: '7', revision: 1 }),
      { ...one },
      ['PATCH', '/7/members/1', merge],
    ],
    [
      'a nullable field to null, and without an optional one',
      (club) => club('1').patch({ status: null, nickname: null, address: null }),
      { id: '1', club_id: '7', name: 'Ann', tags: ['x', 'y'], status: null, revision: 2 },
      ['PATCH', '/7/members/1', merge],
    ],
    [
      'one of a revision',
      (club) => club('1').patch({ name: 'Zoe' }, { ifRevision: 1 }),
      { ...one, name: 'Zoe', revision: 2 },
      ['PATCH', '/7/members/1', merge, '"1"'],
    ],
    [
      'many, in order',
      (club) =>
        club.patchMany([
          { id: '2', name: 'Bo' },
          { id: '1', revision: 1, nickname: null },
        ]),
      [
        { ...two, name: 'Bo', revision: 2 },
        { id: '1', club_id: '7', ...ann, nickname: undefined, revision: 2 },
      ],
      ['PATCH', '/7/members', json],
    ],
    ['many of none', (club) => club.patchMany([]), [], ['PATCH', '/7/members', json]],
  ]
  for (const [name, call, stored, request] of rows) {
    test(name, async () => {
      const { club, sent } = clubOf()
      expect(await call(club)).toEqual(stored)
      expect(sent).toEqual([request])
      for (const item of [stored].flat() as { id: string }[]) {
        expect(await club(item.id).read()).toEqual(item)
      }
    })
  }

  const refused: readonly (readonly [string, (club: Club) => Promise<unknown>])[] = [
    ['not_found', (club) => club('9').patch({ name: 'x' })],
    ['precondition_failed', (club) => club('1').patch({ name: 'x' }, { ifRevision: 3 })],
    ['validation_failed', (club) => club('1').patch({ name: '' })],
    ['not_found', (club) => club.patchMany([{ id: '1', name: 'x' }, { id: '9' }])],
    ['validation_failed', (club) => club.patchMany([{ id: '1', name: 'x' }, {} as never])],
  ]
  for (const [code, call] of refused) {
    test(`none after ${code}: ${call}`, async () => {
      const { club } = clubOf()
      expect(codeOf(await thrownBy(call(club)))).toBe(code)
      expect(await club('1').read()).toEqual(one)
    })
  }
})

describe('creates many items', () => {
  test('in order', async () => {
    const { club, sent } = clubOf()
    expect(await club.createMany([ann, { ...ann, name: 'Bo' }])).toEqual([
      { ...one, id: '3' },
      { ...one, id: '4', name: 'Bo' },
    ])
    expect(await club.createMany([])).toEqual([])
    expect(await club.count()).toBe(4)
    expect(sent.slice(0, 2)).toEqual(Array(2).fill(['POST', '/7/members', json]))
  })

  test('or none, with each fault', async () => {
    const { club } = clubOf()
    const error = await thrownBy(club.createMany([ann, { ...ann, name: '' }]))
    expect(isProblem(error) && error.members.issues).toMatchObject([{ pointer: '/1/name' }])
    expect(await club.count()).toBe(2)
  })
})

describe('shows what a write would store', () => {
  const dry = { dry_run: true } as const
  const rows: readonly (readonly [string, (club: Club) => Promise<unknown>, object])[] = [
    ['create', (club) => club.create(ann, dry), ann],
    ['createMany', (club) => club.createMany([ann, ann], dry), [ann, ann]],
    ['update', (club) => club('1').update({ ...ann, name: 'Bo' }, dry), { name: 'Bo' }],
    ['patch', (club) => club('1').patch({ name: 'Bo' }, { ...dry, ifRevision: 1 }), { name: 'Bo' }],
    ['updateMany', (club) => club.updateMany([{ ...ann, id: '1', name: 'B' }], dry), [{ id: '1' }]],
    ['patchMany', (club) => club.patchMany([{ id: '1', name: 'Bo' }], dry), [{ name: 'Bo' }]],
  ]
  for (const [name, call, shown] of rows) {
    test(name, async () => {
      const { club, sent } = clubOf()
      expect(await call(club)).toMatchObject(shown)
      expect(sent).toEqual([expect.arrayContaining([expect.stringMatching(/\?dry_run=true$/)])])
      expect(await club.list()).toEqual([one, two])
    })
  }

  test('without an id', async () => {
    const { club } = clubOf()
    expect('id' in (await club.create(ann, dry))).toBe(false)
  })

  test('with the faults of the write', async () => {
    const { club } = clubOf()
    const calls = [
      club.create({ ...ann, name: '' }, dry),
      club('9').patch({ name: 'x' }, dry),
      club('1').update(ann, { ...dry, ifRevision: 3 }),
    ]
    const codes = calls.map(async (call) => codeOf(await thrownBy(call)))
    expect(await Promise.all(codes)).toEqual([
      'validation_failed',
      'not_found',
      'precondition_failed',
    ])
  })

  const unsafe: readonly ((club: Club) => Promise<unknown>)[] = [
    (club) => club.create(ann, { dry_run: undefined } as never),
    (club) => club.create(ann, { dry_run: false } as never),
    (club) => club('1').patch({}, { dry_run: 'true' } as never),
    (club) => club.create(ann, { dryRun: true } as never),
    (club) => Reflect.apply(club('1').update, undefined, [ann, {}, dry]),
    (club) => club('1').delete(dry as never),
    (club) => club.deleteAll(dry as never),
    (club) => club.deleteMany(['1'], dry as never),
    (club) => club('1').read(dry as never),
    (club) => club('1').read({}, dry as never),
    (club) => club.createMany([ann], { ifRevision: 1 } as never),
    (club) => club.patchMany([{ id: '1' }], { ifRevision: 1 } as never),
  ]
  for (const call of unsafe) {
    test(`sends nothing for ${call}`, async () => {
      const { club, sent } = clubOf()
      expect(await thrownBy((async () => call(club))())).toBeInstanceOf(TypeError)
      expect(sent).toEqual([])
    })
  }

  // An older server may ignore the parameter.
  const answers: readonly (readonly [number, unknown, (club: Club) => Promise<unknown>])[] = [
    [201, one, (club) => club.create(ann, dry)],
    [201, [one], (club) => club.createMany([ann], dry)],
    [200, [], (club) => club.create(ann, dry)],
    [200, null, (club) => club('1').update(ann, dry)],
    [200, [1], (club) => club.patchMany([{ id: '1' }], dry)],
    [200, one, (club) => club.create(ann)],
    [200, [one], (club) => club.createMany([ann])],
    [201, one, (club) => club.createMany([ann])],
    [201, [ann], (club) => club.createMany([ann])],
    [200, ann, (club) => club('1').patch({})],
  ]
  for (const [status, body, call] of answers) {
    test(`refuses ${status} with ${JSON.stringify(body)?.slice(0, 9)} for ${call}`, async () => {
      const { club } = clubOf(() => () => Response.json(body, { status }))
      expect(isUnexpected(await thrownBy(call(club)))).toBe(true)
    })
  }
})

describe('deletes many items', () => {
  const found = (outcomes: readonly object[]) =>
    outcomes.map((outcome) => ('error' in outcome ? codeOf(outcome.error) : outcome))

  test('with an outcome for each id, in order', async () => {
    const { club, sent } = clubOf()
    expect(found(await club.deleteMany(['2', '9', '1']))).toEqual([
      { id: '2', item: two },
      'not_found',
      { id: '1', item: one },
    ])
    expect(sent).toEqual(['2', '9', '1'].map((id) => ['DELETE', `/7/members/${id}`]))
    expect(await club.deleteMany([])).toEqual([])
  })

  test('and keeps each error with its id', async () => {
    const failure = new Error('broken')
    const { club } = clubOf((fetch) => (request) => {
      if (request.url.endsWith('/1')) throw failure
      return fetch(request)
    })
    expect(await club.deleteMany(['1', '2'])).toEqual([
      { id: '1', error: failure },
      { id: '2', item: two },
    ])
  })

  test('never by an id that names the collection', async () => {
    const { club, sent } = clubOf()
    const odd = ['', '.', '..', 'count', undefined, {}, Number.NaN]
    expect(found(await club.deleteMany(odd as string[]))).toEqual([
      ...Array(4).fill('not_found'),
      ...Array(3).fill(expect.any(TypeError)),
    ])
    expect(sent).toEqual([])
  })

  test('at most six at a time', async () => {
    let [open, most] = [0, 0]
    const { club, sent } = clubOf(() => async () => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, 1))
      open--
      return Response.json(one)
    })
    const ids = Array.from({ length: 20 }, (_, id) => `${id}`)
    expect((await club.deleteMany(ids)).map(({ id }) => id)).toEqual(ids)
    expect([most, sent.length]).toEqual([6, 20])
  })

  test('until a signal aborts', async () => {
    const [controller, reason] = [new AbortController(), new Error('gone')]
    const ids = Array.from({ length: 20 }, (_, id) => `${id}`)
    const { club, sent } = clubOf((fetch) => (request) => {
      if (request.url.endsWith('/8')) controller.abort(reason)
      return fetch(request)
    })
    const { signal } = controller
    expect(await thrownBy(club.deleteMany(ids, { signal }))).toBe(reason)
    const before = sent.length
    expect(before).toBeLessThan(15)
    expect(await thrownBy(club.deleteMany(ids, { signal }))).toBe(reason)
    expect(sent).toHaveLength(before)
  })

  test('by filters, in one request', async () => {
    const { club, sent } = clubOf()
    expect(
      await club.deleteMany({ where: { id: ['1', '9'] }, maxAffected: 5, dry_run: true }),
    ).toBe(1)
    expect(await club.deleteMany({ where: { id: ['1', '9'] }, maxAffected: 5 })).toBe(1)
    expect(sent).toHaveLength(2)
    // Without conditions it must not become a deletion of everything.
    const empty = [{}, { where: {} }, { where: { id: { ne: [] } } }, { q: undefined }]
    for (const query of empty)
      expect(codeOf(await thrownBy(club.deleteMany({ ...query, maxAffected: 5 })))).toBe(
        'bad_parameter',
      )
    expect(await club.count()).toBe(1)
    const wrong = [
      { where: { id: '2' }, maxAffected: undefined },
      { where: { id: [] }, maxAffected: 5 },
      { where: { id: '2' }, maxAffected: 5, limit: 1 },
    ]
    for (const query of wrong)
      expect(await thrownBy(club.deleteMany(query as never))).toBeInstanceOf(TypeError)
    expect(codeOf(await thrownBy(club.deleteMany({ where: { id: '2' } } as never)))).toBe(
      'too_many_affected',
    )
  })

  test('and throws what concerns no single id', async () => {
    const { club, lost, sent } = clubOf()
    const calls = [
      club.deleteMany(undefined as never),
      club.deleteMany('12' as never),
      club.deleteMany(new Set(['1']) as never),
      club.deleteMany(['1'], { ifRevision: 1 } as never),
      club.deleteMany([], { maxAffected: 1 } as never),
    ]
    for (const call of calls) expect(await thrownBy(call)).toBeInstanceOf(TypeError)
    expect(sent).toEqual([])
    expect(found(await lost.deleteMany(['1']))).toEqual(['parent_not_found'])
  })
})

test('an update returns the item that a PUT creates', async () => {
  const create = z.object({ name: z.string() })
  const schema = create.extend({ id: z.string() })
  const pets = defineResource('pets', { schema, create, putCreates: true })
  const petApi = defineApi({ v1: { '/pets': pets } })
  const registry = defineRegistry(petApi).adapters({ pets: memoryAdapter() })
  const fetch = toFetchHandler(registry)
  const client = createClient<typeof petApi>({ baseUrl: 'http://pets.test', fetch })
  const rex = client.v1.pets('rex')
  expect(await rex.update({ name: 'Rex' })).toEqual({ id: 'rex', name: 'Rex' })
  const onlyNew = { headers: { 'if-none-match': '*' } }
  await expect(rex.update({ name: 'Max' }, onlyNew)).rejects.toMatchObject({
    code: 'precondition_failed',
  })
  expect(await rex.update({ name: 'Max' })).toEqual({ id: 'rex', name: 'Max' })
  const created = async () => Response.json({ id: 'rex', name: 'Rex' }, { status: 201 })
  const wrong = createClient<typeof petApi>({ baseUrl: 'http://pets.test', fetch: created })
  const dryRun = wrong.v1.pets('rex').update({ name: 'Rex' }, { dry_run: true })
  await expect(dryRun).rejects.toSatisfy(isUnexpected)
})
