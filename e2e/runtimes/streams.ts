import { setTimeout as pause } from 'node:timers/promises'
import { Client, headOf, until } from './client.ts'

/** Something that holds of a server that serves the service; throws where it does not. */
export interface Check {
  readonly name: string
  run(port: number): Promise<void>
}

/** How far the lists of the service are: see service/ticks.ts. */
interface State {
  readonly made: number
  readonly closed: number
  readonly aborted: number
  readonly waiting: number
}

const list = headOf('GET', '/v1/ticks', 'Connection: close')
const json = 'Content-Type: application/json'

/** Checks streamed lists, clients that leave, and endless bodies on every runtime. */
export const checks: readonly Check[] = [
  {
    name: 'a list begins before its last item is made',
    async run(port) {
      await setGate(port, 'closed')
      const client = new Client(port, list)
      await until('the beginning of a list', () => client.received > 100_000)
      const { made } = await stateOf(port)
      await setGate(port, 'open')
      await until('its end', async () => (await stateOf(port)).closed === 1)
      await until('its last bytes', () => client.end.includes(']'))
      if (made > 6000) throw new Error(`${made} items were made before the gate`)
      if (client.received < 28_000_000) throw new Error(`only ${client.received} bytes came`)
      client.leave()
    },
  },
  {
    name: 'a list waits for a client that does not read',
    async run(port) {
      await setGate(port, 'open')
      const client = new Client(port, list)
      // At once, not when it is next looked at: a busy machine has read megabytes by then.
      client.stopReading()
      await until('the beginning of a list', () => client.received > 0)
      const made = await settled(port)
      client.leave()
      if (made > 75_000) throw new Error(`${made} of 150000 items were made for nobody`)
    },
  },
  {
    name: 'a client that leaves ends a list',
    async run(port) {
      await setGate(port, 'closed')
      const client = new Client(port, list)
      await until('the beginning of a list', () => client.received > 100_000)
      client.leave()
      await setGate(port, 'open')
      await until('the end of the iteration', async () => (await stateOf(port)).closed === 1)
      await until('an abort', async () => (await stateOf(port)).aborted === 1)
      const { made } = await stateOf(port)
      if (made === 150_000) throw new Error('the whole list was made for nobody')
    },
  },
  {
    name: 'a client that leaves aborts the signal of a slow adapter',
    async run(port) {
      await setGate(port, 'closed')
      const body = '{"text":"wait"}'
      const head = headOf('POST', '/v1/ticks', json, `Content-Length: ${body.length}`)
      const client = new Client(port, head + body)
      await until('an adapter at work', async () => (await stateOf(port)).waiting === 1)
      client.leave()
      await until('an abort', async () => (await stateOf(port)).waiting === 0)
      const { aborted } = await stateOf(port)
      if (aborted !== 1) throw new Error('the signal was not aborted')
    },
  },
  {
    name: 'a body without an end is refused at its limit',
    async run(port) {
      const client = new Client(
        port,
        headOf('POST', '/v1/ticks', json, 'Transfer-Encoding: chunked'),
      )
      const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
      let sent = 0
      while (!client.text.includes('body_too_large') && sent < 16 * 2 ** 20 && !client.isOver) {
        if (client.socket.writableLength < 2 ** 18) {
          client.socket.write(chunk)
          sent += 65_536
        }
        await pause(1)
      }
      await until('an answer', () => client.text.includes('body_too_large') || client.isOver)
      client.leave()
      if (!client.text.startsWith('HTTP/1.1 400 '))
        throw new Error(`told ${client.text || 'nothing'}`)
      if (sent >= 16 * 2 ** 20) throw new Error('16 MiB were taken first')
    },
  },
]

async function stateOf(port: number): Promise<State> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/ticks/state`)
  return (await response.json()) as State
}

async function setGate(port: number, text: 'open' | 'closed'): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/ticks/gate`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  await response.text()
}

// Everything between them has filled up when no more are made for half a second.
async function settled(port: number): Promise<number> {
  let [before, since] = [-1, Date.now()]
  for (;;) {
    const { made } = await stateOf(port)
    if (made !== before) [before, since] = [made, Date.now()]
    if (Date.now() - since > 500) return made
    await pause(25)
  }
}
