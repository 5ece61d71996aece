import type { Duplex } from 'node:stream'

// Bytes that are read after the last answer of a connection, for a client that sends all it has before it reads.
const maxBytes = 16 * 2 ** 20
// Milliseconds that such a client may take in all, and without sending anything.
const maxTime = 10_000
const maxSilence = 1000

const lingering = new WeakSet<Duplex>()

/** Tells whether a connection has had its last answer, and is only waited for. */
export function isLingering(socket: Duplex): boolean {
  return lingering.has(socket)
}

/**
 * Ends a connection so that its last answer is read: what the client still sends would otherwise reset it first. Nothing of that
 * is looked at, and of what there is too much of, or what comes too slowly, the rest is refused.
 *
 * @param last What is still to be written. Default: nothing.
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
  // Not inside the parser, which may be where this is called from, and which reads no further.
  process.nextTick(() => {
    // It is Node that starts to read again, as long as the parser has the connection.
    if (socket.isPaused()) socket.once('resume', takeOver).resume()
    else takeOver()
  })
}
