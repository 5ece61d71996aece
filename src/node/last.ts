import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpRequest } from '../model/http.ts'
import type { WrittenResponse } from '../server/respond.ts'
import { linger } from './linger.ts'
import { beforeOf, isUnderWay, latestOf } from './turns.ts'

/**
 * Writes the last response of a connection, where Node has no response to write to, or a broken one. Responses leave in the order
 * of their requests, so that a client never takes one for that of another request.
 */
export function answerLast(
  answer: (request: HttpRequest) => WrittenResponse,
  request: HttpRequest,
  socket: Duplex,
): void {
  const newest = latestOf(socket)
  const isBroken = newest !== undefined && !newest.req.complete
  // A request that broke before its response was written gets this one.
  const { method = '' } = isBroken ? newest.req : request
  const finish = (): void => {
    if (!isBroken || !newest.headersSent) {
      // Observers hear of no response that no client can read.
      if (socket.writable) linger(socket, textOf(answer(request), method))
      else linger(socket)
    } else if (newest.writableEnded) afterClose(newest, () => linger(socket))
    else linger(socket)
  }
  afterClose(isBroken ? beforeOf(newest) : newest, finish)
}

function afterClose(response: ServerResponse | undefined, next: () => void): void {
  if (response && isUnderWay(response)) response.once('close', next)
  else next()
}

function textOf({ status, headers, text }: WrittenResponse, method: string): string {
  const fields = {
    ...headers,
    'content-length': `${Buffer.byteLength(text)}`,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines.join('')}\r\n`
  return method === 'HEAD' ? head : head + text
}

function reasonOf(status: number): string {
  return process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''
}
