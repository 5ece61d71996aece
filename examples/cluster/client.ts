import { Agent, request } from 'node:http'
import { ports } from './places.ts'

/** The result of a request, with times of `performance.now()`. */
export interface Answer {
  /** 0 where the connection broke, or nothing came in time. */
  readonly status: number
  readonly body: unknown
  /** The process that answered, where the balancer says. */
  readonly process: string | undefined
  /** An earlier request with the same key created the item. */
  readonly isReplay: boolean
  readonly start: number
  readonly end: number
}

const agent = new Agent({ keepAlive: true })

// Longer than the balancer's patience.
const timeout = 25_000

interface Options {
  /** Default: the balancer's. */
  readonly port?: number
  /** Sent as `Idempotency-Key`. */
  readonly key?: string
}

/** Asks the service; what goes wrong is an answer too. */
export async function ask(
  method: string,
  path: string,
  body?: unknown,
  { port = ports.service, key }: Options = {},
): Promise<Answer> {
  const start = performance.now()
  try {
    const { status, text, process, isReplay } = await send({ method, path, port, key, body })
    return { status, body: JSON.parse(text), process, isReplay, start, end: performance.now() }
  } catch {
    const nothing = { status: 0, body: undefined, process: undefined, isReplay: false }
    return { ...nothing, start, end: performance.now() }
  }
}

/** The items of a list that was answered; none where it is no list. */
export function itemsOf({ body }: Answer): readonly Item[] {
  return Array.isArray(body) ? body.map(itemIn) : []
}

/** The fields that this example reads in an item. */
export interface Item {
  readonly id: string
  readonly name: string
}

/** The item that was answered. */
export function itemIn(body: unknown): Item {
  const { id, name } = Object(body)
  return { id: String(id), name: String(name) }
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly port: number
  readonly key: string | undefined
  readonly body: unknown
}

interface Got {
  readonly status: number
  readonly text: string
  readonly process: string | undefined
  readonly isReplay: boolean
}

function send({ method, path, port, key, body }: Sent): Promise<Got> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(text === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, method, path, headers, timeout }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        const process = headers['x-process']?.toString()
        const isReplay = headers['idempotency-replayed'] === 'true'
        resolve({ status, text: Buffer.concat(chunks).toString(), process, isReplay })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout'))).on('error', reject)
    sent.end(text)
  })
}
