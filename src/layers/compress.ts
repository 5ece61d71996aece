import { headerOf, type Layer } from '../contract/resource/http.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { checkOptions } from '../convention/declared.ts'
import type { Slices, WrittenBody } from '../convention/written.ts'
import { type Codec, type CodingName, type Compressor, codecs } from './coding.ts'
import { negotiate } from './negotiate.ts'
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
  const usable = codecs()
  return (request, answer) =>
    whenReady(answer(request), (response) => {
      const name = negotiate(headerOf(request, 'accept-encoding'), usable.keys())
      const codec = name && usable.get(name)
      const chosen = name && codec && { name, codec }
      // A second layer would compress twice.
      const encode = response.encode ?? ((written) => encoded(written, { chosen, threshold }))
      return { ...response, encode }
    })
}

interface Chosen {
  readonly name: CodingName
  readonly codec: Codec
}

interface Terms {
  /** `undefined` for no compression. */
  readonly chosen: Chosen | undefined
  readonly threshold: number
}

const encoder = new TextEncoder()

function encoded(
  written: WrittenBody<string>,
  { chosen, threshold }: Terms,
): Awaitable<WrittenBody> {
  if (isFixed(written)) return written
  const varying = withVary(written, 'Accept-Encoding')
  if (chosen === undefined) return varying
  const { name, codec } = chosen
  const { content, slices } = varying
  const bytes = encoder.encode(content)
  const headers = { ...varying.headers, 'content-encoding': name }
  if (slices === undefined) {
    if (bytes.length < threshold) return varying
    return whenReady(codec.compress(bytes), (content) => ({ headers, content, slices }))
  }
  if (codec.open === undefined) return varying
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
