import { createServer } from 'node:http'
import { door } from './work/library.mjs'
import { registry } from './work/registry.mjs'

/** A server of one's own, with our listener. */
export async function server() {
  const { toNodeListener } = await door('node')
  return createServer(toNodeListener(registry))
}

/** The door of fetch. */
export async function fetchHandler() {
  const { toFetchHandler } = await door('fetch')
  return toFetchHandler(registry)
}
