import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { operationKinds } from '../../../src/convention/operations.ts'
import { failing, hanging } from '../../support/oddities.ts'
import { until } from '../../support/streams.ts'
import { calm, doors, secret, strike, verdictOf, World, watchProcess } from '../../support/world.ts'

const world = new World({ options: { limits: { time: 15 } } })
const strays = watchProcess()
afterEach(async () => {
  await new Promise(setImmediate)
  expect(strays.splice(0)).toEqual([])
})
afterAll(() => world.close())

const late = '503 unavailable'

interface Asked {
  readonly signal: AbortSignal
}

for (const door of doors) {
  describe(`a listener of the signal, over ${door},`, () => {
    const listeners: Readonly<Record<string, (signal: AbortSignal) => void>> = {
      'that throws': (signal) => signal.addEventListener('abort', failing),
      'that is rejected': (signal) => signal.addEventListener('abort', async () => failing()),
      'of one time': (signal) => signal.addEventListener('abort', failing, { once: true }),
      'that is an object': (signal) => signal.addEventListener('abort', { handleEvent: failing }),
      'by its property': (signal) => {
        signal.onabort = failing
      },
    }
    for (const [name, listen] of Object.entries(listeners)) {
      test(`${name} harms nobody`, async () => {
        world.calm()
        world.arm('read', ({ signal }: Asked) => {
          listen(signal)
          return hanging()
        })
        const reply = await world.ask(door, calm.read[0])
        expect(verdictOf(reply)).toBe(late)
        expect(JSON.stringify(reply)).not.toContain(secret)
        await until(() => world.told.length > 1)
        // One for being late, one for the listener.
        expect(world.told).toHaveLength(2)
        expect(verdictOf(await world.ask(door, calm.read[0]))).toBe('200')
      })
    }

    test('sees a rejection of its own doing', async () => {
      const fault = ({ signal }: Asked) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      for (const kind of operationKinds) await strike(world, { door, kind, fault, verdict: late })
    })

    test('is forgotten when taken away', async () => {
      const fault = ({ signal }: Asked) => {
        for (const listener of [failing, { handleEvent: failing }]) {
          signal.addEventListener('abort', listener)
          signal.removeEventListener('abort', listener)
        }
        signal.onabort = failing
        signal.onabort = null
        return hanging()
      }
      await strike(world, { door, kind: 'read', fault, verdict: late })
    })
  })
}
