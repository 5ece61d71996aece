import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type ServeOptions, serve } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { afterwards } from '../support/listening.ts'
import { notesWith } from '../support/registry.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

/** A program: `read` waits 400 ms. `stop` is the code of `onStop`, `more` runs at the end. */
const program = (stop: string, more = ''): string => `
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { serve } from 'nounful/node'
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const validate = (value) => ({ value })
const schema = { '~standard': { version: 1, vendor: 'test', validate } }
const notes = defineResource('notes', { schema })
const read = async ({ id }) => {
  console.log('reads')
  await wait(400)
  return { id }
}
const api = defineApi({ v1: { '/notes': notes } })
const registry = defineRegistry(api).adapters({ notes: { read } })
const options = { port: 0, closeTimeout: 1500, stopOn: ${JSON.stringify(signals)} }
const server = await serve(registry, { ...options, onStop: async () => { ${stop} } })
${more}
console.log(server.url)
`

/** A running program. */
interface Running {
  readonly url: string
  readonly kill: (signal: NodeJS.Signals) => void
  /** Waits for a line of its output. */
  readonly prints: (line: string) => Promise<void>
  readonly ended: Promise<{ code: number | null; printed: string; failed: string }>
}

async function run(source: string): Promise<Running> {
  const flags = ['--conditions=nounful:source', '--no-warnings', '--input-type=module', '-e']
  const child = spawn(process.execPath, [...flags, source])
  afterwards(() => void child.kill('SIGKILL'))
  let printed = ''
  let failed = ''
  child.stdout.on('data', (data) => {
    printed += data
  })
  child.stderr.on('data', (data) => {
    failed += data
  })
  const closed = once(child, 'close')
  const prints = async (line: string): Promise<void> => {
    while (!printed.includes(line)) await Promise.race([once(child.stdout, 'data'), closed])
  }
  await prints('http://')
  const url = /http:\S+/.exec(printed)?.[0] ?? ''
  const ended = closed.then(([code]) => ({ code, printed: printed.replaceAll(url, ''), failed }))
  return { url, kill: (signal) => void child.kill(signal), prints, ended }
}

describe('a process whose server has stopOn', () => {
  test.each(signals)('finishes responses and stops on %s', async (signal) => {
    const { url, kill, prints, ended } = await run(program(`console.log('stops')`))
    const response = fetch(`${url}/notes/a`)
    await prints('reads')
    kill(signal)
    expect((await response).status).toBe(200)
    expect(await ended).toEqual({ code: 0, printed: '\nreads\nstops\n', failed: '' })
  })

  test('waits at further signals', async () => {
    const { url, kill, prints, ended } = await run(
      program(`console.log('stops'); await wait(300); console.log('stopped')`),
    )
    const response = fetch(`${url}/notes/a`)
    await prints('reads')
    for (const signal of [...signals, ...signals]) kill(signal)
    expect((await response).status).toBe(200)
    await prints('stops')
    for (const signal of signals) kill(signal)
    expect(await ended).toEqual({ code: 0, printed: '\nreads\nstops\nstopped\n', failed: '' })
  })

  const failing: readonly (readonly [name: string, stop: string, message: string])[] = [
    ['rejects', `throw new Error('no database')`, 'no database'],
    ['hangs', 'await new Promise(() => {})', 'onStop took more than 1500 ms'],
  ]
  test.each(failing)('ends with code 1 when onStop %s', async (_, stop, message) => {
    const { kill, ended } = await run(program(stop))
    kill('SIGTERM')
    const { code, failed } = await ended
    expect([code, failed]).toEqual([1, expect.stringContaining(message)])
  })

  test('ends when all its servers stopped', async () => {
    const second = `await serve(registry, {
      ...options,
      onStop: async () => { await wait(300); console.log('second') },
    })`
    const { kill, ended } = await run(program(`console.log('first')`, second))
    kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, printed: '\nfirst\nsecond\n', failed: '' })
  })
})

describe('a server with stopOn', () => {
  const { registry } = notesWith({ read: ({ id }) => ({ id }) })
  const counts = () => signals.map((signal) => process.listenerCount(signal))

  test('leaves no listener after close', async () => {
    const before = counts()
    const server = await serve(registry, { port: 0, stopOn: [...signals, 'SIGTERM'] })
    expect(counts()).toEqual(before.map((count) => count + 1))
    await Promise.all([server.close(), server.close()])
    expect(counts()).toEqual(before)
  })

  test('leaves no listener when it cannot listen', async () => {
    const before = counts()
    const { port, close } = await serve(registry, { port: 0 })
    afterwards(close)
    await expect(serve(registry, { port, stopOn: signals })).rejects.toThrow(/EADDRINUSE/)
    expect(counts()).toEqual(before)
  })

  const refused: readonly (readonly [options: object, message: string])[] = [
    [{ stopOn: 'SIGTERM' }, 'stopOn cannot be "SIGTERM": write a list of signals, as in "stopOn'],
    [{ stopOn: ['SIGTERM', 'TERM'] }, 'stopOn cannot be "TERM"'],
    [{ stopOn: ['SIGKILL'] }, 'stopOn cannot be "SIGKILL"'],
    [{ stopOn: ['toString'] }, 'stopOn cannot be "toString"'],
    [{ stopOn: [15] }, 'stopOn cannot be 15'],
    [{ stopOn: [undefined] }, 'stopOn cannot be undefined'],
    [{ stopOn: null }, 'stopOn cannot be null'],
    [{ stopOn: [], onStop: true }, 'onStop must be a function'],
    [{ onStop: () => undefined }, 'onStop needs the signals that stop the server: add "stopOn'],
  ]
  test.each(refused)('refuses %j', async (options, message) => {
    const given: ServeOptions = { port: 0, ...options }
    await expect(serve(registry, given)).rejects.toThrow(message)
    await expect(serve(registry, given)).rejects.toThrow(TypeError)
  })
})
