import { defineApi, defineRegistry, handle, type Operation } from 'nounful'
import { type Check, checksFor, type SpecimenAdapter, specimens } from 'nounful/conformance'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import type { UncheckedAdapter } from '../src/contract/resource/adapter.ts'
import { adapterMethods } from '../src/convention/adapter-methods.ts'
import { isOrdered } from './trial/conformance/broken.ts'
import { brokenRows } from './trial/conformance/defects.ts'
import { mapAdapter } from './trial/conformance/map.ts'

const checks = new Map(checksFor(memoryAdapter()).map((check) => [check.name, check]))

describe('memoryAdapter', () => {
  for (const check of checks.values()) test(check.name, () => check.run(() => memoryAdapter()))
})

describe('an adapter over a Map', () => {
  for (const check of checksFor(mapAdapter())) test(check.name, () => check.run(() => mapAdapter()))
})

describe('an adapter that lists item by item', () => {
  const make = (): SpecimenAdapter => {
    const adapter = mapAdapter()
    return {
      ...adapter,
      async *list(operation, context) {
        yield* (await adapter.list?.(operation, context)) ?? []
      },
    }
  }
  for (const check of checksFor(make())) test(check.name, () => check.run(make))
})

describe('an adapter that', () => {
  test.each(brokenRows)('%s is found', async (_, make, caught) => {
    for (const name of caught) {
      const failure = await failureOf(checkNamed(name), make)
      expect(failure, `"${name}" lets it pass`).toBeInstanceOf(Error)
      expect(String(failure), name).toMatch(
        /^Error: Operation: .+\nResult: .+\nExpected: .+\nRule: .+$/s,
      )
    }
  })

  test('is found by every check in turn', () => {
    const catching = new Set(brokenRows.flatMap(([, , caught]) => caught))
    expect([...checks.keys()].filter((name) => !catching.has(name))).toEqual([])
  })
})

describe('an adapter without orders by related items', () => {
  const plain: readonly (readonly [does: string, own: (sound: UncheckedAdapter) => object])[] = [
    [
      'says so',
      ({ list, selection, joinsSelection }) => ({
        ...{ list, selection, first: undefined, last: undefined },
        joinsSelection: (operation: Operation) =>
          !isOrdered(operation) && joinsSelection?.(operation, undefined),
      }),
    ],
    [
      'shows the items by methods of its own',
      ({ list, count }) => ({
        list: async (operation: Operation) => structuredClone(await list?.(operation, undefined)),
        count: (operation: Operation) => count?.(operation, undefined),
        ...{ first: undefined, last: undefined },
      }),
    ],
  ]
  const joins = [...checks.values()].filter(({ name }) => /\bjoins?\b|related items/.test(name))

  test.each(plain)('%s, and passes', async (_, own) => {
    expect(joins).toHaveLength(6)
    for (const check of joins)
      await check.run(() => {
        const adapter: UncheckedAdapter = memoryAdapter()
        return { ...adapter, ...own(adapter) }
      })
  })
})

