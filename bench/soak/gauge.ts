import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { answersBeside } from '../support/process.ts'

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

const delay = monitorEventLoopDelay({ resolution: 1 })

answersBeside({
  async gauge(): Promise<Gauge> {
    // Node releases a closed handle a turn later.
    for (let time = 0; time < 2; time++) {
      await turn()
      globalThis.gc?.()
    }
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
