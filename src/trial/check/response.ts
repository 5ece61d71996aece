import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { maxDepth } from './limits.ts'
import type { CheckRequest, CheckResponse } from './message.ts'

/**
 * Reads a response to its end.
 *
 * @param maxBytes The most bytes of the body, as sent and decompressed.
 * @throws {Error} For a body that is too long, cut, or JSON with more than 1200 levels of nesting.
 */
export async function readResponse(
  request: CheckRequest,
  message: IncomingMessage,
  maxBytes: number,
): Promise<CheckResponse> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) throw tooLong(maxBytes)
  }
  const encoding = message.headers['content-encoding']
  const text = decompress(Buffer.concat(chunks), encoding, maxBytes).toString()
  const headers = Object.entries(message.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : `${value}`,
  ])
  return {
    request,
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    text,
    json: parse(text),
  }
}

function tooLong(maxBytes: number): Error {
  return new Error(`The response has more than ${maxBytes} bytes: allow more with --bytes`)
}

// A server may compress the body although the check does not accept that.
function decompress(content: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const options = { maxOutputLength: maxBytes }
  if (content.length === 0) return content
  try {
    if (encoding === 'gzip' || encoding === 'deflate') return unzipSync(content, options)
    return encoding === 'br' ? brotliDecompressSync(content, options) : content
  } catch (error) {
    throw Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE' ? tooLong(maxBytes) : error
  }
}

function parse(text: string): unknown {
  let json: unknown
  // Most often of HEAD or a 204: an error would cost more than the rest of the response.
  if (text === '') return undefined
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (isDeep(json)) throw new Error(`The JSON of the response has more than ${maxDepth} levels`)
  return json
}

// Comparing and writing JSON recurses once a level.
function isDeep(json: unknown): boolean {
  let level = [json].filter(isObject)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap(Object.values).filter(isObject)
  }
  return false
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
