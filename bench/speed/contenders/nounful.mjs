import { createServer } from 'node:http'
import { door } from './work/library.mjs'
import { registry } from './work/registry.mjs'

/** Your own server, with the library's listener; or with `serve`, hardened, on a free port. */
export async function server(name, options) {
  const { serve, toNodeListener } = await door('node')
  if (name === 'nounful') return createServer(toNodeListener(registry))
  return (await serve(registry, { port: 0, ...options })).server
}

/** The door of fetch. */
export async function fetchHandler() {
  const { toFetchHandler } = await door('fetch')
  return toFetchHandler(registry)
}
