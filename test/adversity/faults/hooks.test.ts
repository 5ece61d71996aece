import { problem } from 'nounful'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { operationKinds, operations } from '../../../src/convention/operations.ts'
import {
  failing,
  hanging,
  hostileProxy,
  poisoned,
  revoked,
  thenable,
  thrown,
} from '../../support/oddities.ts'
import { calm, doors, secret, strike, verdictOf, World, watchProcess } from '../../support/world.ts'

const world = new World()
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(() => world.close())

type Next = () => unknown

for (const door of doors) {
  for (const point of ['context', 'middleware'] as const) {
    describe(`${point} that fails, over ${door},`, () => {
      for (const [name, make] of Object.entries(thrown)) {
        test(`with ${name} is 500, and nothing done`, async () => {
          for (const kind of operationKinds) {
            const fault = () => {
              throw make()
            }
            const verdict = '500 internal_error'
            await strike(world, { door, kind, point, fault, verdict, asked: [] })
            const later = async () => fault()
            await strike(world, { door, kind, point, fault: later, verdict, asked: [] })
          }
        })
      }

      test('with a problem is answered as it is', async () => {
        for (const kind of operationKinds) {
          const fault = () => Promise.reject(problem('unauthenticated', 'no', { cause: secret }))
          const { headers } = await strike(world, {
            door,
            kind,
            point,
            fault,
            verdict: '401 unauthenticated',
            asked: [],
          })
          expect(headers['www-authenticate']).toBe('Bearer')
        }
      })
    })
  }

  describe(`a context, over ${door},`, () => {
    const given: Readonly<Record<string, readonly [make: () => unknown, verdict?: string]>> = {
      'that is false': [() => false, '403 forbidden'],
      'that is false in the end': [async () => false, '403 forbidden'],
      'of nothing': [() => undefined, '401 unauthenticated'],
      'of nothing in the end': [async () => undefined, '401 unauthenticated'],
      'of null': [() => null],
      'of a text': [() => ''],
      'of zero': [() => 0],
      'that is frozen': [() => Object.freeze({})],
      'without a prototype': [() => Object.create(null)],
      'that is hostile': [hostileProxy, '500 internal_error'],
      'that is revoked': [revoked, '500 internal_error'],
      'that is poisoned': [poisoned, '500 internal_error'],
      'that is a hostile promise': [() => thenable(failing), '500 internal_error'],
    }
    for (const [name, [fault, verdict]] of Object.entries(given)) {
      test(`${name} is ${verdict ?? 'a context'}`, async () => {
        for (const kind of operationKinds) {
          await strike(world, {
            door,
            kind,
            point: 'context',
            fault,
            verdict: verdict ?? calm[kind][1],
          })
        }
      })
    }
  })

  describe(`a middleware, over ${door},`, () => {
    const middleware = { door, point: 'middleware' } as const

    test('that fails afterwards has had it done once', async () => {
      for (const kind of operationKinds) {
        const fault = async (_: unknown, __: unknown, next: Next) => {
          await next()
          throw new Error(secret)
        }
        world.calm()
        world.arm('middleware', fault)
        expect(verdictOf(await world.ask(door, calm[kind][0]))).toBe('500 internal_error')
        expect([world.told.length, world.asked]).toEqual([1, [kind]])
      }
    })

    test('that asks twice is a fault, done once', async () => {
      for (const kind of operationKinds) {
        const fault = async (_: unknown, __: unknown, next: Next) => {
          await next()
          return next()
        }
        world.calm()
        world.arm('middleware', fault)
        expect(verdictOf(await world.ask(door, calm[kind][0]))).toBe('500 internal_error')
        expect([world.told.length, world.asked]).toEqual([1, [kind]])
      }
    })

    test('may ask again what has failed', async () => {
      for (const kind of operationKinds) {
        const fault = async (_: unknown, __: unknown, next: () => Promise<unknown>) => {
          try {
            return await next()
          } catch {
            return next()
          }
        }
        world.calm()
        world.arm('middleware', fault)
        world.arm(kind, failing)
        expect(verdictOf(await world.ask(door, calm[kind][0]))).toBe(calm[kind][1])
        expect([world.told, world.asked]).toEqual([[], [kind, kind]])
      }
    })

    test('that goes on after its answer harms nobody', async () => {
      const fails = [failing, hanging, async () => failing()]
      const cases = fails.flatMap((fail) => operationKinds.map((kind) => [fail, kind] as const))
      for (const [late, kind] of cases) {
        const fault = (_: unknown, __: unknown, next: Next) => {
          setImmediate(() => {
            world.arm(kind, late)
            try {
              next()
            } catch {
              // A synchronous chain throws the error into the middleware.
            }
          })
          throw problem('conflict')
        }
        world.calm()
        world.arm('middleware', fault)
        expect(verdictOf(await world.ask(door, calm[kind][0]))).toBe('409 conflict')
        await new Promise((resolve) => setTimeout(resolve, 1))
        expect(world.told).toEqual([])
      }
    })

    const item = { id: 'n1', text: 'x' }
    const outcomes: Readonly<Record<string, (gives: string) => unknown>> = {
      nothing: () => undefined,
      null: () => null,
      'a text': () => secret,
      'an empty object': () => ({}),
      'a word nobody knows': () => ({ gives: secret }),
      'a part missing': (gives) => ({ gives }),
      'a text inside': (gives) => ({ gives, [gives]: secret }),
      'NaN inside': (gives) => ({ gives, [gives]: Number.NaN }),
      'less than none inside': (gives) => ({ gives, [gives]: -1 }),
      'an item without an id': (gives) => ({ gives, [gives]: {} }),
      'an array of nothing': (gives) => ({ gives, [gives]: [undefined] }),
      'an array of items without ids': (gives) => ({ gives, [gives]: [{ text: secret }] }),
      'a bigint': (gives) => ({ gives, [gives]: 3n }),
      'a fault inside': (gives) => Object.defineProperty({ gives }, gives, { get: failing }),
      'a promise inside': (gives) => ({ gives, [gives]: Promise.resolve(item) }),
      'another word': (gives) => ({
        gives: gives === 'count' ? 'items' : 'count',
        items: [],
        count: 0,
      }),
      'what is poisoned': poisoned,
      'what is hostile': () => hostileProxy(),
      'a promise that fails': () => Promise.reject(new Error(secret)),
    }
    for (const [name, make] of Object.entries(outcomes)) {
      test(`that answers ${name} is a fault`, async () => {
        for (const kind of operationKinds) {
          const fault = () => make(operations[kind].gives)
          const verdict = '500 internal_error'
          await strike(world, { ...middleware, kind, fault, verdict, asked: [] })
        }
      })
    }

    test('adds no header by its cursor', async () => {
      const next = '\r\nSet-Cookie: a=b\r\n<>; rel="prev"'
      const fault = () => ({ gives: 'items', items: [item], next })
      const { headers } = await strike(world, {
        ...middleware,
        kind: 'list',
        fault,
        verdict: '200',
        asked: [],
      })
      expect(headers.link).toMatch(/^<[!-;=?-~]+>; rel="next"$/)
    })
  })
}
