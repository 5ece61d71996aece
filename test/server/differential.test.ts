import { defineApi, defineRegistry, defineResource, type HttpResponse, handle } from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { expect, test } from 'vitest'
import {
  below,
  expectedOf,
  items,
  kinds,
  moments,
  numbers,
  oneOf,
  operatorsOf,
  type Pair,
  scalarOf,
  Task,
  texts,
} from '../support/asked.ts'

const options = {
  schema: Task,
  sortable: ['title', 'note', 'rank', 'weight', 'done', 'due'],
  searchable: ['title', 'note'],
  filterable: ['title', 'note', 'status', 'rank', 'weight', 'done', 'due'],
  maxLimit: 50,
} as const
const tasks = defineResource('tasks', options)
const api = defineApi({ v1: { '/tasks': tasks } })
const failures: unknown[] = []
const registryOf = (adapter: object) =>
  defineRegistry(api)
    .onError((error) => void failures.push(error))
    .adapters({ tasks: adapter as never })
const registries = [
  registryOf(memoryAdapter({ items })),
  registryOf({ list: (operation: never) => select(items, operation) }),
]

// biome-ignore format: one list
const values = [
  ...texts, ...moments, ...numbers.map(String), 'new', 'open', 'true', 'false', '1E0', '1.0', '-0', '10e-1',
  '07', 'x', '1e400', '0', '3', '17', '42', 'first',
]

function fitting(field: string): string {
  const kind = kinds[field]
  if (below(12) === 0) return oneOf(values)
  if (kind === 'moment') return oneOf(moments)
  if (kind === 'boolean') return oneOf(['true', 'false'])
  if (kind === 'enum') return oneOf(['new', 'open'])
  if (kind === 'number') return oneOf([...numbers.map(String), '1E0', '1.0', '-0', '10e-1', '1E21'])
  if (kind === 'integer') return oneOf(['0', '1', '2', '3.0', '1E0', '-0', '10e-1'])
  return kind === 'id' ? `${below(70)}` : oneOf(texts)
}

function pairOf(): Pair {
  const field = oneOf([...Object.keys(kinds), ...Object.keys(kinds), 'nope'])
  const all = field in kinds ? operatorsOf(field) : ['eq', 'ne']
  const operator = below(15) === 0 ? oneOf(['gt', 'null', 'contains', 'like']) : oneOf(all)
  const name = operator === 'eq' ? field : `${field}:${operator}`
  return [name, operator === 'null' ? oneOf(['true', 'false']) : fitting(field)]
}

const searchOf = (pairs: readonly Pair[]): string =>
  new URLSearchParams(pairs.map(([...pair]) => pair)).toString()
const get = async (url: string, registry: (typeof registries)[number]): Promise<HttpResponse> =>
  handle({ method: 'GET', url, headers: { prefer: 'count=exact' } }, registry)
const idsOf = (found: readonly object[]): string =>
  found.map((item) => scalarOf(item, 'id')).join(' ')
const isList = Array.isArray as (body: unknown) => body is readonly object[]

async function readPages(url: string, registry: (typeof registries)[number], total: number) {
  const all: object[] = []
  for (let next: string | undefined = url; next !== undefined; ) {
    const { headers, body, status } = await get(next, registry)
    expect([next, status]).toEqual([next, 200])
    expect(headers['x-total-count']).toBe(`${total}`)
    if (isList(body)) all.push(...body)
    next = /<([^>]+)>/.exec(String(headers.link))?.[1]
  }
  return all
}

const rounds = 300

test(`${rounds} random questions are answered as the rules say`, async () => {
  let met = 0
  for (let round = 0; round < rounds; round++) {
    const pairs: Pair[] = Array.from({ length: below(4) }, pairOf)
    if (below(3) === 0 && pairs[0])
      pairs.push([pairs[0][0], fitting(pairs[0][0].split(':')[0] ?? '')])
    const sort = oneOf(['', '', 'title', '-due', 'note,-rank', '-weight,done', 'rank,-id', '-id'])
    const q = oneOf(['', '', '', 'a', 'ss', 'B a'])
    const { faults, found } = expectedOf(pairs, sort, q)
    if (found.length > 0 && faults.length === 0) met++
    const asked: Pair[] = [
      ...pairs,
      ...(sort ? [['sort', sort] as const] : []),
      ...(q ? [['q', q] as const] : []),
    ]
    const search = searchOf(asked)
    const limit = 1 + below(20)
    const offset = below(30)
    for (const registry of registries) {
      const whole = await get(`/v1/tasks?${search}`, registry)
      if (faults.length > 0) {
        expect([search, whole.status]).toEqual([search, 400])
        expect(faults).toContain(Object(whole.body).code)
        continue
      }
      const { body } = whole
      expect([search, isList(body) && idsOf(body)]).toEqual([search, idsOf(found)])
      const pages = await readPages(`/v1/tasks?${search}&limit=${limit}`, registry, found.length)
      expect([search, idsOf(pages)]).toEqual([search, idsOf(found)])
      const page = await get(
        `/v1/tasks?${search}&limit=${limit}&offset=${offset}&fields=title`,
        registry,
      )
      expect(page.body).toEqual(
        found.slice(offset, offset + limit).map(({ id, title }) => ({ id, title })),
      )
      const bare = searchOf(asked.filter(([name]) => name !== 'sort'))
      const counted = await get(`/v1/tasks/count?${bare}`, registry)
      expect(counted.body).toEqual({ count: found.length })
      for (const [word, item] of [
        ['first', found.at(0)],
        ['last', found.at(-1)],
      ] as const) {
        const end = await get(`/v1/tasks/${word}?${search}`, registry)
        expect(end.status).toBe(item ? 200 : 404)
        if (item) expect(end.body).toMatchObject({ id: item.id })
      }
    }
  }
  expect(failures).toEqual([])
  expect(met).toBeGreaterThan(rounds / 8)
})
