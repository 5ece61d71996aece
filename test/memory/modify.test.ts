import { defineResource, type Item } from 'nounful'
import { type MemoryOptions, memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { UncheckedAdapter } from '../../src/contract/resource/adapter.ts'
import {
  type AdapterShape,
  noParents,
  noQuery,
  noScope,
  type Operation,
} from '../../src/contract/resource/operation.ts'
import type { Awaitable } from '../../src/convention/awaitable.ts'
import type { OperationKind } from '../../src/convention/operations.ts'
import { closedGate } from '../support/gate.ts'

const Task = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string().optional(),
  team_id: z.string().optional(),
  due: z.iso.datetime({ offset: true }).optional(),
  count: z.number().optional(),
  seen: z.string().optional(),
  revision: z.number().optional(),
})
const Body = Task.omit({ id: true, seen: true, revision: true })
const tasks = defineResource('tasks', {
  schema: Task,
  create: Body,
  update: Body,
  readOnly: ['seen'],
  revision: 'revision',
})

type Task = z.infer<typeof Task>

interface TaskShape extends AdapterShape {
  readonly item: Task
  readonly create: Omit<Task, 'id' | 'seen' | 'revision'>
}

type Fields = Partial<Task>

const stored: readonly Task[] = [
  { id: 'a', name: 'A', code: '1', count: 0, revision: 1 },
  { id: 'b', name: 'B', code: '2', count: 0, revision: 1 },
]

function adapterWith(options: Partial<MemoryOptions<TaskShape>> = {}): UncheckedAdapter {
  return memoryAdapter<TaskShape>({ items: stored, unique: ['code'], ...options })
}

function operationOf(kind: OperationKind, facts: Partial<Operation>): Operation {
  return {
    kind,
    resource: tasks,
    version: 'v1',
    path: '/tasks',
    scope: noScope,
    parents: noParents,
    id: undefined,
    query: noQuery,
    item: undefined,
    items: undefined,
    ids: undefined,
    isDryRun: false,
    isDeprecated: false,
    maxAffected: undefined,
    ifRevision: undefined,
    signal: new AbortController().signal,
    ...facts,
  }
}

/** Modifies items by functions, each with its id. */
function modify(
  adapter: UncheckedAdapter,
  changes: readonly (readonly [id: string, change: (item: Task) => Awaitable<Task>])[],
  facts: Partial<Operation> = {},
): unknown {
  const ids = changes.map(([id]) => id)
  const operation = operationOf('patchMany', { ids, ...facts })
  return adapter.modifyMany?.(operation, undefined, async (found) =>
    Promise.all(found.map((item, place) => changes[place]?.[1](item as Task) ?? (item as Item))),
  )
}

function modifyOne(
  adapter: UncheckedAdapter,
  id: string,
  change: (item: Task) => Awaitable<Task>,
  facts: Partial<Operation> = {},
): unknown {
  const operation = operationOf('patch', { id, ...facts })
  return adapter.modify?.(operation, undefined, (item) => change(item as Task))
}

const read = (adapter: UncheckedAdapter, id: string): unknown =>
  adapter.read?.(operationOf('read', { id }), undefined)

const put = (adapter: UncheckedAdapter, item: Task, facts: Partial<Operation> = {}): unknown =>
  adapter.update?.(operationOf('update', { id: item.id, item, ...facts }), undefined)

const setting =
  (fields: Fields) =>
  (item: Task): Task => ({ ...item, ...fields })

