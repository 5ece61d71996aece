import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpRequest } from '../contract/resource/http.ts'
import type { AnyRegistry, Registry } from '../contract/resource/registry.ts'
import type { ProblemCode } from '../convention/operations.ts'
import { type ProblemError, problem, quote } from '../convention/problem.ts'
import { hostOfTarget } from '../server/base.ts'
import { requestIdFor } from '../server/lifetime/refuse.ts'
import { respondWith, type WrittenResponse } from '../server/respond.ts'
import { faultOfMethod } from '../server/unknown-method.ts'
import { fieldIn } from './field.ts'
import { linger } from './linger.ts'
import { isUnfinished, latestOf, previousOf } from './pipeline.ts'

/** An error of Node's HTTP parser. */
export interface ParserError extends NodeJS.ErrnoException {
  /** The last packet. The parser found the error after `bytesParsed` of its bytes. */
  readonly rawPacket?: Uint8Array
  readonly bytesParsed?: number
}

/** The problem of bytes that the parser refused. */
export interface Refusal {
  readonly problem: ProblemError
  /** Its method and URL are empty when the packet does not tell them. */
  readonly request: HttpRequest
  /** The core refuses the target, too: the response is that of every other runtime. */
  readonly isAddressed?: boolean
}

const parserProblems: ReadonlyMap<string | undefined, readonly [ProblemCode, string]> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    [
      'headers_too_large',
      'The request line and the header fields are larger than the server reads.',
    ],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', 'The request did not arrive in time.']],
])
const malformed = ['bad_request', 'The request is not valid HTTP.'] as const

