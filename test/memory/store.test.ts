import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UncheckedAdapter } from '../../src/contract/resource/adapter.ts'
import { byId, noQuery, type Query, type SortField } from '../../src/contract/resource/operation.ts'
import { nextTurn } from '../../src/convention/awaitable.ts'
import { itemsATurn } from '../../src/memory/orders.ts'
import {
  countItems,
  listItems,
  readPage,
  readsOf,
  type Selection,
  select,
} from '../../src/memory/read.ts'
import { createItemStore, type ItemStore, putItems, removeItems } from '../../src/memory/store.ts'

interface Box {
  readonly id: number
  readonly name: string
  readonly owner: string
}

const resource = { searchable: ['name'] } as never
const names = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve']

const boxOf = (id: number, name = (id * 7919) % 10_000, owner = id % 2 === 0 ? 'a' : 'b'): Box => ({
  id,
  name: `${names[name % names.length]} ${name}`,
  owner,
})

function storeOf(count: number): ItemStore<Box> {
  const store = createItemStore<Box>()
  putItems(
    store,
    Array.from({ length: count }, (_, id) => boxOf(id)),
  )
  return store
}

const selectionOf = (query: Partial<Query>, scope: Selection['scope'] = {}): Selection => ({
  resource,
  scope,
  query: { ...noQuery, ...query },
})

const by = (field: string, direction: SortField['direction'] = 'asc'): readonly SortField[] => [
  { field, direction },
  ...byId,
]

/** Returns an order by the name of a referenced item, as the core gives it to an adapter. */
function byRelated(store: ItemStore<Box>): readonly SortField[] {
  const boxes: UncheckedAdapter = readsOf<never>(store as never)
  const operation = { resource, scope: {}, query: { ...noQuery, sort: by('name') } }
  const selection = boxes.selection?.(operation as never, undefined) ?? {}
  const related = { as: 'next', name: 'name', join: { field: 'next_id', selection, place: 0 } }
  return [{ field: 'next.name', direction: 'asc', related }, ...byId]
}

async function all(store: ItemStore<Box>, selection: Selection): Promise<readonly Box[]> {
  return partsOf(await listItems(store, selection))
}

async function partsOf(given: Box[] | AsyncIterable<Box[]>): Promise<readonly Box[]> {
  if (Array.isArray(given)) return given
  const found: Box[] = []
  for await (const part of given) found.push(...part)
  return found
}

const stored = (store: ItemStore<Box>): readonly Box[] => [...store.items.values()]

describe('few items are returned at once', () => {
  const store = storeOf(itemsATurn - 1)
  const selection = selectionOf({ sort: by('name'), words: ['zzz'], limit: 3 }, { owner: 'a' })
  test('a list', () => expect(listItems(store, selection)).toEqual([]))
  test('a count', () => expect(countItems(store, selection)).toBe(0))
  test('every item', () => expect(listItems(store, selectionOf({}))).toHaveLength(itemsATurn - 1))
})

describe('many items are returned in turns', () => {
  const count = itemsATurn * 3
  const cases: readonly (readonly [string, (store: ItemStore<Box>) => unknown])[] = [
    ['a new order', (store) => readPage(store, selectionOf({ sort: by('name'), limit: 3 }))],
    [
      'a search without a hit',
      (store) => readPage(store, selectionOf({ words: ['zzz'], limit: 3 })),
    ],
    ['a count of a search', (store) => countItems(store, selectionOf({ words: ['zzz'] }))],
    [
      'the items of an owner',
      (store) => readPage(store, selectionOf({ limit: 3 }, { owner: 'a' })),
    ],
    ['every item', (store) => all(store, selectionOf({}))],
    [
      'an order by related items without a hit',
      (store) => readPage(store, selectionOf({ sort: byRelated(store), words: ['zzz'] })),
    ],
  ]
  for (const [name, ask] of cases) {
    test(`${name}: other requests are served meanwhile`, async () => {
      const store = storeOf(count)
      await readPage(store, selectionOf({ limit: 1 }))
      let isAnswered = false
      const answered = Promise.resolve(ask(store)).then(() => {
        isAnswered = true
      })
      await nextTurn()
      expect(isAnswered).toBe(false)
      await answered
    })
  }

  test('an existing order is returned at once', async () => {
    const store = storeOf(count)
    const selection = selectionOf({ sort: by('name'), limit: 3 }, { owner: 'a' })
    const given = await readPage(store, selection)
    expect(readPage(store, selection)).toEqual(given)
  })
})

