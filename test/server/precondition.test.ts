import { type HttpResponse, handle, type Operation } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  delayed,
  type Line,
  mapOf,
  notesWith,
  noting,
  pointersOf,
  requestOf,
  verdictOf,
} from '../support/registry.ts'

const [a, b] = [
  { id: 'a', text: 'Ann', rev: 3 },
  { id: 'b', text: 'Bob', rev: 1 },
]
const Note = z.object({ id: z.string(), text: z.string(), rev: z.union([z.number(), z.string()]) })
const versioned = {
  schema: Note,
  create: z.strictObject({ text: z.string() }),
  revision: 'rev',
  sortable: [],
}

/** Notes whose `rev` counts up with every write. */
function counting() {
  const adapter = mapOf(a, b)
  const asked: Operation[] = []
  const next = <Written extends object>(item: Written) => ({
    ...item,
    rev: Number(Reflect.get(item, 'rev')) + 1,
  })
  return {
    asked,
    stored: adapter.stored,
    adapter: {
      ...adapter,
      create: ({ item }: Operation) => ({ id: 'c', rev: 1, ...item }),
      update: (operation: Operation) => noting(asked, operation, next(operation.item ?? {})),
      updateMany: (operation: Operation) => noting(asked, operation, operation.items?.map(next)),
      delete: (operation: Operation) => noting(asked, operation, a),
    },
  }
}

const body = { text: 'new' }

// biome-ignore format: a row stays a line
const conditions: [line: Line, verdict: string, ifRevision?: unknown][] = [
  // The written item holds the stored revision.
  [['PUT', '/notes/a', body],                                        '200', 3],
  [['PUT', '/notes/a', body, { 'if-match': '"3"' }],                 '200', 3],
  [['PUT', '/notes/a', body, { 'if-match': '"1", "3"' }],            '200', 3],
  [['PUT', '/notes/a', body, { 'if-match': '*' }],                   '200', 3],
  [['PUT', '/notes/a', body, { 'if-match': '"1"' }],                 '409 precondition_failed'],
  [['PUT', '/notes/a', body, { 'if-match': 'W/"3"' }],               '409 precondition_failed'],
  [['PUT', '/notes/a', body, { 'if-match': '3' }],                   '400 bad_request'],
  [['PUT', '/notes/a', body, { 'if-match': '' }],                    '400 bad_request'],
  [['PUT', '/notes/a', body, { 'if-match': 'w/"3"' }],               '400 bad_request'],
  [['PATCH', '/notes/a', body, { 'if-match': 'x"3"' }],              '400 bad_request'],
  [['DELETE', '/notes/a', undefined, { 'if-match': '"3' }],           '400 bad_request'],
  [['PUT', '/notes/a', body, { 'if-none-match': '"3"' }],            '409 precondition_failed'],
  [['PUT', '/notes/a', body, { 'if-none-match': 'W/"3"' }],          '409 precondition_failed'],
  [['PUT', '/notes/a', body, { 'if-none-match': '*' }],              '409 precondition_failed'],
  [['PUT', '/notes/a', body, { 'if-none-match': '"1"' }],            '200', 3],
  [['PUT', '/notes/a', { ...body, rev: 3 }],                         '200', 3],
  [['PUT', '/notes/a', { ...body, rev: 2 }],                         '409 precondition_failed'],
  [['PUT', '/notes/a', { ...body, rev: '3' }],                       '409 precondition_failed'],
  [['PUT', '/notes/a', { ...body, rev: 2 }, { 'if-match': '"3"' }],  '409 precondition_failed'],
  [['PUT', '/notes/z', body, { 'if-match': '*' }],                   '404 not_found'],
  [['PUT', '/notes/a', body, { 'content-range': 'bytes 0-1/2' }],    '400 bad_request'],
  [['PUT', '/notes', [a], { 'content-range': 'bytes 0-1/2' }],       '400 bad_request'],
  [['DELETE', '/notes/a'],                                           '200', undefined],
  [['DELETE', '/notes/a', undefined, { 'if-match': '"3"' }],         '200', 3],
  [['DELETE', '/notes/a', undefined, { 'if-match': '"4"' }],         '409 precondition_failed'],
  [['DELETE', '/notes/a', undefined, { 'if-none-match': '"3"' }],    '409 precondition_failed'],
  [['DELETE', '/notes/a', undefined, { 'if-none-match': '"4"' }],    '200', undefined],
  [['DELETE', '/notes/z', undefined, { 'if-match': '*' }],           '404 not_found'],
  [['PUT', '/notes', [{ ...a, text: 'x' }]],                         '200'],
  [['PUT', '/notes', [a, { id: 'b', text: 'x' }]],                   '200'],
  [['PUT', '/notes', [a, { ...b, rev: 9 }]],                         '409 precondition_failed'],
  [['PUT', '/notes', [a], { 'if-match': '*' }],                      '200'],
  [['PUT', '/notes', [a], { 'if-match': '"3"' }],                    '409 precondition_failed'],
  [['PUT', '/notes', [a], { 'if-none-match': '*' }],                 '409 precondition_failed'],
  [['PUT', '/notes', [a], { 'if-none-match': '"3"' }],               '200'],
  [['DELETE', '/notes', undefined, { 'if-match': '*' }],             '200'],
  [['DELETE', '/notes', undefined, { 'if-match': '"3"' }],           '409 precondition_failed'],
  [['DELETE', '/notes', undefined, { 'if-none-match': '*' }],        '409 precondition_failed'],
  [['POST', '/notes', { ...body, rev: 1 }],                          '422 validation_failed'],
]

