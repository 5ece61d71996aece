import type { Collection } from '../contract/resource/api.ts'
import { type HttpBody, type HttpRequest, headerOf } from '../contract/resource/http.ts'
import type { Resource } from '../contract/resource/resource.ts'
import type { StandardSchema } from '../contract/schema/schema.ts'
import { type Awaitable, settle, whenReady } from '../convention/awaitable.ts'
import { bodyOf } from '../convention/kinds.ts'
import type { Limits } from '../convention/limits.ts'
import type { OperationKind } from '../convention/operations.ts'
import { bodyTooLarge, isProblem, type MessagesOption, problem } from '../convention/problem.ts'
import { checkValues, formatJson, parseJson } from './json.ts'

/** The media type of every body but a problem's. */
export const jsonType = 'application/json'

/** The media type of a problem (RFC 9457). */
export const problemType = 'application/problem+json'

// The longest registered type has fewer than 80 characters.
const maxMediaType = 256
// White space as RFC 9110 §5.6.3 has it, not as Unicode does.
const typeSyntax = /^[ \t]*([^ \t]+)[ \t]*$/
const parameterSyntax =
  /;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))?[ \t]*/y

/** Everything about the items of a body that is known before a request. */
export interface BodyRules {
  readonly resource: Resource
  readonly schema: StandardSchema<unknown, object>
  /** The fields that the path gives. */
  readonly inPath: readonly string[]
  /** The body need not name an owner: it is a patch. */
  readonly isPart: boolean
  /** The fields that the client must leave out. */
  readonly refused: readonly string[]
  /** The fields that the core judges later. */
  readonly ignored: readonly string[]
  /** The author of the texts of issues. */
  readonly messages: MessagesOption
  /** The states of which a new item begins in the first; `undefined` for none. */
  readonly states: Resource['states']
}

/** Returns the rules for the items of an operation's body. */
export function bodyRulesFor(
  kind: OperationKind,
  { resource, parameters, includes }: Collection,
  messages: MessagesOption,
): BodyRules {
  const { create, update, readOnly, restricted } = resource
  const isNew = kind === 'create'
  const isPart = bodyOf(kind)?.isPatch === true
  // The fields that the server sets: a new item must lack them, an update may send them back.
  const refused = isNew ? readOnly : isPart ? includes : []
  return {
    resource,
    schema: isNew ? create : update,
    inPath: parameters,
    isPart,
    // A field that the client does not see is not its own to send, even as it is stored.
    refused: [...new Set([...refused, ...restricted])],
    ignored: isNew ? [] : [...readOnly, ...includes],
    messages,
    states: isNew ? resource.states : undefined,
  }
}

/**
 * Reads the body of a request. The inverse of {@link formatBody}.
 *
 * @throws {ProblemError} As {@link takeBody} and {@link readContent}.
 */
export function parseBody(request: HttpRequest, limits: Limits): Awaitable<unknown> {
  return whenReady(takeBody(request, limits), (content) => readContent(content, limits))
}

/** Reads a `Content-Encoding`: `x, GZip` → `['x', 'gzip']`. `identity` alone and `` are none. */
export function codingsIn(contentEncoding: string): readonly string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 1 && names[0] === 'identity' ? [] : names
}

/**
 * Takes the content of a body, unread. The first half of {@link parseBody}.
 *
 * @param types The media types that may declare the body. Default: `application/json` alone.
 * @throws {ProblemError} `unsupported_media_type` unless one of them declares it, in UTF-8,
 *   `unsupported_encoding`, `body_too_large`.
 */
