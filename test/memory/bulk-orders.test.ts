import { defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { noQuery, noScope, type SortField } from '../../src/contract/resource/operation.ts'
import { compareBy } from '../../src/contract/values/order.ts'
import { leastTime, rounds, slowness } from '../support/stops.ts'

const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
const Row = z.object({
  id: z.string(),
  text: z.string(),
  owner: z.string(),
  ...Object.fromEntries(fields.map((name) => [name, z.number()])),
})
const rows = defineResource('rows', { schema: Row, sortable: [...fields] as never })

type Stored = Readonly<Record<string, string | number>> & { readonly id: string }

const count = 50_000
const bulk = 1000
// Milliseconds.
const longest = 50

function itemOf(index: number): Stored {
  const numbers = fields.map((name, place) => [name, (index * (7919 + place * 104_729)) % count])
  const owner = index % 50 < rounds ? `few-${index % 50}` : 'many'
  return { id: String(index).padStart(6, '0'), text: 'x', owner, ...Object.fromEntries(numbers) }
}

const byId = { field: 'id', direction: 'asc' } as const
const orders: readonly (readonly SortField[])[] = fields
  .flatMap((field) => fields.slice(0, 4).map((second) => [field, second]))
  .map((names) => [...new Set(names)].map((field) => ({ field, direction: 'asc' })))
  .map((sort) => [...(sort as SortField[]), byId])

function operationOf(kind: string, others: object = {}) {
  const operation = { kind, resource: rows, scope: noScope, query: noQuery, ...others }
  return operation as never
}

const adapter = memoryAdapter<never>({
  items: Array.from({ length: count }, (_, at) => itemOf(at)),
} as never)

const list = (sort: readonly SortField[], limit = 10) =>
  adapter.list?.(operationOf('list', { query: { ...noQuery, sort, limit } }), undefined as never)

async function askOrders() {
  for (const sort of orders) await list(sort)
}

function timeOf(write: (round: number) => unknown): Promise<number> {
  return leastTime(longest, async (round) => {
    await askOrders()
    const start = performance.now()
    write(round)
    return performance.now() - start
  })
}

const first = Array.from({ length: bulk }, (_, at) => itemOf(at * 7))
const ids = first.map(({ id }) => id)
const changing = (change: (item: Stored, round: number) => Stored) => (round: number) =>
  adapter.modifyMany?.(
    operationOf('patchMany', { ids }),
    undefined as never,
    ((stored: readonly Stored[]) => stored.map((item) => change(item, round))) as never,
  )

const writes: readonly (readonly [string, (round: number) => unknown])[] = [
  ['a patch of no sort value', changing((item, round) => ({ ...item, text: `y${round}` }))],
  ['a patch of a sort value', changing((item) => ({ ...item, a: Number(item.a) + 1 }))],
  [
    'a replacement',
    (round) =>
      adapter.updateMany?.(
        operationOf('updateMany', { items: first.map((item) => ({ ...item, b: round })) }),
        undefined as never,
      ),
  ],
]

describe('with 50,000 items in 32 orders', { timeout: 120_000 }, () => {
  test.each(writes)('%s of 1,000 items stops nobody for long', async (_, write) => {
    expect(await timeOf(write)).toBeLessThan(longest * slowness())
  })

  test('a deletion of 1,000 items stops nobody for long', async () => {
    const scopeOf = (round: number) => ({ scope: { owner: `few-${round}` } })
    for (let round = 0; round < rounds; round++)
      await adapter.count?.(operationOf('count', scopeOf(round)), undefined as never)
    let deletions = 0
    const time = await timeOf((round) => {
      deletions++
      return adapter.deleteAll?.(operationOf('deleteAll', scopeOf(round)), undefined as never)
    })
    expect(time).toBeLessThan(longest * slowness())
    for (const sort of orders.slice(0, 4)) {
      const items = (await list(sort, count)) as unknown as readonly Stored[]
      expect(items).toHaveLength(count - deletions * bulk)
      expect(items).toEqual(items.toSorted(compareBy(sort)))
    }
  })
})
