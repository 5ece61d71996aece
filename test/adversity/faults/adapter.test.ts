import { handle, isProblem, problem } from 'nounful'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { operationKinds, statuses } from '../../../src/convention/operations.ts'
import {
  branded,
  handled,
  ownStatuses,
  type Then,
  thenable,
  thrown,
} from '../../support/oddities.ts'
import { requestOf } from '../../support/registry.ts'
import { calm, doors, secret, strike, verdictOf, World, watchProcess } from '../../support/world.ts'

const world = new World()
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(() => world.close())

/** The ways an adapter may fail. */
const ways: readonly ((error: unknown) => unknown)[] = [
  (error) => {
    throw error
  },
  (error) => handled(Promise.reject(error)),
  async (error) => {
    await new Promise(setImmediate)
    throw error
  },
  (error) =>
    thenable(() => {
      throw error
    }),
  (error) => thenable((_, reject) => reject(error)),
]

const note = { id: 'n1', text: 'of n1' }

for (const door of doors) {
  describe(`what an adapter throws, over ${door},`, () => {
    for (const [name, make] of Object.entries(thrown)) {
      test(`is 500 and told once: ${name}`, async () => {
        for (const kind of operationKinds) {
          for (const fail of ways) {
            const fault = () => fail(make())
            await strike(world, { door, kind, fault, verdict: '500 internal_error' })
          }
        }
      })
    }

    test('is told as it was thrown', async () => {
      for (const [name, make] of Object.entries(thrown)) {
        for (const fail of ways) {
          const error = make()
          world.calm()
          world.arm('read', () => fail(error))
          await world.ask(door, calm.read[0])
          expect(world.told.map(({ operation }) => operation?.kind)).toEqual(['read'])
          const told = world.told[0]?.error
          // A problem that cannot be written arrives as an error of its own.
          const isKnown = /members missing|no text|that changes/.test(name)
          expect([name, isKnown || Object.is(told, error)]).toEqual([name, true])
        }
      }
    })

    test('is answered as it is when a problem', async () => {
      for (const kind of operationKinds) {
        for (const fail of ways) {
          const fault = () => fail(problem('conflict', 'taken', { cause: new Error(secret) }))
          // A count tells a conflict of the items from one of their number.
          const asked = kind === 'deleteMany' ? ([kind, 'count'] as const) : [kind]
          const strikes = { door, kind, fault, asked, verdict: '409 conflict' }
          const { text } = await strike(world, strikes)
          expect(JSON.parse(text)).toMatchObject({ type: 'about:blank', message: 'taken' })
        }
      }
    })

    test('is told with its cause when unavailable', async () => {
      for (const kind of operationKinds) {
        const busy = problem('unavailable', secret, { cause: new Error(secret), retryAfter: 7 })
        const fault = () => handled(Promise.reject(busy))
        const { headers } = await strike(world, { door, kind, fault, verdict: '503 unavailable' })
        expect(headers['retry-after']).toBe('7')
      }
    })

    test('has the status of its code', async () => {
      for (const status of ownStatuses) {
        const error = branded({ code: 'not_found', status, message: 'none', members: {} })
        expect(isProblem(error)).toBe(true)
        const fault = () => handled(Promise.reject(error))
        const reply = await strike(world, { door, kind: 'read', fault, verdict: '404 not_found' })
        expect(JSON.parse(reply.text).status).toBe(404)
      }
    })
  })

  describe(`a thenable, over ${door},`, () => {
    const twice: readonly (readonly [name: string, then: Then])[] = [
      ['calls back at once', (resolve) => resolve(note)],
      ['calls back twice', (resolve) => [note, null].forEach(resolve)],
      ['calls back both ways', (resolve, reject) => [resolve(note), reject(new Error(secret))]],
      [
        'throws after it called back',
        (resolve) => {
          resolve(note)
          throw new Error(secret)
        },
      ],
      ['calls back again later', (resolve) => [resolve(note), setImmediate(resolve, null)]],
      ['fails later', (resolve, reject) => [resolve(note), setImmediate(reject, secret)]],
      ['gives a thenable', (resolve) => resolve(thenable((give) => give(note)))],
      ['gives a promise', (resolve) => resolve(Promise.resolve(note))],
    ]
    for (const [name, then] of twice) {
      test(`${name}: the first time counts`, async () => {
        for (const kind of ['read', 'delete', 'first', 'last'] as const) {
          await strike(world, { door, kind, fault: () => thenable(then), verdict: '200' })
        }
      })
    }

    test('fails first and gives later: a fault', async () => {
      const fault = () => thenable((resolve, reject) => [reject(secret), resolve(note)])
      await strike(world, { door, kind: 'read', fault, verdict: '500 internal_error' })
    })

    test('gives itself: a fault', async () => {
      const fault = () => {
        const promise: Promise<unknown> = Promise.resolve().then(() => promise)
        return promise
      }
      await strike(world, { door, kind: 'read', fault, verdict: '500 internal_error' })
    })
  })

  describe(`an adapter that meddles, over ${door},`, () => {
    const meddlers: readonly (readonly [name: string, meddle: (operation: object) => unknown])[] = [
      [
        'writes over its operation',
        (operation) => Object.assign(operation, { kind: 'x', scope: 1 }),
      ],
      [
        'empties its operation',
        (operation) => Object.keys(operation).map((key) => Reflect.deleteProperty(operation, key)),
      ],
      ['freezes its operation', Object.freeze],
      ['takes its prototype', (operation) => Object.setPrototypeOf(operation, null)],
    ]
    for (const [name, meddle] of meddlers) {
      test(`harms nobody else: ${name}`, async () => {
        for (const kind of operationKinds) {
          world.calm()
          world.arm(kind, (operation: object) => {
            meddle(operation)
            throw new Error(secret)
          })
          expect(verdictOf(await world.ask(door, calm[kind][0]))).toBe('500 internal_error')
          expect(verdictOf(await world.ask(door, calm[kind][0]))).toBe(calm[kind][1])
          expect(world.told).toHaveLength(1)
        }
      })
    }
  })
}