describe('a check', () => {
  test('has a name of at most eight words', () => {
    const long = [...checks.keys()].filter((name) => name.split(' ').length > 8)
    expect(long).toEqual([])
  })

  test('has a name and a rule of its own', () => {
    expect(checks.size).toBe(checksFor(memoryAdapter()).length)
    for (const { rule } of checks.values()) expect(rule).toMatch(/^[`A-Z0-9].*\.$/)
  })

  test('needs methods, each named once', () => {
    for (const { needs } of checks.values()) {
      expect(needs).toContain('create')
      expect(new Set(needs).size).toBe(needs.length)
    }
  })

  test('creates one adapter, synchronously or not', async () => {
    let made = 0
    await checkNamed('delete gives the deleted item').run(async () => {
      made += 1
      return memoryAdapter()
    })
    expect(made).toBe(1)
  })

  test('names the operation, its result and the expected one', async () => {
    let made = 0
    const make = (): SpecimenAdapter => ({
      create: ({ item }) => ({ ...item, id: `${++made}` }),
      list: () => [],
    })
    expect(String(await failureOf(checkNamed('limit bounds the list'), make))).toBe(
      [
        'Error: Operation: list {"sort":["name"],"limit":1}',
        'Result: []',
        'Expected: [{"name":"a","rank":3,"id":"2"}]',
        'Rule: A list with a limit is the beginning of the whole list, at most that long.',
      ].join('\n'),
    )
  })
})

describe('checksFor', () => {
  test('needs only methods of the adapter', () => {
    for (const method of adapterMethods.filter((other) => other !== 'create')) {
      const { [method]: _, ...others } = memoryAdapter()
      const left = checksFor(others)
      expect(left.length).toBeLessThan(checks.size)
      expect(left.filter(({ needs }) => needs.includes(method))).toEqual([])
    }
  })

  test('leaves out a gap with a reason', () => {
    const gaps = { 'list sorts descending': 'the log has one order' }
    const left = checksFor(memoryAdapter(), gaps).map(({ name }) => name)
    expect(left).toEqual([...checks.keys()].filter((name) => name !== 'list sorts descending'))
  })

  test('leaves out a group of checks with a reason', () => {
    const gaps = {
      'lists of owners': 'no operation of ours has one',
      'folded orders': 'no resource of ours folds a field',
      'filters of members': 'no object of ours is filterable',
      'filters of lists': 'no list of ours is filterable',
    }
    const left = checksFor(memoryAdapter(), gaps)
    expect(left.filter(({ group }) => group !== undefined)).toEqual([])
    expect(checks.size - left.length).toBe(58)
    expect(left.length).toBe([...checks.values()].filter(({ group }) => !group).length)
  })

  const refused: readonly (readonly [gaps: Readonly<Record<string, string>>, message: RegExp])[] = [
    [
      { 'lists sort descending': 'why' },
      /Unknown check "lists sort descending". Did you mean "list sorts descending"\?/,
    ],
    [{ toString: 'why' }, /Unknown check "toString"/],
    [{ 'list sorts descending': ' ' }, /"list sorts descending" has no reason. Write one: /],
  ]
  test.each(refused)('refuses the gaps %j', (gaps, message) => {
    expect(() => checksFor(memoryAdapter(), gaps)).toThrow(TypeError)
    expect(() => checksFor(memoryAdapter(), gaps)).toThrow(message)
  })

  test('refuses an object without methods', () => {
    expect(() => checksFor({})).toThrow(
      /No check fits this adapter. Pass an adapter, not its factory, with "create"/,
    )
  })
})

describe('specimens', () => {
  const registry = defineRegistry(defineApi({ v1: { '/specimens': specimens } })).adapters({
    specimens: mapAdapter(),
  })
  const post = (body: string) =>
    handle(
      { method: 'POST', url: '/specimens', headers: { 'content-type': 'application/json' }, body },
      registry,
    )

  test('are served like any resource', async () => {
    const body = { name: 'a', note: '', rank: 0.5, flag: false, data: { a: null }, owner_id: 'b' }
    expect(await post(JSON.stringify(body))).toMatchObject({
      status: 201,
      body: { ...body, id: '1' },
    })
  })

  test.each([
    '{}',
    '[{}]',
    '{"name":1}',
    '{"name":"a","data":[]}',
    '{"name":"a","flag":0}',
    '{"name":"a","other":1}',
  ])('refuse %s', async (body) => expect(await post(body)).toMatchObject({ status: 422 }))
})

function checkNamed(name: string): Check {
  const check = checks.get(name)
  if (check) return check
  throw new Error(`There is no check "${name}".`)
}

async function failureOf(check: Check, make: Parameters<Check['run']>[0]): Promise<unknown> {
  return check.run(make).then(
    () => undefined,
    (error: unknown) => error,
  )
}
