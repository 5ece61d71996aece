import type { Api } from './contract/resource/api.ts'
import type {
  HostRequest,
  HttpHeaders,
  HttpRequest,
  Layer,
  Slices,
  WrittenBody,
} from './contract/resource/http.ts'
import { headerOf } from './contract/resource/http.ts'
import type { Registry } from './contract/resource/registry.ts'
import { nextTurn, whenReady } from './convention/awaitable.ts'
import { bodyTooLarge, problem } from './convention/problem.ts'
import { joinBytes } from './convention/stream.ts'
import { checkBase, localTarget } from './server/base.ts'
import {
  checkDecompress,
  type Decompress,
  decompressorFor,
  type Inflow,
  withoutCoding,
} from './server/decompress.ts'
import { responder, type WrittenResponse } from './server/respond.ts'

/**
 * A handler for Workers, Bun, Deno and frameworks with `Request` and `Response`. `Given` are the
 * further arguments that the registry's context needs: `env` of Workers, `{ params }` of Next.js.
 */
export type FetchHandler<Source = Request, Given extends readonly unknown[] = []> = (
  request: Source,
  ...given: Given
) => Response | Promise<Response>

/** The options of {@link toFetchHandler}. */
export interface FetchOptions {
  /**
   * The path prefix: `/api`. The handler removes it from request paths, and adds it to `Location`
   * and `Link`. Default: none.
   */
  readonly base?: string
  /** Layers around the api: documents, the explorer. The first is outermost. Default: none. */
  readonly layers?: readonly Layer[]
  /**
   * Takes bodies with one `Content-Encoding` of gzip, deflate and, where the runtime has it, br.
   * `limits.body` counts the plain bytes. Default false: such a body is 400
   * `unsupported_encoding`.
   */
  readonly decompress?: boolean
}

/**
 * Serves a registry on any fetch runtime: `export default { fetch: toFetchHandler(registry) }`.
 * The handler never rejects: every error becomes a response.
 *
 * @throws {TypeError} For an invalid `base` or `decompress`.
 */
export function toFetchHandler<
  Source extends Request = Request,
  Given extends readonly unknown[] = [],
>(
  registry: Registry<Api, HostRequest<Source, Given>>,
  { base = '', layers, decompress = false }: FetchOptions = {},
): FetchHandler<Source, Given> {
  checkBase(base)
  checkDecompress(decompress)
  const hosting = { base, decompress }
  // This handler's requests have the members that the context needs.
  const respond = responder(registry as Registry, layers)
  return (request, ...args) => {
    const written = respond(new FetchRequest(request, args, hosting))
    const response = whenReady(written, (ready) => toResponse(ready, request))
    return response instanceof Response ? response : Promise.resolve(response)
  }
}

/** The options of a handler for its requests. */
type Hosting = Required<Pick<FetchOptions, 'base' | 'decompress'>>