test('a polluted Object.prototype changes no answer', async () => {
  const names = ['polluted', 'then', 'id', 'status', 'code', 'limit', 'context', 'gives', 'message']
  for (const name of names) {
    for (const kind of operationKinds) {
      world.calm()
      world.arm(kind, () => {
        const polluting = { value: secret, configurable: true, writable: true }
        Object.defineProperty(Object.prototype, name, polluting)
        throw new Error(secret)
      })
      try {
        const replies = []
        for (const _ of [1, 2]) replies.push(await world.ask('handle', calm[kind][0]))
        Reflect.deleteProperty(Object.prototype, name)
        expect([name, ...replies.map(verdictOf)]).toEqual([
          name,
          '500 internal_error',
          calm[kind][1],
        ])
        expect(JSON.stringify(replies)).not.toContain(secret)
      } finally {
        Reflect.deleteProperty(Object.prototype, name)
      }
    }
  }
})

test('a polluted Object.prototype fails no call', async () => {
  const names = ['issues', 'allowed', 'supported', 'allow', 'members', 'cause', 'toJSON', 'signal']
  for (const name of names) {
    for (const value of [secret, 7, {}, [], () => secret]) {
      for (const kind of operationKinds) {
        world.calm()
        const polluting = { value, configurable: true, writable: true }
        Object.defineProperty(Object.prototype, name, polluting)
        try {
          const { status } = await handle(requestOf(calm[kind][0]), world.registry)
          Reflect.deleteProperty(Object.prototype, name)
          expect(statuses).toContain(status)
        } finally {
          Reflect.deleteProperty(Object.prototype, name)
        }
      }
    }
  }
})
