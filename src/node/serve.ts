import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api } from '../contract/resource/api.ts'
import type { HostRequest } from '../contract/resource/http.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { type HardenedServer, type HardenOptions, hardenChecked } from './harden.ts'
import { type NodeOptions, toNodeListener } from './listener.ts'
import { checkNodeOptions, withDefaults } from './options.ts'
import { lineOfStop, type StopOptions, stopOnSignals } from './stop-on.ts'
import type { LineListener } from './terminal.ts'

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
  /**
   * Gets lines for the developer: the URL, the collections and pages, what `registry.ready()` and
   * `advise()` find, and the stop by a signal. Default: `console.log` if the standard output is a
   * terminal, else nothing. `false`: nothing.
   */
  readonly log?: LineListener | false
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
 * responds with a problem also when Node's parser refuses a request. On a terminal it prints its
 * collections and pages. For your own server see {@link harden}.
 *
 * While a command of nounful loads the module, such as `nounful routes server.ts`, the server
 * listens on a free port and prints nothing: the service itself may run beside it.
 *
 * @throws {TypeError} For an invalid option.
 * @throws The system's error when it cannot listen: `EADDRINUSE`, `EACCES`, …
 */
export async function serve(
  registry: Registry<Api, HostRequest<IncomingMessage>>,
  options: ServeOptions = {},
): Promise<RunningServer> {
  checkNodeOptions('serve()', options)
  const { host = '127.0.0.1', hosts, stopOn = [], onStop = () => undefined } = options
  const { base = '', layers = [] } = options
  const { port, closeTimeout } = withDefaults(options)
  const isCommand = Reflect.get(globalThis, Symbol.for('nounful.command')) === true
  const log = isCommand ? undefined : logOf(options)
  const server = serverFor(registry, options)
  const hardened = hardenChecked(server, registry, { closeTimeout, hosts })
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', reject)
      .listen(isCommand ? 0 : port, host, () => resolve(void server.off('error', reject)))
  })
  let isOpen = true
  const end = (): Promise<void> => {
    isOpen = false
    return hardened.close()
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    log?.(lineOfStop(signal, hardened.countOpen()))
  }
  // After the server listens: one that cannot leaves no listener behind.
  const isStoppable = stopOn.length > 0
  const close = isStoppable
    ? stopOnSignals({ close: end, closeTimeout, stopOn, onStop, onSignal })
    : end
  const address = addressOf(server)
  if (log) {
    const { announce } = await import('./terminal.ts')
    announce({ url: `${address.url}${base}`, registry, layers, isOpen: () => isOpen }, log)
  }
  return { ...address, server, close }
}

function serverFor(
  registry: Registry<Api, HostRequest<IncomingMessage>>,
  options: ServeOptions,
): Server {
  const { layers = [], base = '', decompress = false } = options
  const { headersTimeout, maxConnections, ...numbers } = withDefaults(options)
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
    toNodeListener(registry, { base, layers, decompress, writeTimeout: numbers.writeTimeout }),
  )
  if (maxConnections > 0) server.maxConnections = maxConnections
  server.maxRequestsPerSocket = numbers.maxRequestsPerSocket
  return server
}

// Only a person at a terminal reads the lines: other programs parse the output.
function terminalLog(): LineListener | false {
  return process.getBuiltinModule('node:tty').isatty(1) && console.log
}

// A log that fails must not keep the server from its start or its stop.
function logOf({ log = terminalLog() }: ServeOptions): LineListener | undefined {
  if (log === false) return undefined
  return (line) => {
    try {
      log(line)
    } catch (error) {
      console.error('The log failed:', error)
    }
  }
}

function addressOf(server: Server): Pick<RunningServer, 'url' | 'port'> {
  // A server that listens on a port has such an address.
  const { address, family, port } = server.address() as AddressInfo
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, port }
}
