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
    const read = reader(
      (answer) => {
        const next = this.#waiting.shift()
        if (next) next.take(answer)
        else this.superfluous++
      },
      () => this.#waiting[0]?.isHead ?? false,
    )
    this.socket.on('data', read).once('close', () => this.close())
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

const headEnd = Buffer.from('\r\n\r\n')

// Takes answers apart as they come over a connection, one after another.
function reader(next: (answer: Answer) => void, isHead: () => boolean): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (;;) {
      const end = bytes.indexOf(headEnd, start)
      if (end < 0) break
      const head = bytes.toString('latin1', start, end)
      const status = Number(head.slice(9, 12))
      // `100 Continue` comes before the answer.
      const body = status === 100 || isHead() ? nobody : bodyAt(bytes, end + 4, head)
      if (body === undefined) break
      start = end + 4 + body.length
      if (status !== 100) next({ status, head, text: body.text })
    }
    rest = bytes.subarray(start)
  }
}

interface Body {
  readonly length: number
  readonly text: string
}

const nobody: Body = { length: 0, text: '' }

function bodyAt(bytes: Buffer, start: number, head: string): Body | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) return chunkedAt(bytes, start)
  const end = start + Number(length)
  if (bytes.length < end) return undefined
  return { length: end - start, text: bytes.toString('utf8', start, end) }
}

function chunkedAt(bytes: Buffer, start: number): Body | undefined {
  const texts: string[] = []
  for (let at = start; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    const next = end + 2 + size + 2
    if (Number.isNaN(size)) throw new Error(`No chunk: ${bytes.toString('latin1', at, end)}`)
    if (bytes.length < next) return undefined
    if (size === 0) return { length: next - start, text: texts.join('') }
    texts.push(bytes.toString('utf8', end + 2, next - 2))
    at = next
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
