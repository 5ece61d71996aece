import { defineApi, defineRegistry, defineResource, type HttpResponse, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { UncheckedAdapter } from '../../src/contract/resource/adapter.ts'
import { verdictOf } from '../support/registry.ts'

const Task = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['new', 'open']).optional(),
  revision: z.int(),
})
const declaration = {
  schema: Task,
  create: Task.omit({ id: true, revision: true }),
  sortable: ['title'],
  searchable: ['title'],
  filterable: ['title', 'status'],
  revision: 'revision',
} as const
const items = ['d', 'b', 'a', 'c'].map((title, index) => ({
  id: `${index + 1}`,
  title,
  ...(index % 2 === 0 ? { status: 'new' as const } : {}),
  revision: 1,
}))

interface Setting {
  readonly adapter?: UncheckedAdapter
  readonly total?: boolean
}

function serviceOf({ adapter = memoryAdapter({ items }), total }: Setting = {}) {
  const tasks = defineResource('tasks', {
    ...declaration,
    ...(total === undefined ? {} : { total }),
  })
  const errors: unknown[] = []
  const registry = defineRegistry(defineApi({ v1: { '/tasks': tasks } }))
    .onError((error) => void errors.push(error))
    .adapters({ tasks: adapter as never })
  const ask = async (url: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    handle({ method: 'GET', url: `/v1/tasks${url}`, headers }, registry)
  const ids = async (url: string): Promise<unknown> => {
    const { body } = await ask(url)
    return Array.isArray(body) ? body.map(({ id }) => id).join('') : body
  }
  return { ask, ids, errors }
}

const counting = { prefer: 'count=exact' }
const totalOf = ({ headers }: HttpResponse): readonly unknown[] => [
  headers['x-total-count'],
  headers['preference-applied'],
  headers.vary,
]

describe('a page by number', () => {
  const { ids, ask } = serviceOf()
  const pages: readonly (readonly [query: string, ids: string])[] = [
    ['?limit=2&offset=0', '12'],
    ['?limit=2&offset=1', '23'],
    ['?limit=2&offset=2', '34'],
    ['?limit=2&offset=3', '4'],
    ['?limit=2&offset=4', ''],
    ['?limit=2&offset=10000', ''],
    ['?limit=1&offset=1&sort=title', '2'],
    ['?limit=1&offset=1&status=new', '3'],
    ['?limit=9&offset=1&sort=-id', '321'],
  ]
  for (const [query, expected] of pages) {
    test(query, async () => expect(await ids(query)).toBe(expected))
  }

  test('links to the page after by its cursor', async () => {
    const { headers } = await ask('?limit=2&offset=1&sort=title&fields=title')
    const url = /<([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
    expect(url).not.toContain('offset')
    expect(url).toContain('fields=title')
    expect(await ids(url.replace('/v1/tasks', ''))).toBe('1')
  })

  const refused = ['?offset=1', '?limit=2&offset=1&after=x', '?limit=2&offset=10001']
  for (const query of refused) {
    test(`${query} is refused`, async () =>
      expect(verdictOf(await ask(query))).toBe('400 bad_parameter'))
  }

  test('needs no limit with a default one', async () => {
    const tasks = defineResource('tasks', { ...declaration, defaultLimit: 2 })
    const registry = defineRegistry(defineApi({ v1: { '/tasks': tasks } })).adapters({
      tasks: memoryAdapter({ items }),
    })
    const { body } = await handle({ method: 'GET', url: '/tasks?offset=3' }, registry)
    expect(body).toMatchObject([{ id: '4' }])
  })

  test('a stream is cut too', async () => {
    async function* list() {
      yield* items
    }
    expect(await serviceOf({ adapter: { list } }).ids('?limit=2&offset=1')).toBe('23')
  })
})

describe('the total', () => {
  test('comes where the client prefers it', async () => {
    const { ask } = serviceOf()
    expect(totalOf(await ask('?limit=1', counting))).toEqual(['4', 'count=exact', 'Prefer'])
    expect(totalOf(await ask('', counting))).toEqual(['4', 'count=exact', 'Prefer'])
    expect(totalOf(await ask('?status=new&limit=1&offset=1', counting))[0]).toBe('2')
    expect(totalOf(await ask('?q=b', counting))[0]).toBe('1')
    expect(totalOf(await ask('?limit=1'))).toEqual([undefined, undefined, undefined])
  })

  test('is the same on every page', async () => {
    const { ask } = serviceOf()
    const { headers } = await ask('?limit=1', counting)
    const url = /<([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
    expect(totalOf(await ask(url.replace('/v1/tasks', ''), counting))[0]).toBe('4')
  })

  for (const prefer of ['count=planned', 'count', 'counts=exact', 'x="count=exact"', '']) {
    test(`prefer: ${prefer} has no effect`, async () => {
      expect(totalOf(await serviceOf().ask('', { prefer }))).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    })
  }

  test('always comes, or never, as the resource says', async () => {
    const always = serviceOf({ total: true })
    expect(totalOf(await always.ask('?limit=1'))).toEqual(['4', undefined, undefined])
    expect(totalOf(await always.ask('', counting))).toEqual(['4', 'count=exact', 'Prefer'])
    const never = serviceOf({ total: false })
    expect(totalOf(await never.ask('', counting))).toEqual([undefined, undefined, undefined])
  })

  test('is counted beside a page that takes its time', async () => {
    const asked: string[] = []
    const adapter: UncheckedAdapter = {
      async list() {
        asked.push('list')
        return items.slice(0, 2)
      },
      async count() {
        asked.push('count')
        return 4
      },
    }
    const { ask } = serviceOf({ adapter })
    const response = ask('?limit=1', counting)
    await Promise.resolve()
    expect(totalOf(await response)[0]).toBe('4')
    expect(asked).toEqual(['list', 'count'])
  })

  for (const late of [true, false]) {
    test(`a count that fails ${late ? 'late' : 'at once'} fails the page`, async () => {
      const count = () => {
        const error = new Error('no count')
        if (late) return Promise.reject(error)
        throw error
      }
      for (const list of [() => items, async () => items]) {
        const { ask, errors } = serviceOf({ adapter: { list, count } })
        expect((await ask('', counting)).status).toBe(500)
        expect(errors).toHaveLength(1)
      }
    })
  }

  for (const isLate of [true, false]) {
    for (const isWhole of [true, false]) {
      const close = isWhole ? 'closes' : 'fails to close'
      test(`a count that fails ${close} a ${isLate ? 'late ' : ''}stream`, async () => {
        let closes = 0
        const stream = {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: true, value: undefined }),
            return: async () => {
              closes++
              if (!isWhole) throw new Error('no end')
              return { done: true, value: undefined }
            },
          }),
        }
        const list = () =>
          isLate ? new Promise((resolve) => setTimeout(resolve, 5, stream)) : stream
        const count = async () => {
          throw new Error('no count')
        }
        const { ask, errors } = serviceOf({ adapter: { list, count } })
        expect((await ask('', counting)).status).toBe(500)
        await new Promise((resolve) => setTimeout(resolve, 20))
        expect(closes).toBe(1)
        expect(errors).toMatchObject([{ message: 'no count' }])
      })
    }
  }

  test('a list that fails after its count throws its own error', async () => {
    const list = async () => {
      throw new Error('no list')
    }
    const { ask, errors } = serviceOf({ adapter: { list, count: async () => 4 } })
    expect((await ask('', counting)).status).toBe(500)
    expect(errors).toMatchObject([{ message: 'no list' }])
  })

  test('comes from the list where an adapter cannot count', async () => {
    const { ask } = serviceOf({ adapter: { list: () => items } })
    expect(totalOf(await ask('', counting))[0]).toBe('4')
  })
})

describe('a total of a middleware', () => {
  const verdictWith = async (total: unknown): Promise<readonly unknown[]> => {
    const tasks = defineResource('tasks', declaration)
    const registry = defineRegistry(defineApi({ v1: { '/tasks': tasks } }))
      .onError(() => undefined)
      .use(() => ({ gives: 'items', items: [], total }) as never)
      .adapters({ tasks: memoryAdapter({ items }) })
    const asked = { method: 'GET', url: '/v1/tasks', headers: counting }
    const response = await handle(asked, registry)
    return [response.status, ...totalOf(response)]
  }

  test('is sent where it is a number of items, and may be absent', async () => {
    expect(await verdictWith(7)).toEqual([200, '7', 'count=exact', 'Prefer'])
    expect(await verdictWith(undefined)).toEqual([200, undefined, undefined, undefined])
  })

  for (const total of ['7', -1, 1.5, Number.NaN, null, '1\r\nset-cookie: a=b', {}]) {
    test(`is refused as ${JSON.stringify(total)}`, async () =>
      expect((await verdictWith(total))[0]).toBe(500))
  }
})

describe('fields', () => {
  const { ask } = serviceOf()

  test('leaves out the other fields, never the id', async () => {
    expect((await ask('?fields=title')).body).toEqual(items.map(({ id, title }) => ({ id, title })))
    expect((await ask('/1?fields=status,title')).body).toEqual({
      id: '1',
      title: 'd',
      status: 'new',
    })
    expect((await ask('/first?fields=id')).body).toEqual({ id: '1' })
    expect((await ask('/last?fields=status')).body).toEqual({ id: '4' })
  })

  test('goes without an ETag', async () => {
    expect((await ask('/1')).headers.etag).toBe('"1"')
    expect((await ask('/1?fields=')).headers.etag).toBe('"1"')
    expect((await ask('/1?fields=revision')).headers).not.toHaveProperty('etag')
    expect((await ask('/first?fields=revision')).headers).not.toHaveProperty('etag')
  })

  test('names what is allowed', async () => {
    const { body } = await ask('?fields=secret')
    expect(body).toMatchObject({ allowed: ['id', 'title', 'status', 'revision'] })
  })

  test('is no parameter of a count or a write', async () => {
    expect(verdictOf(await ask('/count?fields=title'))).toBe('400 unknown_parameter')
  })

  test('tells onError of items that are not whole', async () => {
    const { ask, errors } = serviceOf({ adapter: { list: () => [{ id: '1', title: 'a' }] } })
    const { status, body } = await ask('?fields=title')
    expect([status, body]).toEqual([200, [{ id: '1', title: 'a' }]])
    expect(errors).toEqual(expect.arrayContaining([expect.objectContaining({ id: '1' })]))
    expect(errors.every((error) => Object(error).name === 'StoredValueError')).toBe(true)
  })

  test('is kept on every item of a stream', async () => {
    async function* list() {
      yield items.slice(0, 1)
      yield* items.slice(1)
    }
    const { body } = await serviceOf({ adapter: { list } }).ask('?fields=title')
    const streamed: unknown[] = []
    for await (const item of body as AsyncIterable<unknown>) streamed.push(item)
    expect(streamed).toEqual(items.map(({ id, title }) => ({ id, title })))
  })
})

describe('an adapter that ignores its filters', () => {
  const blind = { list: () => items, first: () => items[1], last: () => items[1] }
  for (const url of ['?status=new', '?limit=2&status=new', '/first?status=new', '/last?id=1']) {
    test(`is a 500 for ${url}`, async () => {
      const { ask, errors } = serviceOf({ adapter: blind })
      expect((await ask(url)).status).toBe(500)
      expect(String(errors[0])).toContain('obey query.where')
    })
  }

  test('is found out in a stream', async () => {
    async function* list() {
      yield* items
    }
    const { ask } = serviceOf({ adapter: { list } })
    const { body, status } = await ask('?status=new')
    const read = async (): Promise<void> => {
      for await (const _ of body as AsyncIterable<unknown>);
    }
    if (status === 200) await expect(read()).rejects.toThrow()
    else expect(status).toBe(500)
  })

  test('is found out at little cost, however many items come one by one', async () => {
    const count = 20_000
    async function* list() {
      for (let id = 0; id < count; id++) yield { id: `${id}`, title: 'x', revision: 1 }
    }
    const query = Array.from({ length: 100 }, (_, index) => `title:ne=${index}`).join('&')
    const { body } = await serviceOf({ adapter: { list } }).ask(`?${query}`)
    const start = performance.now()
    let length = 0
    for await (const _ of body as AsyncIterable<unknown>) length++
    expect(length).toBe(count)
    expect(performance.now() - start).toBeLessThan(1000)
  })

  test('is not asked more where nothing is filtered', async () => {
    expect(await serviceOf({ adapter: blind }).ids('')).toBe('1234')
  })
})
