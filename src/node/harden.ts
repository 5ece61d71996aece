import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProblemCode } from '../model/convention.ts'
import type { HttpRequest } from '../model/http.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { respondWith, type WrittenResponse } from '../server/respond.ts'
import type { NodeListener } from './listener.ts'
import { NodeRequest } from './request.ts'

const parserProblems: ReadonlyMap<string | undefined, readonly [ProblemCode, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['headers_too_large', 'The request target and headers are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'The request did not arrive in time']],
])
const malformed = ['bad_request', 'The request is not valid HTTP'] as const

/**
 * Makes a server of Node's answer with problems what its parser would answer with statuses of its own (400 without a body,
 * 408, 417, 431) or not at all (CONNECT), and hands everything else to the listener.
 */
export function harden(server: Server, registry: Registry, listener: NodeListener): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const refuse = (problem: ProblemError, { request, socket }: Refused): void => {
    const written = respondWith(problem, request, registry)
    // Answers leave in the order of their requests, so that none is taken for that of another.
    const earlier = latest.get(socket)
    const isUnderWay = earlier?.req.complete && !earlier.writableFinished && !earlier.destroyed
    if (isUnderWay) earlier.once('close', () => sendRaw(written, request, socket))
    else sendRaw(written, request, socket)
  }
  server.on('request', (request, response) => {
    const { socket } = request
    const refused = refusalOf(request)
    if (refused) return refuse(refused, { request: new NodeRequest(request, response), socket })
    latest.set(socket, response)
    listener(request, response)
  })
  server.on('checkExpectation', (request, response) => {
    const refused = problem(
      'expectation_failed',
      'The only expectation that can be met is "100-continue"',
    )
    const { socket } = request
    refuse(refused, { request: new NodeRequest(request, response), socket })
  })
  server.on('connect', ({ url = '' }, socket) => {
    const refused = problem('bad_path', 'This is no proxy: a path starts with "/"')
    refuse(refused, { request: { method: 'CONNECT', url }, socket })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [code, detail] = parserProblems.get(error.code) ?? malformed
    refuse(problem(code, detail), { request: { method: '', url: '' }, socket })
  })
}

interface Refused {
  readonly request: HttpRequest
  readonly socket: Duplex
}

function refusalOf({ httpVersion, rawHeaders }: IncomingMessage): ProblemError | undefined {
  if (httpVersion === '1.0') return undefined
  if (httpVersion !== '1.1') return problem('bad_request', 'This connection speaks HTTP/1.1')
  return hasOneHost(rawHeaders)
    ? undefined
    : problem('bad_host', 'A request of HTTP/1.1 has one "host"')
}

// RFC 9112 §3.2
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (rawHeaders[place]?.length === 4 && rawHeaders[place]?.toLowerCase() === 'host') hosts++
  }
  return hosts === 1
}

// There is no response to write to, or it is not to be trusted any more: the connection ends with this answer.
function sendRaw(
  { status, headers, text }: WrittenResponse,
  { method }: HttpRequest,
  socket: Duplex,
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const fields = { ...headers, 'content-length': `${Buffer.byteLength(text)}`, connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => undefined)
  const head = `HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines.join('')}\r\n`
  socket.end(method === 'HEAD' ? head : head + text)
}

function reasonOf(status: number): string {
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''
}
