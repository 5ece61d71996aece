import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Slices } from '../convention/written.ts'
import type { WrittenResponse } from '../server/respond.ts'
import { endWithConnection, leftoverOf, limitLeftover } from './leftover.ts'
import { isDestroyed } from './pipeline.ts'

/** The messages to respond on. */
export interface Destination {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Milliseconds that a client has to read each {@link pieceSize} bytes. */
  readonly writeTimeout: number
}

/** Bytes that are written at a time. */
const pieceSize = 65_536

/**
 * Sends a response, a long one piece by piece, as fast as the client reads. Destroys the response
 * when its rest fails.
 *
 * @throws Node's error for an invalid head, before anything is sent.
 */
export function sendResponse(written: WrittenResponse, to: Destination): void {
  const { status, headers, content, slices } = written
  const { request, response } = to
  const isHead = request.method === 'HEAD'
  // The client has gone, or a host has responded already.
  const isSuperfluous = response.headersSent || isOver(response)
  if (isSuperfluous || isHead) slices?.close()
  if (isSuperfluous) return
  const isLong = content.length > pieceSize
  const body = isLong && typeof content === 'string' ? Buffer.from(content) : content
  const fields: Record<string, string> = { ...headers }
  if (slices === undefined) fields['content-length'] = `${Buffer.byteLength(body)}`
  const leftover = leftoverOf(request, response)
  if (leftover === 'large') fields.connection = 'close'
  response.writeHead(status, fields)
  if (leftover === 'unknown') limitLeftover(request)
  // Chunked coding must end with its own last chunk.
  const end = leftover === 'large' && (isHead || !slices) ? endConnection : endResponse
  if (isHead) end('', to)
  else if (slices !== undefined || isLong) sendPieces({ body, slices, end }, to)
  else end(body, to)
}

type Piece = string | Uint8Array
type End = (last: Piece, to: Destination) => void

function endResponse(last: Piece, { response, writeTimeout }: Destination): void {
  response.end(last)
  // The client has not yet read all of it.
  if (response.writableLength > 0) limitWait(response, writeTimeout)
}

function limitWait(response: ServerResponse, writeTimeout: number): void {
  const timer = setTimeout(() => destroyResponse(response), writeTimeout)
  response.once('close', () => clearTimeout(timer))
}

function endConnection(last: Piece, { request, response }: Destination): void {
  if (last.length > 0) response.write(last)
  else response.flushHeaders()
  endWithConnection(request, response)
}

interface Pieces {
  readonly body: Piece
  readonly slices: Slices | undefined
  readonly end: End
}

async function sendPieces({ body, slices, end }: Pieces, to: Destination): Promise<void> {
  const { response } = to
  try {
    let piece = await sendAllButLast(body, to)
    for (let isDone = slices === undefined; slices && !isDone; ) {
      await write(piece, to)
      const slice = await slices.next()
      if (isOver(response)) return await slices.close()
      piece = await sendAllButLast(slice.value, to)
      isDone = slice.done === true
    }
    if (!isOver(response)) end(piece, to)
  } catch {
    slices?.close()
    destroyResponse(response)
  }
}

async function sendAllButLast(all: Piece, to: Destination): Promise<Piece> {
  if (all.length <= pieceSize) return all
  const bytes = typeof all === 'string' ? Buffer.from(all) : all
  let start = 0
  for (; bytes.length - start > pieceSize; start += pieceSize) {
    await write(bytes.subarray(start, start + pieceSize), to)
  }
  return bytes.subarray(start)
}

// Waits for the client, then lets the process serve other requests: a fast reader would block them.
function write(piece: Piece, { response, writeTimeout }: Destination): Promise<void> {
  return new Promise((resolve) => {
    if (isOver(response)) return resolve()
    if (response.write(piece)) return void setImmediate(resolve)
    const timer = setTimeout(() => destroyResponse(response), writeTimeout)
    const goOn = (): void => {
      clearTimeout(timer)
      response.off('drain', goOn).off('close', goOn)
      setImmediate(resolve)
    }
    response.on('drain', goOn).on('close', goOn)
  })
}

/** Destroys a response: an end would make it look whole. HTTP/2 needs an error for this. */
export function destroyResponse(response: ServerResponse): void {
  if (response.req.httpVersionMajor === 1) response.destroy()
  else response.destroy(new Error('The response broke off'))
}

function isOver(response: ServerResponse): boolean {
  return response.writableEnded || isDestroyed(response)
}
