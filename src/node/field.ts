import type { IncomingMessage } from 'node:http'

/**
 * Returns a header field as the client sent it, and joins repeated ones by `, `; `undefined` when
 * it is missing. Reading one raw field is faster than Node's `headers`, which parses all of them.
 *
 * @param name In lower case.
 */
export function fieldIn(rawHeaders: readonly string[], name: string): string | undefined {
  let joined: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index]
    if (rawName?.length !== name.length || rawName.toLowerCase() !== name) continue
    const value = rawHeaders[index + 1] ?? ''
    joined = joined === undefined ? value : `${joined}, ${value}`
  }
  return joined
}

/**
 * Tells whether the header fields of a request announce a body, even an empty one.
 *
 * @see RFC 9112 §6.3
 */
export function announcesBody(request: IncomingMessage): boolean {
  const { rawHeaders = [] } = request
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (isFraming(rawHeaders[index] as string)) return true
  }
  // A request that a host or a test made up may have no raw headers.
  return rawHeaders.length === 0 && Object.keys(request.headers).some(isFraming)
}

const [contentLength, transferEncoding] = ['content-length', 'transfer-encoding'] as const

function isFraming(name: string): boolean {
  const { length } = name
  // Comparing lengths first skips most names.
  if (length !== contentLength.length && length !== transferEncoding.length) return false
  const lower = name.toLowerCase()
  return lower === contentLength || lower === transferEncoding
}
