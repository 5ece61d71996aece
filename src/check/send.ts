import { Agent, type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { type Answer, readAnswer } from './answer.ts'
import { changing, type Sent, Silence } from './sent.ts'

/** What a sender is made from. */
interface SenderOptions {
  /** `http://127.0.0.1:3000` */
  readonly origin: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds an answer may take. */
  readonly timeout: number
  /** The most bytes of an answer. */
  readonly bytes: number
}

/** Sends requests to one server, whatever it answers: a redirect is an answer like any other. */
interface Sender {
  /** Rejects with a {@link Silence} when no answer comes. */
  readonly send: (sent: Sent) => Promise<Answer>
  readonly close: () => void
}

/** Opens a sender. */
export function openSender({ origin, headers, timeout, bytes }: SenderOptions): Sender {
  const isSecure = origin.startsWith('https:')
  const kept = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 })
  const open = (sent: Sent): ClientRequest => {
    const { hostname, port } = new URL(origin)
    const { method, path } = sent
    const host = hostname.replace(/^\[|\]$/g, '')
    // What changes something goes over a connection of its own, so that it never has to be sent again to know that it came.
    const agent = changing.has(method) ? false : kept
    const fields = lengthened({ ...sent, headers: { ...headers, ...sent.headers } })
    const options = { agent, host, port, method, path, headers: fields }
    return isSecure ? requestHttps(options) : requestHttp(options)
  }
  const way = { open, timeout, bytes }
  const send = async (sent: Sent): Promise<Answer> => {
    try {
      return await once(sent, way)
    } catch (error) {
      // The server closed a connection that was idle just when it was used again.
      if (error instanceof Silence && error.cause === 'reused') return once(sent, way)
      throw error
    }
  }
  return { send, close: () => kept.destroy() }
}

function lengthened({ headers, body }: Sent): Record<string, string> {
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
  return { accept: 'application/json', ...headers, ...length }
}

interface Way {
  readonly open: (sent: Sent) => ClientRequest
  readonly timeout: number
  readonly bytes: number
}

function once(sent: Sent, { open, timeout, bytes }: Way): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = open(sent)
    const late = new Error(`No whole answer came within ${timeout} ms`)
    const fail = (error: NodeJS.ErrnoException): void => {
      clearTimeout(deadline)
      const silence = new Silence(sent, reasonOf(isLate ? late : error))
      if (!isLate && request.reusedSocket && error.code === 'ECONNRESET') silence.cause = 'reused'
      reject(silence)
    }
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      request.destroy(late)
      // Node emits no error for a request that it has given up, as after a change of protocol.
      fail(late)
    }, timeout)
    request.on('error', fail)
    request.on('response', (response) => {
      readAnswer(response, bytes).then((answer) => {
        clearTimeout(deadline)
        resolve(answer)
      }, fail)
    })
    request.end(sent.body)
  })
}

const untrusted =
  'Its certificate is not trusted: name the file of who signed it in the environment, as NODE_EXTRA_CA_CERTS'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nobody listens there',
  ENOTFOUND: 'There is no such host',
  EAI_AGAIN: 'There is no such host',
  ECONNRESET: 'The connection was closed without an answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  EPROTO: 'What answered does not speak TLS: write http://, if it is that',
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return 'What answered does not speak HTTP'
  return reasons[code] ?? (message || code)
}
