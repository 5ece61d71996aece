import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds for an awaited event: for a busy machine. */
const patience = 20_000

/** A client that reads and leaves on command. */
export class Client {
  readonly socket: Socket
  /** Bytes that have come. */
  received = 0
  /** The beginning of what has come. */
  text = ''
  /** The end of it. */
  end = ''
  isOver = false

  constructor(port: number, said: string) {
    this.socket = connect(port, '127.0.0.1')
    this.socket
      .on('data', (chunk) => {
        this.received += chunk.length
        this.end = (this.end + chunk.toString('latin1')).slice(-20)
        if (this.text.length < 2000) this.text += chunk.toString('latin1')
      })
      .on('error', () => undefined)
      .on('close', () => {
        this.isOver = true
      })
    this.socket.write(said)
  }

  /** Reads the first bytes, and nothing after them. */
  stopReading(): void {
    this.socket.once('data', () => this.socket.pause())
  }

  leave(): void {
    this.socket.destroy()
  }
}

/** The head of a request without a body. */
export function headOf(method: string, target: string, ...fields: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: any.localhost', ...fields, '', ''].join('\r\n')
}

/**
 * Waits until something holds.
 *
 * @throws {Error} Where it does not come to that.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it never came to this: ${what}`)
    await pause(10)
  }
}
