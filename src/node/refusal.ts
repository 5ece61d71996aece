import type { IncomingMessage } from 'node:http'
import { type ProblemError, problem } from '../model/problem.ts'

// RFC 9112 §3.2, RFC 3986 §3.2.2; nothing at all is what a target without an authority calls for.
const hostSyntax = /^(?:(?:\[[\w.:%~!$&'()*+,;=-]+\]|[\w.%~!$&'()*+,;=-]+)(?::\d*)?)?$/

/** What is wrong with the head of a message, though Node's parser let it through; `undefined` when nothing is. */
export function refusalOf({
  httpVersion,
  headers,
  rawHeaders,
}: IncomingMessage): ProblemError | undefined {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return problem('bad_request', 'The only transfer coding that is understood is "chunked"')
  }
  if (httpVersion === '1.0') return undefined
  if (httpVersion !== '1.1') return problem('bad_request', 'This connection speaks HTTP/1.1')
  if (!hasOneHost(rawHeaders)) return problem('bad_host', 'A request of HTTP/1.1 has one "host"')
  if (!hostSyntax.test(headers.host ?? '')) {
    return problem('bad_host', 'The "host" is a name or an address, and a port if need be')
  }
  const { expect } = headers
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined
  return problem('expectation_failed', 'The only expectation that can be met is "100-continue"')
}

// RFC 9112 §3.2
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    if (rawHeaders[place]?.length === 4 && rawHeaders[place]?.toLowerCase() === 'host') hosts++
  }
  return hosts === 1
}
