import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { handle } from 'nounful'
import { expect, test } from 'vitest'
import { slope } from '../../../bench/support/figures.ts'
import { memoryPeer } from '../../support/peers.ts'
import { wildRequests } from '../../support/wild.ts'

// About 4,000 requests in each window.
const series = 200
const windows = 16

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

async function heldBytes(): Promise<number> {
  for (let time = 0; time < 3; time++) {
    await pause(5)
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// A cache by what clients write would grow with each request. The items of a window go with their
// peer, what the core keeps for a resource stays.
test('requests that all differ leave nothing behind', { timeout: 180_000 }, async () => {
  const points: (readonly [requests: number, bytes: number])[] = []
  let count = 0
  for (let window = 0; window < windows; window++) {
    const { gadgets, companies } = memoryPeer()
    for (const request of fc.sample(wildRequests, { numRuns: series, seed: window }).flat()) {
      await handle(request, /gadgets|parts/.test(request.url) ? gadgets : companies)
      count++
    }
    points.push([count, await heldBytes()])
  }
  // Compiled code and full caches of the first windows are no leak. Bytes for each request.
  expect(slope(points.slice(windows / 2))).toBeLessThan(32)
})
