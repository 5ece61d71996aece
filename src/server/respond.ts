import {
  type Addressed,
  type Answer,
  type Encode,
  type HttpRequest,
  type HttpResponse,
  type Layer,
  type WrittenBody,
  withOwnMembers,
} from '../contract/resource/http.ts'
import { type Awaitable, isPending, settle, whenReady } from '../convention/awaitable.ts'
import { statuses } from '../convention/operations.ts'
import { formatItems } from '../wire/items.ts'
import { formatJson } from '../wire/json.ts'
import { targetOfRequest } from '../wire/path.ts'
import { isPlain } from './checks/value.ts'
import { answer } from './handle.ts'
import { Lifetime } from './lifetime/lifetime.ts'
import { refuse } from './lifetime/refuse.ts'
import { Body, drop, ResponseStream } from './lifetime/stream.ts'

type Registry = Lifetime['registry']

/** A response with its body written. HEAD has the body of GET: the door measures and drops it. */
export interface WrittenResponse<Content extends WrittenBody['content'] = WrittenBody['content']>
  extends Pick<HttpResponse, 'status'>,
    WrittenBody<Content> {
  /** The registry has no such path: a host with other handlers may try them. */
  readonly isUnknownPath: boolean
}

type TextResponse = WrittenResponse<string>

/** Makes a function that answers requests through layers; the first is the outermost. */
export function responder(
  registry: Registry,
  layers: readonly Layer[] = [],
): (request: HttpRequest) => Awaitable<WrittenResponse> {
  if (layers.length === 0) return (request) => respond(request, registry)
  const inner: Answer = (request) => answer(new Lifetime(request, registry))
  const answerThrough = withLayers(layers, inner, registry)
  return (request) =>
    whenReady(answerThrough(withOwnMembers(request)), (response) => {
      const written = writeAny(response, { request, registry })
      const { encode } = response
      if (encode === undefined) return written
      return whenReady(written, (textResponse) =>
        encodeWith(encode, textResponse, { request, registry }),
      )
    })
}

function encodeWith(
  encode: Encode,
  written: TextResponse,
  { request, registry }: Pick<Lifetime, 'request' | 'registry'>,
): Awaitable<WrittenResponse> {
  return settle(
    () => encode(written),
    (body) => ({ ...written, ...body }),
    (error) => {
      written.slices?.close()
      return withLayerHeaders(written, respondWith(error, request, registry))
    },
  )
}

/** Answers a request in text. A value that JSON cannot carry becomes `internal_error`. */
export function respond(request: HttpRequest, registry: Registry): Awaitable<TextResponse> {
  const lifetime = new Lifetime(request, registry)
  return whenReady(answer(lifetime), (response) => writeAny(response, lifetime))
}

function writeAny(
  response: HttpResponse,
  { request, registry }: Pick<Lifetime, 'request' | 'registry'>,
): Awaitable<TextResponse> {
  try {
    const { body } = response
    if (body instanceof Body) return writeBeginning(response, body)
    if (!Array.isArray(body) || body.length <= manyItems) return write(response)
    // To write it at once would keep all other requests waiting.
    const parts = slicesOf(body)
    return writeBeginning(response, { parts, lifetime: new Lifetime(request, registry) })
  } catch (error) {
    return withLayerHeaders(response, respondWith(error, request, registry))
  }
}

// The headers that describe a body, and go with it.
const ofBody: ReadonlySet<string> = new Set(['content-type', 'etag', 'link', 'location'])

// The headers of layers stay: without those of CORS, a browser hides the response from a page.
function withLayerHeaders({ headers }: Headed, refused: TextResponse): TextResponse {
  const layerHeaders = Object.entries(headers).filter(([name]) => !ofBody.has(name))
  return { ...refused, headers: { ...Object.fromEntries(layerHeaders), ...refused.headers } }
}

type Headed = Pick<HttpResponse, 'headers'>

/** Makes the response of an error before or after the handler. */
export function respondWith(
  error: unknown,
  request: HttpRequest,
  registry: Registry,
): TextResponse {
  const lifetime = new Lifetime(request, registry)
  const response = refuse(error, lifetime)
  lifetime.end(response)
  return write(response)
}

// To write so many takes some milliseconds.
const manyItems = 2000

