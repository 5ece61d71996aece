import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Rest, WrittenResponse } from '../server/respond.ts'
import { endWithConnection, leftoverOf, limitLeftover } from './leftover.ts'
import { isDestroyed } from './turns.ts'

/** Where an answer goes. */
export interface Destination {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Milliseconds that a client has for each {@link pieceSize} bytes. */
  readonly writeTimeout: number
}

/** Bytes of an answer that are handed on at a time. */
const pieceSize = 65_536

/**
 * Sends an answer, what is long of it piece by piece, as fast as the client reads. One that has a rest is cut off where it fails.
 *
 * @throws What Node throws for a head that it cannot write; nothing has been sent then.
 */
export function send(answer: WrittenResponse, to: Destination): void {
  const { status, headers, text, rest } = answer
  const { request, response } = to
  const isHead = request.method === 'HEAD'
  const isSuperfluous = response.headersSent || isOver(response)
  // Nobody is there any more, or a host has answered in our place; HEAD wants the head only.
  if (isSuperfluous || isHead) rest?.close()
  if (isSuperfluous) return
  const body = text.length > pieceSize ? Buffer.from(text) : text
  const fields: Record<string, string> = { ...headers }
  if (rest === undefined) fields['content-length'] = `${Buffer.byteLength(body)}`
  const leftover = leftoverOf(request, response)
  if (leftover === 'large') fields.connection = 'close'
  response.writeHead(status, fields)
  if (leftover === 'unknown') limitLeftover(request)
  // What comes in chunks has an end of its own to be sent.
  const end = leftover === 'large' && (isHead || !rest) ? endConnection : endAnswer
  if (isHead) end('', to)
  else if (rest !== undefined || typeof body !== 'string') sendPieces({ body, rest, end }, to)
  else end(body, to)
}

type Piece = string | Buffer
type End = (last: Piece, to: Destination) => void

function endAnswer(last: Piece, { response, writeTimeout }: Destination): void {
  response.end(last)
  // The system has not taken all of it yet, because the client has not.
  if (response.writableLength > 0) limitWait(response, writeTimeout)
}

function limitWait(response: ServerResponse, writeTimeout: number): void {
  const timer = setTimeout(() => cutOff(response), writeTimeout)
  response.once('close', () => clearTimeout(timer))
}

function endConnection(last: Piece, { request, response }: Destination): void {
  if (last.length > 0) response.write(last)
  else response.flushHeaders()
  endWithConnection(request, response)
}

interface Pieces {
  readonly body: Piece
  readonly rest: Rest | undefined
  readonly end: End
}

async function sendPieces({ body, rest, end }: Pieces, to: Destination): Promise<void> {
  const { response } = to
  try {
    let piece = await sendAllButLast(body, to)
    for (let isDone = rest === undefined; rest && !isDone; ) {
      await write(piece, to)
      const slice = await rest.next()
      if (isOver(response)) return await rest.close()
      piece = await sendAllButLast(slice.value, to)
      isDone = slice.done === true
    }
    if (!isOver(response)) end(piece, to)
  } catch {
    rest?.close()
    cutOff(response)
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

// Waits for the client, then for others to have their turn: one that reads as fast as we write leaves no other.
function write(piece: Piece, { response, writeTimeout }: Destination): Promise<void> {
  return new Promise((resolve) => {
    if (isOver(response)) return resolve()
    if (response.write(piece)) return void setImmediate(resolve)
    const timer = setTimeout(() => cutOff(response), writeTimeout)
    const goOn = (): void => {
      clearTimeout(timer)
      response.off('drain', goOn).off('close', goOn)
      setImmediate(resolve)
    }
    response.on('drain', goOn).on('close', goOn)
  })
}

/** Breaks an answer off. An end would make a whole of what there is. HTTP/2 takes a destruction without an error for one. */
export function cutOff(response: ServerResponse): void {
  if (response.req.httpVersionMajor === 1) response.destroy()
  else response.destroy(new Error('The answer broke off'))
}

function isOver(response: ServerResponse): boolean {
  return response.writableEnded || isDestroyed(response)
}
