import { type HttpRequest, type HttpResponse, handle, type Registry } from 'nounful'
import type { Transport } from '../../src/trial/check/connection.ts'

/** A response of any status. */
interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: HttpResponse['body']
}

type Serve = (request: HttpRequest) => Promise<Reply>

/** A response as HTTP sends it. */
interface ReplyText extends Omit<Reply, 'body'> {
  readonly text: string
}

/** Asks a service in process, with the headers that HTTP has. */
export function transportTo(serve: Serve, fields: Reply['headers'] = {}): Transport {
  return {
    async send(request) {
      const { method, path, headers, body } = request
      const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
      const common = { host: '127.0.0.1', accept: 'application/json', ...fields }
      const sent = { ...common, ...headers, ...length }
      const reply = await replyText(serve, { method, url: path, headers: sent, body })
      return { request, ...reply, json: jsonOf(reply.text) }
    },
    close: () => undefined,
  }
}

/** Asks a registry in process. */
export function transportOf(registry: Registry, fields: Reply['headers']): Transport {
  return transportTo(async (request) => handle(request, registry), fields)
}

/** Asks a service, and writes its response as text, with its length. */
export async function replyText(serve: Serve, request: HttpRequest): Promise<ReplyText> {
  const { status, headers, body } = await serve(request)
  const isHead = request.method === 'HEAD'
  const text = isHead ? '' : await textOf(body)
  // HEAD has the length of GET.
  const full = isHead ? await textOf((await serve({ ...request, method: 'GET' })).body) : text
  const length = full === '' ? {} : { 'content-length': `${Buffer.byteLength(full)}` }
  return { status, headers: { ...length, ...headers }, text }
}

async function textOf(body: Reply['body']): Promise<string> {
  if (typeof body === 'string') return body
  if (!isStream(body)) return JSON.stringify(body) ?? ''
  const items: unknown[] = []
  for await (const item of body) items.push(item)
  return JSON.stringify(items)
}

function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
