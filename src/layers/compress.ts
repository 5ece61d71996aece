import { headerOf, type Layer, type Slices, type WrittenBody } from '../contract/resource/http.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { checkOptions } from '../convention/declaration.ts'
import { joinBytes } from '../convention/stream.ts'
import { zlibOfRuntime } from '../convention/zlib.ts'
import { checkNumber } from './number.ts'
import { withVary } from './vary.ts'

/** Options of {@link compress}. */
export interface CompressOptions {
  /** Bytes from which a body is compressed. Default 1,024. A list that streams always is. */
  readonly threshold?: number
}

const optionNames: Record<keyof CompressOptions, true> = { threshold: true }

/**
 * Makes a layer that compresses the responses below it, by `Accept-Encoding`: with `br`, or with
 * `gzip` where the client or the runtime has no `br`. It sends each slice of a streamed list at
 * once. A list that fails stays cut off.
 *
 * It leaves a body with `Content-Encoding` or `Cache-Control: no-transform` as it is. Such a header
 * of an outer layer counts too: the server compresses after the outermost one.
 *
 * @throws {TypeError} For an invalid option.
 * @see RFC 9110 §8.4 and §12.5.3
 */
export function compress(options: CompressOptions = {}): Layer {
  checkOptions('compress()', options, optionNames)
  const { threshold = 1024 } = options
  checkNumber('"threshold" of compress()', threshold, { least: 0, what: 'bytes' })
  const available = codecs()
  return (request, answer) =>
    whenReady(answer(request), (response) => {
      const name = negotiate(headerOf(request, 'accept-encoding'), available.keys())
      const codec = name && available.get(name)
      const chosen = name && codec && { name, codec }
      // A second layer would compress twice.
      const encode = response.encode ?? ((written) => encodeBody(written, { chosen, threshold }))
      return { ...response, encode }
    })
}

interface ChosenCodec {
  readonly name: CodingName
  readonly codec: Codec
}

interface Compression {
  /** `undefined` for no compression. */
  readonly chosen: ChosenCodec | undefined
  readonly threshold: number
}

const encoder = new TextEncoder()

function encodeBody(
  written: WrittenBody<string>,
  { chosen, threshold }: Compression,
): Awaitable<WrittenBody> {
  if (isFixed(written)) return written
  const variant = withVary(written, 'Accept-Encoding')
  if (chosen === undefined) return variant
  const { name, codec } = chosen
  const { content, slices } = variant
  const bytes = encoder.encode(content)
  const headers = { ...variant.headers, 'content-encoding': name }
  if (slices === undefined) {
    if (bytes.length < threshold) return variant
    return whenReady(codec.compress(bytes), (content) => ({ headers, content, slices }))
  }
  if (codec.open === undefined) return variant
  const compressor = codec.open()
  return compressor
    .write(bytes)
    .then((content) => ({ headers, content, slices: new CompressedSlices(slices, compressor) }))
}

function isFixed({ headers }: WrittenBody): boolean {
  return (
    headers['content-encoding'] !== undefined ||
    /(?:^|,)\s*no-transform\s*(?:,|$)/i.test(headers['cache-control'] ?? '')
  )
}

/** The compressed slices of a body. */
class CompressedSlices implements Slices {
  readonly #slices: Slices<string>
  readonly #compressor: Compressor

  constructor(slices: Slices<string>, compressor: Compressor) {
    this.#slices = slices
    this.#compressor = compressor
  }

  async next(): ReturnType<Slices['next']> {
    try {
      const { done, value } = await this.#slices.next()
      const bytes = encoder.encode(value)
      return done
        ? { done, value: await this.#compressor.end(bytes) }
        : { value: await this.#compressor.write(bytes) }
    } catch (error) {
      // Never ended, so that the client sees a body that broke off.
      this.#compressor.destroy()
      throw error
    }
  }

  close(): Promise<void> {
    this.#compressor.destroy()
    return this.#slices.close()
  }
}

const rangeSyntax = /^([^\s;]+)(?:[\t ]*;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/**
 * Returns the coding of the highest quality in `Accept-Encoding`, of equal ones the first of
 * `names`. Returns `undefined` for no compression: without the header, with a malformed one, and
 * where the client prefers `identity`. `*` stands for gzip alone, which every client can read.
 *
 * @see RFC 9110 §12.5.3
 */
export function negotiate(
  header: string | undefined,
  names: Iterable<CodingName>,
): CodingName | undefined {
  const qualities = parseCodings(header ?? '')
  let best = qualities.get('identity') ?? 0
  let chosen: CodingName | undefined
  for (const name of names) {
    const wildcard = name === 'gzip' ? qualities.get('*') : undefined
    const quality = qualities.get(name) ?? wildcard ?? 0
    if (quality === 0 || quality < best || (chosen && quality === best)) continue
    best = quality
    chosen = name
  }
  return chosen
}

// Empty for a malformed header. The lowest quality of a repeated name counts.
function parseCodings(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>()
  for (const element of header.toLowerCase().split(',')) {
    const range = element.trim()
    if (range === '') continue
    const [, name, quality = '1'] = rangeSyntax.exec(range) ?? []
    if (name === undefined) return new Map()
    const coding = name === 'x-gzip' ? 'gzip' : name
    qualities.set(coding, Math.min(Number(quality), qualities.get(coding) ?? 1))
  }
  return qualities
}

type Bytes = Uint8Array<ArrayBuffer>

/** The compressions of {@link codecs}, by their name in `Content-Encoding`. */
type CodingName = 'br' | 'gzip'

/** A way to compress. */
interface Codec {
  /** Compresses a whole body. */
  readonly compress: (bytes: Bytes) => Awaitable<Bytes>
  /** Begins a body that streams. `undefined` where the runtime cannot flush a compression. */
  readonly open: (() => Compressor) | undefined
}

/** Compresses a body slice by slice: a client can read each slice at once. */
interface Compressor {
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
function codecs(): ReadonlyMap<CodingName, Codec> {
  const zlib = zlibOfRuntime<Zlib>()
  if (zlib === undefined) return new Map([['gzip', { compress: gzipByStream, open: undefined }]])
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

// Bytes that take about a millisecond. More would keep all other requests waiting.
const maxSyncBytes = 65_536

function codecOf(compressSync: (bytes: Bytes) => Bytes, make: () => ZlibStream): Codec {
  const open = (): Compressor => new ZlibCompressor(make())
  return {
    compress: (bytes) => (bytes.length > maxSyncBytes ? open().end(bytes) : compressSync(bytes)),
    open,
  }
}

async function gzipByStream(bytes: Bytes): Promise<Bytes> {
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
