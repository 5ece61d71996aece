import type { Duplex } from 'node:stream'

// Bytes to read after the last response, for a client that sends everything before it reads.
const maxBytes = 16 * 2 ** 20
// Milliseconds that such a client may take in total, and between two chunks.
const maxTime = 10_000
const maxSilence = 1000

const lingering = new WeakSet<Duplex>()

/** Tells whether a connection had its last response and waits for the client to close it. */
export function isLingering(socket: Duplex): boolean {
  return lingering.has(socket)
}

/**
 * Ends a connection after the client has read its last response. The server drops the bytes that
 * the client still sends, since unread bytes would reset the connection. It closes the connection
 * when they are too many or too slow.
 *
 * @param last The text to write first. Default: none.
 * @see RFC 9112 §9.6
 */
export function linger(socket: Duplex, last = ''): void {
  if (lingering.has(socket)) return
  lingering.add(socket)
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(last)
  const end = performance.now() + maxTime
  const silence = setTimeout(() => socket.destroy(), maxSilence).unref()
  let bytes = 0
  const drop = (chunk: Uint8Array): void => {
    bytes += chunk.length
    if (bytes > maxBytes || performance.now() > end) socket.destroy()
    else silence.refresh()
  }
  socket.on('error', () => undefined).once('close', () => clearTimeout(silence))
  const takeOver = (): void => {
    socket.removeAllListeners('data').on('data', drop)
  }
  // Later: the parser may be the caller, and must finish its chunk.
  process.nextTick(() => {
    // Node resumes the socket itself while the parser has the connection.
    if (socket.isPaused()) socket.once('resume', takeOver).resume()
    else takeOver()
  })
}
