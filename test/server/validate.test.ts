import { handle } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { nextTurn } from '../../src/convention/awaitable.ts'
import {
  delayed,
  type Line,
  mapOf,
  notesWith,
  pointersOf,
  requestOf,
  verdictOf,
} from '../support/registry.ts'

const [a, b] = [
  { id: 'a', text: 'Ann' },
  { id: 'b', text: 'Bob' },
]
const json = { 'content-type': 'application/json' }
const chosen = {
  create: z.strictObject({ id: z.unknown().optional(), text: z.string() }),
  update: z.strictObject({ text: z.string() }),
}
const stamped = {
  schema: z.object({ id: z.string(), text: z.string(), rank: z.number().optional() }),
  readOnly: ['rank'],
}

interface Row {
  readonly line: Line
  readonly verdict: string
  readonly pointers?: readonly string[]
  readonly declaration?: object
}

// biome-ignore format: a row stays a line
const bodies: readonly Row[] = [
  { line: ['POST', '/notes'],                                    verdict: '400 unsupported_media_type' },
  { line: ['POST', '/notes', undefined, json],                   verdict: '400 body_missing' },
  { line: ['POST', '/notes', ''],                                verdict: '400 body_missing' },
  { line: ['POST', '/notes', 'null'],                            verdict: '422 validation_failed', pointers: [' invalid_type'] },
  { line: ['POST', '/notes', '[]'],                              verdict: '422 validation_failed', pointers: [' invalid_type'] },
  { line: ['POST', '/notes', '"text"'],                          verdict: '422 validation_failed', pointers: [' invalid_type'] },
  { line: ['POST', '/notes', '7'],                               verdict: '422 validation_failed', pointers: [' invalid_type'] },
  { line: ['POST', '/notes', {}],                                verdict: '422 validation_failed', pointers: ['/text invalid_type'] },
  { line: ['POST', '/notes', { text: 1, rank: 'x', x: 1, 'a/b~': 2 }], verdict: '422 validation_failed', pointers: ['/text invalid_type', '/rank invalid_type', '/x unrecognized_keys', '/a~1b~0 unrecognized_keys'] },
  { line: ['POST', '/notes', { text: 'x', rank: 1 }],            verdict: '422 validation_failed', pointers: ['/rank read_only'], declaration: stamped },
  { line: ['POST', '/notes', { text: 1, rank: 1 }],              verdict: '422 validation_failed', pointers: ['/rank read_only', '/text invalid_type'], declaration: stamped },
  { line: ['POST', '/notes', { id: 'x', text: 'x' }],            verdict: '422 validation_failed', pointers: ['/id unrecognized_keys'] },
  { line: ['POST', '/notes', { id: 'x', text: 'x' }],            verdict: '201', declaration: chosen },
  { line: ['POST', '/notes', { id: 'first', text: 'x' }],        verdict: '422 reserved_id', pointers: ['/id reserved_id'], declaration: chosen },
  { line: ['POST', '/notes', { id: '..', text: 1 }],             verdict: '422 reserved_id', pointers: ['/id reserved_id', '/text invalid_type'], declaration: chosen },
  { line: ['POST', '/notes', { id: '', text: 'x' }],             verdict: '422 reserved_id', declaration: chosen },
  { line: ['POST', '/notes', { id: 'a\n', text: 'x' }],          verdict: '422 reserved_id', declaration: chosen },
  { line: ['POST', '/notes', { id: 'a'.repeat(256), text: 'x' }], verdict: '422 reserved_id', declaration: chosen },
  { line: ['POST', '/notes', { id: 'count', text: 'x' }],        verdict: '422 reserved_id' },
  { line: ['POST', '/notes', { id: 7, text: 'x' }],              verdict: '422 validation_failed', pointers: ['/id invalid_id'], declaration: chosen },
  { line: ['POST', '/notes', { id: null, text: 'x' }],           verdict: '422 validation_failed', pointers: ['/id invalid_id'], declaration: chosen },
  { line: ['POST', '/notes', { id: { toString: 1 }, text: 'x' }], verdict: '422 validation_failed', pointers: ['/id invalid_id'], declaration: chosen },
  { line: ['PUT', '/notes/a', '[]'],                             verdict: '422 validation_failed', pointers: [' invalid_type'] },
  { line: ['PUT', '/notes/a', { text: 1 }],                      verdict: '422 validation_failed', pointers: ['/text invalid_type'] },
  { line: ['PUT', '/notes/a', { text: 'x', rank: 5, x: 1 }],     verdict: '422 validation_failed', pointers: ['/x unrecognized_keys'] },
  { line: ['PUT', '/notes/a', b],                                verdict: '409 id_mismatch', pointers: ['/id id_mismatch'] },
  { line: ['PUT', '/notes/first', { text: 'x' }],                verdict: '405 method_not_allowed' },
  { line: ['DELETE', '/notes', '[]'],                            verdict: '400 body_not_allowed' },
  { line: ['DELETE', '/notes', ''],                              verdict: '200' },
  { line: ['DELETE', '/notes?q='],                               verdict: '400 unknown_parameter' },
  { line: ['DELETE', '/notes/'],                                 verdict: '400 bad_path' },
  { line: ['PUT', '/notes/', [a]],                               verdict: '400 bad_path' },
  { line: ['DELETE', '/notes/a'],                                verdict: '200' },
  { line: ['GET', '/notes', '{}'],                               verdict: '400 body_not_allowed' },
]

