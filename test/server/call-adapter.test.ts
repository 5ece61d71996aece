import type { Operation } from 'nounful'
import { handle } from 'nounful'
import { describe, expect, test } from 'vitest'
import { operations } from '../../src/convention/operations.ts'
import { isProblem } from '../../src/convention/problem.ts'
import { callAdapter } from '../../src/server/steps/call-adapter.ts'
import type { Task } from '../../src/server/task.ts'
import { mapOf, notesWith, requestOf } from '../support/registry.ts'

// A kind without a step of its own: the row alone says how to check the result of its method.
const rows: readonly (readonly [
  kind: keyof typeof operations,
  given: unknown,
  outcome: unknown,
])[] = [
  ['list', [{ id: 'a' }], { gives: 'items', items: [{ id: 'a' }] }],
  ['count', 3, { gives: 'count', count: 3 }],
  ['deleteAll', 2, { gives: 'deleted', deleted: 2 }],
  ['delete', { id: 'a' }, { gives: 'item', item: { id: 'a' } }],
  ['create', { id: 'b' }, { gives: 'item', item: { id: 'b' } }],
]

async function operationOfRead(): Promise<Operation> {
  const seen: Operation[] = []
  const use = (operation: Operation, _: unknown, next: () => unknown) => {
    seen.push(operation)
    return next()
  }
  const { registry } = notesWith(mapOf({ id: 'a', text: 'x' }), { use: [use] })
  await handle(requestOf(['GET', '/notes/a']), registry)
  return seen[0] as Operation
}

async function taskOf(kind: keyof typeof operations, given: unknown): Promise<Task> {
  const operation = { ...(await operationOfRead()) }
  const adapter = { [kind]: () => given }
  const plan = { kind, row: operations[kind], resource: operation.resource, adapter }
  const target = { collection: { path: '/notes' }, id: 'a' }
  return { plan, operation, target, drafts: [] } as unknown as Task
}

describe('a method is checked by its row', () => {
  for (const [kind, given, outcome] of rows) {
    test(`of ${kind}`, async () => {
      expect(await callAdapter(await taskOf(kind, given))).toMatchObject({ outcome })
      await expect(async () => callAdapter(await taskOf(kind, 'x'))).rejects.toThrow(TypeError)
    })
  }

  test('an absent item is a problem', async () => {
    const given = await callAdapter(await taskOf('delete', null))
    expect(isProblem(given) && given.code).toBe('not_found')
  })
})
