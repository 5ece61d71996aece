import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// These headers belong to the connection or to the second.
const passing = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])
// Problems of 5xx say the id of their request, which is another one every time.
const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

/** Sends a row and gives the whole answer, without what cannot be the same twice. */
export async function exchange(port, { method, target, headers, body }) {
  const response = await sent(port, { method, target, headers, body })
  const chunks = []
  for await (const chunk of response) chunks.push(chunk)
  const fields = Object.entries(response.headers).filter(([name]) => !passing.has(name))
  const text = Buffer.concat(chunks).toString().replaceAll(uuid, '<uuid>')
  return { status: response.statusCode, headers: Object.fromEntries(fields.sort()), body: text }
}

/** Reads a long list to its end: how many bytes, in how many pieces, and which. */
export async function readWhole(port, row) {
  const response = await sent(port, row)
  const hash = createHash('sha256')
  let bytes = 0
  let pieces = 0
  for await (const chunk of response) {
    hash.update(chunk)
    bytes += chunk.length
    pieces++
  }
  return { status: response.statusCode, bytes, pieces, digest: hash.digest('hex') }
}

/** Leaves after the beginning of an answer. */
export async function leave(port, row) {
  const response = await sent(port, row)
  await once(response, 'data')
  response.destroy()
}

async function sent(port, { method, target, headers, body }) {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const asked = request({
    host: '127.0.0.1',
    port,
    method,
    path: target,
    headers: { ...headers, ...length },
    agent: false,
  })
  const responses = Promise.race([
    once(asked, 'response'),
    once(asked, 'close').then(() => {
      throw new Error(`${method} ${target} was not answered`)
    }),
  ])
  // A host that answered may reset the connection. Such an error comes after the response.
  asked.on('error', () => undefined)
  const [[response]] = await Promise.all([responses, sendBody(asked, body)])
  return response
}

const pieceLength = 2 ** 18
const pauseMilliseconds = 25

/**
 * Sends the body in pieces and stops at the response. Some hosts answer 413 and close the
 * connection at once. A client that only writes then fails with EPIPE and loses the answer.
 */
async function sendBody(asked, body = '') {
  let isAnswered = false
  asked.once('response', () => {
    isAnswered = true
  })
  let rest = body
  while (rest.length > pieceLength && !isAnswered) {
    asked.write(rest.slice(0, pieceLength))
    rest = rest.slice(pieceLength)
    await sleep(pauseMilliseconds)
  }
  if (!isAnswered) asked.end(rest)
}
