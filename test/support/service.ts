import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

/** A response; without one the status is 0, with the reason as body. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The options besides method and path. */
interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Sends a request; never rejects. */
export type Ask = (method: string, path: string, sent?: Sent) => Promise<Reply>

/** The example service in a process of its own. */
export interface Service {
  readonly ask: Ask
  readonly url: string
  isAlive(): boolean
  /** Its output on stderr. */
  log(): string
  kill(): Promise<void>
}

const example = fileURLToPath(new URL('../../examples/companies/node.ts', import.meta.url))

// None outlives this process.
const running = new Set<ChildProcess>()
const endAll = () => {
  for (const child of running) child.kill('SIGKILL')
}

/** Starts it, or another program, on the url of a database server, or the path of a SQLite file. */
export async function startService(place: string, program = example): Promise<Service> {
  const isUrl = place.includes('://')
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    ...(isUrl ? { DATABASE_URL: place } : { DATABASE_FILE: place }),
  }
  const child = spawn(process.execPath, ['--conditions=nounful:source', program], { env })
  if (running.size === 0 && !process.listeners('exit').includes(endAll))
    process.once('exit', endAll)
  running.add(child)
  child.once('exit', () => running.delete(child))
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.replaceAll(/.*code: 'unavailable'.*\n/g, '').slice(-5000)
  })
  const url = await urlOf(child)
  return {
    url,
    ask: askAt(url),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    log: () => said,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += chunk
    const [, url] = /Listening on (\S+?),/.exec(text) ?? []
    if (url === undefined) continue
    stdout?.resume()
    return url
  }
  throw new Error(`The service did not come up: ${text}`)
}

/** Sends requests to the server at an address. */
export function askAt(url: string): Ask {
  // All its connections take turns: one that is idle may be closed just when it is used again.
  const agent = new Agent({ keepAlive: true, maxSockets: 200, scheduling: 'fifo' })
  return (method, path, { body, headers = {}, signal } = {}) =>
    new Promise((resolve) => {
      const nothing = (error: Error) => resolve({ status: 0, headers: {}, body: String(error) })
      const text = body === undefined ? undefined : JSON.stringify(body)
      const type = text === undefined ? {} : { 'content-type': 'application/json' }
      const options = { method, agent, headers: { ...type, ...headers }, ...(signal && { signal }) }
      const sent = request(`${url}${path}`, options, (response) => {
        let received = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          received += chunk
        })
        response.on('error', nothing)
        response.on('end', () => {
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, headers, body: parsed(received) })
        })
      })
      sent.on('error', nothing)
      sent.end(text)
    })
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

/** Asks until the answer has the status, and tells how long that took; rejects after a while. */
export async function untilStatus(
  ask: () => Promise<Reply>,
  status: number,
  longest = 5000,
): Promise<number> {
  const start = performance.now()
  for (;;) {
    const reply = await ask()
    const took = performance.now() - start
    if (reply.status === status) return took
    if (took > longest) throw new Error(`Still ${reply.status} after ${Math.round(took)} ms.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A field of what may be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** How many rounds to go: `ROUNDS`, or few. */
export function rounds(few: number): number {
  return Number(process.env.ROUNDS ?? few)
}
