import { connect, type Socket } from 'node:net'

/** A response as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly text: string
}

/** A request as it goes over the wire. */
export interface Request {
  readonly bytes: string
  readonly isHead?: boolean
}

interface Waiting {
  readonly isHead: boolean
  readonly take: (answer?: Answer) => void
}

/** Options of a socket. */
interface SocketOptions {
  readonly localAddress?: string
  readonly highWaterMark?: number
}

/** Opens a socket to a server on this machine; errors end it. */
export function open(url: string, options: SocketOptions = {}): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', ...options })
  return socket.setNoDelay().on('error', () => undefined)
}

/** Waits until a socket is open, or has failed. */
export function opened(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve()).once('close', () => resolve())
  })
}

/**
 * Returns a local address for the connection of a number: finding a free port of an address takes
 * the longer, the more of them are taken.
 */
export function localAddress(net: number, number: number, perAddress = 500): string {
  return `127.0.${net}.${2 + Math.floor(number / perAddress)}`
}

/** A connection that sends requests, each before or after the answer to the last. */
export class Connection {
  readonly socket: Socket
  /** Answers that no request had asked for. */
  superfluous = 0
  readonly #waiting: Waiting[] = []

  constructor(url: string, options: SocketOptions = {}) {
    this.socket = open(url, options)
    const reader = new AnswerReader(
      (answer) => {
        const next = this.#waiting.shift()
        if (next) next.take(answer)
        else this.superfluous++
      },
      () => this.#waiting[0]?.isHead ?? false,
    )
    this.socket.on('data', (chunk: Buffer) => reader.read(chunk)).once('close', () => this.close())
  }

  get isOver(): boolean {
    return this.socket.destroyed || this.socket.readableEnded
  }

  /** Sends a request; resolves with `undefined` where the connection ends before its answer. */
  ask({ bytes, isHead = false }: Request): Promise<Answer | undefined> {
    if (this.socket.destroyed) return Promise.resolve(undefined)
    return new Promise((take) => {
      this.#waiting.push({ isHead, take })
      this.socket.write(bytes)
    })
  }

  close(): void {
    this.socket.destroy()
    for (const { take } of this.#waiting.splice(0)) take()
  }
}

/** An answer whose body is still coming. */
interface Unfinished {
  readonly status: number
  readonly head: string
  readonly parts: Buffer[]
  /** Bytes to come of the body, or of its present chunk. */
  missing: number
  /** Whether further chunks come. */
  isChunked: boolean
}

// A line end belongs to the chunk before it, and the last chunk is empty.
const chunkSize = /^(?:\r\n)?(?:0+\r\n\r\n|([1-9a-f][0-9a-f]*)\r\n)/i
const longestSize = 20

/**
 * Takes answers apart as they come over a connection, one after another. It reads each byte once:
 * a client that reads its bytes again is slow to send the next request.
 */
class AnswerReader {
  readonly #next: (answer: Answer) => void
  readonly #isHead: () => boolean
  #bytes: Buffer = Buffer.alloc(0)
  #answer: Unfinished | undefined

  constructor(next: (answer: Answer) => void, isHead: () => boolean) {
    this.#next = next
    this.#isHead = isHead
  }

  read(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    while (this.#step());
  }

  // Reads a head, a size, or a part of a body; returns whether it had the bytes.
  #step(): boolean {
    this.#answer ??= this.#readHead()
    const answer = this.#answer
    if (answer === undefined) return false
    if (answer.missing > 0) return this.#readPart(answer)
    if (answer.isChunked) return this.#readSize(answer)
    this.#answer = undefined
    const { status, head, parts } = answer
    // `100 Continue` comes before the answer.
    if (status !== 100) this.#next({ status, head, text: Buffer.concat(parts).toString() })
    return true
  }

  #readHead(): Unfinished | undefined {
    const end = this.#bytes.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = this.#bytes.toString('latin1', 0, end)
    this.#bytes = this.#bytes.subarray(end + 4)
    const status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const hasBody = status !== 100 && !this.#isHead()
    const missing = hasBody ? Number(length ?? 0) : 0
    return { status, head, parts: [], missing, isChunked: hasBody && length === undefined }
  }

  #readPart(answer: Unfinished): boolean {
    if (this.#bytes.length === 0) return false
    const part = this.#bytes.subarray(0, answer.missing)
    answer.parts.push(part)
    answer.missing -= part.length
    this.#bytes = this.#bytes.subarray(part.length)
    return true
  }

  #readSize(answer: Unfinished): boolean {
    const start = this.#bytes.toString('latin1', 0, longestSize)
    const match = chunkSize.exec(start)
    if (match === null) {
      if (start.length === longestSize) throw new Error(`No size of a chunk: ${start}`)
      return false
    }
    answer.missing = Number.parseInt(match[1] ?? '0', 16)
    answer.isChunked = answer.missing > 0
    this.#bytes = this.#bytes.subarray(match[0].length)
    return true
  }
}

/** Formats a request: its head, and a body with its length. */
export function bytesOf(
  method: string,
  target: string,
  { body, fields = {} }: { readonly body?: string; readonly fields?: Record<string, string> } = {},
): string {
  const length = `${Buffer.byteLength(body ?? '')}`
  const all = {
    host: 'soak.localhost',
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': length }),
    ...fields,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
