// Servers of one list of 10,000 items.
import { createServer } from 'node:http'
import express from 'express'
import fastify from 'fastify'
import { door } from './work/library.mjs'
import { outlined, registryOf } from './work/registry.mjs'
import { employees } from './work/store.mjs'

const thousand = [...employees.values()]
const items = Array.from({ length: 10_000 }, (_, place) => ({
  ...thousand[place % thousand.length],
  id: `${place}`,
}))

const servers = {
  bare: () =>
    createServer((_, response) => {
      const text = JSON.stringify(items)
      const length = `${Buffer.byteLength(text)}`
      response.writeHead(200, ['content-type', 'application/json', 'content-length', length])
      response.end(text)
    }),
  array: () => ours(() => items),
  iterable: () => ours(oneByOne),
  fastify: async () => {
    const app = fastify().get('/v1/employees', (_, reply) => reply.send(items))
    await app.ready()
    return app.server
  },
  express: () =>
    createServer(express().get('/v1/employees', (_, response) => response.json(items))),
}

async function* oneByOne() {
  yield* items
}

async function ours(list) {
  const { toNodeListener } = await door('node')
  const adapters = { companies: { read: () => undefined }, employees: { list } }
  return createServer(toNodeListener(registryOf(adapters, { schema: outlined })))
}

/** Makes one of the servers, by the name after the comma. */
export function server(name) {
  return servers[name.split(', ').at(-1)]()
}
