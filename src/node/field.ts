import type { IncomingMessage } from 'node:http'

/**
 * Gives a header field as it was sent, several of one name joined by `, `; `undefined` where there is none. Node makes an object of all of
 * them when it is first asked for one, which takes longer than what most requests need of them.
 *
 * @param name In lower case.
 */
export function fieldIn(rawHeaders: readonly string[], name: string): string | undefined {
  let joined: string | undefined
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const written = rawHeaders[place]
    if (written?.length !== name.length || written.toLowerCase() !== name) continue
    const value = rawHeaders[place + 1] ?? ''
    joined = joined === undefined ? value : `${joined}, ${value}`
  }
  return joined
}

/**
 * Tells whether the fields of a request announce a body, if an empty one.
 *
 * @see RFC 9112 §6.3
 */
export function announcesBody(request: IncomingMessage): boolean {
  const { rawHeaders = [] } = request
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (isFraming(rawHeaders[place] as string)) return true
  }
  // Those that a host or a test has made up may have no others.
  return rawHeaders.length === 0 && Object.keys(request.headers).some(isFraming)
}

const [contentLength, transferEncoding] = ['content-length', 'transfer-encoding'] as const

function isFraming(name: string): boolean {
  const { length } = name
  // Few others are as long.
  if (length !== contentLength.length && length !== transferEncoding.length) return false
  const written = name.toLowerCase()
  return written === contentLength || written === transferEncoding
}