// RFC 9110 §5.6.2, RFC 9112 §3
const lineSyntax = /^([\w!#$%&'*+.^`|~-]+) ([!-~]+) HTTP\/1\.[01]\r\n/
const openTargetSyntax = /^[\w!#$%&'*+.^`|~-]+ ([!-~]+)$/

/**
 * Returns the problem of bytes that Node's parser refused. No layer, context or adapter ever sees
 * these bytes.
 *
 * A packet tells the method and the target only if it is the first of its connection. Otherwise
 * the bytes before it decide its meaning.
 */
export function refusalOf(error: ParserError, socket: Duplex, registry: AnyRegistry): Refusal {
  const head = firstHeadOf(error, socket)
  const long = longTarget(error, head, registry)
  return (
    unknownMethod(error, head, registry) ?? {
      problem: long ?? problem(...(parserProblems.get(error.code) ?? malformed)),
      request: { method: head.startsWith('HEAD ') ? 'HEAD' : '', url: '' },
      isAddressed: long !== undefined,
    }
  )
}

// Empty unless the client sent only this packet, with the error in its first head.
function firstHeadOf({ rawPacket, bytesParsed = 0 }: ParserError, socket: Duplex): string {
  if (rawPacket === undefined || Reflect.get(socket, 'bytesRead') !== rawPacket.length) return ''
  const text = Buffer.from(rawPacket).toString('latin1')
  return /\n\r?\n/.test(text.slice(0, bytesParsed)) ? '' : text
}

// An unknown method is 405 with `Allow`, as on every other runtime.
function unknownMethod(
  { code }: ParserError,
  head: string,
  registry: AnyRegistry,
): Refusal | undefined {
  if (code !== 'HPE_INVALID_METHOD') return undefined
  const [, method, url] = lineSyntax.exec(head) ?? []
  if (method === undefined || url === undefined) return undefined
  const request = { method, url }
  const error = faultOfMethod(request, registry)
  return error && { problem: error, request, isAddressed: true }
}

function longTarget(
  { code, bytesParsed }: ParserError,
  head: string,
  { limits: { target } }: AnyRegistry,
): ProblemError | undefined {
  if (code !== 'HPE_HEADER_OVERFLOW') return undefined
  const [, startOfTarget = ''] = openTargetSyntax.exec(head.slice(0, bytesParsed)) ?? []
  if (startOfTarget.length <= target) return undefined
  return problem('uri_too_long', `The request target has more than ${target} bytes.`)
}

// RFC 9112 §3.2, RFC 3986 §3.2.2. Empty for a target without an authority.
const hostSyntax = /^(?:(?:\[[\w.:%~!$&'()*+,;=-]+\]|[\w.%~!$&'()*+,;=-]+)(?::\d*)?)?$/

/** The limits for the head of a message. */
export interface HeadLimits {
  /** The most header fields. */
  readonly maxFields: number
  /** Tells whether this server takes requests to a host. */
  readonly isHost: (host: string) => boolean
}

/** Returns the problem of a head that Node's parser accepted; `undefined` when it has none. */
export function problemOfHead(
  request: IncomingMessage,
  { maxFields, isHost }: HeadLimits,
): ProblemError | undefined {
  const { httpVersion, rawHeaders } = request
  if (rawHeaders.length > 2 * maxFields) {
    return problem('headers_too_large', `The request has more than ${maxFields} header fields.`)
  }
  const coding = fieldIn(rawHeaders, 'transfer-encoding')
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return problem('bad_request', 'The server reads no transfer coding but "chunked".')
  }
  const isOld = httpVersion === '1.0'
  // RFC 9112 §6.1
  if (isOld && coding !== undefined) {
    return problem('bad_request', 'HTTP/1.0 allows no transfer coding.')
  }
  if (!isOld && httpVersion !== '1.1') {
    return problem('bad_request', 'The server speaks HTTP/1.0 and HTTP/1.1 on this connection.')
  }
  const host = fieldIn(rawHeaders, 'host')
  if (host === undefined && !isOld) {
    return problem('bad_host', 'HTTP/1.1 needs the header field "host".')
  }
  // Two joined hosts never match.
  if (!hostSyntax.test(host ?? '')) {
    return problem('bad_host', 'Write "host" as one name or address, with or without a port.')
  }
  // RFC 9112 §3.2.2: the host of an absolute target overrides the field.
  const effective = hostOfTarget(request.url ?? '') ?? host ?? ''
  if (!isHost(effective)) {
    return problem(
      'bad_host',
      `This server does not serve the host ${quote(effective)}: add it to the option "hosts".`,
    )
  }
  const expect = fieldIn(rawHeaders, 'expect')
  if (isOld || expect === undefined || expect.toLowerCase() === '100-continue') return undefined
  return problem('expectation_failed', 'The server knows no expectation but "100-continue".')
}

/**
 * Writes the problem of a refusal as the last response of its connection: Node has no response
 * object, or a broken one. Responses leave in the order of their requests: a client never mistakes
 * one for another.
 */
export function writeRefusal(refusal: Refusal, socket: Duplex, registry: Registry): void {
  const { request } = refusal
  const latest = latestOf(socket)
  const isBroken = latest !== undefined && !latest.req.complete
  // If a request broke off before its response began, this is its response.
  const { method = '' } = isBroken ? latest.req : request
  const finish = (): void => {
    const hasStarted = isBroken && latest.headersSent
    // Without a reader, the problem must not be written: observers would count a response.
    if (!hasStarted && socket.writable) {
      const written = respondWith(problemOf(refusal, registry), request, registry)
      linger(socket, toMessage(written, method))
    } else if (hasStarted && latest.writableEnded) afterClose(latest, () => linger(socket))
    else linger(socket)
  }
  afterClose(isBroken ? previousOf(latest) : latest, finish)
}

// The log may have no path of such a request, by which a client could find it.
function problemOf(
  { problem: error, request, isAddressed = false }: Refusal,
  registry: Registry,
): ProblemError {
  if (isAddressed) return error
  const { code, message, members } = error
  return problem(code, message, { ...members, requestId: requestIdFor(request, registry) })
}

function afterClose(response: ServerResponse | undefined, next: () => void): void {
  if (response && isUnfinished(response)) response.once('close', next)
  else next()
}

function toMessage({ status, headers, content }: WrittenResponse<string>, method: string): string {
  const fields = {
    ...headers,
    'content-length': `${Buffer.byteLength(content)}`,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`
  return method === 'HEAD' ? head : head + content
}
