import type { Duplex } from 'node:stream'
import type { HttpRequest } from '../contract/resource/http.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import type { ProblemCode } from '../convention/operations.ts'
import { type ProblemError, problem } from '../convention/problem.ts'
import { faultOfMethod } from '../server/unknown-method.ts'

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
  const [, begun = ''] = openTargetSyntax.exec(head.slice(0, bytesParsed)) ?? []
  if (begun.length <= target) return undefined
  return problem('uri_too_long', `The request target has more than ${target} bytes.`)
}
