import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServeOptions, serve } from 'nounful/node'
import { answersBeside, given } from './processes.ts'
import { openStreams, registryOf } from './registry.ts'

/** The start of a server under test. */
export interface Served {
  /** Options of `serve`. */
  readonly options?: ServeOptions
  /** How many employees and sheets there are. */
  readonly items?: number
  /** Limits of the registry. */
  readonly limits?: Readonly<Record<string, number>>
  /** A server of Node's that always says the same, to be compared with. */
  readonly isBare?: boolean
}

const about = given<Served>()
const url = about.isBare ? await serveBare() : await serveRegistry(about)

answersBeside({ url: () => url, openStreams: () => openStreams.size })

async function serveRegistry({ options, items, limits }: Served): Promise<string> {
  const server = await serve(registryOf({ items, limits }), { port: 0, ...options })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.close())
  return server.url
}

// As long an answer as that to one employee.
async function serveBare(): Promise<string> {
  const text = JSON.stringify({
    id: 'e-1',
    name: 'Ada 1',
    birthdate: '1988-12-10',
    created_at: '2026-01-02T03:04:05.000Z',
  })
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
