import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServeOptions, serve } from 'nounful/node'
import { answersBeside, type Child, start, startInput } from '../support/process.ts'
import { openStreams, registryOf } from './registry.ts'

/** A server under test. */
interface ServerInput {
  /** Options of `serve`. */
  readonly options?: ServeOptions
  /** The number of employees, and of sheets. */
  readonly items?: number
  /** A server of Node's that always sends the same response, to be compared with. */
  readonly isBare?: boolean
}

/** A server that reports on itself: `gauge`, `memory`, `spent`, `listen`, `delay`. */
export interface Server extends Child {
  readonly url: string
}

const gauge = ['--expose-gc', `--import=${new URL('gauge.ts', import.meta.url)}`]

/** Starts a server under test. */
export async function startServer(
  about: ServerInput,
  flags: readonly string[] = [],
): Promise<Server> {
  const file = new URL(import.meta.url)
  const server = start({ file, about, flags: [...gauge, ...flags] })
  return { ...server, url: await server.ask('url') }
}

/** Starts the example on a SQLite file of its own, which goes when it is killed. */
export async function startExample(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-'))
  const child = start({
    file: new URL('../../examples/companies/node.ts', import.meta.url),
    flags: gauge,
    env: { PORT: '0', DATABASE_FILE: join(folder, 'companies.sqlite'), DATABASE_URL: undefined },
  })
  const kill = async (): Promise<void> => {
    await child.kill()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return { ...child, kill, url: await child.heard(/Listening on (\S+?),/) }
  } catch (error) {
    await kill()
    throw error
  }
}

/** Kills processes after a task. */
export async function during<Result>(
  children: readonly Child[],
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    return await task()
  } finally {
    await Promise.all(children.map((child) => child.kill()))
  }
}

if (import.meta.main) {
  const about = startInput<ServerInput>()
  const url = about.isBare ? await serveBare() : await serveRegistry(about)
  answersBeside({ url: () => url, openStreams: () => openStreams.size })
}

async function serveRegistry({ options, items }: ServerInput): Promise<string> {
  const server = await serve(registryOf(items), { port: 0, ...options })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.close())
  return server.url
}

// As long an answer as that to one employee.
async function serveBare(): Promise<string> {
  const text =
    '{"id":"e-1","name":"Ada 1","birthdate":"1988-12-10","created_at":"2026-01-02T03:04:05.000Z"}'
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
