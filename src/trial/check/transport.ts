import { Agent, type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { type CheckRequest, type CheckResponse, NoResponse, writeMethods } from './message.ts'
import { readResponse } from './response.ts'

/** Options of {@link openTransport}. */
export interface TransportOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string
  /** Sent with every request, and never shown. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for one response. */
  readonly timeout: number
  /** The most bytes of a response. */
  readonly bytes: number
}

interface Transport {
  /** Rejects with {@link NoResponse} when no response comes. Follows no redirect. */
  readonly send: (request: CheckRequest) => Promise<CheckResponse>
  readonly close: () => void
}

/** Opens a transport to one server. */
export function openTransport({ origin, headers, timeout, bytes }: TransportOptions): Transport {
  const isSecure = origin.startsWith('https:')
  const { hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  const keepAlive = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 })
  const open = ({ method, path, headers: own, body }: CheckRequest): ClientRequest => {
    // A write gets a connection of its own, so that the check never has to send it again.
    const agent = writeMethods.has(method) ? false : keepAlive
    const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
    const fields = { accept: 'application/json', ...headers, ...own, ...length }
    const options = { agent, host, port, method, path, headers: fields }
    return isSecure ? requestHttps(options) : requestHttp(options)
  }
  const limits = { open, timeout, bytes }
  const send = async (request: CheckRequest): Promise<CheckResponse> => {
    try {
      return await sendOnce(request, limits)
    } catch (error) {
      // The server closed an idle connection just when the check used it again.
      if (error instanceof NoResponse && error.cause === 'reused') return sendOnce(request, limits)
      throw error
    }
  }
  return { send, close: () => keepAlive.destroy() }
}

interface Limits extends Pick<TransportOptions, 'timeout' | 'bytes'> {
  readonly open: (request: CheckRequest) => ClientRequest
}

function sendOnce(request: CheckRequest, { open, timeout, bytes }: Limits): Promise<CheckResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = open(request)
    // Made when needed: it takes a stack, which most requests would pay for in vain.
    let late: Error | undefined
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(deadline)
      const failure = new NoResponse(request, reasonOf(late ?? error))
      if (!late && outgoing.reusedSocket && error.code === 'ECONNRESET') failure.cause = 'reused'
      reject(failure)
    }
    const deadline = setTimeout(() => {
      late = new Error(`The whole response did not come within ${timeout} ms`)
      outgoing.destroy(late)
      // Node emits no error for a request that it gave up, as after a change of protocol.
      fail(late)
    }, timeout)
    outgoing.on('error', fail)
    outgoing.on('response', (message) => {
      readResponse(request, message, bytes).then((response) => {
        clearTimeout(deadline)
        resolve(response)
      }, fail)
    })
    outgoing.end(request.body)
  })
}

const noHost = 'This host does not exist'
const untrusted =
  'Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its issuer'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server listens there',
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  ECONNRESET: 'The connection was closed without a response',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  EPROTO: 'The server does not speak TLS: if it speaks HTTP, write http://',
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return 'The server does not speak HTTP'
  return reasons[code] ?? (message || code)
}