describe('modify', () => {
  test('waits for no item of another owner', async () => {
    const items = stored.map((item) => ({ ...item, team_id: item.id }))
    const adapter = adapterWith({ items })
    let finish = (): void => undefined
    const pending = new Promise<void>((resolve) => {
      finish = resolve
    })
    const slow = modifyOne(adapter, 'a', async (item) => {
      await pending
      return { ...item, name: 'slow' }
    })
    const scope = { team_id: 'b' }
    expect(modifyOne(adapter, 'a', setting({ name: 'x' }), { scope })).toBeNull()
    const change = setting({ name: 'x' })
    await modify(
      adapter,
      [
        ['a', (item) => item],
        ['b', change],
      ],
      { scope },
    )
    expect(read(adapter, 'b')).toMatchObject({ name: 'x' })
    expect(put(adapter, { id: 'a', name: 'x' }, { scope })).toBeNull()
    finish()
    expect(await slow).toMatchObject({ name: 'slow' })
  })

  test('stays synchronous', () => {
    const adapter = adapterWith()
    const expected = { ...stored[0], name: 'X', revision: 2 }
    expect(modifyOne(adapter, 'a', setting({ name: 'X' }))).toEqual(expected)
    expect(read(adapter, 'a')).toEqual(expected)
  })

  test('writes nothing for the same item', () => {
    const adapter = adapterWith({ onUpdate: () => ({ seen: 'yes' }) })
    const before = read(adapter, 'a')
    expect(modifyOne(adapter, 'a', (item) => item)).toBe(before)
    expect(read(adapter, 'a')).toBe(before)
  })

  test('gives frozen items to its function', () => {
    const adapter = adapterWith()
    const change = (item: Task): Task => Object.assign(item, { name: 'X' })
    expect(() => modifyOne(adapter, 'a', change)).toThrow(TypeError)
    expect(read(adapter, 'a')).toEqual(stored[0])
  })

  test('gives null for an id outside the scope', () => {
    const calls: unknown[] = []
    const change = (item: Task): Task => {
      calls.push(item)
      return item
    }
    const outside = modifyOne(adapterWith(), 'a', change, { scope: { team_id: 'red' } })
    expect([outside, modifyOne(adapterWith(), 'none', change), calls]).toEqual([null, null, []])
  })

  test('gives null for an item that is deleted meanwhile', async () => {
    const adapter = adapterWith()
    const modified = modifyOne(adapter, 'a', async (item) => ({ ...item, name: 'X' }))
    adapter.delete?.(operationOf('delete', { id: 'a' }), undefined)
    expect([await modified, read(adapter, 'a')]).toEqual([null, undefined])
  })

  test('stores dates in one form', () => {
    const due = '2026-01-01T02:00:00+02:00'
    const made = modifyOne(adapterWith(), 'a', setting({ due }))
    expect(made).toMatchObject({ due: '2026-01-01T00:00:00.000Z' })
  })

  for (const kind of ['a value', 'a promise'] as const) {
    test(`adds the fields of onUpdate, ${kind}`, async () => {
      const set = { seen: 'yes' }
      const onUpdate = () => (kind === 'a value' ? set : Promise.resolve(set))
      const adapter = adapterWith({ onUpdate })
      expect(await modifyOne(adapter, 'a', setting({ name: 'X' }))).toMatchObject(set)
    })
  }
})

describe('modifyMany', () => {
  // Too fine to store.
  const due = '2026-01-01T00:00:00.123456Z'
  // biome-ignore format: a row stays a line
  const refused: readonly (readonly [a: Fields, b: Fields, code: string, at: string[]])[] = [
    [{},             { code: '1' }, 'conflict',          ['/1/code']],
    [{ code: '2' },  {},            'conflict',          ['/0/code']],
    [{ code: '3' },  { code: '3' }, 'conflict',          ['/1/code']],
    [{},             { due },       'validation_failed', ['/1/due']],
  ]
  for (const [a, b, code, pointers] of refused) {
    test(`refuses ${JSON.stringify([a, b])}`, async () => {
      const adapter = adapterWith()
      // An empty change gives the item itself.
      const to = (fields: Fields) =>
        Object.keys(fields).length === 0 ? (item: Task) => item : setting(fields)
      const modified = modify(adapter, [
        ['a', to(a)],
        ['b', to(b)],
      ])
      const issues = pointers.map((pointer) => expect.objectContaining({ pointer }))
      await expect(modified).rejects.toMatchObject({ code, members: { issues } })
      expect([read(adapter, 'a'), read(adapter, 'b')]).toEqual(stored)
    })
  }

  test('exchanges unique values', async () => {
    const adapter = adapterWith()
    const modified = await modify(adapter, [
      ['b', setting({ code: '1' })],
      ['a', setting({ code: '2' })],
    ])
    expect(modified).toMatchObject([
      { id: 'b', code: '1' },
      { id: 'a', code: '2' },
    ])
  })

  test('writes only the items that change', async () => {
    const adapter = adapterWith()
    const before = read(adapter, 'a')
    const [a, b] = (await modify(adapter, [
      ['a', (item) => item],
      ['b', setting({ name: 'X' })],
    ])) as readonly unknown[]
    expect([a, b]).toEqual([stored[0], { ...stored[1], name: 'X', revision: 2 }])
    expect(read(adapter, 'a')).toBe(before)
  })
})

