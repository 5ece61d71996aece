import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Wanted } from '../../src/memory/read.ts'
import { select } from '../../src/memory/select.ts'
import { createStore, type Store } from '../../src/memory/store.ts'
import { itemsATurn } from '../../src/memory/turns.ts'
import { nextTurn } from '../../src/model/awaitable.ts'
import { byId, type Query, type SortField } from '../../src/model/operation.ts'

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

function storeOf(count: number): Store<Box> {
  const store = createStore<Box>([])
  store.put(Array.from({ length: count }, (_, id) => boxOf(id)))
  return store
}

const asking = (query: Partial<Query>, scope: Wanted['scope'] = {}): Wanted => ({
  resource,
  scope,
  query: { q: '', words: [], sort: byId, limit: undefined, after: undefined, ...query },
})

const by = (field: string, direction: SortField['direction'] = 'asc'): readonly SortField[] => [
  { field, direction },
  ...byId,
]

async function all(store: Store<Box>, wanted: Wanted): Promise<readonly Box[]> {
  const given = await store.list(wanted)
  if (Array.isArray(given)) return given
  const found: Box[] = []
  for await (const part of given) found.push(...part)
  return found
}

const stored = (store: Store<Box>): readonly Box[] => [...store.inScope({})]

describe('few items are answered at once', () => {
  const store = storeOf(itemsATurn - 1)
  const wanted = asking({ sort: by('name'), words: ['zzz'], limit: 3 }, { owner: 'a' })
  test('a list', () => expect(store.list(wanted)).toEqual([]))
  test('a count', () => expect(store.count(wanted)).toBe(0))
  test('all of them', () => expect(store.list(asking({}))).toHaveLength(itemsATurn - 1))
})

describe('many items are answered in turns', () => {
  const count = itemsATurn * 3
  const wanted: readonly (readonly [string, (store: Store<Box>) => unknown])[] = [
    ['a new order', (store) => store.page(asking({ sort: by('name'), limit: 3 }))],
    ['a search without a hit', (store) => store.page(asking({ words: ['zzz'], limit: 3 }))],
    ['a count of a search', (store) => store.count(asking({ words: ['zzz'] }))],
    ['the items of an owner', (store) => store.page(asking({ limit: 3 }, { owner: 'a' }))],
    ['all of them', (store) => all(store, asking({}))],
  ]
  for (const [name, ask] of wanted) {
    test(`${name}: others are served meanwhile`, async () => {
      const store = storeOf(count)
      await store.page(asking({ limit: 1 }))
      let isAnswered = false
      const answered = Promise.resolve(ask(store)).then(() => {
        isAnswered = true
      })
      await nextTurn()
      expect(isAnswered).toBe(false)
      await answered
    })
  }

  test('an order that is there is answered at once', async () => {
    const store = storeOf(count)
    const wanted = asking({ sort: by('name'), limit: 3 }, { owner: 'a' })
    const given = await store.page(wanted)
    expect(store.page(wanted)).toEqual(given)
  })
})

describe('an order of many items', () => {
  const scopes = [{}, { owner: 'a' }]
  for (const scope of scopes) {
    const wanted = asking({ sort: by('name'), limit: 3 }, scope)
    // A list is an array where the order is there, and a promise where it has to be made.
    const isKeptAfter = async (changes: number): Promise<boolean> => {
      const store = storeOf(itemsATurn * 11)
      await store.page(wanted)
      store.remove(stored(store).slice(0, changes))
      const given = store.page(wanted)
      expect(await given).toEqual(select(stored(store), wanted))
      return Array.isArray(given)
    }

    test(`is kept when 300 go, made again when 4,097 do: ${JSON.stringify(scope)}`, async () => {
      expect([await isKeptAfter(300), await isKeptAfter(itemsATurn + 1)]).toEqual([true, false])
    })
  }

  test('does not make parts of the few items of an owner', async () => {
    const store = storeOf(itemsATurn + 1)
    const wanted = asking({}, { owner: 'a' })
    expect(await store.list(wanted)).toEqual(select(stored(store), wanted))
  })
})

describe('who waits for one order', () => {
  const count = itemsATurn * 4
  // How many turns it takes to answer some requests of the same.
  async function turnsOf(requests: number): Promise<number> {
    const store = storeOf(count)
    const wanted = asking({ sort: by('name'), limit: 1 })
    let isAnswered = false
    const answers = Promise.all(Array.from({ length: requests }, () => store.page(wanted)))
    const answered = answers.then(() => {
      isAnswered = true
    })
    let turns = 0
    for (; !isAnswered; turns++) await nextTurn()
    await answered
    return turns
  }

  test('waits no longer, and stops others no longer, for more who do', async () => {
    const turns = await turnsOf(1)
    expect(await turnsOf(10)).toBe(turns)
    // It pauses three times while it sorts four parts, and at least five times while it merges them.
    expect(turns).toBeGreaterThan(7)
  })
})

