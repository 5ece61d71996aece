import { sql } from 'kysely'
import { type Operation, problem, type UncheckedAdapter } from 'nounful'
import { afterEach, describe, expect, test } from 'vitest'
import { noQuery } from '../../src/contract/resource/operation.ts'
import {
  openParts,
  type PartOptions,
  type Parts,
  partStores,
  type StoredPart,
} from '../support/parts.ts'

const code = (name: string, pointer?: string) =>
  expect.objectContaining({
    code: name,
    ...(pointer && { issues: [expect.objectContaining({ pointer })] }),
  })
const a: StoredPart = { id: 'a', name: 'A', low: 1, high: 9, state: 'new', version: 1 }
const b: StoredPart = { ...a, id: 'b', name: 'B', note: 'x', kit_id: 'k1' }
const body = ({ version: _, ...part }: StoredPart) => part

describe.each(partStores)('$name', (store) => {
  let parts: Parts | undefined

  const open = async (options?: PartOptions) => {
    parts = await openParts(store, options)
    const { ask } = parts
    for (const item of [a, b]) expect((await ask('POST /parts', body(item)))[0]).toBe(201)
    return parts
  }

  afterEach(async () => {
    await parts?.drop()
    parts = undefined
  })

  test('changes what a patch names, and nothing else', { timeout: 60_000 }, async () => {
    const { ask, db, errors } = await open({
      rule: ({ low, high }) => low <= high,
      adapter: { columns: { secret: 'secret' } },
    })
    const version = (version: number) => ({ version })
    const facts: readonly (readonly [line: string, body: unknown, status: number, unknown])[] = [
      ['PATCH /parts/a', { name: 'AA' }, 200, { ...a, name: 'AA', ...version(2) }],
      ['PATCH /parts/a', { name: 'AA' }, 200, { ...a, name: 'AA', ...version(2) }],
      ['PATCH /parts/a', {}, 200, { ...a, name: 'AA', ...version(2) }],
      ['PATCH /parts/a', { name: 'B' }, 409, code('conflict', '/name')],
      ['PATCH /parts/a', { name: 'A', low: 10 }, 422, code('validation_failed')],
      ['PATCH /parts/a', { high: 1000 }, 422, code('validation_failed')],
      ['PATCH /parts/a', { note: 'a\u0000' }, 422, code('validation_failed', '/note')],
      ['PATCH /parts/a', { kit_id: 'k9' }, 422, code('validation_failed', '/kit_id')],
      ['PATCH /parts/a', { version: 7 }, 409, code('precondition_failed')],
      ['PATCH /parts/c', { name: 'C' }, 404, code('not_found')],
      ['PATCH /kits/k2/parts/b', { name: 'C' }, 404, code('not_found')],
      ['PATCH /kits/k1/parts/b', { name: 'C' }, 200, { ...b, name: 'C', ...version(2) }],
      [
        'PATCH /parts/b',
        { note: null, kit_id: null },
        200,
        { ...a, id: 'b', name: 'C', ...version(3) },
      ],
      [
        'PATCH /parts/b',
        { secret: 'pw', data: { x: [1] } },
        200,
        {
          ...{ ...a, id: 'b', name: 'C', data: { x: [1] }, ...version(4) },
        },
      ],
      ['PATCH /parts', [], 200, []],
      [
        'PATCH /parts',
        [
          { id: 'b', note: 'y' },
          { id: 'a', note: 'z' },
        ],
        200,
        [
          { ...a, id: 'b', name: 'C', data: { x: [1] }, note: 'y', ...version(5) },
          { ...a, name: 'AA', note: 'z', ...version(3) },
        ],
      ],
      [
        'PATCH /parts',
        [{ id: 'a', note: 'z' }, { id: 'b' }],
        200,
        [
          { ...a, name: 'AA', note: 'z', ...version(3) },
          { ...a, id: 'b', name: 'C', data: { x: [1] }, note: 'y', ...version(5) },
        ],
      ],
      ['PATCH /parts', [{ id: 'a', name: 'x' }, { id: 'none' }], 404, code('not_found')],
      [
        'PATCH /parts',
        [
          { id: 'a', name: 'x' },
          { id: 'b', name: 'x' },
        ],
        409,
        code('conflict', '/1/name'),
      ],
      [
        'PATCH /parts',
        [
          { id: 'a', note: 'x' },
          { id: 'b', name: 'AA' },
        ],
        409,
        code('conflict', '/1/name'),
      ],
      [
        'PATCH /parts',
        [
          { id: 'a', name: 'C' },
          { id: 'b', note: 'u' },
        ],
        409,
        code('conflict', '/0/name'),
      ],
      [
        'PATCH /parts',
        [
          { id: 'a', note: 'x' },
          { id: 'b', high: 0.5 },
        ],
        422,
        code('validation_failed'),
      ],
      [
        'PATCH /parts',
        [
          { id: 'a', note: 'x' },
          { id: 'b', kit_id: 'k9' },
        ],
        422,
        code('validation_failed', '/1/kit_id'),
      ],
      ['PATCH /kits/k1/parts', [{ id: 'a', note: 'x' }], 404, code('not_found')],
      ['GET /parts/a', undefined, 200, { ...a, name: 'AA', note: 'z', ...version(3) }],
    ]
    for (const [line, sent, status, expected] of facts) {
      const answer = await ask(line, sent)
      expect({ line, sent, answer }).toEqual({ line, sent, answer: [status, expected] })
    }
    const { rows } = await sql`select id, secret from parts order by id`.execute(db)
    expect(rows).toEqual([
      { id: 'a', secret: null },
      { id: 'b', secret: 'pw' },
    ])
    expect(errors).toEqual([])
  })

  test('leaves the columns alone that a patch does not name', async () => {
    const { ask, db } = await open()
    const data = '{"wide": 12345678901234567890, "a":  1}'
    await sql`update parts set data = ${data}, secret = 's' where id = 'a'`.execute(db)
    const kept = () => sql`select data, secret from parts where id = 'a'`.execute(db)
    const before = (await sql`select cast(data as char(99)) as text from parts`.execute(db)).rows
    const { rows } = await kept()
    expect((await ask('PATCH /parts/a', { note: 'x' }))[0]).toBe(200)
    expect((await ask('PATCH /parts', [{ id: 'a', note: 'y' }]))[0]).toBe(200)
    expect((await kept()).rows).toEqual(rows)
    const after = (await sql`select cast(data as char(99)) as text from parts`.execute(db)).rows
    expect(after).toEqual(before)
  })

  test('gives hooks the changed item, and keeps deleted ones', async () => {
    const seen: unknown[] = []
    const { ask } = await open({
      adapter: {
        softDelete: 'deleted_at',
        onUpdate: (item: StoredPart, stored: StoredPart, { kind }: Operation) => {
          seen.push([kind, stored.name, item.name])
          return { made_by: `${kind} ${item.name}` }
        },
      },
    })
    const [, one] = await ask('PATCH /parts/a', { name: 'X' })
    expect(one).toEqual({ ...a, name: 'X', made_by: 'patch X', version: 2 })
    const [, same] = await ask('PATCH /parts', [
      { id: 'b', low: 2 },
      { id: 'a', name: 'X' },
    ])
    expect(same).toEqual([{ ...b, low: 2, made_by: 'patchMany B', version: 2 }, one])
    expect(seen).toEqual([
      ['patch', 'A', 'X'],
      ['patchMany', 'B', 'B'],
    ])
    expect((await ask('DELETE /parts/b'))[0]).toBe(200)
    expect((await ask('PATCH /parts/b', { name: 'Y' }))[0]).toBe(404)
    expect(
      (
        await ask('PATCH /parts', [
          { id: 'a', low: 3 },
          { id: 'b', low: 3 },
        ])
      )[0],
    ).toBe(404)
    expect((await ask('GET /parts/a'))[1]).toEqual(one)
  })

  test.skipIf(store.name === 'D1')('changes only what its caller may see', async () => {
    const { ask } = await open({ adapter: { visible: () => sql<boolean>`low < 5` } })
    await ask('POST /parts', body({ ...a, id: 'c', name: 'C' }))
    expect(await ask('PATCH /parts/a', { low: 5 })).toEqual([403, code('forbidden')])
    expect(
      (
        await ask('PATCH /parts', [
          { id: 'c', low: 2 },
          { id: 'a', low: 6 },
        ])
      )[0],
    ).toBe(403)
    expect((await ask('GET /parts/c'))[1]).toMatchObject({ low: 1 })
    expect((await ask('PATCH /parts/a', { low: 4 }))[1]).toMatchObject({ low: 4 })
  })

  describe('the adapter', () => {
    const direct = ({ adapter, resource }: Parts) => {
      const operation = (kind: 'patch' | 'patchMany', ids: readonly string[]): Operation => ({
        ...{ kind, resource, version: 'v1', path: '/parts', scope: {}, parents: [] },
        ...{ id: kind === 'patch' ? ids[0] : undefined, ids: kind === 'patch' ? undefined : ids },
        ...{
          query: noQuery,
          item: undefined,
          items: undefined,
          isDryRun: false,
          isDeprecated: false,
        },
        ...{ maxAffected: undefined, ifRevision: undefined, signal: new AbortController().signal },
      })
      const { modify, modifyMany }: UncheckedAdapter = adapter
      return {
        one: async (id: string, change: (stored: StoredPart) => unknown) =>
          modify?.(operation('patch', [id]), undefined, change as never),
        many: async (ids: string[], change: (stored: (StoredPart | undefined)[]) => unknown) =>
          modifyMany?.(operation('patchMany', ids), undefined, change as never),
      }
    }

    test('writes nothing for the same item', async () => {
      const opened = await open()
      const { one, many } = direct(opened)
      expect(await one('a', (stored) => stored)).toEqual(a)
      expect(await one('a', async (stored) => stored)).toEqual(a)
      const changed = await many(['b', 'a'], ([first, second]) => [{ ...first, low: 2 }, second])
      expect(changed).toEqual([{ ...b, low: 2, version: 2 }, a])
      const later = await many(['b', 'a'], async ([first, second]) => [
        first,
        { ...second, low: 3 },
      ])
      expect(later).toEqual([
        { ...b, low: 2, version: 2 },
        { ...a, low: 3, version: 2 },
      ])
    })

    test('gives the stored items in the order of the ids', async () => {
      const { many, one } = direct(await open())
      const seen: unknown[] = []
      const none = await one('none', (stored) => seen.push(stored))
      expect(none ?? null).toBe(null)
      await many(['b', 'none', 'a', ''], (stored) => {
        seen.push(stored)
        return stored.filter((item) => item !== undefined)
      })
      expect(seen).toEqual([[b, undefined, a, undefined]])
    })

    // Also an error that looks like one of the database.
    test.each([
      ['a problem', problem('validation_failed', 'no')],
      [
        'an error',
        Object.assign(new Error('UNIQUE constraint failed: parts.name'), {
          code: '23505',
          errno: 1062,
        }),
      ],
    ])('throws %s of the change, and stores nothing', async (_, error) => {
      const opened = await open()
      const { one, many } = direct(opened)
      const fail = () => {
        throw error
      }
      await expect(one('a', fail)).rejects.toBe(error)
      await expect(one('a', async () => fail())).rejects.toBe(error)
      await expect(many(['a', 'b'], fail)).rejects.toBe(error)
      await expect(many(['a', 'b'], async () => fail())).rejects.toBe(error)
      expect((await opened.ask('GET /parts'))[1]).toEqual([a, b])
      expect(await one('a', (stored) => ({ ...stored, low: 2 }))).toMatchObject({ version: 2 })
    })

    test('lets a change wait for the database, and others write meanwhile', async () => {
      const opened = await open()
      const { one } = direct(opened)
      const seen: number[] = []
      const changed = await one('a', async (stored) => {
        seen.push(stored.low)
        const { rows } = await sql`select name from parts where id = 'b'`.execute(opened.db)
        if (seen.length < 3) await opened.ask('PATCH /parts/a', { low: stored.low + 1 })
        return { ...stored, note: `${Object(rows[0]).name}` }
      })
      expect(seen).toEqual([1, 2, 3])
      expect(changed).toEqual({ ...a, low: 3, note: 'B', version: 4 })
    })

    test('gives up on an item that changes each time', async () => {
      const opened = await open()
      const { one, many } = direct(opened)
      let calls = 0
      const change = async (stored: StoredPart | undefined) => {
        calls++
        await opened.ask('PATCH /parts/a', { low: calls + 1 })
        return { ...stored, note: 'late' }
      }
      const given = { code: 'unavailable', members: { retryAfter: 1 } }
      await expect(one('a', change)).rejects.toMatchObject(given)
      expect(calls).toBe(8)
      const changeAll = async ([first, second]: readonly (StoredPart | undefined)[]) => [
        { ...first, note: 'late' },
        await change(second),
      ]
      await expect(many(['b', 'a'], changeAll)).rejects.toMatchObject(given)
      expect(calls).toBe(16)
      expect((await opened.ask('GET /parts'))[1]).toEqual([{ ...a, low: 17, version: 17 }, b])
    })

    test('ends for a client that has left', async () => {
      const opened = await open()
      const client = new AbortController()
      const { modify }: UncheckedAdapter = opened.adapter
      const operation = {
        ...{ kind: 'patch', resource: opened.resource, scope: {}, id: 'a', query: noQuery },
        signal: client.signal,
      } as unknown as Operation
      const change = async (stored: object) => {
        client.abort()
        return { ...stored, note: 'late' }
      }
      const modified = Promise.resolve(modify?.(operation, undefined, change as never))
      await expect(modified).rejects.toMatchObject({ code: 'unavailable' })
      expect((await opened.ask('GET /parts/a'))[1]).toEqual(a)
    })
  })

  describe.each([
    ['with a revision', false],
    ['without a revision', true],
  ])('%s', (_, isPlain) => {
    test('loses no patch of another field', { timeout: 60_000 }, async () => {
      const { ask, errors } = await open({ isPlain })
      for (let round = 0; round < 50; round++) {
        const answers = await Promise.all([
          ask('PATCH /parts/a', { note: `${round}` }),
          ask('PATCH /parts/a', { low: round }),
          ask('PATCH /parts', [
            { id: 'b', low: round },
            { id: 'a', high: round },
          ]),
          ask('PATCH /parts', [
            { id: 'a', state: `${round}` },
            { id: 'b', note: `${round}` },
          ]),
        ])
        expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200])
        const [, stored] = await ask('GET /parts')
        const text = `${round}`
        expect(stored).toMatchObject([
          { id: 'a', note: text, low: round, high: round, state: text },
          { id: 'b', note: text, low: round },
        ])
      }
      expect(errors).toEqual([])
    })

    // The asynchronous rule asks the database that the patch changes.
    test.each([
      ['rule', ({ low, high }: Bounds) => low <= high],
      [
        'rule that waits',
        async ({ low, high }: Bounds, db: Parts['db']) => {
          await sql`select count(*) from kits`.execute(db)
          return low <= high
        },
      ],
    ])('breaks no %s about two fields', { timeout: 60_000 }, async (_, rule) => {
      const { ask, errors } = await open({ isPlain, rule })
      for (let round = 0; round < 25; round++) {
        expect((await ask('PATCH /parts/a', { low: 0, high: 10 }))[0]).toBe(200)
        const answers = await Promise.all([
          ask('PATCH /parts/a', { low: 8 }),
          ask('PATCH /parts/a', { high: 5 }),
        ])
        expect(answers.map(([status]) => status).sort()).toEqual([200, 422])
        const [, { low, high }] = (await ask('GET /parts/a')) as readonly [number, Bounds]
        expect([
          [8, 10],
          [0, 5],
        ]).toContainEqual([low, high])
      }
      expect(errors).toEqual([])
    })
  })
})

describe.each(partStores)('a hot item in $name', (store) => {
  test('takes each patch once, or not at all', { timeout: 60_000 }, async () => {
    const rule = async () => new Promise((resolve) => setTimeout(resolve, 2, true))
    const parts = await openParts(store, { rule })
    const { ask, drop } = parts
    await ask('POST /parts', body(a))
    const lows = Array.from({ length: 24 }, (_, at) => at + 100)
    const answers = await Promise.all(lows.map((low) => ask('PATCH /parts/a', { low })))
    const statuses = answers.map(([status]) => status)
    const stored = statuses.filter((status) => status === 200)
    const refused = answers.filter(([status]) => status === 503)
    expect(stored.length).toBeGreaterThanOrEqual(1)
    expect(stored.length + refused.length).toBe(lows.length)
    for (const [, problem] of refused) expect(problem).toMatchObject({ code: 'unavailable' })
    expect((await ask('GET /parts/a'))[1]).toMatchObject({ version: 1 + stored.length })
    await drop()
  })
})

interface Bounds {
  readonly low: number
  readonly high: number
}
