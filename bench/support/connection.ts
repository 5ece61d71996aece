import { connect, type Socket } from 'node:net'

/** Opens a socket to a server on this machine; errors end it. */
export function open(url: string, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
  return socket.setNoDelay().on('error', () => undefined)
}

/** A connection that sends requests, each before or after the response to the last. */
export class Connection {
  readonly socket: Socket
  readonly #waiting: ((status: number) => void)[] = []
  #bytes: Buffer = Buffer.alloc(0)

  constructor(url: string, localAddress?: string) {
    this.socket = open(url, localAddress)
    this.socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.socket.once('close', () => {
      for (const take of this.#waiting.splice(0)) take(0)
    })
  }

  get isOver(): boolean {
    return this.socket.destroyed || this.socket.readableEnded
  }

  /** Sends a request; resolves with the status, or with 0 if the connection ends before. */
  send(bytes: string): Promise<number> {
    if (this.socket.destroyed) return Promise.resolve(0)
    return new Promise((take) => {
      this.#waiting.push(take)
      this.socket.write(bytes)
    })
  }

  // Each response has a body of a known length.
  #read(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    for (;;) {
      const end = this.#bytes.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = this.#bytes.toString('latin1', 0, end)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      if (length === undefined) throw new Error(`A response without a length: ${head}`)
      const next = end + 4 + Number(length)
      if (this.#bytes.length < next) return
      this.#bytes = this.#bytes.subarray(next)
      this.#waiting.shift()?.(Number(head.slice(9, 12)))
    }
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
