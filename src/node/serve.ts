import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api } from '../model/api.ts'
import type { HostRequest } from '../model/http.ts'
import type { Registry } from '../model/registry.ts'
import { type HardenedServer, type HardenOptions, harden } from './harden.ts'
import { type NodeOptions, toNodeListener } from './listener.ts'
import { checkNodeOptions, withDefaults } from './options.ts'
import { type StopOptions, stopOnSignals } from './stop-on.ts'

/** The options of {@link serve}. */
export interface ServeOptions extends NodeOptions, HardenOptions, StopOptions {
  /** Default 3000; 0 for any free port. */
  readonly port?: number
  /** The address to listen on. Default `127.0.0.1`: this machine only. */
  readonly host?: string
  /** Milliseconds for a request's head; the first starts with the connection. Default 10,000. */
  readonly headersTimeout?: number
  /** Milliseconds for the whole request; at least `headersTimeout`. Default 60,000. */
  readonly requestTimeout?: number
  /** Milliseconds for an idle connection; more than in a proxy before it. Default 5,000. */
  readonly keepAliveTimeout?: number
  /** Bytes of a request's head with its target, else 400 `headers_too_large`. Default 16,384. */
  readonly maxHeaderSize?: number
  /** Open connections; the server closes further ones at once. Default 0: the system's limit. */
  readonly maxConnections?: number
  /** Requests of one connection; the server closes it after the last. Default 0: any number. */
  readonly maxRequestsPerSocket?: number
}

/** A listening server. */
export interface RunningServer extends HardenedServer {
  /** `http://127.0.0.1:3000`. */
  readonly url: string
  readonly port: number
  readonly server: Server
}

/**
 * Starts a server for a registry: `const server = await serve(registry, { port: 3000 })`. It
 * responds with a problem also when Node's parser refuses a request. For your own server see
 * {@link harden}.
 *
 * @throws {TypeError} For an invalid option.
 * @throws The system's error when it cannot listen: `EADDRINUSE`, `EACCES`, …
 */
export async function serve(
  registry: Registry<Api, HostRequest<IncomingMessage>>,
  options: ServeOptions = {},
): Promise<RunningServer> {
  checkNodeOptions('serve()', options)
  const { host = '127.0.0.1', layers = [], base = '', hosts } = options
  const { stopOn = [], onStop = () => undefined } = options
  const { port, headersTimeout, maxConnections, ...numbers } = withDefaults(options)
  // Loaded here, not imported: it loads ten times slower than the rest of this door.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(
    {
      headersTimeout,
      requestTimeout: numbers.requestTimeout,
      keepAliveTimeout: numbers.keepAliveTimeout,
      maxHeaderSize: numbers.maxHeaderSize,
      // Often enough to enforce the timeouts.
      connectionsCheckingInterval: Math.min(2000, Math.ceil(headersTimeout / 5)),
    },
    toNodeListener(registry, { base, layers, writeTimeout: numbers.writeTimeout }),
  )
  if (maxConnections > 0) server.maxConnections = maxConnections
  server.maxRequestsPerSocket = numbers.maxRequestsPerSocket
  const { closeTimeout } = numbers
  const hardened = harden(server, registry, { closeTimeout, hosts })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(void server.off('error', reject)))
  })
  // After the server listens: one that cannot leaves no listener behind.
  const isStoppable = stopOn.length > 0
  const close = isStoppable
    ? stopOnSignals({ ...hardened, closeTimeout, stopOn, onStop })
    : hardened.close
  // A server that listens on a port has such an address.
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, port: address.port, server, close }
}
