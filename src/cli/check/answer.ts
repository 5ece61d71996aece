import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, unzipSync } from 'node:zlib'

/** What came back. */
export interface Answer {
  readonly status: number
  /** By lower-case name; several of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** What the text holds as JSON; `undefined` where it is none. */
  readonly json: unknown
}

const maxLength = 64 * 1024 * 1024

/**
 * Reads an answer to its end.
 *
 * @throws {Error} For one that is longer than 64 MiB, or cut.
 */
export async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxLength) throw new Error('The answer is longer than 64 MiB')
  }
  const text = unpacked(Buffer.concat(chunks), response.headers['content-encoding']).toString()
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

// It was not asked for, and may come all the same.
function unpacked(content: Buffer, encoding: string | undefined): Buffer {
  const options = { maxOutputLength: maxLength }
  if (content.length === 0) return content
  if (encoding === 'gzip' || encoding === 'deflate') return unzipSync(content, options)
  return encoding === 'br' ? brotliDecompressSync(content, options) : content
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
