import { connect, type Socket } from 'node:net'

/** An answer as it came over a connection. */
interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The connection ended before the answer did. */
  readonly isCut: boolean
}

/** A connection for many requests. Every byte belongs to the response of the request before. */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #isOver = false
  #wake: () => void = () => undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    this.#socket.on('close', () => {
      this.#isOver = true
      this.#wake()
    })
    this.#socket.on('error', () => undefined)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Sends a request and waits for its answer. */
  async ask(bytes: Uint8Array): Promise<WireReply> {
    if (this.#received.length > 0) throw new Error(`Nobody asked for: ${this.#received}`)
    this.#socket.write(bytes)
    const head = await this.#takeTo('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0)
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const isHead = Buffer.from(bytes).subarray(0, 5).toString() === 'HEAD '
    const text = isHead ? '' : await this.#body(headers)
    return { status, headers, text: text ?? '', isCut: status === 0 || text === undefined }
  }

  /** Leaves, as a client does whose user has gone. */
  destroy(): void {
    this.#socket.destroy()
  }

  // `undefined` where the connection ended before it was whole.
  async #body(headers: Readonly<Record<string, string>>): Promise<string | undefined> {
    const length = headers['content-length']
    if (length !== undefined) return (await this.#take(Number(length)))?.toString()
    let text = ''
    for (;;) {
      const size = Number.parseInt(await this.#takeTo('\r\n'), 16)
      const chunk = Number.isNaN(size) ? undefined : await this.#take(size + 2)
      if (chunk === undefined) return undefined
      if (size === 0) return text
      text += chunk.subarray(0, size)
    }
  }

  async #takeTo(end: string): Promise<string> {
    while (!this.#received.includes(end)) if (!(await this.#more())) return ''
    const text = this.#received.subarray(0, this.#received.indexOf(end)).toString('latin1')
    this.#received = this.#received.subarray(text.length + end.length)
    return text
  }

  async #take(length: number): Promise<Buffer | undefined> {
    while (this.#received.length < length) if (!(await this.#more())) return undefined
    const taken = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return taken
  }

  #more(): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#wake = () => resolve(!this.#isOver || this.#received.length > 0)
    })
  }
}