export function takeBody(
  request: HttpRequest,
  limits: Limits,
  types: readonly string[] = [jsonType],
): Awaitable<Content> {
  const type = headerOf(request, 'content-type') ?? ''
  if (type !== jsonType && !isJson(type, types)) {
    const declared = types.map((name) => `"content-type: ${name}"`).join(' or ')
    throw problem('unsupported_media_type', `Declare the body: send ${declared}, in UTF-8.`)
  }
  const encoding = headerOf(request, 'content-encoding')
  if (encoding !== undefined && codingsIn(encoding).length > 0) {
    throw problem(
      'unsupported_encoding',
      'The body must not be compressed: send no "content-encoding".',
    )
  }
  const length = Number(headerOf(request, 'content-length') ?? 0)
  if (length > limits.body) throw bodyTooLarge(limits.body)
  const { body } = request
  return typeof body === 'function' ? body(limits.body) : body
}

/**
 * Reads the content that {@link takeBody} returned. The second half of {@link parseBody}.
 *
 * @throws {ProblemError} `body_missing`, `body_too_large`, and the codes of {@link parseJson}.
 */
export function readContent(content: Content, limits: Limits): unknown {
  const length = typeof content === 'string' ? content.length : lengthOf(content)
  if (length === 0) throw problem('body_missing', 'This request needs a body: send JSON.')
  const isText = typeof content === 'string'
  if (!isText && !(content instanceof Uint8Array)) {
    checkValues(content, limits)
    return content
  }
  // A UTF-16 unit has at most three bytes, so only a text near the limit has to be encoded.
  const isNear = isText && length * 3 > limits.body
  const bytes = isNear ? new TextEncoder().encode(content).length : length
  if (bytes > limits.body) throw bodyTooLarge(limits.body)
  return parseJson(isText ? content : decode(content), limits)
}

/**
 * Writes a body and its headers. The inverse of {@link parseBody}.
 *
 * @param type Its media type. Default: `application/json`.
 */
export function formatBody(
  value: unknown,
  type: string = jsonType,
): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} {
  return { headers: { 'content-type': type }, body: formatJson(value) }
}

/**
 * Refuses a body where the operation takes none.
 *
 * @throws {ProblemError} `body_not_allowed`.
 */
export function refuseAnyBody({ method, body }: HttpRequest): Awaitable<void> {
  if (body === undefined) return
  const refuseContent = (content: Content): void => {
    if (lengthOf(content) > 0)
      throw problem('body_not_allowed', `${method} takes no body: send none.`)
  }
  // A request can announce a body and yet send none, so only reading it tells.
  return settle(
    () => (typeof body === 'function' ? body(0) : body),
    refuseContent,
    (error) => {
      if (isProblem(error) && error.code === 'body_too_large') refuseContent('{}')
      throw error
    },
  )
}

/** The content of a body, before it is read. */
export type Content = Exclude<HttpBody, (limit: number) => unknown> | undefined

function lengthOf(content: Content): number {
  if (content === undefined) return 0
  if (typeof content === 'string' || content instanceof Uint8Array) return content.length
  return 1
}

// One for all bodies, since making one costs more than using it. It keeps a byte order mark, which
// is no JSON.
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw problem('json_invalid', 'The body is not valid UTF-8.')
  }
}

function isJson(mediaType: string, types: readonly string[]): boolean {
  const semicolon = mediaType.indexOf(';')
  const declared = semicolon < 0 ? mediaType : mediaType.slice(0, semicolon)
  const type = mediaType.length > maxMediaType ? undefined : typeSyntax.exec(declared)?.[1]
  if (type === undefined || !types.includes(type.toLowerCase())) return false
  return semicolon < 0 || isUtf8(mediaType, semicolon)
}

// RFC 9110 §5.6.6: each parameter is `name=token`, `name="text"` or empty.
function isUtf8(mediaType: string, start: number): boolean {
  let charsets = 0
  parameterSyntax.lastIndex = start
  while (parameterSyntax.lastIndex < mediaType.length) {
    const parameter = parameterSyntax.exec(mediaType)
    if (!parameter) return false
    const [, name = '', value = ''] = parameter
    if (name.toLowerCase() !== 'charset') continue
    charsets++
    if (charsets > 1 || !/^"?utf-8"?$/i.test(value)) return false
  }
  return true
}
