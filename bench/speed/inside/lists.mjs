// Servers of one long list, and how long their event loops stand still while they answer.
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { door } from '../contenders/work/library.mjs'
import { answers } from './questions.mjs'
import { items, listRegistry } from './world.mjs'

const [contender] = process.argv.slice(2)
const length = 10_000
const employees = Array.from({ length }, (_, place) => ({
  ...items[place % items.length],
  id: `${place}`,
}))

const makers = {
  bare: () =>
    createServer((_, response) => {
      const text = JSON.stringify(employees)
      const size = `${Buffer.byteLength(text)}`
      response.writeHead(200, ['content-type', 'application/json', 'content-length', size])
      response.end(text)
    }),
  nounful: () => ours(() => employees),
  'nounful-iterable': () => ours(oneByOne),
  fastify: async () => {
    const { default: fastify } = await import('fastify')
    const app = fastify().get('/v1/employees', (_, reply) => reply.send(employees))
    await app.ready()
    return app.server
  },
  express: async () => {
    const { default: express } = await import('express')
    return createServer(express().get('/v1/employees', (_, response) => response.json(employees)))
  },
}

async function* oneByOne() {
  yield* employees
}

async function ours(list) {
  const { toNodeListener } = await door('node')
  return createServer(toNodeListener(listRegistry(list)))
}

const server = await makers[contender]()
// The finest it has: it looks every millisecond.
const delay = monitorEventLoopDelay({ resolution: 1 })
let cpu

answers({
  listen: () =>
    new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port))),
  begin() {
    delay.enable()
    delay.reset()
    cpu = process.cpuUsage()
  },
  /** Milliseconds: the longest that the event loop stood still, and CPU. */
  end() {
    const { user, system } = process.cpuUsage(cpu)
    delay.disable()
    return { stall: delay.max / 1e6, cpu: (user + system) / 1000 }
  },
})
