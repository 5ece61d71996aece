import { statuses } from '../../src/convention/operations.ts'
import { problems } from '../../src/convention/problems.ts'
import { type Answer, bytesOf, Connection, localAddress } from '../support/connection.ts'
import { answers, startInput } from '../support/process.ts'
import { type HostileRequest, hostileRequest, Random } from './requests.ts'

/** The target and the seed of a process that sends hostile requests. */
export interface Attack {
  readonly url: string
  readonly seed: number
  /** Existing companies. Only their customers are ever written. */
  readonly companies: readonly string[]
}

/** The result of the requests. */
export interface AttackResult {
  /** Counts by status, and by fault of the response. */
  readonly counts: Readonly<Record<string, number>>
  readonly unanswered: number
  /** Some of the faults, each with its request. */
  readonly faults: readonly string[]
}

const { url, seed, companies } = startInput<Attack>()
const random = new Random(seed)
const lanes = 16
const depth = 16
const timeout = 20_000
const allowed: ReadonlySet<number> = new Set(statuses)
const counts: Record<string, number> = {}
const faults: string[] = []
const idle: Connection[] = []
let unanswered = 0
let number = 0
let connections = 0

answers({
  attack: async (count: number): Promise<void> => {
    const end = number + count
    await Promise.all(Array.from({ length: lanes }, () => attackUntil(end)))
  },
  // Ends connections and deletes the items made so far, so that none is taken for a leak.
  async clean(): Promise<void> {
    for (const connection of idle.splice(0)) connection.close()
    await askOnce(companies.map((id) => bytesOf('DELETE', `/v1/companies/${id}/customers`)))
  },
  text: async (path: string) => (await askOnce([bytesOf('GET', path)]))[0]?.text ?? '',
  result: (): AttackResult => ({ counts, unanswered, faults }),
})

async function askOnce(requests: readonly string[]): Promise<(Answer | undefined)[]> {
  const connection = new Connection(url)
  const results = await Promise.all(requests.map((bytes) => connection.ask({ bytes })))
  connection.close()
  return results
}

async function attackUntil(end: number): Promise<void> {
  while (number < end) {
    const batch: HostileRequest[] = []
    while (number < end && batch.length < depth && !batch.at(-1)?.isLast) {
      batch.push(hostileRequest(random, number++, companies))
    }
    const connection = idle.pop() ?? connect()
    await send(connection, batch)
    if (connection.isOver || batch.at(-1)?.isLast) connection.close()
    else idle.push(connection)
    add('superfluous', connection.superfluous)
    connection.superfluous = 0
  }
}

// A port of an address is not free again for a while.
function connect(): Connection {
  return new Connection(url, { localAddress: localAddress(2, connections++ % 100, 1) })
}

// All at once, and waits for all answers, or the end of the connection.
async function send(connection: Connection, batch: readonly HostileRequest[]): Promise<void> {
  const timer = setTimeout(() => connection.close(), timeout)
  connection.socket.cork()
  const pending = batch.map((request) => connection.ask(request))
  connection.socket.uncork()
  for (const [place, answer] of (await Promise.all(pending)).entries()) {
    const bytes = batch[place]?.bytes.slice(0, 400)
    const fault = answer === undefined ? 'unanswered' : faultOf(answer)
    if (answer === undefined) unanswered++
    else add(`${answer.status}`)
    if (fault === undefined) continue
    if (answer !== undefined) add(fault)
    if (faults.length < 20) faults.push(`${fault}: ${bytes} → ${answer?.text.slice(0, 300)}`)
  }
  clearTimeout(timer)
}

function add(name: string, count = 1): void {
  if (count > 0) counts[name] = (counts[name] ?? 0) + count
}

function faultOf({ status, head, text }: Answer): string | undefined {
  if (!allowed.has(status)) return `status ${status}`
  if (status >= 500) return `fault ${status}`
  const type = /\r\ncontent-type: *([^\r;]+)/i.exec(head)?.[1]
  const isProblem = status >= 400
  if (type !== (isProblem ? 'application/problem+json' : 'application/json')) return `type ${type}`
  if (text === '') return undefined
  const body = parseJson(text)
  if (body === undefined) return 'no JSON'
  if (!isProblem) return undefined
  const { code } = Object(body)
  const isKnown = Object.hasOwn(problems, code) && Reflect.get(problems, code).status === status
  return isKnown ? undefined : `code ${code} with ${status}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
