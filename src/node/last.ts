import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Awaitable, whenReady } from '../model/awaitable.ts'
import type { HttpRequest } from '../model/http.ts'
import type { WrittenResponse } from '../server/respond.ts'
import { linger } from './linger.ts'
import { beforeOf, isUnderWay, latestOf } from './turns.ts'

/**
 * Answers the last request of a connection. There is no response of Node's to write to, or it is not to be trusted any more.
 * Answers leave in the order of their requests, so that none is taken for that of another.
 */
export function answerLast(
  answer: () => Awaitable<WrittenResponse>,
  { method }: HttpRequest,
  socket: Duplex,
): void {
  const newest = latestOf(socket)
  const isBroken = newest !== undefined && !newest.req.complete
  const finish = (): void => {
    // A request that was answered before it broke has had its one answer.
    if (!isBroken || !newest.headersSent) {
      // What nobody can be told is no answer, and observers are not told of one.
      if (socket.writable) whenReady(answer(), (written) => linger(socket, textOf(written, method)))
      else linger(socket)
    } else if (newest.writableEnded) afterClose(newest, () => linger(socket))
    else linger(socket)
  }
  // A request that broke before it was answered is answered by this.
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
