// Servers of one long list, and how long their event loops stand still while they answer.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import express from 'express'
import fastify from 'fastify'
import { answers, startInput } from '../../support/process.ts'
import { door } from '../contenders/work/library.mjs'
import { items, registryOf } from './world.mjs'

const { name } = startInput()
const employees = Array.from({ length: 10_000 }, (_, place) => ({
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
  array: () => ours(() => employees),
  iterable: () => ours(oneByOne),
  fastify: async () => {
    const app = fastify().get('/v1/employees', (_, reply) => reply.send(employees))
    await app.ready()
    return app.server
  },
  express: () =>
    createServer(express().get('/v1/employees', (_, response) => response.json(employees))),
}

async function* oneByOne() {
  yield* employees
}

async function ours(list) {
  const { toNodeListener } = await door('node')
  return createServer(toNodeListener(registryOf(list)))
}

const server = await makers[name]()
await once(server.listen(0, '127.0.0.1'), 'listening')
// The finest it has: it looks every millisecond.
const delay = monitorEventLoopDelay({ resolution: 1 })
let cpu

answers({
  port: () => server.address().port,
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