describe('a write behind a change that waits', () => {
  test('takes its turn, the first one first', async () => {
    const adapter = adapterWith()
    const { open, opened } = closedGate()
    const order: string[] = []
    const note = (name: string) => async (item: Task) => {
      order.push(name)
      await Promise.resolve()
      return { ...item, name }
    }
    const writes = [
      modifyOne(adapter, 'a', async (item) => {
        await opened
        return note('one')(item)
      }),
      modify(adapter, [
        ['b', note('two b')],
        ['a', note('two a')],
      ]),
      put(adapter, { id: 'a', name: 'three' }),
      modifyOne(adapter, 'a', note('four')),
    ]
    expect(modifyOne(adapter, 'b', setting({ name: 'late' }))).toBeInstanceOf(Promise)
    await new Promise(setImmediate)
    expect([order, read(adapter, 'a')]).toEqual([[], stored[0]])
    open()
    await Promise.all(writes)
    expect(order).toEqual(['one', 'two b', 'two a', 'four'])
    expect(read(adapter, 'a')).toMatchObject({ name: 'four', revision: 5 })
    expect(read(adapter, 'b')).toMatchObject({ name: 'late' })
  })

  test('does not make the first one try again', async () => {
    const adapter = adapterWith()
    let calls = 0
    const slow = modifyOne(adapter, 'a', async (item) => {
      calls += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { ...item, name: 'slow' }
    })
    const counting = Array.from({ length: 20 }, () =>
      modifyOne(adapter, 'a', (item) => ({ ...item, count: (item.count ?? 0) + 1 })),
    )
    await slow
    expect([calls, read(adapter, 'a')]).toMatchObject([1, { name: 'slow', count: 0 }])
    await Promise.all(counting)
    expect(read(adapter, 'a')).toMatchObject({ name: 'slow', count: 20 })
  })

  test('is synchronous again once the queue is empty', async () => {
    const adapter = adapterWith()
    const failed = modifyOne(adapter, 'a', () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    await new Promise(setImmediate)
    expect(put(adapter, { id: 'a', name: 'X' })).toMatchObject({ name: 'X' })
  })

  test('goes on when the first one is aborted', async () => {
    const adapter = adapterWith()
    const { open, opened } = closedGate()
    const controller = new AbortController()
    const { signal } = controller
    const change = async (item: Task) => {
      await opened
      return { ...item, name: 'one' }
    }
    const hanging = modifyOne(adapter, 'a', change, { signal })
    const next = modifyOne(adapter, 'a', setting({ name: 'two' }))
    controller.abort(new Error('late'))
    expect(await next).toMatchObject({ name: 'two' })
    open()
    await expect(hanging).rejects.toThrow('late')
    expect(read(adapter, 'a')).toMatchObject({ name: 'two' })
  })

  test('is not carried out after its own abort', async () => {
    const adapter = adapterWith()
    const { open, opened } = closedGate()
    const first = modifyOne(adapter, 'a', async (item) => {
      await opened
      return item
    })
    const second = put(adapter, { id: 'a', name: 'X' }, { signal: AbortSignal.abort('late') })
    open()
    await expect(second).rejects.toBe('late')
    expect([await first, read(adapter, 'a')]).toEqual([stored[0], stored[0]])
  })

  test('keeps read-only fields that changed meanwhile', async () => {
    const adapter = adapterWith({
      onUpdate: async ({ name }) => (name === 'seen' ? { seen: 'yes' } : {}),
    })
    const item = { ...stored[0], id: 'a', revision: undefined }
    const writes = [put(adapter, { ...item, name: 'seen' }), put(adapter, { ...item, name: 'X' })]
    await Promise.all(writes)
    expect(read(adapter, 'a')).toMatchObject({ name: 'X', seen: 'yes', revision: 3 })
  })
})
