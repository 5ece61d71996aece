import { createServer } from 'node:http'
import { harden, serve, toNodeListener } from 'nounful/node'
import { registry } from './contract.ts'

const server = createServer(toNodeListener(registry))
export const { close } = harden(server, registry)

export async function start(): Promise<string> {
  const { url } = await serve(registry, { port: 0, maxConnections: 100 })
  return url
}
