import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { answers } from '../support/process.ts'

// Loaded before a server (`--import`), so that the bench can measure any server.

/** The memory and handles of a server after garbage collection. */
export interface Gauge {
  /** Bytes on the heap and off it. */
  readonly held: number
  /** Sockets, timers and all else that keeps the process alive. */
  readonly handles: number
}

const delay = monitorEventLoopDelay({ resolution: 1 })

answers({
  async gauge(): Promise<Gauge> {
    // Node releases a closed handle a turn later.
    for (let time = 0; time < 2; time++) {
      await turn()
      globalThis.gc?.()
    }
    const { heapUsed, external } = process.memoryUsage()
    return { held: heapUsed + external, handles: process.getActiveResourcesInfo().length }
  },
  /** Megabytes that the system counts. */
  memory: () => process.memoryUsage.rss() / 2 ** 20,
  async listen(): Promise<void> {
    globalThis.gc?.()
    // Enabling it takes a turn. The delay of garbage collection does not count.
    delay.enable()
    await pause(5)
    delay.reset()
  },
  /** The longest delay of the event loop since `listen`, in milliseconds. */
  async delay(): Promise<number> {
    // The delayed timer has to ring first.
    await pause(5)
    delay.disable()
    return delay.max / 1e6
  },
})
