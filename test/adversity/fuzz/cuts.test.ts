import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Layer } from 'nounful'
import { harden, toNodeListener } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mapOf, notesWith } from '../../support/registry.ts'

const host = 'Host: localhost\r\n'
const json = 'Content-Type: application/json\r\n'
const remove = `DELETE /v1/notes HTTP/1.1\r\n${host}\r\n`
const removeOne = `DELETE /v1/notes/a HTTP/1.1\r\n${host}\r\n`
const count = `GET /v1/notes/count HTTP/1.1\r\n${host}\r\n`
const read = `GET /v1/notes/a HTTP/1.1\r\n${host}\r\n`
const head = `HEAD /v1/notes/a HTTP/1.1\r\n${host}\r\n`
const note = '{"text":"x"}'
const chunked = 'Transfer-Encoding: chunked\r\n'
const post = (body: string, fields = `Content-Length: ${body.length}\r\n`) =>
  `POST /v1/notes HTTP/1.1\r\n${host}${json}${fields}\r\n${body}`
const chunksOf = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

/** Bytes and their operations, for every cut. */
type Row = readonly [name: string, bytes: string, ...kinds: readonly string[]]

// biome-ignore format: a row stays a line
const rows: readonly Row[] = [
  ['a request',                           read, 'read'],
  ['requests in a row',                   read + head + count, 'read', 'read', 'list'],
  ['a deletion',                          remove, 'deleteAll'],
  ['a creation',                          post(note), 'create'],
  ['a creation in chunks',                post(chunksOf(note), chunked), 'create'],
  ['a creation, then a deletion',         post(note) + removeOne, 'create', 'delete'],
  ['a letter before a deletion',          `G${remove}`],
  ['letters before a deletion',           `DEL${remove}`],
  ['a method before a deletion',          `GET${remove}`],
  ['a space before a deletion',           ` ${remove}`],
  ['NUL before a deletion',               `\0${remove}`],
  ['an unknown method',                   `FOO /v1/notes HTTP/1.1\r\n${host}\r\n`],
  ['an unknown method, then a deletion',  `FOO /v1/notes HTTP/1.1\r\n${host}\r\n${remove}`],
  ['a method in small letters',           `delete /v1/notes HTTP/1.1\r\n${host}\r\n`],
  ['half a method',                       `DELE /v1/notes HTTP/1.1\r\n${host}\r\n`],
  ['a method too long',                   `DELETEE /v1/notes HTTP/1.1\r\n${host}\r\n`],
  ['a method with a tab',                 `DELETE\t/v1/notes HTTP/1.1\r\n${host}\r\n`],
  ['a line end inside a method',          `DEL\r\nETE /v1/notes HTTP/1.1\r\n${host}\r\n`],
  ['an unknown method after a read',      `${read}FOO /v1/notes HTTP/1.1\r\n${host}\r\n`, 'read'],
  ['letters after a read',                `${read}X${remove}`, 'read'],
  ['a body that ends in half a method',   `${post('\nDELE', 'Content-Length: 5\r\n')}TE /v1/notes HTTP/1.1\r\n${host}\r\n`],
  ['a body that ends in a letter',        `${post('\n\nG', 'Content-Length: 3\r\n')}G${remove}`],
  ['a body that is a request',            post(remove)],
  ['a body that holds a request',         post(`\r\n\r\n${remove}`)],
  ['chunks that are a request',           post(chunksOf(remove), chunked)],
  ['a body shorter than it says',         post(remove, `Content-Length: ${remove.length + 9}\r\n`)],
  ['a body longer than it says',          `${post('{}', 'Content-Length: 1\r\n')}${remove}`],
  ['a length and chunks',                 post(`0\r\n\r\n${remove}`, `Content-Length: 5\r\n${chunked}`)],
  ['two lengths',                         post(remove, 'Content-Length: 0\r\nContent-Length: 5\r\n')],
  ['a chunk that is no number',           post(`zz\r\n${remove}`, chunked)],
  ['a chunk that is too short',           post(`1\r\n${note}\r\n0\r\n\r\n${remove}`, chunked)],
  ['another coding',                      post(`0\r\n\r\n${remove}`, 'Transfer-Encoding: xchunked\r\n')],
  ['a body of a read',                    `GET /v1/notes/a HTTP/1.1\r\n${host}Content-Length: ${remove.length}\r\n\r\n${remove}`],
  ['a body of HEAD',                      `HEAD /v1/notes/a HTTP/1.1\r\n${host}Content-Length: ${remove.length}\r\n\r\n${remove}`],
  ['a faulty field',                      `GET /v1/notes/a HTTP/1.1\r\n${host}X\0: 1\r\n\r\n${remove}`],
  ['a faulty field of HEAD',              `HEAD /v1/notes/a HTTP/1.1\r\n${host}X : 1\r\n\r\n${remove}`],
  ['a field that is a request line',      `GET /v1/notes/a HTTP/1.1\r\n${host}DELETE /v1/notes HTTP/1.1\r\n\r\n`],
  ['a folded field',                      `GET /v1/notes/a HTTP/1.1\r\n${host}X: 1\r\n DELETE /v1/notes HTTP/1.1\r\n\r\n`],
  ['no host',                             `GET /v1/notes/a HTTP/1.1\r\n\r\n${remove}`],
  ['line ends of one character',          remove.replaceAll('\r\n', '\n')],
  ['carriage returns alone',              remove.replaceAll('\r\n', '\r')],
  ['another version',                     `DELETE /v1/notes HTTP/2.0\r\n${host}\r\n`],
  ['the preface of HTTP/2',               `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${remove}`],
  ['a tunnel',                            `CONNECT a:1 HTTP/1.1\r\n${host}\r\n${remove}`],
  ['an upgrade that is none',             `GET /v1/notes/a HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: x\r\n\r\n${remove}`, 'read'],
  ['the last request, then another',      `GET /v1/notes/a HTTP/1.1\r\n${host}Connection: close\r\n\r\n${remove}`, 'read'],
  ['a greeting of TLS',                   `\x16\x03\x01\x02\0\x01\0${remove}`],
]

