import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { answersBeside } from './processes.ts'

// Loaded before a server (`--import`), so that the bench can measure any server.

/** The memory and handles of a server after garbage collection, in bytes. */
export interface Gauge {
  readonly rss: number
  /** On the heap and off it. */
  readonly held: number
  readonly heap: number
  /** Sockets, timers and all else that keeps the process alive. */
  readonly handles: number
  readonly sockets: number
}

/** The delay of the event loop since the last query, in milliseconds. */
export interface Delay {
  readonly longest: number
  readonly median: number
}

const delay = monitorEventLoopDelay({ resolution: 1 })

answersBeside({
  async gauge(): Promise<Gauge> {
    // Node releases a closed handle a turn later.
    await nextTurn()
    globalThis.gc?.()
    await nextTurn()
    globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    const handles = process.getActiveResourcesInfo()
    const sockets = handles.filter((name) => name.startsWith('TCPSocket')).length
    return { rss, heap: heapUsed, held: heapUsed + external, handles: handles.length, sockets }
  },
  memory: () => process.memoryUsage.rss(),
  // Microseconds of the processor.
  spent() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  async listen(): Promise<void> {
    globalThis.gc?.()
    // Enabling it takes a turn. The delay of garbage collection does not count.
    delay.enable()
    await new Promise((resolve) => setTimeout(resolve, 5))
    delay.reset()
  },
  async delay(): Promise<Delay> {
    // The timer that was kept waiting has to ring first.
    await new Promise((resolve) => setTimeout(resolve, 5))
    const found = { longest: delay.max / 1e6, median: delay.percentile(50) / 1e6 }
    delay.disable()
    return found
  },
})
