import { writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { type Child, find, start, until } from './child.ts'
import { type Number3, numbers, ports, users } from './places.ts'

/**
 * Starts HAProxy: once in front of the processes, and for each process once in front of the nodes, which on machines of
 * their own would be a HAProxy beside the process.
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

/** Whether somebody listens on a port of this machine. */
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

/** What the balancer says itself, in the form of the service. */
function refusal(status: number, title: string): string {
  const document = { type: 'about:blank', title, status, code: 'unavailable', message: title }
  const text = JSON.stringify(document)
  return `http-error status ${status} content-type application/problem+json string '${text}' hdr Retry-After 1`
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
  # More than the service's own deadline, so that its answer comes first.
  timeout server 20s
  balance roundrobin
  # Through the process to its database and back, over a table that stays small.
  # Its patience is longer than the cluster needs to go on without a node: else all would be out at once.
  option httpchk GET /v1/companies/count
  timeout check 4s
  default-server inter 500ms fall 3 rise 1
  # A request that reached nobody goes to another process. One that may have been carried out does so only where
  # doing it twice is doing it once, and nothing was answered.
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
  # All connections of a process are to one node: its own, else the next, and there they stay when its own is back.
  # Statements are cancelled over another connection of the pool, which has to be one to the same node.
  stick-table type integer size 1 nopurge
  stick on int(1)
  # A node that does not answer keeps its connections open: they are cut, so that nobody waits for it.
  default-server inter 500ms fall 2 rise 2 on-marked-down shutdown-sessions
  option tcp-check
  timeout check 1s
  # Not whether it listens: whether it has what the others have, and takes statements.
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

// A node that is in no majority, or is still missing something, refuses even this. It must not wait as other reads do:
// nodes that have yet to agree on who is left would be taken for dead, all of them.
const question = "set statement wsrep_sync_wait = 0 for select 'ready'"

// The client's half of the handshake: long passwords, protocol 4.1, secure connection; utf8; a user without a password.
const login = Buffer.concat([
  Buffer.from([0x01, 0x82, 0, 0, 0, 0, 0, 1, 33]),
  Buffer.alloc(23),
  Buffer.from(`${users.check}\0\0`),
])

/** A packet of MySQL's protocol, in hexadecimal: the length in three bytes, the number, the content. */
function packet(number: number, content: Buffer): string {
  const head = Buffer.alloc(4)
  head.writeUIntLE(content.length, 0, 3)
  head[3] = number
  return Buffer.concat([head, content]).toString('hex')
}
