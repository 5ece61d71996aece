import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OperationKind, operationKinds } from '../../../src/convention/operations.ts'
import { methodOf } from '../../support/methods.ts'
import { failing, hanging, thenable } from '../../support/oddities.ts'
import type { Loose } from '../../support/registry.ts'
import { until } from '../../support/streams.ts'
import {
  calm,
  calmAdapter,
  doors,
  type Point,
  secret,
  strike,
  verdictOf,
  World,
  watchProcess,
} from '../../support/world.ts'

const time = 15
const world = new World({ options: { limits: { time } } })
const { first, last, count, ...others } = calmAdapter
const derived = new World({ adapter: others, options: { limits: { time } } })
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(async () => {
  await world.close()
  await derived.close()
})

const note = { id: 'n1', text: 'of n1' }
const late = '503 unavailable'

interface Asked {
  readonly id: unknown
  readonly signal: AbortSignal
}

/** A promise, and the functions that settle it. */
function held() {
  let resolve: (value: unknown) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise((...both) => {
    resolve = both[0]
    reject = both[1]
  })
  return { promise, resolve, reject }
}

for (const door of doors) {
  describe(`who never comes back, over ${door},`, () => {
    const points: readonly (readonly [Point, readonly OperationKind[]])[] = [
      ...operationKinds.map((kind) => [kind, [kind]] as const),
      ['context', ['create']],
      ['middleware', ['create']],
      ['schema', ['create', 'update']],
    ]
    for (const [point, kinds] of points) {
      test(`${point} is 503`, async () => {
        for (const kind of kinds) {
          const asked = point === kind ? [kind] : []
          for (const fault of [hanging, () => thenable(() => undefined)]) {
            const reply = await strike(world, { door, kind, point, fault, verdict: late, asked })
            expect(reply.headers['retry-after']).toBe('5')
          }
        }
      })
    }

    test('a middleware after next is 503, done once', async () => {
      const fault = async (_: unknown, __: unknown, next: () => Promise<unknown>) => {
        await next()
        return hanging()
      }
      const asked = ['create'] as const
      await strike(world, {
        door,
        kind: 'create',
        point: 'middleware',
        fault,
        verdict: late,
        asked,
      })
    })

    test('has the signal aborted', async () => {
      const signals: AbortSignal[] = []
      const fault = ({ signal }: Asked) => {
        signals.push(signal)
        return hanging()
      }
      for (const kind of operationKinds) await strike(world, { door, kind, fault, verdict: late })
      expect(signals.map(({ aborted }) => aborted)).toEqual(operationKinds.map(() => true))
      expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' })
    })
  })

  describe(`who comes back late, over ${door},`, () => {
    // biome-ignore format: a row stays a line
    const ends: readonly (readonly [
      name: string,
      end: (one: ReturnType<typeof held>) => void,
    ])[] = [
      ['with what was asked for', ({ resolve }) => resolve(note)],
      ['with nothing',            ({ resolve }) => resolve(null)],
      ['with garbage',            ({ resolve }) => resolve(3n)],
      ['with a thenable',         ({ resolve }) => resolve(thenable(failing))],
      ['with a fault',            ({ reject }) => reject(new Error(secret))],
      ['with another fault',      ({ reject }) => reject(undefined)],
    ]
    for (const [name, end] of ends) {
      test(`${name} is heard no more`, async () => {
        const all: ReturnType<typeof held>[] = []
        const fault = () => {
          const one = held()
          all.push(one)
          return one.promise
        }
        for (const kind of operationKinds) await strike(world, { door, kind, fault, verdict: late })
        for (const one of all) end(one)
        await new Promise((resolve) => setTimeout(resolve, 1))
        expect(world.told).toEqual([])
        expect(verdictOf(await world.ask(door, calm.read[0]))).toBe('200')
      })
    }

    test('with a list has it closed', async () => {
      const closed: string[] = []
      const one = held()
      const fault = () => one.promise
      await strike(world, { door, kind: 'list', fault, verdict: late })
      const iterator = { next: () => ({ value: note }), return: () => closed.push('closed') && {} }
      one.resolve({ [Symbol.asyncIterator]: () => iterator })
      await until(() => closed.length > 0)
      expect(closed).toEqual(['closed'])
      expect(world.told).toEqual([])
    })
  })

  describe(`a list that stops, over ${door},`, () => {
    const stops = (closed: string[], ...items: readonly unknown[]) =>
      async function* () {
        try {
          yield* items
          await hanging()
        } finally {
          closed.push('never')
        }
      }

    test('before its first item is 503', async () => {
      const fault = stops([])
      for (const kind of ['list', 'first', 'last', 'count'] as const) {
        await strike(derived, { door, kind, point: 'list', fault, verdict: late, asked: ['list'] })
      }
    })

    test('later is cut off', async () => {
      const many = Array.from({ length: 3000 }, (_, at) => ({ id: `n${at}`, text: 'x' }))
      derived.calm()
      derived.arm('list', stops([], ...many))
      const reply = await derived.ask(door, calm.list[0])
      expect([reply.status, reply.isCut]).toEqual([200, true])
      await until(() => derived.told.length > 0)
      // Time enough for closing it to be late, too: that is no news.
      await new Promise((resolve) => setTimeout(resolve, 3 * time))
      expect(derived.told).toHaveLength(1)
      expect(derived.told[0]?.error).toMatchObject({ code: 'unavailable' })
      expect(verdictOf(await derived.ask(door, calm.list[0]))).toBe('200')
    })

    test('when it is given up is 503', async () => {
      const iterator = { next: () => ({ done: false, value: note }), return: hanging }
      const fault = () => ({ [Symbol.asyncIterator]: () => iterator })
      for (const kind of ['first', 'last'] as const) {
        await strike(derived, { door, kind, point: 'list', fault, verdict: late, asked: ['list'] })
      }
    })

    test('when it is given up by HEAD, too', async () => {
      const iterator = { next: () => ({ done: false, value: note }), return: hanging }
      derived.calm()
      derived.arm('list', () => ({ [Symbol.asyncIterator]: () => iterator }))
      expect(await derived.ask(door, ['HEAD', '/notes'])).toMatchObject({ status: 200, text: '' })
      await until(() => derived.told.length > 0)
      expect(derived.told).toHaveLength(1)
    })
  })

  test(`who writes after the deadline is answered once, over ${door}`, async () => {
    const written: string[] = []
    const fault = async ({ signal }: Asked) => {
      await until(() => signal.aborted)
      written.push('late')
      return note
    }
    await strike(world, { door, kind: 'update', fault, verdict: late })
    await until(() => written.length > 0)
    expect(written).toEqual(['late'])
  })

  test(`who blocks everybody is waited for, over ${door}`, async () => {
    world.calm()
    world.arm('read', () => {
      const end = performance.now() + 2 * time
      while (performance.now() < end);
      return note
    })
    const others = [calm.count, calm.list].map(([line]) => world.ask('fetch', line))
    const replies = await Promise.all([world.ask(door, calm.read[0]), ...others])
    expect(replies.map(verdictOf)).toEqual(['200', '200', '200'])
    expect(world.answered.find(({ kind }) => kind === 'read')?.duration).toBeGreaterThan(time)
  })
}

describe('the clock', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('stands still when all have answered', async () => {
    for (const kind of operationKinds) {
      world.calm()
      world.arm(kind, async (...given: Parameters<NonNullable<Loose['list']>>) =>
        calmAdapter[methodOf(kind)]?.(...given),
      )
      expect(verdictOf(await world.ask('handle', calm[kind][0]))).toBe(calm[kind][1])
      expect(vi.getTimerCount()).toBe(0)
    }
  })
})
