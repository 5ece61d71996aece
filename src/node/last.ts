import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpRequest } from '../contract/resource/http.ts'
import type { WrittenResponse } from '../server/respond.ts'
import { linger } from './linger.ts'
import { isUnfinished, latestOf, previousOf } from './pipeline.ts'

/**
 * Writes the last response of a connection when Node has no response object, or a broken one.
 * Responses leave in the order of their requests: a client never mistakes one for another.
 */
export function writeLastResponse(
  respond: () => WrittenResponse<string>,
  request: HttpRequest,
  socket: Duplex,
): void {
  const newest = latestOf(socket)
  const isBroken = newest !== undefined && !newest.req.complete
  // If a request broke off before its response began, this is its response.
  const { method = '' } = isBroken ? newest.req : request
  const finish = (): void => {
    if (!isBroken || !newest.headersSent) {
      // Without a reader, `respond` must not run: observers would count a response.
      if (socket.writable) linger(socket, textOf(respond(), method))
      else linger(socket)
    } else if (newest.writableEnded) afterClose(newest, () => linger(socket))
    else linger(socket)
  }
  afterClose(isBroken ? previousOf(newest) : newest, finish)
}

function afterClose(response: ServerResponse | undefined, next: () => void): void {
  if (response && isUnfinished(response)) response.once('close', next)
  else next()
}

function textOf({ status, headers, content }: WrittenResponse<string>, method: string): string {
  const fields = {
    ...headers,
    'content-length': `${Buffer.byteLength(content)}`,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`
  return method === 'HEAD' ? head : head + content
}
