import fc from 'fast-check'
import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Limits,
  type Operation,
} from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Position } from '../../src/contract/resource/operation.ts'
import { cursorIn, forged, nextOf, partsOf } from '../support/cursors.ts'
import { type ProblemBody, verdictOf } from '../support/registry.ts'

const Note = z.object({
  id: z.string(),
  shelf_id: z.string().optional(),
  name: z.string().nullable(),
  rank: z.number().optional(),
  kind: z.enum(['a', 'x'.repeat(4000)]).optional(),
  ...Object.fromEntries('bcdefgh'.split('').map((field) => [field, z.string().optional()])),
})
type NoteItem = z.infer<typeof Note> & { readonly [field: string]: unknown }
const notes = defineResource('notes', {
  schema: Note,
  sortable: ['id', 'name', 'rank', 'kind', ...'bcdefgh'.split('')] as never[],
  searchable: ['name'],
})
const drawers = defineResource('drawers', { schema: Note, defaultLimit: 2 })
const shelves = defineResource('shelves', { schema: z.object({ id: z.string() }) })
const api = defineApi({
  v1: { '/notes': notes, '/shelves': shelves, '/shelves/:shelf_id/drawers': drawers },
})

type Ask = (search: string, more?: Partial<HttpRequest>) => Promise<HttpResponse>

interface Stored {
  readonly items: readonly NoteItem[]
  readonly limits?: Partial<Limits>
  readonly afters?: (Position | undefined)[]
}

function askingOf({ items, limits = {}, afters = [] }: Stored): Ask {
  const adapter = {
    list(operation: Operation) {
      afters.push(operation.query.after)
      return select(items, operation)
    },
  }
  const read = ({ id }: Operation): object => ({ id })
  const registry = defineRegistry(api, { limits })
    .onError(() => undefined)
    .adapters({
      notes: adapter as Adapter as never,
      drawers: adapter as never,
      shelves: { read } as never,
    })
  return async (search, more) =>
    handle(
      { method: 'GET', url: search.startsWith('/') ? search : `/v1/notes?${search}`, ...more },
      registry,
    )
}

/** The pages from the first to the last, or to one that is a problem. */
async function pagesOf(ask: Ask, search: string): Promise<readonly HttpResponse[]> {
  const pages: HttpResponse[] = []
  for (let url: string | undefined = `/v1/notes?${search}`; url !== undefined; ) {
    const page: HttpResponse = await ask(url)
    pages.push(page)
    expect(pages.length).toBeLessThan(500)
    url = nextOf(page)
    expect((url ?? '').length).toBeLessThanOrEqual(4096)
  }
  return pages
}

function idsIn(pages: readonly HttpResponse[]): readonly string[] {
  return pages.flatMap(({ body }) => (Array.isArray(body) ? body.map(({ id }) => id) : []))
}

const long = (start: string, rest = 'x'): string => start + rest.repeat(4000)
const named = (...names: readonly (string | null)[]): NoteItem[] =>
  names.map((name, place) => ({ id: `${place}`, name }))

