import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import {
  type DatabaseServer,
  type ServedEngine,
  servedEngines,
  software,
  startServer,
  whyNot,
} from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address for `GET /<engine>`, which returns the url of its server. */
    readonly databases: string
    /** Why there is none. */
    readonly missing: { readonly [Engine in ServedEngine]?: string }
  }
}

/** Servers that run already, to be used instead of ones of our own. */
const variables = { postgres: 'TEST_POSTGRES_URL', mariadb: 'TEST_MYSQL_URL' } as const

/** Gives the tests database servers. Both start with the first request, and end with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('missing', missing())
  const started = new Map<ServedEngine, Promise<DatabaseServer | undefined>>()
  const directory = createServer(answer(started))
  // A test that blocks its thread for five seconds would reuse a connection that is closed.
  directory.keepAliveTimeout = 0
  directory.listen(0, '127.0.0.1')
  await once(directory, 'listening')
  project.provide('databases', `http://127.0.0.1:${(directory.address() as AddressInfo).port}`)
  return async () => {
    directory.close()
    const servers = await Promise.allSettled(started.values())
    await Promise.all(
      servers.map((server) => server.status === 'fulfilled' && server.value?.stop()),
    )
  }
}

function missing(): { readonly [Engine in ServedEngine]?: string } {
  const reasons = servedEngines.flatMap((engine) => {
    const reason = process.env[variables[engine]] ? undefined : whyNot(engine)
    return reason === undefined ? [] : ([[engine, reason]] as const)
  })
  for (const [engine, reason] of reasons) {
    const remedy = `apt-get install ${software[engine].package}`
    if (process.env.REQUIRE_DATABASES) throw new Error(`${reason}. ${remedy}`)
    console.warn(`${reason}: its storage tests are left out. ${remedy}`)
  }
  return Object.fromEntries(reasons)
}

function answer(started: Map<ServedEngine, Promise<DatabaseServer | undefined>>): RequestListener {
  const start = (engine: ServedEngine) => {
    // These servers need not outlive a crash of the machine.
    const starting = started.get(engine) ?? startServer(engine, { durable: false })
    started.set(engine, starting)
    return starting
  }
  return async (request, response) => {
    const asked = servedEngines.find((engine) => request.url === `/${engine}`)
    const given = asked && process.env[variables[asked]]
    if (given || !asked) return response.end(given)
    try {
      const servers = servedEngines
        .filter((engine) => engine === asked || !process.env[variables[engine]])
        .map((engine) => [engine, start(engine)] as const)
      // A request for the other server gets its rejection.
      for (const [, server] of servers) server.catch(() => undefined)
      const server = await start(asked)
      response.end(server?.url)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }
}
