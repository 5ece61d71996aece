import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from '../model/registry.ts'
import { type CutOff, harden } from './harden.ts'
import { type NodeOptions, toNodeListener } from './listener.ts'

/** What {@link serve} takes; every part is optional. */
export interface ServeOptions extends NodeOptions {
  /** Default 3000; 0 for any free port. */
  readonly port?: number
  /** The address to listen on. Default `127.0.0.1`: this machine only. */
  readonly host?: string
  /** Milliseconds a client may take to send its head. Default 10,000. */
  readonly headersTimeout?: number
  /** Milliseconds a client may take to send its whole request. Default 60,000. */
  readonly requestTimeout?: number
  /** Milliseconds that `close` waits for answers under way before it cuts them off. Default 10,000. */
  readonly closeTimeout?: number
}

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:3000`. */
  readonly url: string
  readonly port: number
  readonly server: Server
  /** Takes no new connections, lets answers under way be finished, and is done. Calling it again waits for the same end. */
  close(): Promise<void>
}

/**
 * Starts a server for a registry: `const server = await serve(registry, { port: 3000 })`.
 * Also what Node's parser refuses by itself is answered with a problem.
 *
 * @throws {TypeError} When the port or a timeout is no number that can be used.
 * @throws The system's error when it cannot listen: `EADDRINUSE`, `EACCES`, …
 */
export async function serve(
  registry: Registry,
  options: ServeOptions = {},
): Promise<RunningServer> {
  const { port = 3000, host = '127.0.0.1', closeTimeout = 10_000 } = options
  const { headersTimeout = 10_000, requestTimeout = 60_000, layers = [] } = options
  checkNumbers({ port, headersTimeout, requestTimeout, closeTimeout })
  // Asked for here, and not imported: loading it costs ten times what the rest of this door does.
  const { createServer } = process.getBuiltinModule('node:http')
  // A missing Host is answered by us; slow clients are looked for often enough to keep the timeouts.
  const server = createServer({
    headersTimeout,
    requestTimeout,
    requireHostHeader: false,
    connectionsCheckingInterval: 2000,
  })
  const cutOff = harden(server, registry, toNodeListener(registry, { layers }))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(void server.off('error', reject)))
  })
  // A server that listens on a port has an address with one.
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  let closed: Promise<void> | undefined
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    server,
    close: () => {
      closed ??= close(server, closeTimeout, cutOff)
      return closed
    },
  }
}

// Timers go no further: they would ring at once.
const maxTimeout = 2_147_483_647

// What comes from the environment is text: Node would take `'3000x'` for the name of a socket file.
function checkNumbers({ port, ...timeouts }: Readonly<Record<string, number>>): void {
  if (port === undefined || !isWhole(port, 0, 65_535)) {
    throw new TypeError(
      `The port cannot be ${inspect(port)}: write a whole number from 0 to 65535, as in "port: 3000".`,
    )
  }
  for (const [name, timeout] of Object.entries(timeouts)) {
    if (isWhole(timeout, 1, maxTimeout)) continue
    throw new TypeError(
      `${name} cannot be ${inspect(timeout)}: write a positive whole number of milliseconds, as in "${name}: 10_000".`,
    )
  }
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}

function inspect(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

// How long a client that keeps its connection busy may take to send its next request, and learn that it was the last.
const farewell = 250

function close(server: Server, timeout: number, cutOff: CutOff): Promise<void> {
  // Of http.Server this would also cut off connections on which a request is just arriving.
  const { Server: NetServer } = process.getBuiltinModule('node:net')
  return new Promise((resolve) => {
    const deadline = setTimeout(() => {
      server.closeAllConnections()
      // Those of CONNECT are no connections of the server's any more.
      cutOff()
    }, timeout)
    const sweep = setInterval(() => server.closeIdleConnections(), farewell)
    server.prependListener('request', (_, response) => {
      response.setHeader('connection', 'close')
    })
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline)
      clearInterval(sweep)
      resolve()
    })
  })
}
