// The cost of so many collections before the first request: time to define them, and heap.
import { GCProfiler } from 'node:v8'
import { answers } from './questions.mjs'

const [contender] = process.argv.slice(2)
const nounsOf = (size) => Array.from({ length: size }, (_, place) => `noun${place}`)

const makers = {
  nounful: async () => (await import('./routers.mjs')).registryOf,
  'find-my-way': async () => routed((await import('find-my-way')).default, 'on'),
  hono: async () => {
    const { Hono } = await import('hono')
    return (nouns) => filled(new Hono(), nouns, (app, path) => app.get(path, answer))
  },
  h3: async () => {
    const { H3 } = await import('h3')
    return (nouns) => filled(new H3(), nouns, (app, path) => app.get(path, answer))
  },
  express: async () => {
    const { default: express } = await import('express')
    return (nouns) => filled(express(), nouns, (app, path) => app.get(path, answer))
  },
  fastify: async () => {
    const { default: fastify } = await import('fastify')
    return (nouns) => filled(fastify(), nouns, (app, path) => app.get(path, answer))
  },
}

function routed(make, add) {
  return (nouns) => filled(make(), nouns, (router, path) => router[add]('GET', path, answer))
}

function filled(app, nouns, add) {
  for (const noun of nouns) {
    add(app, `/v1/${noun}`)
    add(app, `/v1/${noun}/:id`)
  }
  return app
}

function answer() {}

answers({ milliseconds, bytes })

let kept

/** How long it takes to define so many collections, in milliseconds. */
async function milliseconds({ size }) {
  const make = await makers[contender]()
  const nouns = nounsOf(size)
  const start = performance.now()
  kept = make(nouns)
  return performance.now() - start
}

/** How much heap each of so many collections takes, in bytes. */
async function bytes({ size }) {
  const make = await makers[contender]()
  const nouns = nounsOf(size)
  // The first collection makes objects that all share.
  await askOnce(make(nounsOf(1)))
  const before = heap()
  kept = make(nouns)
  await askOnce(kept)
  return (heap() - before) / size
}

// Some contenders build their lookup at the first request.
async function askOnce(app) {
  await app.ready?.()
  await app.fetch?.(new Request('http://localhost/v1/noun0/1'))
}

// So much that it grows old: only then V8 collects all garbage, by itself.
const ring = Array.from({ length: 2000 }, () => new Array(2000))

// The heap after that. V8 reports it exactly where it does not mark garbage bit by bit.
function heap() {
  const sizes = []
  while (sizes.length < 2) {
    const profiler = new GCProfiler()
    profiler.start()
    for (let left = 5 * ring.length; left > 0; left--) {
      ring[left % ring.length] = new Array(2000)
    }
    for (const { gcType, afterGC } of profiler.stop().statistics) {
      if (gcType === 'MarkSweepCompact') sizes.push(afterGC.heapStatistics.usedHeapSize)
    }
  }
  return Math.min(...sizes)
}
