import type { Api } from './model/api.ts'
import { nextTurn, whenReady } from './model/awaitable.ts'
import { type HostRequest, type HttpHeaders, type HttpRequest, headerOf } from './model/http.ts'
import type { Layer } from './model/layer.ts'
import { bodyTooLarge, problem } from './model/problem.ts'
import type { Registry } from './model/registry.ts'
import { checkBase, localTarget } from './server/base.ts'
import { type Rest, responder, type WrittenResponse } from './server/respond.ts'

/**
 * A function as fetch runtimes call it: Workers, Bun, Deno, and the frameworks that speak `Request` and `Response`. It takes what the
 * registry's context needs besides the request: `env` of Workers, `{ params }` of Next.js.
 */
export type FetchHandler<Source = Request, Given extends readonly unknown[] = []> = (
  request: Source,
  ...given: Given
) => Response | Promise<Response>

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
export function toFetchHandler<
  Source extends Request = Request,
  Given extends readonly unknown[] = [],
>(
  registry: Registry<Api, HostRequest<Source, Given>>,
  { base = '', layers }: FetchOptions = {},
): FetchHandler<Source, Given> {
  checkBase(base)
  // What its context asks for, the requests of this handler have.
  const respond = responder(registry as Registry, layers)
  return (request, ...given) => {
    const written = respond(new FetchRequest(request, given, base))
    const response = whenReady(written, (answer) => toResponse(answer, request))
    return response instanceof Response ? response : Promise.resolve(response)
  }
}

/** A `Request` as plain values; headers, body and signal are looked at when they are asked for. */
class FetchRequest<Source extends Request, Given extends readonly unknown[]>
  implements HostRequest<Source, Given>
{
  readonly method: string
  readonly url: string
  readonly base: string
  readonly source: Source
  readonly given: Given
  #headers: HttpHeaders | undefined

  constructor(source: Source, given: Given, base: string) {
    this.method = source.method
    this.url = localTarget(pathOf(source.url), base)
    this.base = base
    this.source = source
    this.given = given
  }

  get headers(): HttpHeaders {
    this.#headers ??= Object.fromEntries(this.source.headers)
    return this.#headers
  }

  field(name: string): string | undefined {
    // A layer may have put others in their place, or among them. Some runtimes sort all of them for whoever goes through them.
    return #headers in this && !this.#headers
      ? (this.source.headers.get(name) ?? undefined)
      : headerOf({ headers: this.headers }, name)
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
    let chunk: unknown
    try {
      chunk = await reader.read()
    } catch (cause) {
      throw problem('bad_request', 'The body broke off', { cause })
    }
    const bytes = bytesOf(chunk)
    if (bytes === undefined) return join(chunks, length)
    length += bytes.length
    if (length > limit) {
      // Nobody waits for the rest, nor for how giving it up went.
      forget(reader).catch(() => undefined)
      throw bodyTooLarge(limit)
    }
    chunks.push(bytes)
  }
}

// Bytes of a refused body that are read and forgotten.
const mostForgotten = 65_536

// Some hosts hang up where a body is cancelled, before the client has its answer: what has an end soon is read to it.
async function forget(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let forgotten = 0; forgotten < mostForgotten; ) {
    const bytes = bytesOf(await reader.read())
    if (bytes === undefined) return
    forgotten += bytes.length
  }
  await reader.cancel()
}

// `undefined` where there is nothing more.
function bytesOf(chunk: unknown): Uint8Array | undefined {
  const { done, value } = Object(chunk)
  if (done === true) return undefined
  if (value instanceof Uint8Array) return value
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

function toResponse(answer: WrittenResponse, request: Request): Response {
  const { status, headers, text, rest } = answer
  const { method } = request
  if (rest !== undefined) {
    if (method !== 'HEAD') {
      return new Response(toStream(text, rest, request.signal), { status, headers })
    }
    rest.close()
    return new Response(null, { status, headers })
  }
  const init = { status, headers: { ...headers, 'content-length': `${lengthOf(text)}` } }
  return new Response(method === 'HEAD' ? null : text, init)
}

const encoder = new TextEncoder()

// Where texts are encoded to be measured; what is written there nobody reads.
const scratch = new Uint8Array(65_536)

// Runtimes take texts faster than bytes, which they copy; and nothing measures as fast as encoding into what is there already.
function lengthOf(text: string): number {
  let length = 0
  for (let rest = text; rest !== ''; ) {
    const { read, written } = encoder.encodeInto(rest, scratch)
    length += written
    rest = rest.slice(read)
  }
  return length
}

// A slice is asked for when the one before has been taken: `ReadableStream` holds one unless it is told otherwise.
function toStream(beginning: string, rest: Rest, signal: AbortSignal): ReadableStream<Uint8Array> {
  let isCancelled = false
  let leave = (): void => undefined
  const close = (): Promise<void> => {
    isCancelled = true
    signal.removeEventListener('abort', leave)
    return rest.close()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(beginning))
      // Workers abort where others cancel; where somebody does both, it is the same to him.
      leave = () => {
        close()
          .then(nextTurn)
          .then(() => controller.error(signal.reason))
      }
      signal.addEventListener('abort', leave)
    },
    async pull(controller) {
      await nextTurn()
      const { done, value } = await rest.next()
      if (isCancelled) return
      controller.enqueue(encoder.encode(value))
      if (!done) return
      signal.removeEventListener('abort', leave)
      controller.close()
    },
    cancel: close,
  })
}

function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}
