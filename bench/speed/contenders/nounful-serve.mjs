import { door } from './work/library.mjs'
import { registry } from './work/registry.mjs'

/** The server of `serve`, hardened. It listens on a free port until `listen` names another. */
export async function server() {
  const { serve } = await door('node')
  const { server } = await serve(registry, { port: 0 })
  return server
}