describe('one item', () => {
  for (const { line, verdict, pointers, declaration } of bodies) {
    test(`${line[0]} ${JSON.stringify(line[2])?.slice(0, 30)} is ${verdict}`, async () => {
      for (const wrap of [delayed, (adapter: ReturnType<typeof mapOf>) => adapter]) {
        const { registry } = notesWith(wrap(mapOf(a, b)), { declaration: declaration ?? {} })
        const answer = await handle(requestOf(line), registry)
        expect(verdictOf(answer)).toBe(verdict)
        if (pointers) expect(pointersOf(answer)).toEqual(pointers)
      }
    })
  }
})

// biome-ignore format: a row stays a line
const bulks: readonly Row[] = [
  { line: ['PUT', '/notes', []],                                 verdict: '200' },
  { line: ['PUT', '/notes', [b, a]],                             verdict: '200' },
  { line: ['PUT', '/notes', [{ ...a, text: 'x' }]],              verdict: '200' },
  { line: ['PUT', '/notes', { 0: a, length: 1 }],                verdict: '422 validation_failed', pointers: [' invalid_type'] },
  { line: ['PUT', '/notes', 'null'],                             verdict: '422 validation_failed', pointers: [' invalid_type'] },
  { line: ['PUT', '/notes', [null, 1, [a]]],                     verdict: '422 validation_failed', pointers: ['/0 invalid_type', '/1 invalid_type', '/2 invalid_type'] },
  { line: ['PUT', '/notes', [{ text: 'x' }]],                    verdict: '422 validation_failed', pointers: ['/0/id invalid_id'] },
  { line: ['PUT', '/notes', [{ id: null, text: 'x' }]],          verdict: '422 validation_failed', pointers: ['/0/id invalid_id'] },
  { line: ['PUT', '/notes', [{ id: ['a'], text: 'x' }]],         verdict: '422 validation_failed', pointers: ['/0/id invalid_id'] },
  { line: ['PUT', '/notes', [{ id: true, text: 'x' }]],          verdict: '422 validation_failed', pointers: ['/0/id invalid_id'] },
  { line: ['PUT', '/notes', [{ id: 7, text: 'x' }]],             verdict: '422 validation_failed', pointers: ['/0/id invalid_id'] },
  { line: ['PUT', '/notes', [{ id: { toString: 1 }, text: 'x' }]], verdict: '422 validation_failed', pointers: ['/0/id invalid_id'] },
  { line: ['PUT', '/notes', [{ id: [{ toString: 1 }], text: 'x' }]], verdict: '422 validation_failed', pointers: ['/0/id invalid_id'] },
  { line: ['PUT', '/notes', [{ id: 'count', text: 'x' }]],       verdict: '404 not_found', pointers: ['/0/id not_found'], declaration: { update: z.strictObject({ id: z.string(), text: z.string() }) } },
  { line: ['PUT', '/notes', [a, b, a]],                          verdict: '422 validation_failed', pointers: ['/2/id invalid_id'] },
  { line: ['PUT', '/notes', [{ ...a, text: 1 }, a, { text: 1 }, { id: 'z', x: 1 }]], verdict: '422 validation_failed', pointers: ['/0/text invalid_type', '/1/id invalid_id', '/2/id invalid_id', '/2/text invalid_type', '/3/text invalid_type', '/3/x unrecognized_keys'] },
  { line: ['PUT', '/notes', [a, { ...a, id: 'z' }, { ...a, id: 'count' }, { ...a, id: '' }]], verdict: '404 not_found', pointers: ['/1/id not_found', '/2/id not_found', '/3/id not_found'] },
  { line: ['PUT', '/notes', [{ ...a, rank: 2 }, { ...b, rank: 1 }]], verdict: '422 validation_failed', pointers: ['/0/rank read_only', '/1/rank read_only'], declaration: stamped },
  { line: ['PUT', '/notes', [a, { ...b, rank: 1 }, { ...b, id: 'z' }]], verdict: '404 not_found', pointers: ['/2/id not_found'], declaration: stamped },
]

