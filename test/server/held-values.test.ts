import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type HttpResponse,
  handle,
  narrow,
} from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Scalar } from '../../src/contract/resource/operation.ts'
import { cursorIn, forged, nextOf, partsOf } from '../support/cursors.ts'
import { verdictOf } from '../support/registry.ts'

const Part = z.object({
  id: z.number(),
  size: z.number().optional(),
  isNew: z.boolean(),
  at: z.iso.date(),
})
const parts = defineResource('parts', {
  schema: Part,
  id: z.coerce.number(),
  sortable: ['size', 'isNew', 'at'],
})
const parts_v1 = defineView('parts_v1', parts, {
  schema: z.object({ id: z.number(), width: z.number().optional() }),
  fields: { width: 'size' },
  id: z.coerce.number(),
  sortable: ['width'],
  without: ['create'],
  hidden: { isNew: false, at: '2026-01-01' },
})
const api = defineApi({ v1: { '/parts': parts_v1 }, v2: { '/parts': parts } })

// A database that is older than the schema holds such rows.
const rows = [
  { id: 1, size: 5, isNew: true, at: '2026-01-01' },
  { id: 2, size: 'n/a', isNew: 't', at: 'yesterday' },
  { id: '9007199254740993', size: 'n/a', isNew: 'f', at: '' },
  { id: '9007199254740995', size: true, isNew: 7, at: 'a\0b' },
  { id: 3, isNew: null, at: '\ud800' },
  { id: 4, size: null, isNew: false, at: '0' },
]

type Ask = (url: string) => Promise<HttpResponse>

function askingOf(adapter: Adapter): { readonly ask: Ask; readonly errors: unknown[] } {
  const errors: unknown[] = []
  const registry = defineRegistry(api, { defaultVersion: 'v2' })
    .onError((error) => void errors.push(error))
    .adapters({ parts: adapter as never })
  return { ask: async (url) => handle({ method: 'GET', url }, registry), errors }
}

async function idsByPages(ask: Ask, start: string): Promise<readonly unknown[]> {
  const ids: unknown[] = []
  for (let url: string | undefined = start; url !== undefined; ) {
    const page: HttpResponse = await ask(url)
    expect([url, verdictOf(page)]).toEqual([url, '200'])
    for (const { id } of page.body as { id: unknown }[]) ids.push(id)
    expect(ids.length).toBeLessThan(99)
    url = nextOf(page)
  }
  return ids
}

// The compiler takes no row that breaks the schema.
const stored = rows as never
const adapters: Readonly<Record<string, () => Adapter>> = {
  memory: () => memoryAdapter({ items: stored }) as Adapter,
  'memory that is narrowed': () => narrow(memoryAdapter({ items: stored }) as Adapter, {}),
  'one by hand': () => ({
    list: (operation) => select(rows as never[], operation),
    holdsValue: async () => true,
  }),
}

describe.each(Object.entries(adapters))('in %s', (_, adapter) => {
  const sorts = ['id', 'size', '-size', 'isNew', '-isNew', 'at', '-at', 'size,isNew,-at', '-id']
  test.each(sorts)('a page ends after any row by %s', async (sort) => {
    const { ask } = askingOf(adapter())
    const { body } = await ask(`/v2/parts?sort=${sort}&limit=99`)
    const ids = (body as { id: unknown }[]).map(({ id }) => id)
    expect(ids).toHaveLength(rows.length)
    for (const limit of [1, 2, 3, 5])
      expect(await idsByPages(ask, `/v2/parts?sort=${sort}&limit=${limit}`)).toEqual(ids)
  })

  test.each(['width', '-width'])('a page of a view ends after any row by %s', async (sort) => {
    const { ask } = askingOf(adapter())
    const ids = await idsByPages(ask, `/v2/parts?sort=${sort.replace('width', 'size')}&limit=1`)
    expect(await idsByPages(ask, `/v1/parts?sort=${sort}&limit=1`)).toEqual(ids)
  })
})

describe('an adapter tells what its fields hold', () => {
  type Held = (field: string, value: Scalar) => boolean
  function holding(held?: Held) {
    const seen: unknown[] = []
    const adapter: Adapter = {
      list: (operation) => select(rows.slice(0, 1) as never[], operation),
      ...(held && {
        holdsValue: (field, value, { resource, context }) => {
          seen.push([field, value, resource.name, context])
          return held(field, value)
        },
      }),
    }
    return { ...askingOf(adapter), seen }
  }

  async function cursorsOf(ask: Ask, url: string) {
    const memory = askingOf(memoryAdapter({ items: stored }) as Adapter)
    const [mark] = partsOf(cursorIn(nextOf(await memory.ask(url))))
    return async (...values: readonly unknown[]) =>
      verdictOf(await ask(`${url}&after=${forged([mark, ...values])}`))
  }

  // biome-ignore format: a row stays a line
  const cursors: [values: unknown[], held: Held | undefined, verdict: string, seen: unknown[]][] = [
    [[5, 1],            () => false,                          '200',                []],
    [['n/a', 1],        () => true,                           '200',                [['size', 'n/a', 'parts', undefined]]],
    [['n/a', 1],        () => false,                          '400 invalid_cursor', [['size', 'n/a', 'parts', undefined]]],
    [['n/a', 1],        undefined,                            '400 invalid_cursor', []],
    [['n/a', 'x'],      (field) => field === 'size',          '400 invalid_cursor', [['size', 'n/a', 'parts', undefined], ['id', 'x', 'parts', undefined]]],
    [[5, null],         () => true,                           '400 invalid_cursor', []],
    [[5],               () => true,                           '400 invalid_cursor', []],
    [[5, 1, 1],         () => true,                           '400 invalid_cursor', []],
    [['x'.repeat(60)],  () => true,                           '200',                [['size', 'x'.repeat(60), 'parts', undefined]]],
  ]
  test.each(cursors)('%j', async (values, held, verdict, questions) => {
    for (const url of ['/v2/parts?sort=size&limit=1', '/v1/parts?sort=width&limit=1']) {
      const { ask, seen, errors } = holding(held)
      expect(await (await cursorsOf(ask, url))(...values)).toBe(verdict)
      expect([seen, errors]).toEqual([questions, []])
    }
  })
})
