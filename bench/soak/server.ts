import type { ServeOptions } from 'nounful/node'
import { contenders } from '../speed/contenders.ts'
import { type Child, type Start, start } from '../support/process.ts'

/** A server that reports on itself: `gauge`, `memory`, `spent`, `listen`, `delay`. */
export interface Server extends Child {
  readonly url: string
}

const gauge = ['--expose-gc', `--import=${new URL('gauge.ts', import.meta.url)}`]
const root = new URL('../', import.meta.url)

/** Starts the service of this folder. */
export function startService(): Promise<Server> {
  return startServer({ file: new URL('soak/service.ts', root) })
}

/** Starts a contender of the speed bench, by its name. */
export function startContender(
  name: string,
  options: ServeOptions = {},
  flags: readonly string[] = [],
): Promise<Server> {
  const contender = contenders.find((contender) => contender.name === name)
  const about = { ...contender, door: 'loopback', options }
  return startServer({ file: new URL('speed/inside/server.mjs', root), about, flags })
}

async function startServer({ flags = [], ...about }: Start): Promise<Server> {
  const server = start({ ...about, flags: [...gauge, ...flags] })
  return { ...server, url: `http://127.0.0.1:${await server.ask('ready')}` }
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