async function* slicesOf(items: readonly object[]): AsyncGenerator<readonly object[], void> {
  for (let start = 0; start < items.length; start += manyItems) {
    yield items.slice(start, start + manyItems)
  }
}

const unknownPaths: ReadonlySet<unknown> = new Set(['unknown_resource', 'unknown_version'])

function write({ status, headers, body, problem }: HttpResponse): TextResponse {
  const isText = typeof body === 'string' && !isJson(headers['content-type'])
  const content: string | undefined = isText ? body : formatJson(body)
  if (content === undefined)
    throw new TypeError('The adapter returned a value that JSON cannot carry.')
  const isUnknownPath = status === 404 && unknownPaths.has(problem ?? Object(body).code)
  return { status, headers, content, slices: undefined, isUnknownPath }
}

function isJson(type = ''): boolean {
  return /^application\/(?:[^;]*\+)?json\b/.test(type)
}

// A list of one slice gets the response of an array, with its length.
async function writeBeginning(
  original: HttpResponse,
  { parts, lifetime }: Pick<Body, 'parts' | 'lifetime'>,
): Promise<TextResponse> {
  const { status, headers } = original
  const slices = formatItems(parts)
  try {
    const { done, value } = await lifetime.waitForChunk(slices.next())
    const rest = done ? undefined : new ResponseStream(slices, lifetime)
    return { status, headers, content: value, slices: rest, isUnknownPath: false }
  } catch (error) {
    const response = refuse(error, lifetime)
    lifetime.end(response)
    return withLayerHeaders(original, write(response))
  }
}

/**
 * Puts layers around the handler; the first is the outermost. Each layer must respond with one of
 * the twelve statuses and with headers that a message can hold, before its deadline. The core
 * replaces any other response, and the outer layers get the replacement.
 */
function withLayers(layers: readonly Layer[], answer: Answer, registry: Registry): Answer {
  return layers.reduceRight<Answer>((inner, layer) => around(layer, inner, registry), answer)
}

function around(layer: Layer, inner: Answer, registry: Registry): Answer {
  return (request) => {
    const lifetime = new Lifetime(request, registry)
    let innerResponse: HttpResponse | undefined
    // The inner layers have deadlines of their own.
    const answer: Answer = (innerRequest) =>
      whenReady(lifetime.elsewhere(inner(innerRequest)), (response) => {
        innerResponse = response
        return response
      })
    const failed = (error: unknown): HttpResponse => {
      // Otherwise a list that has begun would stay open.
      if (innerResponse) drop(innerResponse)
      const refused = refuse(error, lifetime)
      lifetime.end(refused)
      return refused
    }
    try {
      const response = layer(request, answer, addressedBy(request, registry))
      return isPending(response)
        ? lifetime.inTime(response, { make: checkResponse, failed, drop })
        : checkResponse(response)
    } catch (error) {
      return failed(error)
    }
  }
}

function addressedBy(request: HttpRequest, registry: Registry): Addressed {
  return {
    get target() {
      return targetOfRequest(request, registry)
    },
  }
}

// The door frames messages: a wrong length would turn one response into two.
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
// RFC 9110 §5.1, §5.5
const nameSyntax = /^[!#$%&'*+.^_`|~\w-]+$/
const valueSyntax = /^[\t -~\x80-\xff]*$/

function checkResponse(response: HttpResponse): HttpResponse {
  const { status, headers } = Object(response)
  if (!statuses.includes(status)) throw layerError(`the status ${String(status)}`)
  if (Object(headers) !== headers || !isPlain(headers))
    throw layerError('no plain object of headers')
  const fields = Object.entries(headers).map(([name, value]) => {
    if (typeof value === 'string' && nameSyntax.test(name) && valueSyntax.test(value)) {
      return [name.toLowerCase(), value] as const
    }
    throw layerError(`a header ${JSON.stringify(name)} that no message can hold`)
  })
  const safeFields = fields.filter(([name]) => !framing.has(name))
  return { ...response, headers: Object.fromEntries(safeFields) }
}

function layerError(gave: string): TypeError {
  return new TypeError(
    `A layer returned ${gave}: return the result of answer(), or ` +
      '{ status, headers, body } with one of the twelve statuses.',
  )
}