describe('many items', () => {
  for (const { line, verdict, pointers, declaration } of bulks) {
    test(`${JSON.stringify(line[2]).slice(0, 40)} are ${verdict}`, async () => {
      for (const isDelayed of [false, true]) {
        const adapter = mapOf(a, b)
        const { registry } = notesWith(isDelayed ? delayed(adapter) : adapter, {
          declaration: declaration ?? {},
        })
        const answer = await handle(requestOf(line), registry)
        expect(verdictOf(answer)).toBe(verdict)
        if (verdict === '200') expect(answer.body).toEqual(line[2])
        else expect([...adapter.stored.values()]).toEqual([a, b])
        if (pointers) expect(pointersOf(answer)).toEqual(pointers)
      }
    })
  }

  test('what is wrong with an id is said', async () => {
    const { registry } = notesWith(mapOf(a), { declaration: { id: z.coerce.number() as never } })
    const sent = [{ text: 'x' }, { id: null, text: 'x' }, { id: '7', text: 'x' }]
    const { body } = await handle(requestOf(['PUT', '/notes', sent]), registry)
    expect(body).toMatchObject({
      issues: [
        { pointer: '/0/id', message: 'is required' },
        { pointer: '/1/id', message: 'must be an id: a text or a number' },
        { pointer: '/2/id', message: 'must be a number, as all ids of this resource' },
      ],
    })
  })

  test('nothing is asked for no items', () => {
    const { registry } = notesWith({ updateMany: () => 'not asked' })
    expect(handle(requestOf(['PUT', '/notes', []]), registry)).toMatchObject({
      status: 200,
      body: [],
    })
  })

  test('an adapter may find them missing itself', () => {
    const { registry } = notesWith({ updateMany: () => [a, null, undefined] })
    const line: Line = ['PUT', '/notes', [a, b, { ...b, id: 'c' }]]
    const answer = handle(requestOf(line), registry)
    expect(answer).not.toBeInstanceOf(Promise)
    expect(answer).toMatchObject({ status: 404 })
    expect(pointersOf(answer as never)).toEqual(['/1/id not_found', '/2/id not_found'])
  })

  test('what is no id is told without reads', () => {
    const { registry } = notesWith({ updateMany: () => 'not asked' })
    const answer = handle(requestOf(['PUT', '/notes', [a, { ...b, id: 'last' }]]), registry)
    expect(answer).toMatchObject({ status: 404 })
    expect(pointersOf(answer as never)).toEqual(['/1/id not_found'])
  })

  test('too many are refused unread', () => {
    const seen: unknown[] = []
    const text = z.string().refine((value) => seen.push(value))
    const { registry } = notesWith(mapOf(a, b), {
      declaration: { update: z.object({ text }) },
      options: { limits: { bulk: 2, issues: 3 } },
    })
    const answer = handle(requestOf(['PUT', '/notes', [a, b, b]]), registry)
    expect(answer).toMatchObject({ status: 400, body: { code: 'bulk_too_large' } })
    expect(seen).toEqual([])
    expect(handle(requestOf(['PUT', '/notes', [a, b]]), registry)).toMatchObject({ status: 200 })
  })

  test('of many faults the first fifty are told', async () => {
    const { registry } = notesWith(mapOf(a))
    const answer = await handle(requestOf(['PUT', '/notes', Array(99).fill({})]), registry)
    expect(pointersOf(answer)).toHaveLength(50)
  })

  test('others have their turn while many are looked at', async () => {
    let looked = 0
    const text = z.string().refine(() => ++looked > 0)
    const { registry } = notesWith(mapOf(), { declaration: { update: z.object({ text }) } })
    const sent = Array.from({ length: 450 }, (_, at) => ({ id: `${at}`, text: 'x' }))
    const lookedAt: number[] = []
    const answer = handle(requestOf(['PUT', '/notes', sent]), registry)
    const watch = async (): Promise<void> => {
      lookedAt.push(looked)
      await nextTurn()
      if (looked < 450) await watch()
    }
    const watching = watch()
    expect(await answer).toMatchObject({ status: 404 })
    await watching
    expect(lookedAt).toEqual([100, 200, 300, 400])
  })

  test('a hundred are looked at without a pause', () => {
    const all = Array.from({ length: 100 }, (_, at) => ({ ...a, id: `${at}` }))
    const { registry } = notesWith(mapOf(...all))
    expect(handle(requestOf(['PUT', '/notes', all]), registry)).toMatchObject({ status: 200 })
  })
})
