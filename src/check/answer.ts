import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { maxDepth } from './bounds.ts'

/** The response to a request. */
export interface Answer {
  readonly status: number
  /** By lower-case name; several of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; `undefined` when it is not JSON. */
  readonly json: unknown
}

/**
 * Reads a response to its end.
 *
 * @param maxBytes The most bytes of the body, as sent and decompressed.
 * @throws {Error} For a body that is longer, cut, or JSON with more than 1200 levels of nesting.
 */
export async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<Answer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) throw tooLong(maxBytes)
  }
  const encoding = response.headers['content-encoding']
  const text = unpacked(Buffer.concat(chunks), encoding, maxBytes).toString()
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : `${value}`,
  ])
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    text,
    json: parsed(text),
  }
}

function tooLong(maxBytes: number): Error {
  return new Error(`The answer has more than ${maxBytes} bytes: allow more with --bytes`)
}

// The check does not ask for a compressed body, and a server may send one all the same.
function unpacked(content: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const options = { maxOutputLength: maxBytes }
  if (content.length === 0) return content
  try {
    if (encoding === 'gzip' || encoding === 'deflate') return unzipSync(content, options)
    return encoding === 'br' ? brotliDecompressSync(content, options) : content
  } catch (error) {
    throw Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE' ? tooLong(maxBytes) : error
  }
}

function parsed(text: string): unknown {
  const json = jsonIn(text)
  if (typeof json === 'object' && isDeep(text))
    throw new Error(`The JSON of the answer has more than ${maxDepth} levels`)
  return json
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b]

// Functions that compare and write JSON call themselves for every level.
function isDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText && code === backslash) at++
    else if (code === quote) isText = !isText
    else if (isText) continue
    else if (code === bracket || code === brace) depth++
    else if (code === bracket + 2 || code === brace + 2) depth--
    if (depth > maxDepth) return true
  }
  return false
}
