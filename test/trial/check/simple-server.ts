import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** The items of a simple server, by the path of their collection. */
export type StoredItems = Map<string, Item[]>

interface Item {
  readonly id: string | number
  readonly [field: string]: unknown
}

/** A request to a simple server. */
export interface SimpleRequest {
  readonly method: string
  /** As it was sent, with the query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Without the query. */
  readonly path: string
  /** The collection: of an item, the one it is in. */
  readonly place: string
  /** `undefined` for a collection. */
  readonly id: string | undefined
  readonly body: unknown
}

type Target = Pick<SimpleRequest, 'method' | 'place' | 'id' | 'body'>

interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly content?: Buffer
}

/** `undefined` for the usual reply; `null` cuts the connection. */
type Answer = Reply | ((response: ServerResponse) => void) | null | undefined

/** The requests that a server handles in its own way. */
export type Behavior = (asked: SimpleRequest, held: StoredItems) => Answer | Promise<Answer>

/** The items at the start. Every team numbers its own players. */
export function initialItems(): StoredItems {
  return new Map<string, Item[]>([
    [
      '/teams',
      [
        { id: 1, name: 'Athletic' },
        { id: 3, name: 'Borough' },
        { id: 4, name: 'City' },
      ],
    ],
    [
      '/teams/1/players',
      [
        { id: 1, name: 'Ann', team_id: 1 },
        { id: 2, name: 'Bob', team_id: 1 },
        { id: 4, name: 'Cid', team_id: 1 },
      ],
    ],
    ['/teams/3/players', [{ id: 1, name: 'Dan', team_id: 3 }]],
  ])
}

/** Starts a server without nounful. It separates its collections, and supports little else. */
export async function startSimpleServer(
  behavior: Behavior,
): Promise<{ url: string; held: StoredItems; close(): Promise<void> }> {
  const held = initialItems()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const asked = toSimpleRequest(request, Buffer.concat(chunks).toString())
    const given = await behavior(asked, held)
    if (given === null) response.destroy()
    else if (typeof given === 'function') given(response)
    else write(response, given ?? usualReply(asked, held))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, held, close }
}

/** The reply of most servers. */
export function usualReply({ method, place, id, body }: Target, held: StoredItems): Reply {
  const items = held.get(place) ?? []
  if (id === undefined) {
    if (method === 'GET' || method === 'HEAD') return { status: 200, body: items }
    if (method !== 'POST') return { status: 404, body: {} }
    const item = { ...Object(body), id: nextId(held) }
    held.set(place, [...items, item])
    return { status: 201, body: item }
  }
  const item = items.find((one) => String(one.id) === id)
  if (item === undefined) return { status: 404, body: {} }
  if (method === 'GET' || method === 'HEAD') return { status: 200, body: item }
  if (!['PUT', 'PATCH', 'DELETE'].includes(method)) return { status: 404, body: {} }
  const kept = method === 'PATCH' ? item : {}
  const changed = { ...kept, ...Object(body), id: item.id }
  const put = method === 'DELETE' ? [] : [changed]
  held.set(
    place,
    items.flatMap((one) => (one === item ? put : [one])),
  )
  return { status: 200, body: method === 'DELETE' ? item : changed }
}

let last = 1000

function nextId(_: StoredItems): number {
  last++
  return last
}

function toSimpleRequest(
  { method = '', url = '', headers }: IncomingMessage,
  text: string,
): SimpleRequest {
  const path = decodeURI(
    (url.split('?')[0] ?? '').replace(/%(?![\da-f]{2})|%[89a-f][\da-f]|%00/gi, ''),
  )
  const segments = path.split('/').filter((segment) => segment !== '')
  const isItem = segments.length % 2 === 0
  const place = `/${(isItem ? segments.slice(0, -1) : segments).join('/')}`
  return {
    method,
    url,
    headers,
    path,
    place,
    id: isItem ? segments.at(-1) : undefined,
    body: parsed(text),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function write(response: ServerResponse, { status, body, headers = {}, content }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(content ?? (body === undefined ? undefined : JSON.stringify(body)))
}
