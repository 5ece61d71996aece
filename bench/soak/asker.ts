import { connect, type Socket } from 'node:net'
import { statuses } from '../../src/convention/operations.ts'
import { problems } from '../../src/convention/problems.ts'
import { type Answer, bytesOf, reader } from './answers.ts'
import { answers, given } from './processes.ts'
import { Random } from './random.ts'
import { type Hostile, hostileRequest, type Known } from './requests.ts'

/** The target and the seed of a process that sends hostile requests. */
export interface Asker {
  readonly url: string
  readonly seed: number
  readonly known: Known
}

/** The result of its requests. */
export interface Asked {
  /** Counts by status, and by fault of the response. */
  readonly counts: Readonly<Record<string, number>>
  readonly unanswered: number
  /** Answers that no client should get, some of them, each with its request. */
  readonly wrong: readonly string[]
}

const { url, seed, known } = given<Asker>()
const port = Number(new URL(url).port)
const random = new Random(seed)
const lanes = 16
const depth = 16
const patience = 20_000
const allowed: ReadonlySet<number> = new Set(statuses)
const counts: Record<string, number> = {}
const wrong: string[] = []
let unanswered = 0
let number = 0
let connections = 0
let wrongCount = 0

answers({
  ask: async (count: number): Promise<number> => {
    const end = number + count
    await Promise.all(Array.from({ length: lanes }, () => goOn(end)))
    return wrongCount
  },
  // Deletes the items made so far, so that they are not taken for a leak.
  tidy: async (): Promise<void> => {
    const lane = new Lane()
    await lane.send(known.map(deletion))
    lane.leave()
  },
  total: async (path: string): Promise<string> => {
    let text = ''
    const lane = new Lane((answer) => {
      text = answer.text
    })
    await lane.send([plain(bytesOf('GET', path))])
    lane.leave()
    return text
  },
  asked: (): Asked => ({ counts, unanswered, wrong }),
})

const idle: Lane[] = []

async function goOn(end: number): Promise<void> {
  while (number < end) {
    const batch: Hostile[] = []
    while (number < end && batch.length < depth && !batch.at(-1)?.isLast) {
      batch.push(hostileRequest(random, number++, known))
    }
    const lane = idle.pop() ?? new Lane(judge)
    await lane.send(batch)
    if (lane.isOver || batch.at(-1)?.isLast) lane.leave()
    else idle.push(lane)
  }
}

function plain(bytes: string): Hostile {
  return { bytes, isHead: false, isLast: false }
}

function deletion(id: string): Hostile {
  return plain(bytesOf('DELETE', `/v1/companies/${id}/customers`))
}

function judge(answer: Answer, { bytes }: Hostile): void {
  counts[answer.status] = (counts[answer.status] ?? 0) + 1
  const fault = faultOf(answer)
  if (fault === undefined) return
  wrongCount++
  counts[fault] = (counts[fault] ?? 0) + 1
  if (wrong.length < 20)
    wrong.push(`${fault}: ${bytes.slice(0, 400)} → ${answer.text.slice(0, 300)}`)
}

function faultOf({ status, head, text }: Answer): string | undefined {
  if (!allowed.has(status)) return `status ${status}`
  if (status >= 500) return `fault ${status}`
  const type = /\r\ncontent-type: *([^\r;]+)/i.exec(head)?.[1]
  const isProblem = status >= 400
  if (type !== (isProblem ? 'application/problem+json' : 'application/json')) return `type ${type}`
  if (text === '') return undefined
  const body: unknown = parsed(text)
  if (body === undefined) return 'no JSON'
  if (!isProblem) return undefined
  const { code } = Object(body)
  const known = Object.hasOwn(problems, code) && Reflect.get(problems, code).status === status
  return known ? undefined : `code ${code} with ${status}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A connection on which many requests are under way. */
class Lane {
  readonly #socket: Socket
  #waiting: Hostile[] = []
  #finish: () => void = () => undefined

  constructor(take: (answer: Answer, request: Hostile) => void = () => undefined) {
    // A port of an address is not free again for a while.
    const localAddress = `127.0.2.${1 + (connections++ % 100)}`
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    const next = (answer: Answer): void => {
      const request = this.#waiting.shift()
      // One answer more than there were questions.
      if (request) take(answer, request)
      else counts.superfluous = (counts.superfluous ?? 0) + 1
      if (this.#waiting.length === 0) this.#finish()
    }
    this.#socket.on(
      'data',
      reader(next, () => this.#waiting[0]?.isHead ?? false),
    )
    this.#socket.on('error', () => undefined).on('close', () => this.#finish())
  }

  get isOver(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded
  }

  /** Waits for all answers, or the end of the connection. */
  async send(requests: readonly Hostile[]): Promise<void> {
    this.#waiting = [...requests]
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#finish = resolve
      timer = setTimeout(resolve, patience)
      this.#socket.write(requests.map(({ bytes }) => bytes).join(''))
    })
    clearTimeout(timer)
    for (const { bytes } of this.#waiting) {
      unanswered++
      if (wrong.length < 20) wrong.push(`unanswered: ${bytes.slice(0, 400)}`)
    }
    if (this.#waiting.length > 0) this.#socket.destroy()
  }

  leave(): void {
    this.#socket.destroy()
  }
}
