import type { Awaitable } from '../convention/awaitable.ts'
import { joinBytes } from '../convention/bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The compressions of {@link codecs}, by their name in `Content-Encoding`. */
export type CodingName = 'br' | 'gzip'

/** A way to compress. */
export interface Codec {
  /** Compresses a whole body. */
  readonly compress: (bytes: Bytes) => Awaitable<Bytes>
  /** Begins a body that streams. `undefined` where the runtime cannot flush a compression. */
  readonly open: (() => Compressor) | undefined
}

/** Compresses a body slice by slice: a client can read each slice at once. */
export interface Compressor {
  write(bytes: Bytes): Promise<Bytes>
  end(bytes: Bytes): Promise<Bytes>
  destroy(): void
}

// The parts of node:zlib that this file needs: its types are not on every runtime.
interface ZlibStream {
  on(event: 'data', listener: (chunk: Bytes) => void): this
  on(event: 'end', listener: () => void): this
  on(event: 'error', listener: (error: Error) => void): this
  write(bytes: Bytes, done: (error?: Error | null) => void): unknown
  end(bytes: Bytes): unknown
  destroy(): unknown
}
interface ZlibOptions {
  readonly flush: number
  readonly params?: Readonly<Record<number, number>>
}
interface Zlib {
  readonly constants: {
    readonly Z_SYNC_FLUSH: number
    readonly BROTLI_OPERATION_FLUSH: number
    readonly BROTLI_PARAM_QUALITY: number
    readonly BROTLI_PARAM_LGWIN: number
  }
  gzipSync(bytes: Bytes, options: ZlibOptions): Bytes
  brotliCompressSync(bytes: Bytes, options: ZlibOptions): Bytes
  createGzip(options: ZlibOptions): ZlibStream
  createBrotliCompress(options: ZlibOptions): ZlibStream
}

/**
 * Returns the compressions of this runtime, the best first: those of `node:zlib` (Node, Deno, Bun,
 * Workers with `nodejs_compat`), else gzip by `CompressionStream`.
 */
export function codecs(): ReadonlyMap<CodingName, Codec> {
  const zlib = zlibOfRuntime()
  if (zlib === undefined) return new Map([['gzip', { compress: byStream, open: undefined }]])
  const { constants } = zlib
  const gzip = { flush: constants.Z_SYNC_FLUSH }
  // At this quality, Brotli writes less than gzip in less time. Its default is meant for files that
  // are compressed once. The window bounds the memory of a stream.
  const brotli = {
    flush: constants.BROTLI_OPERATION_FLUSH,
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
  }
  return new Map([
    [
      'br',
      codecOf(
        (bytes) => zlib.brotliCompressSync(bytes, brotli),
        () => zlib.createBrotliCompress(brotli),
      ),
    ],
    [
      'gzip',
      codecOf(
        (bytes) => zlib.gzipSync(bytes, gzip),
        () => zlib.createGzip(gzip),
      ),
    ],
  ])
}

// Bundlers for the web cannot resolve an import.
function zlibOfRuntime(): Zlib | undefined {
  const runtime: unknown = Reflect.get(globalThis, 'process')
  const getModule: unknown = Reflect.get(Object(runtime), 'getBuiltinModule')
  return typeof getModule === 'function' ? getModule.call(runtime, 'node:zlib') : undefined
}

// Bytes that take about a millisecond. More would keep all other requests waiting.
const maxAtOnce = 65_536

function codecOf(atOnce: (bytes: Bytes) => Bytes, make: () => ZlibStream): Codec {
  const open = (): Compressor => new ZlibCompressor(make())
  return {
    compress: (bytes) => (bytes.length > maxAtOnce ? open().end(bytes) : atOnce(bytes)),
    open,
  }
}

async function byStream(bytes: Bytes): Promise<Bytes> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(compressed).arrayBuffer())
}

class ZlibCompressor implements Compressor {
  readonly #stream: ZlibStream
  #chunks: Bytes[] = []

  constructor(stream: ZlibStream) {
    this.#stream = stream
    stream
      .on('data', (chunk) => this.#chunks.push(chunk))
      // Without a listener, the error would end the process. The callbacks get it too.
      .on('error', () => undefined)
  }

  write(bytes: Bytes): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      // The stream flushes after each write, and calls back after the data.
      this.#stream.write(bytes, (error) => (error ? reject(error) : resolve(this.#take())))
    })
  }

  end(bytes: Bytes): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      this.#stream
        .on('error', reject)
        .on('end', () => resolve(this.#take()))
        .end(bytes)
    })
  }

  destroy(): void {
    this.#stream.destroy()
  }

  #take(): Bytes {
    const bytes = joinBytes(this.#chunks)
    this.#chunks = []
    return bytes
  }
}
