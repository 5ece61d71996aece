import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  /** By lower-case name; of several fields of a name, all, joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The bytes of a connection, and whether the server ended it. */
export interface Exchange {
  readonly answers: readonly RawAnswer[]
  readonly isClosed: boolean
}

/** The bytes of a request: a head of these fields, and a body with its length. */
export function bytesOf(
  [method, target]: readonly [string, string],
  fields: readonly (readonly [string, string])[] = [],
  body?: string | Uint8Array,
): Buffer {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body)
  const length = body === undefined ? [] : [['Content-Length', `${bytes.length}`] as const]
  const lines = [['Host', 'any.localhost'] as const, ...fields, ...length].map((field) =>
    field.join(': '),
  )
  const head = [`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

interface Exchanging {
  readonly count?: number
  /** The places of the answers to HEAD. Default: none. */
  readonly heads?: readonly number[]
  readonly address?: string
}

/**
 * Sends bytes over a connection of its own, and returns the responses.
 *
 * @param count The number of responses to wait for; fewer when the server ends the connection, or
 *   after 2 seconds.
 */
export function exchange(
  port: number,
  bytes: Uint8Array | string,
  { count = 1, heads = [], address = '127.0.0.1' }: Exchanging = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    let isClosed = false
    const socket = connect(port, address)
    const finish = () => {
      clearTimeout(deadline)
      socket.destroy()
      resolve({ answers: parseAnswers(received, { heads, isClosed }), isClosed })
    }
    const deadline = setTimeout(finish, 2000)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      // Bytes after a response are part of the test.
      if (parseAnswers(received, { heads, isClosed }).length >= count) setTimeout(finish, 5)
    })
    socket.on('close', () => {
      isClosed = true
      finish()
    })
    socket.on('error', () => undefined)
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

interface Framing {
  /** The places of the answers to HEAD, which have no body. */
  readonly heads: readonly number[]
  readonly isClosed: boolean
}

function parseAnswers(bytes: Buffer, { heads, isClosed }: Framing): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', start)
    if (end < 0) break
    const [first = '', ...lines] = bytes.subarray(start, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
    start = end + 4
    if (status < 200) continue
    const headers = headersOf(lines)
    const body = bodyAt(bytes.subarray(start), headers, heads.includes(answers.length))
    if (body === undefined && !isClosed) break
    answers.push({ status, headers, text: (body?.bytes ?? bytes.subarray(start)).toString() })
    start += body?.length ?? bytes.length
  }
  return answers
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}

// The bodies of this library always say how long they are; a bare answer of Node's parser has none.
function bodyAt(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  isHead: boolean,
): { readonly bytes: Buffer; readonly length: number } | undefined {
  if (isHead) return { bytes: Buffer.alloc(0), length: 0 }
  const length = Number(headers['content-length'])
  if (Number.isNaN(length) || bytes.length < length) return undefined
  return { bytes: bytes.subarray(0, length), length }
}

/** A client that sends on command, byte by byte if need be, and keeps the received bytes. */
export class Caller {
  readonly socket: Socket
  /** Everything that has come, as Latin-1. */
  text = ''
  /** The server has ended its side. */
  isEnded = false
  isClosed = false
  /** `ECONNRESET`, `EPIPE`, … */
  error: string | undefined

  constructor(port: number, sent: Uint8Array | string = '') {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    this.socket
      .on('data', (chunk) => {
        this.text += chunk.toString('latin1')
      })
      .on('end', () => {
        this.isEnded = true
      })
      .on('close', () => {
        this.isClosed = true
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        this.error = error.code
      })
    if (sent.length > 0) this.say(sent)
  }

  say(bytes: Uint8Array | string): this {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return this
  }

  /** Every status that has come, the interim ones too. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  /** The code of the last problem that has come. */
  get code(): string | undefined {
    return [...this.text.matchAll(/"code":"(\w+)"/g)].at(-1)?.[1]
  }

  /** Waits until so many final answers have begun. */
  answered(count = 1): Promise<void> {
    return this.#until(() => this.statuses.filter((status) => status >= 200).length >= count)
  }

  /** Waits until the server has ended its side, or the connection is gone. */
  ended(): Promise<void> {
    return this.#until(() => this.isEnded || this.isClosed)
  }

  closed(): Promise<void> {
    return this.#until(() => this.isClosed)
  }

  /** Waits until it has heard something. */
  heard(awaited: string): Promise<void> {
    return this.#until(() => this.text.includes(awaited))
  }

  leave(): void {
    this.socket.destroy()
  }

  async #until(holds: () => boolean): Promise<void> {
    const deadline = Date.now() + 8000
    while (!holds()) {
      if (Date.now() > deadline)
        throw new Error(`It never came; there is: ${this.text.slice(-500)}`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
}
