import { defineApi, defineRegistry, defineResource, defineView, handle, narrow } from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { skipsItems } from '../../src/contract/resource/siblings.ts'

const Row = z.object({ id: z.string(), rank: z.number().nullable(), owner_id: z.string() })
type Item = z.infer<typeof Row>
const rows = defineResource('rows', { schema: Row, sortable: ['rank'], filterable: ['owner_id'] })
const shown = defineView('lines', rows, { schema: Row, create: Row, sortable: ['rank'] })

const items: readonly Item[] = Array.from({ length: 1200 }, (_, index) => ({
  id: String(index).padStart(4, '0'),
  rank: index % 7 === 0 ? null : index % 13,
  owner_id: index % 2 === 0 ? 'a' : 'b',
}))

/** What the adapter was asked for, and what it held at once. */
interface Log {
  readonly limits: (number | undefined)[]
  readonly offsets: number[]
}

async function* streamed(list: readonly Item[]) {
  for (const item of list) yield item
}

type Give = (list: Item[]) => readonly Item[] | AsyncIterable<Item>

function byHand(log: Log, give: Give) {
  return {
    list: (operation: Parameters<typeof select>[1]) => {
      log.limits.push(operation.query.limit)
      log.offsets.push(operation.query.offset)
      return give(select(items, operation))
    },
    read: () => null,
  }
}

const adapters = {
  'an array': (log: Log) => byHand(log, (list) => list),
  'a promise': (log: Log) => byHand(log, (list) => Promise.resolve(list) as never),
  'a stream': (log: Log) => byHand(log, streamed),
  'a list that skips': (log: Log) => {
    const { list, read } = byHand(log, (found) => found)
    return { list: skipsItems(list), read }
  },
  'a narrowed list that skips': (log: Log) => {
    const { list, read } = byHand(log, (found) => found)
    return narrow({ list: skipsItems(list), read } as never, {})
  },
  memory: () => memoryAdapter({ items: [...items] as never }),
} as const
const skipping = ['a list that skips', 'a narrowed list that skips']

function serverOf(name: keyof typeof adapters, log: Log) {
  const api = defineApi({ v1: { '/rows': shown }, v2: { '/rows': rows } })
  const registry = defineRegistry(api, { defaultVersion: 'v1' })
    .onError(() => undefined)
    .adapters({ rows: adapters[name](log) } as never)
  return async (path: string) => {
    const { status, body } = await handle({ method: 'GET', url: path, headers: {} }, registry)
    return [status, body]
  }
}

const queries = [
  '?limit=10&offset=1',
  '?limit=10&offset=99',
  '?limit=10&offset=1000',
  '?limit=10&offset=1195',
  '?limit=10&offset=1200',
  '?limit=10&offset=5000',
  '?limit=150&offset=400',
  '?limit=1&offset=100&sort=-rank',
  '?limit=7&offset=333&sort=rank',
  '?limit=7&offset=333&sort=rank&owner_id=a',
]

function expectedOf(query: string): readonly Item[] {
  const parameters = new URLSearchParams(query)
  const [limit, offset] = [Number(parameters.get('limit')), Number(parameters.get('offset'))]
  const sort = parameters.get('sort') ?? ''
  const owner = parameters.get('owner_id')
  const ranked = (item: Item) => item.rank ?? 100
  const sign = sort.startsWith('-') ? -1 : 1
  const found = items.filter(({ owner_id }) => owner === null || owner_id === owner)
  const sorted = sort === '' ? found : found.toSorted((a, b) => sign * (ranked(a) - ranked(b)))
  return sorted.slice(offset, offset + limit)
}

describe.each(Object.keys(adapters) as (keyof typeof adapters)[])('a page of %s', (name) => {
  test.each(['/v1/rows', '/v2/rows'])('is that slice of the list: %s', async (path) => {
    const get = serverOf(name, { limits: [], offsets: [] })
    for (const query of queries.filter((one) => path === '/v2/rows' || !one.includes('owner')))
      expect(await get(path + query), query).toEqual([200, expectedOf(query)])
  })
})

test.each(Object.keys(adapters).slice(0, 3) as (keyof typeof adapters)[])(
  'the core holds few items of %s',
  async (name) => {
    const log: Log = { limits: [], offsets: [] }
    const get = serverOf(name, log)
    await get('/v2/rows?limit=10&offset=1000')
    expect(Math.max(...log.limits.map(Number))).toBe(100)
    expect(new Set(log.offsets)).toEqual(new Set([0]))
    expect(log.limits).toHaveLength(11)
  },
)

test.each(skipping as (keyof typeof adapters)[])('%s gets the offset', async (name) => {
  for (const path of ['/v1/rows', '/v2/rows']) {
    const log: Log = { limits: [], offsets: [] }
    await serverOf(name, log)(`${path}?limit=10&offset=1000`)
    expect(log).toEqual({ limits: [11], offsets: [1000] })
  }
})

test('a list that goes nowhere is 500', async () => {
  const list = () => items.slice(0, 100)
  const registry = defineRegistry(defineApi({ v1: { '/rows': rows } }))
    .onError(() => undefined)
    .adapters({ rows: { list, read: () => null } } as never)
  const url = '/v1/rows?limit=10&offset=500'
  expect((await handle({ method: 'GET', url, headers: {} }, registry)).status).toBe(500)
})
