import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, start } from './processes.ts'
import type { Served } from './server.ts'

/** A server that reports on itself: `gauge`, `memory`, `spent`, `listen`, `delay`. */
export interface Serving extends Child {
  readonly url: string
}

const lookedInto = ['--expose-gc', `--import=${new URL('gauge.ts', import.meta.url)}`]

/** Starts a server under test. */
export async function gauged(about: Served, flags: readonly string[] = []): Promise<Serving> {
  const server = start({
    file: new URL('server.ts', import.meta.url),
    about,
    flags: [...lookedInto, ...flags],
  })
  return { ...server, url: await server.ask('url') }
}

/** Starts the example on a SQLite file of its own, which goes when it is killed. */
export function example(flags: readonly string[] = []): Promise<Serving> {
  return onFile((env) =>
    start({
      file: new URL('../../examples/companies/node.ts', import.meta.url),
      flags: [...lookedInto, ...flags],
      env,
    }),
  )
}

async function onFile(open: (env: NodeJS.ProcessEnv) => Child): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-'))
  const child = open({
    PORT: '0',
    DATABASE_FILE: join(folder, 'companies.sqlite'),
    DATABASE_URL: undefined,
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
