// An API that pages of another origin use, with and without compression.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from '../../node_modules/zod/index.js'
import { defineApi, defineRegistry, defineResource } from '../../src/index.ts'
import { compress, cors, health } from '../../src/layers.ts'
import { memoryAdapter } from '../../src/memory.ts'
import { serve } from '../../src/node.ts'

const Note = z.object({ id: z.string(), text: z.string(), revision: z.number().int().optional() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.pick({ text: true }),
  sortable: ['text'],
  readOnly: ['revision'],
  revision: 'revision',
  idempotent: true,
})
const Row = z.object({ id: z.string(), text: z.string() })
const streams = defineResource('streams', { schema: Row })
const losses = defineResource('losses', { schema: Row })

async function* rowsUntil(count, end) {
  for (let number = 0; number < count; number++) yield { id: `${number}`, text: 'row' }
  end?.()
}

const fail = () => {
  throw new Error('The list broke off on purpose')
}

function registryOf() {
  const items = ['one', 'two', 'x'.repeat(10_000)].map((text, place) => ({
    id: `${place + 1}`,
    text,
    revision: 1,
  }))
  const api = defineApi({ v1: { '/notes': notes, '/streams': streams, '/losses': losses } })
  return defineRegistry(api)
    .onError(() => undefined)
    .adapters({
      notes: memoryAdapter({ items }),
      streams: { list: () => rowsUntil(20_000) },
      losses: { list: () => rowsUntil(20_000, fail) },
    })
}

/** Sets a cookie at /login, and repeats the one that it gets at /me. */
const session = (request, answer) => {
  const headers = { 'content-type': 'application/json' }
  if (request.url === '/login')
    return { status: 200, headers: { ...headers, 'set-cookie': 'who=ada' }, body: {} }
  if (request.url !== '/me') return answer(request)
  return { status: 200, headers, body: { cookie: request.headers.cookie ?? null } }
}

async function servePage() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,">')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${server.address().port}` }
}

/** Starts a page that the API lists, one that it does not, and the API twice. */
export async function shareApi() {
  const listed = await servePage()
  const stranger = await servePage()
  const allowed = cors({ origins: [listed.url], credentials: true, headers: ['X-Own'] })
  const serveApi = (layers) =>
    serve(registryOf(), { port: 0, layers: [allowed, ...layers, health(), session] })
  const api = await serveApi([])
  const compressed = await serveApi([compress()])
  return {
    urls: { listed: listed.url, stranger: stranger.url, api: api.url, compressed: compressed.url },
    async close() {
      for (const { server } of [listed, stranger]) server.close().closeAllConnections()
      for (const server of [api, compressed]) await server.close()
    },
  }
}
