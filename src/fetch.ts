import { whenReady } from './model/awaitable.ts'
import type { HttpHeaders, HttpRequest } from './model/http.ts'
import type { Layer } from './model/layer.ts'
import { bodyTooLarge, problem } from './model/problem.ts'
import type { Registry } from './model/registry.ts'
import { nextTurn } from './model/stream.ts'
import { type Rest, responder, type WrittenResponse } from './server/respond.ts'

/** A function as fetch runtimes call it: Workers, Bun, Deno, and the frameworks that speak `Request` and `Response`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

/** What {@link toFetchHandler} takes; every part is optional. */
export interface FetchOptions {
  /** The prefix of the paths it is mounted at: `/api`. Cut off where a request has it, put before the paths in `Location` and `Link`. Default: none. */
  readonly base?: string
  /** What answers before the api does: documents, the explorer. The first is the outermost. Default: none. */
  readonly layers?: readonly Layer[]
}

/**
 * Serves a registry on any fetch runtime: `export default { fetch: toFetchHandler(registry) }`.
 * Never rejects: every fault is an answer.
 *
 * @throws {TypeError} For a base that is no path.
 */
export function toFetchHandler(
  registry: Registry,
  { base = '', layers }: FetchOptions = {},
): FetchHandler {
  if (!/^(?:\/[^/?#]+)*$/.test(base)) {
    throw new TypeError(
      `The base "${base}" is no path: write it like "/api", without a slash at its end.`,
    )
  }
  const respond = responder(registry, layers)
  return (request) => {
    const { method } = request
    const written = respond(new FetchRequest(request, base))
    const response = whenReady(written, (answer) => toResponse(answer, method))
    return response instanceof Response ? response : Promise.resolve(response)
  }
}

/** A `Request` as plain values; headers and body are looked at only when somebody asks. */
class FetchRequest implements HttpRequest {
  readonly method: string
  readonly url: string
  readonly base: string
  readonly source: Request
  #headers: HttpHeaders | undefined

  constructor(source: Request, base: string) {
    this.method = source.method
    this.url = withoutBase(source.url, base)
    this.base = base
    this.source = source
  }

  get headers(): HttpHeaders {
    this.#headers ??= Object.fromEntries(this.source.headers)
    return this.#headers
  }

  get body(): HttpRequest['body'] {
    const { source } = this
    return source.body === null ? undefined : (limit) => readBody(source, limit)
  }

  get signal(): AbortSignal {
    return this.source.signal
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null || request.bodyUsed || request.body.locked) {
    throw new TypeError(
      'The body of the request was read before it came to the handler: hand it over unread.',
    )
  }
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await readChunk(reader)
    if (done) return join(chunks, length)
    length += value.length
    if (length > limit) {
      // Nobody waits for the rest, nor for how giving it up went.
      reader.cancel().catch(() => undefined)
      throw bodyTooLarge(limit)
    }
    chunks.push(value)
  }
}

type Chunk =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: undefined }

async function readChunk(reader: { read(): Promise<unknown> }): Promise<Chunk> {
  let chunk: unknown
  try {
    chunk = await reader.read()
  } catch (cause) {
    throw problem('bad_request', 'The body broke off', { cause })
  }
  const { done, value } = Object(chunk)
  if (done === true) return { done }
  if (value instanceof Uint8Array) return { done: false, value }
  throw new TypeError('The body of the request is no stream of bytes.')
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const all = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.length
  }
  return all
}

function toResponse({ status, headers, text, rest }: WrittenResponse, method: string): Response {
  if (rest !== undefined) {
    if (method !== 'HEAD') return new Response(toStream(text, rest), { status, headers })
    rest.close()
    return new Response(null, { status, headers })
  }
  const bytes = new TextEncoder().encode(text)
  const init = { status, headers: { ...headers, 'content-length': `${bytes.length}` } }
  return new Response(method === 'HEAD' ? null : bytes, init)
}

// A slice is asked for when the one before has been taken: `ReadableStream` holds one unless it is told otherwise.
function toStream(beginning: string, rest: Rest): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isCancelled = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(beginning))
    },
    async pull(controller) {
      await nextTurn()
      const { done, value } = await rest.next()
      if (isCancelled) return
      controller.enqueue(encoder.encode(value))
      if (done) controller.close()
    },
    cancel() {
      isCancelled = true
      return rest.close()
    },
  })
}

// A host may have cut it off already, as it does for others.
function withoutBase(url: string, base: string): string {
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2))
  const rest = path.slice(base.length)
  const isUnderBase = path.startsWith(base) && (rest === '' || /^[/?]/.test(rest))
  if (!isUnderBase) return path
  return rest.startsWith('/') ? rest : `/${rest}`
}
