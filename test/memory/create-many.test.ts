import {
  type Api,
  defineApi,
  defineRegistry,
  defineResource,
  handle,
  type Registry,
  type Resource,
} from 'nounful'
import { type MemoryOptions, memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AdapterShape } from '../../src/contract/resource/operation.ts'

const Task = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string().optional(),
  due: z.iso.datetime({ offset: true }).optional(),
  by: z.string().optional(),
})
const tasks = defineResource('tasks', {
  schema: Task,
  create: Task.partial({ id: true }).omit({ by: true }),
  update: Task.omit({ id: true, by: true }),
  sortable: ['name', 'due'],
})
type ShapeOf<R> = R extends Resource<infer S> ? S & Pick<AdapterShape, 'scope' | 'context'> : never
type TaskShape = ShapeOf<typeof tasks>

const stored: readonly TaskShape['item'][] = [
  { id: 'a', name: 'A', code: '1' },
  { id: 'b', name: 'B', code: '2' },
]

type Options = Omit<MemoryOptions<TaskShape>, 'items' | 'unique'>

function registryWith(options: Options = {}): Registry<Api> {
  return defineRegistry(defineApi({ v1: { '/tasks': tasks } }))
    .onError(() => undefined)
    .adapters({ tasks: memoryAdapter({ items: stored, unique: ['code'], ...options }) })
}

async function post(registry: Registry<Api>, body: unknown): Promise<[number, unknown]> {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', url: '/v1/tasks', headers, body: JSON.stringify(body) }
  const answer = await handle(request, registry)
  return [answer.status, answer.body]
}

async function idsIn(registry: Registry<Api>): Promise<unknown> {
  const { body } = await handle({ method: 'GET', url: '/v1/tasks' }, registry)
  return (body as { readonly id: string }[]).map(({ id }) => id)
}

describe('createMany', () => {
  test('gives the items in the order of the request', async () => {
    const registry = registryWith()
    const [status, made] = await post(registry, [{ name: 'x' }, { id: 'Z', name: 'y' }, stored[0]])
    expect([status, await idsIn(registry)]).toEqual([409, ['a', 'b']])
    expect(made).toMatchObject({ issues: [{ pointer: '/2/code' }, { pointer: '/2/id' }] })
    const [created, items] = await post(registry, [{ name: 'x' }, { id: 'Z', name: 'y' }])
    expect([created, items]).toMatchObject([201, [{ name: 'x' }, { id: 'Z', name: 'y' }]])
  })

  // biome-ignore format: a row stays a line
  const refused: readonly (readonly [items: readonly object[], pointers: readonly string[]])[] = [
    [[{ name: 'x', code: '1' }],                                                  ['/0/code']],
    [[{ name: 'x' }, { id: 'b', name: 'y' }],                                     ['/1/id']],
    [[{ name: 'x', code: '9' }, { name: 'y' }, { name: 'z', code: '9' }],         ['/2/code']],
    [[{ id: 'b', name: 'x', code: '1' }, { name: 'y' }, { id: 'a', name: 'z' }],  ['/0/code', '/0/id', '/2/id']],
    [[{ id: 'b', name: 'x', code: '2' }],                                         ['/0/code', '/0/id']],
  ]
  for (const [items, pointers] of refused) {
    test(`refuses ${pointers}`, async () => {
      const registry = registryWith()
      const issues = pointers.map((pointer) => {
        return { pointer, code: 'not_unique', message: 'is taken by another item' }
      })
      expect(await post(registry, items)).toMatchObject([409, { code: 'conflict', issues }])
      expect(await idsIn(registry)).toEqual(['a', 'b'])
    })
  }

  test('stores each date in one form', async () => {
    const made = await post(registryWith(), [{ name: 'x', due: '2026-01-01T02:00:00+02:00' }])
    expect(made).toMatchObject([201, [{ due: '2026-01-01T00:00:00.000Z' }]])
  })

  test('refuses each date that it cannot store', async () => {
    const registry = registryWith()
    const due = '2026-01-01T00:00:00.123456Z'
    const made = await post(registry, [{ name: 'x', due }, { name: 'y' }, { name: 'z', due }])
    const issues = ['/0/due', '/2/due'].map((pointer) => ({ pointer, code: 'unrepresentable' }))
    expect(made).toMatchObject([422, { issues }])
    expect(await idsIn(registry)).toEqual(['a', 'b'])
  })

  for (const kind of ['a value', 'a promise'] as const) {
    test(`calls onCreate for each item, with ${kind}`, async () => {
      const seen: unknown[] = []
      const registry = registryWith({
        onCreate: ({ name }, { item, items }) => {
          seen.push(name, item, items)
          const set = { by: `by ${name}` }
          return kind === 'a value' ? set : Promise.resolve(set)
        },
      })
      const items = [{ name: 'x' }, { name: 'y' }]
      expect(await post(registry, items)).toMatchObject([201, [{ by: 'by x' }, { by: 'by y' }]])
      expect(seen).toEqual(['x', items[0], undefined, 'y', items[1], undefined])
    })
  }

  test('stores nothing if onCreate throws', async () => {
    const onCreate: Options['onCreate'] = ({ name }) => {
      if (name === 'y') throw new Error('no')
      return {}
    }
    const registry = registryWith({ onCreate })
    expect((await post(registry, [{ name: 'x' }, { name: 'y' }]))[0]).toBe(500)
    expect(await idsIn(registry)).toEqual(['a', 'b'])
  })

  test('refuses a next id that is taken', async () => {
    const registry = registryWith({ nextId: () => 'n' })
    const items = [{ name: 'x' }, { name: 'y' }]
    expect(await post(registry, items)).toMatchObject([409, { issues: [{ pointer: '/1/id' }] }])
    expect(await idsIn(registry)).toEqual(['a', 'b'])
  })

  test('refuses a next id that no path can name', async () => {
    const registry = registryWith({ nextId: () => 'first' })
    expect((await post(registry, [{ name: 'x' }]))[0]).toBe(500)
    expect(await idsIn(registry)).toEqual(['a', 'b'])
  })
})

describe('the default ids of many items', () => {
  const badgesOf = (id: z.ZodType<string | number>, items: readonly object[]): Registry<Api> => {
    const schema = z.object({ id: z.any(), name: z.string() })
    const create = z.object({ id: z.any().optional(), name: z.string() })
    const badges = defineResource('tasks', { schema, create, id })
    return defineRegistry(defineApi({ v1: { '/tasks': badges } })).adapters({
      tasks: memoryAdapter({ items: items as never }),
    })
  }

  test('count up beside the given ones', async () => {
    const registry = badgesOf(z.coerce.number().int(), [{ id: 7, name: 'x' }])
    const names = [{ name: 'a' }, { id: 8, name: 'b' }, { name: 'c' }, { id: 3, name: 'd' }]
    const [, made] = await post(registry, names)
    expect((made as { readonly id: number }[]).map(({ id }) => id)).toEqual([9, 8, 10, 3])
    expect(await post(registry, { name: 'e' })).toMatchObject([201, { id: 11 }])
  })

  test('are UUIDs in the order of the request', async () => {
    const names = Array.from({ length: 100 }, (_, index) => ({ name: `${index}` }))
    const [, made] = await post(badgesOf(z.uuid(), []), names)
    const ids = (made as { readonly id: string }[]).map(({ id }) => id)
    expect([new Set(ids).size, ids]).toEqual([100, ids.toSorted()])
  })
})
