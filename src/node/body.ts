import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyTooLarge, type ProblemError, problem } from '../model/problem.ts'
import { letContinue } from './leftover.ts'

/** What hosts add to a request: the body their parser has read. */
export interface ParsedMessage extends IncomingMessage {
  readonly body?: unknown
}

/**
 * Reads a body, or gives the one that a host has parsed.
 *
 * @throws {ProblemError} `body_too_large` beyond `limit` bytes, `bad_request` where it breaks off.
 * @throws {TypeError} Where it is gone.
 */
export function readBody(
  request: ParsedMessage,
  response: ServerResponse,
  limit: number,
): Promise<string | Uint8Array> | object | string {
  const { body } = request
  if (typeof body === 'string' || (typeof body === 'object' && body !== null)) return body
  if (request.readableEnded || request.readableDidRead) {
    // A parser that is not strict leaves `7`, `true` and `null` there too.
    if (isScalar(body)) return JSON.stringify(body)
    throw new TypeError(
      'The body was read before it came to the listener: leave it unread, or its value in "request.body".',
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit)
  letContinue(response)
  return collect(request, limit)
}

function isScalar(body: unknown): boolean {
  return typeof body === 'number' || typeof body === 'boolean' || body === null
}

function collect(request: IncomingMessage, limit: number): Promise<string | Uint8Array> {
  return new Promise((resolve, reject) => {
    // The client is gone already: no event would tell it any more.
    if (request.destroyed) return reject(brokenOff())
    // Until it is known what has become of it.
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
    // They stay: the rest is read and forgotten for as long as it takes to answer, and what goes wrong with it harms nobody.
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
  })
}

// Of what is longer, it makes no difference.
const longest = 65_536

// Promises take text sooner than what may be a promise itself. What cannot be read becomes U+FFFD, which may have been sent too: that is
// for others to tell.
function textOf(bytes: Buffer): string | Buffer {
  if (bytes.length > longest) return bytes
  const text = bytes.toString()
  return text.includes('\ufffd') ? bytes : text
}

function brokenOff(): ProblemError {
  return problem('bad_request', 'The body broke off')
}