/** A server that records every operation and every request of a layer. */
interface Lane {
  readonly server: Server
  readonly port: number
  readonly kinds: string[]
  readonly seen: string[]
  latest: Socket | undefined
}

async function laneOf(listen: (lane: Pick<Lane, 'kinds' | 'seen'>) => Server): Promise<Lane> {
  const noted: Pick<Lane, 'kinds' | 'seen'> = { kinds: [], seen: [] }
  const server = listen(noted)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const lane: Lane = { ...noted, server, port, latest: undefined }
  server.on('connection', (socket) => {
    lane.latest = socket
  })
  return lane
}

function counting({ kinds }: Pick<Lane, 'kinds'>) {
  const stored = mapOf({ id: 'a' }, { id: 'b' })
  // Stores and deletes nothing, so that every run has the same items.
  const still = { ...stored, create: () => ({ id: 'n' }), delete: stored.read, deleteAll: () => 2 }
  const noting = Object.entries(still)
    .filter(([, method]) => typeof method === 'function')
    .map(([kind, method]) => [
      kind,
      (...given: readonly unknown[]) => {
        kinds.push(kind)
        return Reflect.apply(method as () => unknown, undefined, given)
      },
    ])
  return notesWith(Object.fromEntries(noting)).registry
}

/** Sends each part after the server has read the one before. Ends with the connection. */
async function sendParts(lane: Lane, parts: readonly Buffer[]): Promise<readonly string[]> {
  lane.kinds.length = 0
  lane.seen.length = 0
  lane.latest = undefined
  const socket = connect({
    port: lane.port,
    host: '127.0.0.1',
    allowHalfOpen: false,
    noDelay: true,
  })
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => undefined).resume()
  await new Promise((resolve) => socket.once('connect', resolve))
  let sent = 0
  for (const part of parts) {
    socket.write(part)
    sent += part.length
    while (!socket.destroyed && (lane.latest === undefined || isReading(lane.latest, sent)))
      await new Promise(setImmediate)
  }
  socket.end()
  await closed
  return [...lane.kinds]
}

function isReading(socket: Socket, bytes: number): boolean {
  return !socket.destroyed && !socket.writableEnded && socket.bytesRead < bytes
}

function cutAt(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const ends = [...cuts, bytes.length]
  return ends.map((end, place) => bytes.subarray(ends[place - 1] ?? 0, end))
}

/** Every cut, and as many evenly spread double cuts. */
function cutsOf({ length }: Buffer): readonly (readonly number[])[] {
  const single = Array.from({ length: length - 1 }, (_, place) => [place + 1])
  const double = single.map(([cut = 1]) => [cut, Math.min(length - 1, cut + 1 + ((cut * 7) % 23))])
  return [[], ...single, ...double]
}

const lanesOfEach = 8

async function runAll(lanes: readonly Lane[], bytes: Buffer, expected: readonly string[]) {
  const cuts = cutsOf(bytes)
  const strays: unknown[] = []
  const run = async (lane: Lane, first: number) => {
    for (let place = first; place < cuts.length; place += lanes.length) {
      const given = await sendParts(lane, cutAt(bytes, cuts[place] ?? []))
      if (given.join() !== expected.join()) strays.push([cuts[place], given, [...lane.seen]])
    }
  }
  await Promise.all(lanes.map(run))
  expect(strays.slice(0, 3)).toEqual([])
}

const makers: Readonly<Record<string, (lane: Pick<Lane, 'kinds' | 'seen'>) => Server>> = {
  'a server of the registry': (lane) => {
    const registry = counting(lane)
    const layer: Layer = (request, answer) => {
      lane.seen.push(request.method)
      return answer(request)
    }
    const server = createServer(toNodeListener(registry, { layers: [layer] }))
    harden(server, registry)
    return server
  },
  'a server whose application refuses everybody': (lane) => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(401).end()
    })
    harden(server, counting(lane))
    return server
  },
}

for (const [title, make] of Object.entries(makers)) {
  describe(`${title} runs the same operations for every cut`, () => {
    let lanes: readonly Lane[] = []
    beforeAll(async () => {
      lanes = await Promise.all(Array.from({ length: lanesOfEach }, () => laneOf(make)))
    })
    afterAll(() => {
      for (const { server } of lanes) server.close()
    })
    const isOpen = title === 'a server of the registry'
    test.each(rows)('%s', (_, bytes, ...kinds) =>
      runAll(lanes, Buffer.from(bytes, 'latin1'), isOpen ? kinds : []),
    )
  })
}
