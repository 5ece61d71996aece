import type { HttpHeaders } from '../contract/resource/http.ts'
import { bodyTooLarge, isProblem, problem } from '../convention/problem.ts'
import { joinBytes } from '../convention/stream.ts'
import { zlibOfRuntime } from '../convention/zlib.ts'
import { codingsIn } from '../wire/body.ts'

/** The compressed bytes of a body, as they arrive. */
export interface Inflow {
  /** Returns the next bytes, `undefined` at the end. Rejects when the body breaks off. */
  next(): Promise<Uint8Array | undefined>
  /** Drops the bytes that nobody has read. */
  drop(): Promise<void>
}

/** Reads a body, and returns at most so many plain bytes. */
export type Decompress = (open: () => Inflow, limit: number) => Promise<Uint8Array>

/** Refuses an option `decompress` that is no boolean: `'false'` of an environment variable. */
export function checkDecompress(value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return
  throw new TypeError('decompress is true or false: write "decompress: true", or leave it out.')
}

/**
 * Returns a function that decompresses the body of a request with this `Content-Encoding`;
 * `undefined` where the body has no coding. The function reads no further than the limit of the
 * plain body. It throws `unsupported_encoding`, `body_too_large`, and `bad_request` for bytes that
 * are broken, incomplete or too many.
 *
 * @see RFC 9110 §8.4, RFC 1950, RFC 1952, RFC 7932
 */
export function decompressorFor(contentEncoding: string | undefined): Decompress | undefined {
  if (contentEncoding === undefined) return undefined
  const [first, second] = codingsIn(contentEncoding)
  if (first === undefined) return undefined
  const available = codings()
  const open = second === undefined && available.get(first === 'x-gzip' ? 'gzip' : first)
  if (open) return (inflow, limit) => decompress(inflow(), open, limit)
  const acceptEncoding = [...available.keys()].join(', ')
  return async (_, limit) => {
    // Where an operation takes no body, this is its problem.
    if (limit === 0) throw bodyTooLarge(limit)
    const detail = `Compress the body once, by one of: ${acceptEncoding}. Or leave it plain.`
    throw problem('unsupported_encoding', detail, { acceptEncoding })
  }
}

/** Returns the header fields of a request without those that describe its compressed body. */
export function withoutCoding(headers: HttpHeaders): HttpHeaders {
  return { ...headers, 'content-encoding': undefined, 'content-length': undefined }
}

// A body that no coding can shorten grows by less than this.
function maxInflow(limit: number): number {
  return 1024 + limit * 1.01
}

async function decompress(inflow: Inflow, open: Open, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  const decoder = open((piece) => {
    length += piece.length
    if (length > limit) throw bodyTooLarge(limit)
    pieces.push(piece)
  })
  let received = 0
  try {
    for (;;) {
      const bytes = await inflow.next()
      if (bytes === undefined) break
      received += bytes.length
      // Some compressed bytes stand for nothing: they could come forever.
      if (received > maxInflow(limit)) throw bodyTooLarge(limit)
      await decoder.write(bytes).catch(refuse)
    }
    if (received > 0) await decoder.end().catch(refuse)
    return joinBytes(pieces)
  } catch (error) {
    inflow.drop().catch(ignore)
    throw error
  } finally {
    decoder.destroy()
  }
}

// A decoder that has failed, and an inflow that ends: both are told already.
function ignore(): void {}

function refuse(cause: unknown): never {
  if (isProblem(cause)) throw cause
  throw problem('bad_request', 'The compressed body is broken: send all of it, and nothing more.', {
    cause,
  })
}

/** Decompresses the chunks of one body. Its promises reject where the body is broken. */
interface Decoder {
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
  destroy(): void
}

/** Opens a decoder. `take` gets the plain bytes, and throws to end it. */
type Open = (take: (piece: Uint8Array) => void) => Decoder

/** The part of `node:zlib` that this file needs: its types are not on every runtime. */
interface Zlib {
  createGunzip(): ZlibStream
  createInflate(): ZlibStream
  createBrotliDecompress(): ZlibStream
}

interface ZlibStream {
  /** The bytes that the decoder has used. */
  readonly bytesWritten: number
  on(event: 'data', listener: (piece: Uint8Array) => void): this
  on(event: 'end', listener: () => void): this
  on(event: 'error', listener: (error: unknown) => void): this
  write(bytes: Uint8Array, done: () => void): unknown
  end(): unknown
  destroy(): unknown
}

/** Returns the codings of this runtime, by their names in `Content-Encoding`. */
function codings(): ReadonlyMap<string, Open> {
  const zlib = zlibOfRuntime<Zlib>()
  return zlib
    ? new Map<string, Open>([
        ['gzip', (take) => new ZlibDecoder(zlib.createGunzip(), take)],
        ['deflate', (take) => new ZlibDecoder(zlib.createInflate(), take)],
        ['br', (take) => new ZlibDecoder(zlib.createBrotliDecompress(), take)],
      ])
    : new Map<string, Open>([
        ['gzip', (take) => new StreamDecoder('gzip', take)],
        ['deflate', (take) => new StreamDecoder('deflate', take)],
      ])
}

class ZlibDecoder implements Decoder {
  readonly #stream: ZlibStream
  readonly #ended: Promise<void>
  readonly #failed: Promise<never>
  #received = 0

  constructor(stream: ZlibStream, take: (piece: Uint8Array) => void) {
    this.#stream = stream
    this.#ended = new Promise((resolve) => stream.on('end', resolve))
    this.#failed = new Promise((_, reject) => {
      stream.on('error', reject).on('data', (piece) => {
        try {
          take(piece)
        } catch (error) {
          reject(error)
          // Otherwise it would go on to the end of the chunk.
          stream.destroy()
        }
      })
    })
    this.#failed.catch(ignore)
  }

  write(bytes: Uint8Array): Promise<void> {
    this.#received += bytes.length
    const written = new Promise<void>((resolve) => this.#stream.write(bytes, resolve))
    return Promise.race([this.#failed, written])
  }

  async end(): Promise<void> {
    this.#stream.end()
    await Promise.race([this.#failed, this.#ended])
    if (this.#stream.bytesWritten < this.#received) throw new TypeError('Bytes follow the end.')
  }

  destroy(): void {
    this.#stream.destroy()
  }
}

// A `DecompressionStream` decompresses a whole chunk at once, up to a thousandfold.
const maxChunk = 1024

class StreamDecoder implements Decoder {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>
  readonly #read: Promise<void>

  constructor(coding: 'gzip' | 'deflate', take: (piece: Uint8Array) => void) {
    const { readable, writable } = new DecompressionStream(coding)
    this.#writer = writable.getWriter()
    this.#writer.closed.catch(ignore)
    this.#read = readAll(readable.getReader(), take)
    this.#read.catch(ignore)
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += maxChunk) {
      const written = this.#writer.write(bytes.slice(start, start + maxChunk))
      await Promise.race([this.#read, written])
    }
  }

  async end(): Promise<void> {
    await Promise.race([this.#read, this.#writer.close()])
    await this.#read
  }

  destroy(): void {
    this.#writer.abort().catch(ignore)
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    take(value)
  }
}
