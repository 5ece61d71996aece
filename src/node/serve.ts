import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api } from '../model/api.ts'
import type { HostRequest } from '../model/http.ts'
import type { Registry } from '../model/registry.ts'
import { type HardenOptions, harden } from './harden.ts'
import { type NodeOptions, toNodeListener } from './listener.ts'
import { checkServeOptions, withDefaults } from './options.ts'

/** What {@link serve} takes; every part is optional. */
export interface ServeOptions extends NodeOptions, HardenOptions {
  /** Default 3000; 0 for any free port. */
  readonly port?: number
  /** The address to listen on. Default `127.0.0.1`: this machine only. */
  readonly host?: string
  /** Milliseconds a client may take to send its head, the first counted from when it connects. Default 10,000. */
  readonly headersTimeout?: number
  /** Milliseconds a client may take to send its whole request; no less than `headersTimeout`. Default 60,000. */
  readonly requestTimeout?: number
  /** Milliseconds a connection is kept without a request. More than that of a proxy in front. Default 5,000. */
  readonly keepAliveTimeout?: number
  /** Bytes of a request's head, its target included; more is 400 `headers_too_large`. Default 16,384. */
  readonly maxHeaderSize?: number
  /** Connections at a time; more are closed as they come, without an answer. Default 0: as many as the system lets there be. */
  readonly maxConnections?: number
  /** Requests of one connection, the last of which is told so. Default 0: any number. */
  readonly maxRequestsPerSocket?: number
}

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:3000`. */
  readonly url: string
  readonly port: number
  readonly server: Server
  /**
   * Takes no new connections, lets answers under way be finished, their clients told that they were the last, and is done.
   * Calling it again waits for the same end.
   */
  close(): Promise<void>
}

/**
 * Starts a server for a registry: `const server = await serve(registry, { port: 3000 })`. It is hardened: also what Node's
 * parser refuses by itself is answered with a problem. For a server of your own see {@link harden}.
 *
 * @throws {TypeError} For an option that cannot be.
 * @throws The system's error when it cannot listen: `EADDRINUSE`, `EACCES`, …
 */
export async function serve(
  registry: Registry<Api, HostRequest<IncomingMessage>>,
  options: ServeOptions = {},
): Promise<RunningServer> {
  checkServeOptions(options)
  const { host = '127.0.0.1', layers = [], base = '', hosts } = options
  const { port, headersTimeout, maxConnections, ...numbers } = withDefaults(options)
  // Asked for here, and not imported: loading it costs ten times what the rest of this door does.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(
    {
      headersTimeout,
      requestTimeout: numbers.requestTimeout,
      keepAliveTimeout: numbers.keepAliveTimeout,
      maxHeaderSize: numbers.maxHeaderSize,
      // Slow clients are looked for often enough to keep the timeouts.
      connectionsCheckingInterval: Math.min(2000, Math.ceil(headersTimeout / 5)),
    },
    toNodeListener(registry, { base, layers, writeTimeout: numbers.writeTimeout }),
  )
  if (maxConnections > 0) server.maxConnections = maxConnections
  server.maxRequestsPerSocket = numbers.maxRequestsPerSocket
  const { close } = harden(server, registry, { closeTimeout: numbers.closeTimeout, hosts })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(void server.off('error', reject)))
  })
  // A server that listens on a port has an address with one.
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, port: address.port, server, close }
}