describe('a cursor that would be too long is cut', () => {
  test('so that the next page begins with those that begin alike', async () => {
    const afters: (Position | undefined)[] = []
    const ask = askingOf({ items: named('a', long('b'), long('c', 'y'), 'd'), afters })
    const pages = await pagesOf(ask, 'sort=name&limit=2')
    expect(pages.map((page) => idsIn([page]))).toEqual([
      ['0', '1'],
      ['1', '2'],
      ['2', '3'],
    ])
    expect(afters[1]).toEqual({ name: expect.stringMatching(/^bx{1000,3000}$/), id: null })
  })

  test('so that descending it stands before them', async () => {
    const afters: (Position | undefined)[] = []
    const ask = askingOf({ items: named('a', long('b'), long('c', 'y'), 'd'), afters })
    const pages = await pagesOf(ask, 'sort=-name&limit=2')
    expect(pages.map((page) => idsIn([page]))).toEqual([
      ['3', '2'],
      ['2', '1'],
      ['1', '0'],
    ])
    expect(afters[1]).toEqual({ name: expect.stringMatching(/^cy{1000,3000}z$/), id: null })
  })

  const ends: readonly (readonly [string, string, string])[] = [
    ['the last character before surrogates', '\ud7ff', '\ue000'],
    ['the last of the first plane', '\uffff', '\u{10000}'],
    ['an emoji', '😀', '😁'],
  ]
  test.each(ends)('descending after %s', async (_, character, next) => {
    const afters: (Position | undefined)[] = []
    const items = named(long('', character), 'a')
    const pages = await pagesOf(
      askingOf({ items: [...items, { id: 'z', name: `${next}z` }], afters }),
      'sort=-name&limit=2',
    )
    const cut = String(afters[1]?.name)
    expect([cut.endsWith(next), cut.isWellFormed()]).toEqual([true, true])
    expect(idsIn(pages)).toEqual(['z', '0', '0', '1'])
  })

  test('but not descending where no text is greater', async () => {
    const ask = askingOf({ items: named(long('', '\u{10ffff}'), 'a', 'b') })
    expect(verdictOf(await ask('sort=-name&limit=1'))).toBe('400 uri_too_long')
  })

  test('after a character of two units, not within it', async () => {
    const afters: (Position | undefined)[] = []
    for (const start of ['', 'a', 'ab', 'abc', 'abcd']) {
      const ask = askingOf({ items: named('', long(start, '😀'), 'z'), afters })
      await pagesOf(ask, 'sort=name&limit=2')
    }
    for (const after of afters)
      expect(after === undefined || `${after.name}`.isWellFormed()).toBe(true)
  })

  test('in the last field that is long enough, behind those that fit', async () => {
    const afters: (Position | undefined)[] = []
    const item = { name: 'n'.repeat(60), rank: 1, b: long('b'), c: long('c') }
    const items = ['0', '1', '2'].map((id) => ({
      ...item,
      id,
      c: `${id}${item.c}`,
      b: `${id}${item.b}`,
    }))
    await pagesOf(askingOf({ items, afters }), 'sort=name,rank,b,c&limit=2')
    expect(afters[1]).toEqual({
      name: item.name,
      rank: 1,
      b: expect.stringMatching(/^1bx+$/),
      c: null,
      id: null,
    })
  })

  test('in no field of an enum', async () => {
    const kind = 'x'.repeat(4000) as 'a'
    const kinds = ['a', kind, kind] as const
    const ask = askingOf({ items: kinds.map((kind, id) => ({ id: `${id}`, name: 'n', kind })) })
    expect(verdictOf(await ask('sort=kind&limit=2'))).toBe('400 uri_too_long')
  })

  test('but not one that fits', async () => {
    const afters: (Position | undefined)[] = []
    const names = ['a', 'b', 'c'].map((start) => start + 'x'.repeat(2700))
    const pages = await pagesOf(askingOf({ items: named(...names), afters }), 'sort=name&limit=1')
    expect(idsIn(pages)).toEqual(['0', '1', '2'])
    expect(afters[1]).toEqual({ name: names[0], id: '0' })
  })

  test('and is told where it cannot go on', async () => {
    const ask = askingOf({ items: named(...'abcde'.split('').map((end) => long('n') + end)) })
    const page = await ask('sort=name&limit=3')
    expect(verdictOf(page)).toBe('400 uri_too_long')
    expect((page.body as ProblemBody).message).toMatch(/another "sort" or a higher "limit"/)
    expect(verdictOf(await ask('sort=name&limit=5'))).toBe('200')
    expect(verdictOf(await ask('sort=rank&limit=2'))).toBe('200')
  })

  test('not for an item that no other follows', async () => {
    const ask = askingOf({ items: named('a', long('b')) })
    expect(nextOf(await ask('sort=name&limit=2'))).toBeUndefined()
  })
})