describe('a write with a condition', () => {
  for (const [line, verdict, ifRevision] of conditions) {
    const sent = JSON.stringify([line[2], line[3]])
    test(`${line[0]} ${line[1]} ${sent} is ${verdict}`, async () => {
      for (const wrap of [delayed, (adapter: Parameters<typeof delayed>[0]) => adapter]) {
        const { adapter, asked, stored } = counting()
        const { registry } = notesWith(wrap(adapter), { declaration: versioned })
        expect(verdictOf(await handle(requestOf(line), registry))).toBe(verdict)
        if (verdict !== '200') expect([asked, [...stored.values()]]).toEqual([[], [a, b]])
        else if (asked[0]) expect(asked[0].ifRevision).toBe(ifRevision)
      }
    })
  }
})

describe('a version that is sent', () => {
  // biome-ignore format: a row stays a line
  const rows: [line: Line, pointers: string[]][] = [
    [['PUT', '/notes/a', { ...body, rev: 2 }],        ['/rev precondition_failed']],
    [['PUT', '/notes', [a, { ...b, rev: 9 }]],        ['/1/rev precondition_failed']],
  ]
  for (const [line, pointers] of rows) {
    test(`is pointed to by ${pointers}`, async () => {
      const { registry } = notesWith(counting().adapter, { declaration: versioned })
      expect(pointersOf(await handle(requestOf(line), registry))).toEqual(pointers)
    })
  }
})

describe('an item with a version', () => {
  const etagOf = async (line: Line, adapter = counting().adapter) => {
    const { registry } = notesWith(
      { ...adapter, first: () => b, last: () => a },
      { declaration: versioned },
    )
    return (await handle(requestOf(line), registry)).headers.etag
  }

  // biome-ignore format: a row stays a line
  const tags: [line: Line, etag: string | undefined][] = [
    [['GET', '/notes/a'],                       '"3"'],
    [['HEAD', '/notes/a'],                      '"3"'],
    [['GET', '/notes/first'],                   '"1"'],
    [['GET', '/notes/last'],                    '"3"'],
    [['POST', '/notes', body],                  '"1"'],
    [['PUT', '/notes/a', body],                 '"4"'],
    [['DELETE', '/notes/a'],                    '"3"'],
    [['GET', '/notes'],                         undefined],
    [['PUT', '/notes', [a]],                    undefined],
    [['GET', '/notes/count'],                   undefined],
    [['GET', '/notes/z'],                       undefined],
  ]
  for (const [line, etag] of tags) {
    test(`${line[0]} ${line[1]} tags it ${etag}`, async () => {
      expect(await etagOf(line)).toBe(etag)
    })
  }

  test('of any text has a tag that works', async () => {
    for (const rev of ['2024-01-01', 'a "quoted" one', 'é, W/"', '\ud800']) {
      const adapter = mapOf({ ...a, rev })
      const etag = (await etagOf(['GET', '/notes/a'], adapter as never)) ?? ''
      expect(etag).toMatch(/^"[!#-~]*"$/)
      const { registry } = notesWith(adapter, { declaration: versioned })
      const answer = await handle(
        requestOf(['PUT', '/notes/a', body, { 'if-match': etag }]),
        registry,
      )
      expect(answer.status).toBe(200)
    }
  })

  test('of neither text nor number matches nothing', async () => {
    for (const rev of [undefined, { at: 3 }]) {
      const adapter = mapOf({ ...a, rev }) as never
      expect(await etagOf(['GET', '/notes/a'], adapter)).toBe(undefined)
      const { registry } = notesWith(adapter, { declaration: versioned })
      const line: Line = ['PUT', '/notes/a', body, { 'if-match': '"undefined", "[object Object]"' }]
      expect(verdictOf(await handle(requestOf(line), registry))).toBe('409 precondition_failed')
    }
  })

  test('is read whatever the conditions', () => {
    const headers = {
      'if-none-match': '"3"',
      'if-match': '"9"',
      range: 'bytes=0-1',
      'content-range': 'x',
    }
    const { registry } = notesWith(counting().adapter, { declaration: versioned })
    for (const url of ['/notes/a', '/notes']) {
      expect(handle({ method: 'GET', url, headers }, registry)).toMatchObject({ status: 200 })
    }
  })
})

describe('without a version field', () => {
  // biome-ignore format: a row stays a line
  const rows: [header: string, value: string, verdict: string][] = [
    ['if-match',      '*',           '200'],
    ['if-match',      '"3"',         '409 precondition_failed'],
    ['if-match',      '"undefined"', '409 precondition_failed'],
    ['if-none-match', '"3"',         '200'],
    ['if-none-match', '*',           '409 precondition_failed'],
  ]
  for (const [header, value, verdict] of rows) {
    test(`${header} ${value} is ${verdict}`, () => {
      // An adapter that cannot read cannot compare, and that is safe.
      const note = { id: 'a', text: 'Ann' }
      for (const adapter of [mapOf(note), { update: () => note, delete: () => note }]) {
        const { registry } = notesWith(adapter)
        for (const method of ['PUT', 'DELETE']) {
          const line: Line = [
            method,
            '/notes/a',
            method === 'PUT' ? body : undefined,
            { [header]: value },
          ]
          expect(verdictOf(handle(requestOf(line), registry) as HttpResponse)).toBe(verdict)
          if ('read' in adapter) adapter.stored.set('a', note)
        }
      }
    })
  }
})
