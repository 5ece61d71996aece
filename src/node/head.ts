import type { IncomingMessage } from 'node:http'
import { type ProblemError, problem, quote } from '../convention/problem.ts'
import { hostOfTarget } from '../server/base.ts'
import { fieldIn } from './field.ts'

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