describe('a page leaves a quarter of its target for a cursor', () => {
  const q = (length: number): string => 'q'.repeat(Math.min(length, 256))
  const path = (length: number): string => `/v1/shelves/${'s'.repeat(length)}/drawers`

  test('of the target', async () => {
    // 'limit=2&after=' and the question mark.
    const most = 512 - 128 - (path(200).length + 1 + 14)
    const items = [1, 2, 3].map((id) => ({ id: `${id}`, name: 'n', shelf_id: 's'.repeat(200) }))
    const fits = askingOf({ items, limits: { target: 512 } })
    expect(verdictOf(await fits(path(200)))).toBe('200')
    expect(verdictOf(await fits(path(200), { base: '/'.repeat(most) }))).toBe('200')
    expect(verdictOf(await fits(path(200), { base: '/'.repeat(most + 1) }))).toBe(
      '400 uri_too_long',
    )
  })

  test('of at most 1,024 bytes', async () => {
    const ids = Array.from({ length: 100 }, (_, id) => `id=${'n'.repeat(27)}${id}`).join('&')
    const length = `/v1/notes?${ids}&limit=99&after=`.length
    const verdictAt = async (target: number): Promise<string> =>
      verdictOf(await askingOf({ items: [], limits: { target } })(`${ids}&limit=99`))
    expect(length).toBeGreaterThan(3072)
    expect(await verdictAt(length + 1023)).toBe('400 uri_too_long')
    expect(await verdictAt(length + 1024)).toBe('200')
  })

  test('unless a list of ids fits into the page', async () => {
    const ids = Array.from({ length: 100 }, () => `id=${crypto.randomUUID()}`).join('&')
    const [, first = ''] = /id=([^&]+)/.exec(ids) ?? []
    const ask = askingOf({ items: [{ id: first, name: 'n' }] })
    for (const query of [`${ids}&limit=100`, `sort=-name&limit=1000&${ids}`]) {
      const page = await ask(query)
      expect([page.status, page.body, nextOf(page)]).toEqual([
        200,
        [{ id: first, name: 'n' }],
        undefined,
      ])
    }
    expect(verdictOf(await ask(`${ids}&limit=99`))).toBe('400 uri_too_long')
  })

  test('counted as the link is written', async () => {
    const search = `q=${encodeURIComponent('é'.repeat(256))}&sort=name`
    const ask = askingOf({ items: [], limits: { target: 2048 } })
    expect(verdictOf(await ask(search))).toBe('200')
    expect(verdictOf(await ask(`${search}&limit=2`))).toBe('400 uri_too_long')
    const raw = askingOf({ items: [], limits: { target: 1024 } })
    // 256 characters, which a link escapes.
    expect(verdictOf(await raw(`q=${'@'.repeat(256)}&limit=2`))).toBe('400 uri_too_long')
    expect(verdictOf(await raw(`q=${q(200)}&limit=2`))).toBe('200')
  })

  test('and is refused after authorization, before the parent', async () => {
    const asked: string[] = []
    const adapter = { list: () => asked.push('list'), read: () => asked.push('read') }
    const registryWith = (context: unknown) =>
      defineRegistry(api, { limits: { target: 512 } })
        .context(() => context as object)
        .adapters({ notes: adapter as never, drawers: adapter as never, shelves: adapter as never })
    const url = path(100)
    const base = '/'.repeat(300)
    const answer = async (context: unknown) =>
      verdictOf(await handle({ method: 'GET', url, base }, registryWith(context)))
    expect(await answer(false)).toBe('403 forbidden')
    expect(await answer({})).toBe('400 uri_too_long')
    expect(asked).toEqual([])
  })

  test('but a list that is not cut needs none', async () => {
    const ask = askingOf({ items: [], limits: { target: 512 } })
    const base = '/'.repeat(500)
    expect(verdictOf(await ask('sort=name', { base }))).toBe('200')
    expect(verdictOf(await ask('/v1/notes/count', { base }))).toBe('200')
    expect(verdictOf(await ask('limit=2', { base }))).toBe('400 uri_too_long')
  })
})