describe('writes between the turns', () => {
  const count = itemsATurn * 3
  // One of these writes happens in each turn until the answer is there.
  async function during<Answer>(
    store: Store<Box>,
    answer: PromiseLike<Answer> | Answer,
  ): Promise<Answer> {
    let isAnswered = false
    const answered = Promise.resolve(answer).finally(() => {
      isAnswered = true
    })
    for (let turn = 0; !isAnswered; turn++) {
      store.put([boxOf(turn * 3, 9999 - turn), boxOf(count + turn, turn)])
      store.remove(stored(store).slice(turn, turn + 2))
      await nextTurn()
    }
    return answered
  }

  const sorts = [by('name'), by('name', 'desc'), byId]
  for (const scope of [{}, { owner: 'a' }]) {
    for (const sort of sorts) {
      test(`are in the order ${JSON.stringify([sort, scope])}`, async () => {
        const store = storeOf(count)
        await during(store, store.page(asking({ sort, limit: 3 }, scope)))
        const wanted = asking({ sort }, scope)
        expect(await all(store, wanted)).toEqual(select(stored(store), wanted))
      })
    }
    test(`do not change what a search has begun on ${JSON.stringify(scope)}`, async () => {
      const store = storeOf(count)
      await store.page(asking({ limit: 1 }, scope))
      for (const sort of [byId, byId.map(({ field }) => ({ field, direction: 'desc' as const }))]) {
        const wanted = asking({ words: ['ann'], sort }, scope)
        const before = select(stored(store), wanted)
        expect(await during(store, store.page(wanted))).toEqual(before)
        const beforeAll = select(stored(store), wanted)
        const parts = ((await store.list(wanted)) as AsyncIterable<Box[]>)[Symbol.asyncIterator]()
        const { value: first } = await parts.next()
        const rest = all(
          { ...store, list: () => ({ [Symbol.asyncIterator]: () => parts }) },
          wanted,
        )
        expect([...first, ...(await during(store, rest))]).toEqual(beforeAll)
      }
    })
    test(`do not change what is counted of ${JSON.stringify(scope)}`, async () => {
      const store = storeOf(count)
      await store.count(asking({}, scope))
      const wanted = asking({ words: ['ann'] }, scope)
      const before = select(stored(store), wanted).length
      expect(await during(store, store.count(wanted))).toBe(before)
    })
  }

  for (const [what, act] of [
    ['all go', (store: Store<Box>) => store.clear()],
    ['most go', (store: Store<Box>) => store.remove(stored(store).slice(10))],
  ] as const) {
    test(`when ${what}, the next list knows it`, async () => {
      const store = storeOf(count)
      const wanted = asking({ sort: by('name') }, { owner: 'a' })
      const answer = store.page({ ...wanted, query: { ...wanted.query, limit: 3 } })
      await nextTurn()
      act(store)
      store.put([boxOf(2, 5)])
      expect(await answer).toHaveLength(3)
      expect(await all(store, wanted)).toEqual(select(stored(store), wanted))
      for (const scope of [{}, { owner: 'b' }]) {
        const other = asking({ sort: by('name') }, scope)
        expect(await all(store, other)).toEqual(select(stored(store), other))
      }
    })
  }

  test('a request that is given up stops no other', async () => {
    const store = storeOf(count)
    const wanted = asking({ sort: by('name'), limit: 1 })
    const first = store.page(wanted)
    await nextTurn()
    expect(await store.page(wanted)).toEqual(await first)
  })
})

test('lists of an owner are those of a naive sort', async () => {
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
      const wanted = asking(query, { owner: 'a' })
      await store.list(wanted)
      for (const { id, name, owner, goes } of some) {
        const old = store.get(id)
        if (goes) store.remove(old ? [old] : [])
        else store.put([boxOf(id, name, owner)])
      }
      expect(await all(store, wanted)).toEqual(select(stored(store), wanted))
      expect(store.count({ ...wanted, query: { ...wanted.query, words: [] } })).toBe(
        stored(store).filter(({ owner }) => owner === 'a').length,
      )
    }),
    { numRuns: 50 },
  )
})

describe('a store in order', () => {
  const boxes = Array.from({ length: 1000 }, (_, id) => boxOf(id))
  for (const many of [1, 256, 257, 1000]) {
    test(`stays so when ${many} come and go`, async () => {
      const store = createStore<Box>([])
      for (const scope of [{}, { owner: 'a' }]) {
        const wanted = asking({}, scope)
        const isRight = async (): Promise<void> =>
          expect(await all(store, wanted)).toEqual(select(stored(store), wanted))
        store.put(boxes.slice(many).toReversed())
        await isRight()
        store.put(boxes.slice(0, many).toReversed())
        await isRight()
        store.remove(boxes.slice(0, many))
        await isRight()
      }
    })
  }
})
