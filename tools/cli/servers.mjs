import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Starts servers to check: one that keeps every rule, one of another make, and some that are none.
 */
export async function startServers(installed) {
  const { serve } = await import(pathToFileURL(join(installed, 'dist/node.js')))
  const registry = await registryFrom(installed)
  const right = await serve(registry, { port: 0 })
  const guarded = await serve(
    { ...registry, context: refuseStrangers(await problemFrom(installed)) },
    { port: 0 },
  )
  const hanging = await listen(createSocketServer(() => undefined))
  const other = await listen(
    createSocketServer((socket) =>
      socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.2\r\n'),
    ),
  )
  const pages = await listen(
    createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'),
    ),
  )
  const crashing = await listen(createServer((request) => request.socket.destroy()))
  const jsonServer = await startJsonServer()
  const before = await stored(right.url)
  let after = before
  const timer = setInterval(() => undefined, 1000)
  return {
    right: right.url,
    guarded: guarded.url,
    hanging: urlOf(hanging),
    other: urlOf(other),
    pages: urlOf(pages),
    crashing: urlOf(crashing),
    jsonServer: urlOf(jsonServer.server),
    changed: () =>
      after === before
        ? jsonServer.changed()
        : `the server holds something else:\n${before}\n${after}`,
    settle: async () => {
      after = await stored(right.url)
    },
    close: async () => {
      clearInterval(timer)
      await Promise.all([right.close(), guarded.close()])
      for (const server of [hanging, other, pages, crashing, jsonServer.server]) {
        server.closeAllConnections?.()
        server.close()
        server.unref()
      }
    },
  }
}

async function registryFrom(installed) {
  const { defineApi, defineRegistry, defineResource } = await import(
    pathToFileURL(join(installed, 'dist/index.js'))
  )
  const { memoryAdapter } = await import(pathToFileURL(join(installed, 'dist/memory.js')))
  const item = (owner) => ({
    '~standard': {
      version: 1,
      vendor: 'hand',
      validate: (value) => {
        const fields = Object.keys(value).filter((field) => !['id', 'name', owner].includes(field))
        if (typeof value.name !== 'string')
          return { issues: [{ message: 'is no text', path: ['name'] }] }
        if (fields.length > 0) return { issues: [{ message: 'is not known', path: [fields[0]] }] }
        return { value }
      },
    },
  })
  const options = { sortable: ['name'], searchable: ['name'] }
  const people = defineResource('people', { schema: item(), ...options })
  const pets = defineResource('pets', {
    schema: item('person_id'),
    references: { person_id: 'people' },
    ...options,
  })
  const owners = memoryAdapter({
    items: [
      { id: 'a', name: 'Ann Lee' },
      { id: 'b', name: 'Bob Ray' },
    ],
  })
  return defineRegistry(
    defineApi({ v1: { '/people': people, '/people/:person_id/pets': pets } }),
  ).adapters({
    people: owners,
    pets: memoryAdapter({
      items: [
        { id: 'c', name: 'Cat', person_id: 'a' },
        { id: 'd', name: 'Dog', person_id: 'a' },
      ],
    }),
  })
}

async function problemFrom(installed) {
  const { problem } = await import(pathToFileURL(join(installed, 'dist/index.js')))
  return problem
}

function refuseStrangers(problem) {
  return ({ headers }) => {
    if (headers?.authorization !== 'Bearer secret') throw problem('unauthenticated')
    return { isKnown: true }
  }
}

async function startJsonServer() {
  // json-server writes its output there.
  console.error = () => undefined
  const require = createRequire(import.meta.url)
  const folder = new URL('../node_modules/json-server', import.meta.url)
  if (!existsSync(folder)) throw new Error('json-server is not there: npm ci in tools.')
  const jsonServer = require('json-server')
  const db = {
    posts: [
      { id: 1, title: 'First post', views: 100 },
      { id: 2, title: 'other post', views: 200 },
    ],
    comments: [{ id: 1, body: 'Well said', postId: 1 }],
  }
  // It takes a list for an item, and gives it no id to remove it by.
  const itemsIn = () =>
    JSON.stringify(db, (_, value) =>
      Array.isArray(value) ? value.filter((item) => !Array.isArray(item)) : value,
    )
  const before = itemsIn()
  const app = jsonServer.create()
  app.use(jsonServer.bodyParser)
  app.use(jsonServer.router(db))
  const server = await listen(createServer(app))
  return {
    server,
    changed: () =>
      itemsIn() === before ? undefined : `json-server holds something else:\n${itemsIn()}`,
  }
}

async function listen(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function urlOf(server) {
  return `http://127.0.0.1:${server.address().port}`
}

async function stored(url) {
  const paths = ['people', 'people/a/pets', 'people/b/pets']
  const lists = paths.map(async (path) => (await fetch(`${url}/v1/${path}`)).text())
  return (await Promise.all(lists)).join('\n')
}
