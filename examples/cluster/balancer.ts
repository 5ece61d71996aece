import { writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { type Child, find, start, until } from './child.ts'
import { type Number3, numbers, ports, users } from './places.ts'

/**
 * Starts HAProxy once in front of the processes, and for each process once in front of the nodes.
 * On machines of their own, that is a HAProxy beside each process.
 */
export async function startBalancer(folder: string): Promise<Child> {
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration())
  const child = start({
    name: 'haproxy',
    folder,
    command: [find('haproxy') ?? '', '-db', '-f', file],
  })
  await until(child, () => isOpen(ports.service))
  return child
}

/** Tells whether a process listens on a port of this machine. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false)).once('connect', () => socket.destroy())
  })
}

function configuration(): string {
  return `${[common, processes(), ...numbers.map(nodes)].join('\n')}\n`
}

const common = `
global
  maxconn 1000

defaults
  timeout connect 1s
  option redispatch 1
  retries 3
`

/** The balancer's own response, in the form of the service. */
function refusal(status: number, title: string): string {
  const document = { type: 'about:blank', title, status, code: 'unavailable', message: title }
  const text = JSON.stringify(document)
  const type = 'application/problem+json'
  return `http-error status ${status} content-type ${type} string '${text}' hdr Retry-After 1`
}

function processes(): string {
  const servers = numbers.map(
    (number) => `  server process-${number} 127.0.0.1:${ports.process(number)} check`,
  )
  return `
listen service
  mode http
  bind 127.0.0.1:${ports.service}
  timeout client 60s
  timeout http-keep-alive 60s
  # More than the service's own deadline, so that its response comes first.
  timeout server 20s
  balance roundrobin
  # Through the process to its database and back, over a table that stays small.
  # It waits longer than the cluster needs to go on without a node: else all would be out at once.
  option httpchk GET /v1/companies/count
  timeout check 4s
  default-server inter 500ms fall 3 rise 1
  # A request that reached no process goes to another. One that a process may have carried out
  # does so only without a response, and where a second time changes nothing.
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  http-response set-header x-process %s
  ${refusal(502, 'Bad gateway')}
  ${refusal(503, 'Unavailable')}
  ${refusal(504, 'Gateway timeout')}
${servers.join('\n')}
`
}

function nodes(number: Number3): string {
  const order = [...numbers.slice(number - 1), ...numbers.slice(0, number - 1)]
  const servers = order.map(
    (node, place) =>
      `  server node-${node} 127.0.0.1:${ports.node(node)} check${place === 0 ? '' : ' backup'}`,
  )
  return `
listen database-${number}
  mode tcp
  bind 127.0.0.1:${ports.database(number)}
  timeout client 1h
  timeout server 1h
  # All connections of a process go to one node: its own, or else the next. They stay there when
  # its own is back. Another connection of the pool cancels statements: it needs the same node.
  stick-table type integer size 1 nopurge
  stick on int(1)
  # A node that hangs keeps its connections open: HAProxy cuts them, so that no client waits.
  default-server inter 500ms fall 2 rise 2 on-marked-down shutdown-sessions
  option tcp-check
  timeout check 1s
  # The check is whether the node has caught up and takes statements, not whether it listens.
  tcp-check connect
  tcp-check expect rstring .
  tcp-check send-binary ${packet(1, login)}
  tcp-check expect binary 00000002
  tcp-check send-binary ${packet(0, Buffer.from(`\u0003${question}`))}
  tcp-check expect string ready
  tcp-check send-binary ${packet(0, Buffer.from([1]))}
${servers.join('\n')}
`
}

// A node outside the majority, or behind it, refuses even this. It must not wait as other reads do:
// while nodes agree on who is left, all of them would be taken for dead.
const question = "set statement wsrep_sync_wait = 0 for select 'ready'"

// The client's handshake: long passwords, protocol 4.1, secure; utf8; a user without password.
const login = Buffer.concat([
  Buffer.from([0x01, 0x82, 0, 0, 0, 0, 0, 1, 33]),
  Buffer.alloc(23),
  Buffer.from(`${users.check}\0\0`),
])

/** A packet of MySQL's protocol, in hexadecimal: length in three bytes, number, content. */
function packet(number: number, content: Buffer): string {
  const head = Buffer.alloc(4)
  head.writeUIntLE(content.length, 0, 3)
  head[3] = number
  return Buffer.concat([head, content]).toString('hex')
}
