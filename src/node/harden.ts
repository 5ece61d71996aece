import type { Server } from 'node:http'
import type { AnyRegistry, Registry } from '../model/registry.ts'
import { Gate } from './gate.ts'
import type { HostNames } from './hosts.ts'
import { checkHardenOptions, defaults } from './options.ts'
import { stop } from './stop.ts'

/** What {@link harden} takes; every part is optional. */
export interface HardenOptions {
  /** Milliseconds that `close` waits for answers under way before it cuts them off. Default 10,000. */
  readonly closeTimeout?: number
  /**
   * Names that requests may be sent to, without ports: `['api.example.com']`; `'*'` for all. Other names are 400 `bad_host`. Addresses,
   * `localhost` and `*.localhost` always pass. Default: none on a loopback address, all on any other. A server behind a proxy on the
   * same machine needs the name that the proxy forwards.
   */
  readonly hosts?: HostNames | undefined
}

/** A server whose every answer is ours. */
export interface HardenedServer {
  /**
   * Takes no new connections, lets answers under way be finished, their clients told that they were the last, and is done.
   * Calling it again waits for the same end.
   */
  close(): Promise<void>
}

/**
 * Makes a server of your own answer with problems what Node's parser would answer with statuses of its own (400 without a body,
 * 408, 413, 417, 431) or not at all (CONNECT), and what it lets through though it is not HTTP/1.1:
 * `harden(http.createServer(app), registry)`. Everything else goes to the `request` listeners that the server has by then, to
 * {@link toNodeListener} where it has none.
 *
 * What is refused is the last request of its connection (RFC 9112 §9.6): nothing that follows it is looked at. An upgrade is
 * ignored unless the server has a listener for it. `maxHeadersCount` (default 1,000) and `maxRequestsPerSocket` of the server are
 * held to from here on: Node would leave out fields, and answer 503 without a word. The timeouts and `maxHeaderSize` stay
 * as the server was made with; make it with `connectionsCheckingInterval: 2000`, or Node looks after slow clients every 30 seconds only.
 *
 * @throws {TypeError} For an option that cannot be, for what is no server of `node:http` or `node:https`, or has somebody else who answers for the parser.
 */
export function harden(
  server: Server,
  registry: AnyRegistry,
  options: HardenOptions = {},
): HardenedServer {
  checkServer(server)
  checkHardenOptions(options)
  const { closeTimeout = defaults.closeTimeout, hosts } = options
  // Its context is asked where the server has no listener only.
  const gate = new Gate(server, registry as Registry, hosts)
  let closed: Promise<void> | undefined
  return {
    close: () => {
      gate.isStopping = true
      closed ??= stop(gate, closeTimeout)
      return closed
    },
  }
}

const owned = ['clientError', 'checkContinue', 'checkExpectation'] as const

function checkServer(server: unknown): void {
  const has = (name: string): boolean => typeof Reflect.get(Object(server), name) === 'function'
  if (!has('closeIdleConnections') || has('updateSettings')) {
    throw new TypeError(
      'harden() takes a server of node:http or node:https: write harden(http.createServer(…), registry). One of node:http2 needs none: give it toNodeListener(registry).',
    )
  }
  const { listenerCount } = server as Server
  const taken = owned.find((event) => listenerCount.call(server, event) > 0)
  if (taken === undefined) return
  throw new TypeError(
    `The server has a listener for "${taken}" already: leave it out, or leave out harden(), which may be called once.`,
  )
}
