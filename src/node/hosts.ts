import type { Server } from 'node:http'

/** Allowed host names, without ports; `'*'` allows every name. */
export type HostNames = readonly string[] | '*'

// RFC 9110 §4.2.1. A name never ends with a number, so digits and dots are an address.
const addressSyntax = /^(?:\[.*\]|[\d.]+)$/
const localSyntax = /^(?:.+\.)?localhost$/
const entrySyntax = /^(?:\*|[\w-]+(?:\.[\w-]+)*\.?)$/

/**
 * Checks the option `hosts`.
 *
 * @throws {TypeError} For a name with a port, and any other value but a list or `'*'`.
 */
export function checkHosts(hosts: unknown): void {
  if (hosts === undefined || hosts === '*') return
  const wrong: unknown = Array.isArray(hosts)
    ? hosts.find((name) => typeof name !== 'string' || !entrySyntax.test(name))
    : hosts
  if (wrong === undefined) return
  throw new TypeError(
    `hosts cannot hold ${JSON.stringify(wrong)}: write names without ports, ` +
      `as in "hosts: ['api.example.com']", or '*' for all.`,
  )
}

/**
 * Returns a function that tells whether a host header is allowed: `Api.Example.com.:80`.
 *
 * Addresses, `localhost` and `*.localhost` always pass. `hosts` must list any other name, if it is
 * set or if the server listens on a loopback address. Otherwise a page of any site could reach the
 * server by a name that resolves to this machine (DNS rebinding).
 */
export function hostTestFor(
  server: Server,
  hosts: HostNames | undefined,
): (host: string) => boolean {
  const listedNames = new Set([hosts ?? []].flat().map((name) => nameOf(name)))
  let isOpen = isOpenTo(server, hosts)
  server.on('listening', () => {
    isOpen = isOpenTo(server, hosts)
  })
  if (listedNames.has('*')) return () => true
  // Most requests name the same host.
  let latestHost: string | undefined
  return (host) => {
    if (isOpen || host === latestHost) return true
    const name = nameOf(host)
    const isAllowed =
      name === '' || addressSyntax.test(name) || localSyntax.test(name) || listedNames.has(name)
    if (isAllowed) latestHost = host
    return isAllowed
  }
}

function isOpenTo(server: Server, hosts: HostNames | undefined): boolean {
  if (hosts !== undefined) return false
  const address = server.address()
  return (
    address === null ||
    typeof address === 'string' ||
    !/^(?:127\.|::1$|::ffff:127\.)/.test(address.address)
  )
}

function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}