describe('an order of many items', () => {
  const scopes = [{}, { owner: 'a' }]
  for (const scope of scopes) {
    const selection = selectionOf({ sort: by('name'), limit: 3 }, scope)
    // A list is an array when the order exists, and a promise when the store has to sort.
    const isKeptAfter = async (changes: number): Promise<boolean> => {
      const store = storeOf(itemsATurn * 11)
      await readPage(store, selection)
      removeItems(store, stored(store).slice(0, changes))
      const given = readPage(store, selection)
      expect(await given).toEqual(select(stored(store), selection))
      return Array.isArray(given)
    }

    test(`stays after 300 deletions, but not after 4,097: ${JSON.stringify(scope)}`, async () => {
      expect([await isKeptAfter(300), await isKeptAfter(itemsATurn + 1)]).toEqual([true, false])
    })
  }

  test('keeps the few items of an owner in one part', async () => {
    const store = storeOf(itemsATurn + 1)
    const selection = selectionOf({}, { owner: 'a' })
    expect(await listItems(store, selection)).toEqual(select(stored(store), selection))
  })
})

describe('a list of every item', () => {
  const sizesOf = async (count: number) => {
    const sizes: number[] = []
    const list = await listItems(storeOf(count), selectionOf({}))
    for await (const part of Array.isArray(list) ? [list] : list) sizes.push(part.length)
    return sizes
  }

  test('comes in parts of one turn each', async () => {
    expect(await sizesOf(itemsATurn)).toEqual([itemsATurn])
    expect(await sizesOf(itemsATurn * 2)).toEqual([itemsATurn, itemsATurn])
    expect(await sizesOf(itemsATurn * 2 + 5)).toEqual([itemsATurn, itemsATurn, 5])
  })

  test('waits for other requests between two parts', async () => {
    const list = await listItems(storeOf(itemsATurn * 2), selectionOf({}))
    const parts = (list as AsyncIterable<Box[]>)[Symbol.asyncIterator]()
    await parts.next()
    let isServed = false
    const served = nextTurn().then(() => {
      isServed = true
    })
    await parts.next()
    expect(isServed).toBe(true)
    await served
  })
})

describe('requests that wait for one order', () => {
  const count = itemsATurn * 4
  // The number of turns until several equal requests have their response.
  async function turnsOf(requests: number): Promise<number> {
    const store = storeOf(count)
    const selection = selectionOf({ sort: by('name'), limit: 1 })
    let isAnswered = false
    const answers = Promise.all(Array.from({ length: requests }, () => readPage(store, selection)))
    const answered = answers.then(() => {
      isAnswered = true
    })
    let turns = 0
    for (; !isAnswered; turns++) await nextTurn()
    await answered
    return turns
  }

  test('take no more turns when there are more of them', async () => {
    const turns = await turnsOf(1)
    expect(await turnsOf(10)).toBe(turns)
    // Sorting four parts pauses three times, and merging them at least five times.
    expect(turns).toBeGreaterThan(7)
  })
})

