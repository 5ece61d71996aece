import { executionAsyncResource } from 'node:async_hooks'

export { fetchHandler, server } from './bare.mjs'

// By hand, by somebody who knows how to keep Node's ticks fast.
process.nextTick(() => {
  globalThis.tick = executionAsyncResource()
})
