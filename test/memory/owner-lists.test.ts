import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byId, noQuery, type Scope } from '../../src/contract/resource/operation.ts'
import { compareBy } from '../../src/contract/values/order.ts'
import { countItems, listItems, readPage, type Selection } from '../../src/memory/read.ts'
import { createItemStore, groupIn, putItems, removeItems } from '../../src/memory/store.ts'

interface Box {
  readonly id: number
  readonly name: number
  readonly owner: string
  readonly room: number
}

const resource = { searchable: [] } as never
const owners = ['a', 'b', 'c', 'd', 'e'] as const

// "a" and "b" have more items than fit in one turn, "c" some hundred, "d" and "e" a few.
function boxOf(id: number): Box {
  const owner = id % 400 === 0 ? 'd' : id % 300 === 0 ? 'e' : id % 50 === 0 ? 'c' : 'ab'[id % 2]
  return { id, name: (id * 7919) % 1000, owner: owner ?? 'a', room: id % 3 }
}

const ownerList = fc.subarray([...owners, 'none'])
const scopes: fc.Arbitrary<Scope> = fc.oneof(
  fc.record({ owner: ownerList }),
  fc.record({ owner: ownerList, room: fc.oneof(fc.nat(3), fc.subarray([0, 1, 2, 3])) }),
  fc.record({ id: fc.array(fc.nat(12_000), { maxLength: 5 }), owner: ownerList }),
)
const direction = fc.constantFrom('asc' as const, 'desc' as const)
const step = fc.record({
  scope: scopes,
  direction,
  after: fc.option(fc.nat(9_999), { nil: undefined }),
  limit: fc.option(fc.constantFrom(1, 20), { nil: undefined }),
  moved: fc.nat(9_999),
})

test('lists of owners are those of a plain filter between writes', { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const store = createItemStore<Box>()
      putItems(
        store,
        Array.from({ length: 10_000 }, (_, id) => boxOf(id)),
      )
      for (const { scope, direction, after, limit, moved } of steps) {
        const sort = [{ field: 'name', direction }, ...byId]
        const query = { ...noQuery, sort, limit, after: boxAfter(after) }
        const selection: Selection = { resource, scope, query }
        const compare = compareBy(sort)
        const mine = [...store.items.values()].filter((box) => isOwned(box, scope))
        const rest = mine.filter((box) => !query.after || compare(box, query.after) > 0)
        const expected = rest.toSorted(compare).slice(0, limit)
        const listed: Box[] = []
        const list = await listItems(store, selection)
        for await (const part of Array.isArray(list) ? [list] : list) listed.push(...part)
        expect(listed).toEqual(expected)
        expect(await readPage(store, selection)).toEqual(expected)
        expect(await countItems(store, selection)).toBe(mine.length)
        const { items } = await groupIn(store, scope)
        expect(new Set(items.values())).toEqual(new Set(mine))
        const box: Box = { ...boxOf(moved), owner: 'c', name: 500 }
        putItems(store, [box])
        const stored = mine.filter((one) => store.items.get(one.id) === one)
        removeItems(store, stored.slice(0, 3))
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 10) },
  ),
)

function boxAfter(id: number | undefined) {
  return id === undefined ? undefined : { id, name: boxOf(id).name }
}

function isOwned(box: Box, scope: Scope): boolean {
  return Object.entries(scope).every(([field, wanted]) =>
    [wanted].flat().some((one) => one === Reflect.get(box, field)),
  )
}

test('a page of several owners walks the orders of each', async () => {
  const store = createItemStore<Box>()
  putItems(
    store,
    Array.from({ length: 10_000 }, (_, id) => boxOf(id)),
  )
  const query = { ...noQuery, sort: [{ field: 'name', direction: 'asc' as const }, ...byId] }
  const page = { resource, scope: { owner: ['a', 'b', 'd'] }, query: { ...query, limit: 3 } }
  const first = await readPage(store, page)
  // Without a promise: nothing sorts them again.
  expect(readPage(store, page)).toEqual(first)
})