describe('writes between the turns', () => {
  const count = itemsATurn * 3
  // One of these writes happens in each turn until the result is ready.
  async function during<Answer>(
    store: ItemStore<Box>,
    answer: PromiseLike<Answer> | Answer,
  ): Promise<Answer> {
    let isAnswered = false
    const answered = Promise.resolve(answer).finally(() => {
      isAnswered = true
    })
    for (let turn = 0; !isAnswered; turn++) {
      putItems(store, [boxOf(turn * 3, 9999 - turn), boxOf(count + turn, turn)])
      removeItems(store, stored(store).slice(turn, turn + 2))
      await nextTurn()
    }
    return answered
  }

  const sorts = [by('name'), by('name', 'desc'), byId]
  for (const scope of [{}, { owner: 'a' }]) {
    for (const sort of sorts) {
      test(`are in the order ${JSON.stringify([sort, scope])}`, async () => {
        const store = storeOf(count)
        await during(store, readPage(store, selectionOf({ sort, limit: 3 }, scope)))
        const selection = selectionOf({ sort }, scope)
        expect(await all(store, selection)).toEqual(select(stored(store), selection))
      })
    }
    test(`do not change an unfinished search on ${JSON.stringify(scope)}`, async () => {
      const store = storeOf(count)
      await readPage(store, selectionOf({ limit: 1 }, scope))
      for (const sort of [byId, byId.map(({ field }) => ({ field, direction: 'desc' as const }))]) {
        const selection = selectionOf({ words: ['ann'], sort }, scope)
        const before = select(stored(store), selection)
        expect(await during(store, readPage(store, selection))).toEqual(before)
        const beforeAll = select(stored(store), selection)
        const parts = ((await listItems(store, selection)) as AsyncIterable<Box[]>)[
          Symbol.asyncIterator
        ]()
        const { value: first } = await parts.next()
        const rest = partsOf({ [Symbol.asyncIterator]: () => parts })
        expect([...first, ...(await during(store, rest))]).toEqual(beforeAll)
      }
    })
    test(`do not change an unfinished count of ${JSON.stringify(scope)}`, async () => {
      const store = storeOf(count)
      await countItems(store, selectionOf({}, scope))
      const selection = selectionOf({ words: ['ann'] }, scope)
      const before = select(stored(store), selection).length
      expect(await during(store, countItems(store, selection))).toBe(before)
    })
  }

  for (const [event, act] of [
    ['all items go', (store: ItemStore<Box>) => removeItems(store, stored(store))],
    ['most items go', (store: ItemStore<Box>) => removeItems(store, stored(store).slice(10))],
  ] as const) {
    test(`when ${event}, the next list knows it`, async () => {
      const store = storeOf(count)
      const selection = selectionOf({ sort: by('name') }, { owner: 'a' })
      const answer = readPage(store, { ...selection, query: { ...selection.query, limit: 3 } })
      await nextTurn()
      act(store)
      putItems(store, [boxOf(2, 5)])
      expect(await answer).toHaveLength(3)
      expect(await all(store, selection)).toEqual(select(stored(store), selection))
      for (const scope of [{}, { owner: 'b' }]) {
        const other = selectionOf({ sort: by('name') }, scope)
        expect(await all(store, other)).toEqual(select(stored(store), other))
      }
    })
  }

  test('an aborted request stops no other', async () => {
    const store = storeOf(count)
    const selection = selectionOf({ sort: by('name'), limit: 1 })
    const first = readPage(store, selection)
    await nextTurn()
    expect(await readPage(store, selection)).toEqual(await first)
  })
})

test('lists of an owner equal a naive sort', async () => {
  const ids = fc.integer({ min: 0, max: 300 })
  const writes = fc.array(
    fc.record({ id: ids, name: fc.nat(20), owner: fc.constantFrom('a', 'b'), goes: fc.boolean() }),
    { maxLength: 400, size: 'max' },
  )
  const queries = fc.record({
    sort: fc.constantFrom(by('name'), by('name', 'desc'), byId),
    limit: fc.constantFrom(1, 20, undefined),
    words: fc.constantFrom([], ['ann']),
    after: fc.option(fc.record({ name: fc.constant('Cid 12'), id: ids }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(writes, queries, async (some, query) => {
      const store = storeOf(200)
      const selection = selectionOf(query, { owner: 'a' })
      await listItems(store, selection)
      for (const { id, name, owner, goes } of some) {
        const old = store.items.get(id)
        if (goes) removeItems(store, old ? [old] : [])
        else putItems(store, [boxOf(id, name, owner)])
      }
      expect(await all(store, selection)).toEqual(select(stored(store), selection))
      expect(countItems(store, { ...selection, query: { ...selection.query, words: [] } })).toBe(
        stored(store).filter(({ owner }) => owner === 'a').length,
      )
    }),
    { numRuns: 50 },
  )
})

describe('a store in order', () => {
  const boxes = Array.from({ length: 1000 }, (_, id) => boxOf(id))
  for (const many of [1, 256, 257, 1000]) {
    test(`stays so when ${many} items are added and deleted`, async () => {
      const store = createItemStore<Box>()
      for (const scope of [{}, { owner: 'a' }]) {
        const selection = selectionOf({}, scope)
        const isRight = async (): Promise<void> =>
          expect(await all(store, selection)).toEqual(select(stored(store), selection))
        putItems(store, boxes.slice(many).toReversed())
        await isRight()
        putItems(store, boxes.slice(0, many).toReversed())
        await isRight()
        removeItems(store, boxes.slice(0, many))
        await isRight()
      }
    })
  }
})
