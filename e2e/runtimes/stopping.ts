import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, headOf, until } from './client.ts'
import type { Serving } from './serving.ts'

/**
 * Stops a server while one client reads a long list and another keeps an idle connection.
 *
 * @throws {Error} Where the list is cut off, a new connection is taken, or the process does not end
 *   by itself.
 */
export async function stops(serving: Serving): Promise<void> {
  const { port } = serving
  const open = '{"text":"open"}'
  const idle = new Client(
    port,
    headOf(
      'PUT',
      '/v1/ticks/gate',
      'Content-Type: application/json',
      `Content-Length: ${open.length}`,
    ) + open,
  )
  await until('an open gate', () => idle.text.includes('"open"'))
  const reader = new Client(port, headOf('GET', '/v1/ticks'))
  reader.stopReading()
  await until('the beginning of a list', () => reader.received > 0)
  const end = serving.stop()
  await pause(300)
  if (await isTaken(port)) throw new Error('a new connection was taken')
  reader.socket.resume()
  await until('the end of the list', () => reader.end.endsWith('0\r\n\r\n') || reader.isOver)
  if (!reader.end.endsWith(']\r\n0\r\n\r\n')) throw new Error('a list under way was cut off')
  await until('the end of an idle connection', () => idle.isOver)
  const code = await end
  if (code !== 0) throw new Error(`the process ended with ${code ?? 'a signal'}`)
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const tell = (taken: boolean) => (): void => {
      socket.destroy()
      resolve(taken)
    }
    socket.once('connect', tell(true)).once('error', tell(false))
  })
}