describe('a link never exceeds the target limit', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.tuple(
      fc.constantFrom('', 'a', 'b'),
      fc.constantFrom('x', 'é', '😀', '\u{10fffe}', '"', '\u0001'),
      fc.integer({ min: 40, max: 3000 }),
      fc.constantFrom('', 'a', 'b'),
    ).map(([start, rest, times, end]) => start + rest.repeat(times) + end),
  ).filter((one) => one.isWellFormed() && !one.includes('\0')) // biome-ignore format: a table
  const items = fc
    .array(fc.record({ name: fc.option(text), b: text, c: text, rank: fc.nat(2) }), {
      maxLength: 12,
    })
    .map((all) => all.map((item, place) => ({ ...item, id: `${place}` })))
  const sort = fc.constantFrom(
    'name',
    '-name',
    'name,b',
    '-name,-b',
    'rank,-name,c',
    '-b,name,-c',
    'id,-name',
    'b,rank',
  )

  test('and joined pages miss no item', async () => {
    await fc.assert(
      fc.asyncProperty(
        items,
        sort,
        fc.integer({ min: 1, max: 6 }),
        async (stored, order, limit) => {
          const ask = askingOf({ items: stored })
          const whole = idsIn([await ask(`sort=${order}`)])
          const pages = await pagesOf(ask, `sort=${order}&limit=${limit}`)
          const last = pages.at(-1)
          const verdict = last === undefined ? '' : verdictOf(last)
          expect(['200', '400 uri_too_long']).toContain(verdict)
          const seen = [...new Set(idsIn(pages))]
          // All items arrive in order, up to the page that has no next link.
          expect(seen).toEqual(whole.slice(0, seen.length))
          if (verdict === '200') expect(seen).toEqual(whole)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a cursor that was cut', () => {
  const ask = askingOf({ items: named('a', long('b'), long('c')) })
  const cut = async (): Promise<readonly unknown[]> =>
    partsOf(cursorIn(nextOf(await ask('sort=name&limit=2'))))
  const rows: readonly (readonly [
    name: string,
    change: (parts: readonly unknown[]) => readonly unknown[],
    verdict: string,
  ])[] = [
    ['is one', (parts) => parts, '200'],
    ['keeps 50 characters', ([mark, text]) => [mark, `${text}`.slice(0, 50)], '200'],
    ['keeps no fewer', ([mark, text]) => [mark, `${text}`.slice(0, 49)], '400 invalid_cursor'],
    ['ends in a text', ([mark]) => [mark, 7], '400 invalid_cursor'],
    ['ends in no null', ([mark]) => [mark, null], '400 invalid_cursor'],
    ['holds one at least', ([mark]) => [mark], '400 invalid_cursor'],
    ['holds no NUL', ([mark, text]) => [mark, `${text}\0`], '400 invalid_cursor'],
    ['is not followed by a missing id', ([mark, text]) => [mark, text, null], '400 invalid_cursor'],
    ['holds no long text beyond the order', ([mark, text]) => [mark, `${text}`.slice(0, 60), 'a', 'x'.repeat(60)], '400 invalid_cursor'],
    ['holds no more than the order', ([mark, text]) => [mark, text, 'a', 'b'], '400 invalid_cursor'],
  ] // biome-ignore format: rows
  test.each(rows)('%s', async (_, change, verdict) => {
    const after = forged(change(await cut()))
    expect(verdictOf(await ask(`sort=name&limit=2&after=${after}`))).toBe(verdict)
  })
})

describe('without holdsValue a page ends where the schema fits', () => {
  const odd: readonly (readonly [string, object])[] = [
    ['name', { name: 7 }],
    ['name', { name: 'a\0' }],
    ['rank', { name: 'a', rank: '1' }],
    ['kind', { name: 'a', kind: 'b' }],
  ]
  test.each(odd)('of %s in %j', async (field, item) => {
    const errors: unknown[] = []
    const list = (): readonly object[] => [
      { id: '1', name: 'a' },
      ...['2', '3', '4'].map((id) => ({ ...item, id })),
      { id: '5', name: 'b' },
    ]
    const registry = defineRegistry(api)
      .onError((error) => void errors.push(error))
      .adapters({ notes: { list } as never, drawers: memoryAdapter(), shelves: memoryAdapter() })
    const ask = async (limit: number) =>
      handle({ method: 'GET', url: `/v1/notes?sort=${field}&limit=${limit}` }, registry)
    // The page ends before them, if an item stands before them.
    const pages = [await ask(1), await ask(2), await ask(4)]
    expect(pages.map((page) => idsIn([page]))).toEqual([['1'], ['1'], ['1']])
    expect(pages.map((page) => partsOf(cursorIn(nextOf(page))).at(-1))).toEqual(['1', '1', '1'])
    expect(idsIn([await ask(5)])).toEqual(['1', '2', '3', '4', '5'])
    expect(errors).toEqual([])
  })

  test('and leaves whole where it fits nowhere', async () => {
    const errors: unknown[] = []
    const list = (): readonly object[] => ['1', '2', '3'].map((id) => ({ id, name: 7 }))
    const registry = defineRegistry(api)
      .onError((error) => void errors.push(error))
      .adapters({ notes: { list } as never, drawers: memoryAdapter(), shelves: memoryAdapter() })
    const page = await handle({ method: 'GET', url: '/v1/notes?sort=name&limit=2' }, registry)
    expect([verdictOf(page), idsIn([page])]).toEqual(['200', ['1', '2']])
    const next = await handle({ method: 'GET', url: nextOf(page) ?? '' }, registry)
    expect(verdictOf(next)).toBe('400 invalid_cursor')
    expect(errors).toEqual([])
  })
})
