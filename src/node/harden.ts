import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ProblemCode } from '../model/convention.ts'
import type { HttpRequest } from '../model/http.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { respondWith, type WrittenResponse } from '../server/respond.ts'
import type { NodeListener } from './listener.ts'
import { refusalOf } from './refusal.ts'
import { NodeRequest } from './request.ts'
import { beforeOf, isUnderWay, latestOf } from './turns.ts'

const parserProblems: ReadonlyMap<string | undefined, readonly [ProblemCode, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['headers_too_large', 'The request target and headers are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'The request did not arrive in time']],
])
const malformed = ['bad_request', 'The request is not valid HTTP'] as const

/** Destroys the connections that were refused and are still there. */
export type CutOff = () => void

/**
 * Makes a server of Node's answer with problems what its parser would answer with statuses of its own (400 without a body,
 * 408, 417, 431) or not at all (CONNECT), and hands everything else to the listener.
 *
 * What is refused is the last request of its connection (RFC 9112 §9.6): nothing that follows it is looked at.
 */
export function harden(server: Server, registry: Registry, listener: NodeListener): CutOff {
  const refused = new Set<Duplex>()
  const refuse = (problem: ProblemError, { request, socket }: Refused): void => {
    if (refused.has(socket)) return
    refused.add(socket)
    socket.once('close', () => refused.delete(socket)).on('error', () => undefined)
    answerLast(respondWith(problem, request, registry), request, socket)
  }
  const judge = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { socket } = request
    const fault = refused.has(socket) ? undefined : refusalOf(request)
    if (fault) refuse(fault, { request: new NodeRequest(request, response), socket })
    // A body that nobody reads would keep the client from reading the answer.
    if (refused.has(socket)) request.resume()
    else next()
  }
  server.on('request', (request, response) => {
    judge(request, response, () => listener(request, response))
  })
  server.on('checkExpectation', (request, response) => judge(request, response, () => undefined))
  server.on('checkContinue', (request, response) => {
    judge(request, response, () => {
      response.writeContinue()
      server.emit('request', request, response)
    })
  })
  server.on('connect', ({ url = '' }, socket) => {
    const fault = problem('bad_path', 'This is no proxy: a path starts with "/"')
    refuse(fault, { request: { method: 'CONNECT', url }, socket })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [code, detail] = parserProblems.get(error.code) ?? malformed
    refuse(problem(code, detail), { request: { method: '', url: '' }, socket })
  })
  return () => {
    for (const socket of refused) socket.destroy()
  }
}

interface Refused {
  readonly request: HttpRequest
  readonly socket: Duplex
}

// Answers leave in the order of their requests, so that none is taken for that of another.
function answerLast(written: WrittenResponse, request: HttpRequest, socket: Duplex): void {
  const newest = latestOf(socket)
  const isBroken = newest !== undefined && !newest.req.complete
  const finish = (): void => {
    // A request that was answered before it broke has had its one answer.
    if (!isBroken || !newest.headersSent) sendRaw(written, request, socket)
    else if (newest.writableEnded) afterClose(newest, () => linger(socket))
    else linger(socket)
  }
  // A request that broke before it was answered is answered by this.
  afterClose(isBroken ? beforeOf(newest) : newest, finish)
}

function afterClose(response: ServerResponse | undefined, next: () => void): void {
  if (response && isUnderWay(response)) response.once('close', next)
  else next()
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
  const head = `HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines.join('')}\r\n`
  linger(socket, method === 'HEAD' ? head : head + text)
}

// Milliseconds that a client has to read its last answer: what it still sends would otherwise reset the connection first.
const grace = 1000

function linger(socket: Duplex, last = ''): void {
  socket.resume().end(last)
  const deadline = setTimeout(() => socket.destroy(), grace).unref()
  socket.once('close', () => clearTimeout(deadline))
}

function reasonOf(status: number): string {
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''
}
