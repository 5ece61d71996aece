import type { IncomingMessage } from 'node:http'
import { type ProblemError, problem, quote } from '../model/problem.ts'
import { hostOfTarget } from '../server/base.ts'
import { fieldIn } from './field.ts'

// RFC 9112 §3.2, RFC 3986 §3.2.2; nothing at all is what a target without an authority calls for.
const hostSyntax = /^(?:(?:\[[\w.:%~!$&'()*+,;=-]+\]|[\w.%~!$&'()*+,;=-]+)(?::\d*)?)?$/

/** What a server accepts in the head of a message. */
export interface Accepted {
  /** The most header fields. */
  readonly maxFields: number
  /** Tells whether requests to a host are for this server. */
  readonly isHost: (host: string) => boolean
}

/** What is wrong with the head of a message, though Node's parser let it through; `undefined` when nothing is. */
export function refusalOf(
  request: IncomingMessage,
  { maxFields, isHost }: Accepted,
): ProblemError | undefined {
  const { httpVersion, rawHeaders } = request
  if (rawHeaders.length > 2 * maxFields) {
    return problem('headers_too_large', `The request has more than ${maxFields} header fields`)
  }
  const coding = fieldIn(rawHeaders, 'transfer-encoding')
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return problem('bad_request', 'The only transfer coding that is understood is "chunked"')
  }
  const isOld = httpVersion === '1.0'
  // RFC 9112 §6.1
  if (isOld && coding !== undefined) {
    return problem('bad_request', 'HTTP/1.0 has no transfer codings')
  }
  if (!isOld && httpVersion !== '1.1') {
    return problem('bad_request', 'This connection speaks HTTP/1.1')
  }
  const host = fieldIn(rawHeaders, 'host')
  if (host === undefined && !isOld) {
    return problem('bad_host', 'A request of HTTP/1.1 has a "host"')
  }
  // Of two, what joins them is none.
  if (!hostSyntax.test(host ?? '')) {
    return problem('bad_host', 'The "host" is one name or address, and a port if need be')
  }
  // RFC 9112 §3.2.2: the host of an absolute target counts before the field.
  const asked = hostOfTarget(request.url ?? '') ?? host ?? ''
  if (!isHost(asked)) {
    return problem(
      'bad_host',
      `This server does not answer to the host ${quote(asked)}: add it to the option "hosts"`,
    )
  }
  const expect = fieldIn(rawHeaders, 'expect')
  if (isOld || expect === undefined || expect.toLowerCase() === '100-continue') return undefined
  return problem('expectation_failed', 'The only expectation that can be met is "100-continue"')
}
