import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'nounful'
import { type RunningServer, type ServeOptions, serve } from 'nounful/node'
import { afterEach } from 'vitest'

const ends: (() => unknown)[] = []

/** Does something after the test, last come first. */
export function afterwards(end: () => unknown): void {
  ends.push(end)
}

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Serves a registry on any free port for the length of a test. */
export async function serving(
  registry: Registry,
  options: ServeOptions = {},
): Promise<RunningServer> {
  const server = await serve(registry, { port: 0, closeTimeout: 100, ...options })
  afterwards(() => server.close())
  return server
}

/** Has a server listen on any free port for the length of a test, and gives the port. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** How many connections a server has. */
export function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
