import { door } from './work/library.mjs'
import { registry } from './work/registry.mjs'

/** The server that we start, hardened. It listens: on any free port, until it listens where it is told to. */
export async function server() {
  const { serve } = await door('node')
  const { server } = await serve(registry, { port: 0 })
  return server
}
