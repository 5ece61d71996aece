import { connect, type Socket } from 'node:net'
import { bytesOf, reader } from './answers.ts'
import { answers, given } from './processes.ts'

/** The load of normal clients: so many requests a second, on keep-alive connections. */
export interface Traffic {
  readonly url: string
  readonly connections: number
  readonly perSecond: number
}

/** How long each request has waited since it was due, in milliseconds, and how many failed. */
export interface Served {
  readonly times: readonly number[]
  readonly errors: number
}

const { url, connections, perSecond } = given<Traffic>()
const port = Number(new URL(url).port)
const requests = [
  bytesOf('GET', '/v1/employees/e-1'),
  bytesOf('GET', '/v1/employees/?sort=-name&limit=10'),
  bytesOf('GET', '/v1/companies/c-3/employees/count'),
  bytesOf('PUT', '/v1/companies/c-1', { body: '{"name":"Acme 1"}' }),
]

const lines: Line[] = []
let times: number[] = []
let errors = 0
let sent = 0

answers({
  // Requests that are due are sent also when those before them are late.
  run: async (seconds: number): Promise<Served> => {
    while (lines.length < connections) lines.push(openLine())
    times = []
    errors = 0
    const begin = performance.now()
    for (let at = 0; at < perSecond * seconds; at++) {
      const due = begin + (at * 1000) / perSecond
      while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1))
      lines[sent % connections]?.ask(requests[sent % requests.length] ?? '', due)
      sent++
    }
    await Promise.all(lines.map((line) => line.quiet()))
    return { times, errors }
  },
})

interface Line {
  ask(request: string, due: number): void
  /** When all is answered. */
  quiet(): Promise<void>
}

function openLine(): Line {
  let socket: Socket | undefined
  const waiting: number[] = []
  let quiet: () => void = () => undefined
  const take = ({ status }: { readonly status: number }): void => {
    const due = waiting.shift()
    if (status !== 200 || due === undefined) errors++
    else times.push(performance.now() - due)
    if (waiting.length === 0) quiet()
  }
  const open = (): Socket => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true })
    opened.on('data', reader(take)).on('error', () => undefined)
    opened.once('close', () => {
      errors += waiting.splice(0).length
      socket = undefined
      quiet()
    })
    return opened
  }
  return {
    ask(request, due) {
      socket ??= open()
      waiting.push(due)
      socket.write(request)
    },
    quiet: () =>
      new Promise((resolve) => {
        quiet = resolve
        if (waiting.length === 0) resolve()
      }),
  }
}
