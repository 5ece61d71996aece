import { format } from 'node:util'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OperationKind } from '../../../src/convention/operations.ts'
import {
  failing,
  hanging,
  hostileProxy,
  poisoned,
  thenable,
  thrown,
} from '../../support/oddities.ts'
import {
  calm,
  doors,
  type Point,
  secret,
  verdictOf,
  World,
  watchProcess,
} from '../../support/world.ts'

const world = new World()
const strays = watchProcess()
// As the real one, it reads its argument, which may fail.
const consoled = vi.spyOn(console, 'error').mockImplementation((...given) => void format(...given))
beforeEach(() => consoled.mockClear())
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(async () => {
  consoled.mockRestore()
  await world.close()
})

for (const door of doors) {
  describe(`a listener, over ${door},`, () => {
    const fails: Readonly<Record<string, () => unknown>> = {
      'that throws': failing,
      'that is rejected': async () => failing(),
      'that hangs': hanging,
      'that throws in then': () => thenable(failing),
      'that gives what is poisoned': poisoned,
      'that gives what is hostile': () => hostileProxy(),
    }
    const points: readonly (readonly [Point, OperationKind])[] = [
      ['onError', 'read'],
      ['onAnswer', 'read'],
      ['onAnswer', 'count'],
    ]
    for (const [name, fail] of Object.entries(fails)) {
      test(`${name} takes no answer with it`, async () => {
        for (const [point, kind] of points) {
          for (const isFaulty of [true, false]) {
            world.calm()
            world.arm(point, fail)
            if (isFaulty) world.arm(kind, failing)
            const reply = await world.ask(door, calm[kind][0])
            expect(verdictOf(reply)).toBe(isFaulty ? '500 internal_error' : '200')
            expect(JSON.stringify(reply)).not.toContain(secret)
            expect(world.told).toHaveLength(isFaulty ? 1 : 0)
            await new Promise(setImmediate)
            const isCalled = point === 'onAnswer' || isFaulty
            expect(consoled).toHaveBeenCalledTimes(isCalled && name !== 'that hangs' ? 1 : 0)
            consoled.mockClear()
          }
        }
      })
    }

    for (const [name, make] of Object.entries(thrown)) {
      test(`that throws ${name} takes none`, async () => {
        const fault = () => {
          throw make()
        }
        for (const point of ['onError', 'onAnswer'] as const) {
          world.calm()
          world.arm(point, fault)
          world.arm('read', fault)
          expect(verdictOf(await world.ask(door, calm.read[0]))).toBe('500 internal_error')
          expect(verdictOf(await world.ask(door, calm.read[0]))).toBe('200')
        }
      })
    }
  })

  describe(`a request id, over ${door},`, () => {
    const random = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
    const ids: Readonly<Record<string, () => unknown>> = {
      'with CR LF': () => 'a\r\nSet-Cookie: a=b',
      'with NUL': () => 'a\0',
      'that is empty': () => '',
      'of a million characters': () => 'x'.repeat(1_000_000),
      'of half a pair': () => '\ud800',
      'that is none': () => undefined,
      'that is null': () => null,
      'that is a number': () => 7,
      'that is a symbol': () => Symbol(secret),
      'that is an object': () => ({ toString: () => secret }),
      'that is promised': () => Promise.resolve('a'),
      'that is rejected': async () => failing(),
      'that is poisoned': poisoned,
      'that is hostile': () => hostileProxy(),
      'that is thrown': failing,
    }
    for (const [name, make] of Object.entries(ids)) {
      test(`${name} is replaced`, async () => {
        world.calm()
        world.arm('requestId', make, 9)
        world.arm('read', failing)
        const reply = await world.ask(door, calm.read[0])
        expect(JSON.parse(reply.text).request_id).toMatch(random)
        expect(JSON.stringify(reply)).not.toContain(secret)
        expect(world.told.map(({ requestId }) => requestId)).toContain(
          JSON.parse(reply.text).request_id,
        )
        expect(verdictOf(await world.ask(door, calm.read[0]))).toBe('200')
      })
    }

    test('is the one that was given', async () => {
      world.calm()
      world.arm('requestId', () => 'req-7')
      world.arm('read', failing)
      const { text } = await world.ask(door, calm.read[0])
      expect(JSON.parse(text).request_id).toBe('req-7')
      expect(world.told.map(({ requestId }) => requestId)).toEqual(['req-7'])
    })
  })
}
