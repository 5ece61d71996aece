import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyTooLarge, type ProblemError, problem } from '../convention/problem.ts'
import { sendContinue } from './leftover.ts'

/** A message with the body that a host's parser may have read. */
export interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown
}

/**
 * Reads the body of a message, or returns the one that a host's parser has read.
 *
 * @throws {ProblemError} `body_too_large` beyond `limit` bytes, `bad_request` when it breaks off.
 * @throws {TypeError} When other code read the body and kept nothing.
 */
export function bodyOfMessage(
  request: ParsedMessage,
  response: ServerResponse,
  limit: number,
): Promise<string | Uint8Array> | object | string {
  const { body } = request
  if (typeof body === 'string' || (typeof body === 'object' && body !== null)) return body
  if (request.readableEnded || request.readableDidRead) {
    // A parser that is not strict sets `7`, `true` or `null`.
    if (isScalar(body)) return JSON.stringify(body)
    throw new TypeError(
      'Other code read the body before the listener. ' +
        'Leave the body unread, or set "request.body" to its value.',
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit)
  sendContinue(response)
  return collect(request, limit)
}

function isScalar(body: unknown): boolean {
  return typeof body === 'number' || typeof body === 'boolean' || body === null
}

function collect(request: IncomingMessage, limit: number): Promise<string | Uint8Array> {
  return new Promise((resolve, reject) => {
    // The client has gone: no further event will come.
    if (request.destroyed) return reject(brokenOff())
    // Undefined once the promise is settled.
    let chunks: Buffer[] | undefined = []
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limit) chunks?.push(chunk)
      else refuse(bodyTooLarge)
    }
    const end = (): void => {
      if (chunks)
        resolve(textOf(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      chunks = undefined
    }
    const breakOff = (): void => refuse(brokenOff)
    const refuse = (reason: (limit: number) => ProblemError): void => {
      if (chunks) reject(reason(limit))
      chunks = undefined
    }
    // The listeners stay: they drop the rest of a refused body, and its errors.
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
  })
}

// A longer body is no faster as text.
const maxText = 65_536

// A promise resolves faster with a string than with an object. Decoding replaces invalid UTF-8 by
// U+FFFD, which the client may also have sent: then the core decodes the bytes itself.
function textOf(bytes: Buffer): string | Buffer {
  if (bytes.length > maxText) return bytes
  const text = bytes.toString()
  return text.includes('\ufffd') ? bytes : text
}

function brokenOff(): ProblemError {
  return problem('bad_request', 'The body broke off.')
}