/** A `Request` as plain values. It reads headers, body and signal at their first use. */
class FetchRequest<Source extends Request, Given extends readonly unknown[]>
  implements HostRequest<Source, Given>
{
  readonly method: string
  readonly url: string
  readonly base: string
  readonly source: Source
  readonly given: Given
  #headers: HttpHeaders | undefined
  readonly #decoder: Decompress | undefined

  constructor(source: Source, args: Given, { base, decompress }: Hosting) {
    this.method = source.method
    this.url = localTarget(pathOf(source.url), base)
    this.base = base
    this.source = source
    this.given = args
    if (!decompress) return
    this.#decoder = decompressorFor(source.headers.get('content-encoding') ?? undefined)
    if (this.#decoder) this.#headers = withoutCoding(this.headers)
  }

  get headers(): HttpHeaders {
    this.#headers ??= Object.fromEntries(this.source.headers)
    return this.#headers
  }

  field(name: string): string | undefined {
    // Faster than reading all fields, unless a layer has replaced them.
    return #headers in this && !this.#headers
      ? (this.source.headers.get(name) ?? undefined)
      : headerOf({ headers: this.headers }, name)
  }

  get body(): HttpRequest['body'] {
    const { source } = this
    const decoder = this.#decoder
    if (source.body === null) return undefined
    return decoder
      ? (limit) => decoder(() => inflowOf(source), limit)
      : (limit) => readBody(source, limit)
  }

  get signal(): AbortSignal {
    return this.source.signal
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const inflow = inflowOf(request)
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const bytes = await inflow.next()
    if (bytes === undefined) return joinBytes(chunks)
    length += bytes.length
    if (length > limit) {
      // Runs in the background. Its errors do not matter.
      inflow.drop().catch(() => undefined)
      throw bodyTooLarge(limit)
    }
    chunks.push(bytes)
  }
}

function inflowOf(request: Request): Inflow {
  if (request.body === null || request.bodyUsed || request.body.locked) {
    throw new TypeError('Other code read the body before the handler. Leave the body unread.')
  }
  const reader = request.body.getReader()
  return {
    async next() {
      let chunk: unknown
      try {
        chunk = await reader.read()
      } catch (cause) {
        throw problem('bad_request', 'The body broke off', { cause })
      }
      return bytesOf(chunk)
    },
    drop: () => drop(reader),
  }
}

// Bytes of a refused body to read before the cancel.
const maxDropped = 65_536

// Some hosts close the connection at a cancel, before the client has its response. Reading a short
// body to its end avoids the cancel.
async function drop(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let dropped = 0; dropped < maxDropped; ) {
    const bytes = bytesOf(await reader.read())
    if (bytes === undefined) return
    dropped += bytes.length
  }
  await reader.cancel()
}

// Returns `undefined` at the end.
function bytesOf(chunk: unknown): Uint8Array | undefined {
  const { done, value } = Object(chunk)
  if (done === true) return undefined
  if (value instanceof Uint8Array) return value
  throw new TypeError('The request body must be a stream of bytes')
}

function toResponse(written: WrittenResponse, request: Request): Response {
  const { status, headers, content, slices } = written
  const { method } = request
  // Without this member, Workers would compress the bytes of a compressed body again.
  const encodeBody = typeof content === 'string' ? 'automatic' : 'manual'
  if (slices !== undefined) {
    const init = { status, headers, encodeBody }
    if (method !== 'HEAD') return new Response(toStream(content, slices, request.signal), init)
    slices.close()
    return new Response(null, init)
  }
  const length = typeof content === 'string' ? lengthOf(content) : content.length
  const init = { status, headers: { ...headers, 'content-length': `${length}` }, encodeBody }
  return new Response(method === 'HEAD' ? null : content, init)
}

const encoder = new TextEncoder()

// A buffer that {@link lengthOf} overwrites and never reads.
const scratch = new Uint8Array(65_536)

// Encoding into an existing buffer is the fastest way to measure a text.
function lengthOf(text: string): number {
  let length = 0
  for (let remainder = text; remainder !== ''; ) {
    const { read, written } = encoder.encodeInto(remainder, scratch)
    length += written
    remainder = remainder.slice(read)
  }
  return length
}

// Reads the next slice after the client took the one before: by default, a stream buffers one.
function toStream(
  beginning: WrittenBody['content'],
  slices: Slices,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let isCancelled = false
  let leave = (): void => undefined
  const close = (): Promise<void> => {
    isCancelled = true
    signal.removeEventListener('abort', leave)
    return slices.close()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoded(beginning))
      // Workers abort, other runtimes cancel. Both may happen.
      leave = () => {
        close()
          .then(nextTurn)
          .then(() => controller.error(signal.reason))
      }
      signal.addEventListener('abort', leave)
    },
    async pull(controller) {
      await nextTurn()
      const { done, value } = await slices.next()
      if (isCancelled) return
      controller.enqueue(encoded(value))
      if (!done) return
      signal.removeEventListener('abort', leave)
      controller.close()
    },
    cancel: close,
  })
}

function encoded(content: WrittenBody['content']): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content
}

function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}
