import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { defineApi, defineRegistry, defineResource, type Registry } from 'nounful'
import { explorer } from 'nounful/explorer'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { openApiAt } from 'nounful/openapi'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { afterwards } from '../support/listening.ts'
import { databaseOf } from '../support/stores.ts'

const schema = z.object({ id: z.string() })
const notes = defineResource('notes', { schema })
const api = defineApi({ v1: { '/notes': notes } })
const info = { title: 'Notes', version: '1.0.0' }

/** Starts a server, and returns its lines once it has looked at its storage. */
async function linesOf(registry: Registry, options: object = {}): Promise<readonly string[]> {
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const { url, close } = await serve(registry, { port: 0, log, ...options })
  afterwards(close)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return lines.map((line) => line.replace(url, 'URL'))
}

function registryWith(storage: object) {
  return defineRegistry(api).adapters({ notes: { ...memoryAdapter(), ...storage } })
}

const start = ['Listening on URL', '', '  /v1/notes', '']

describe('a server with a log', () => {
  test('prints its collections', async () => {
    expect(await linesOf(registryWith({}))).toEqual(start)
  })

  test('prints the pages of its layers, below its prefix', async () => {
    const registry = registryWith({})
    const layers = [openApiAt('/openapi.json', registry, { info }), explorer(registry)]
    const pages = (base: string) => [
      ...[`Listening on URL${base}`, '', '  /v1/notes', ''],
      ...[`  OpenAPI   URL${base}/openapi.json`, `  explorer  URL${base}/`, ''],
    ]
    expect(await linesOf(registry, { layers })).toEqual(pages(''))
    expect(await linesOf(registry, { layers, base: '/api' })).toEqual(pages('/api'))
  })

  test('prints twenty collections at most', async () => {
    const mounts: { readonly [path: `/${string}`]: typeof notes } = Object.fromEntries(
      Array.from({ length: 23 }, (_, at) => [`/notes${at}s`, notes]),
    )
    const registry = defineRegistry(defineApi({ v1: mounts })).adapters({ notes: memoryAdapter() })
    const lines = await linesOf(registry)
    expect(lines.filter((line) => line.startsWith('  /v1/'))).toHaveLength(20)
    expect(lines).toContain('  … and 3 more: "npx nounful routes" lists them')
  })

  test('prints what does not fit, with the statement that fixes it', async () => {
    const mismatch = { resource: 'notes', message: 'No column "text".', fix: 'alter table notes;' }
    const ready = () => {
      throw Object.assign(new Error('no'), { mismatches: [mismatch] })
    }
    expect(await linesOf(registryWith({ ready }))).toEqual([
      ...start,
      'The storage does not fit the contract:',
      '  notes: No column "text".',
      '    alter table notes;',
      '',
    ])
  })

  test('prints the advice on a storage that fits', async () => {
    const message = 'Declare \u001b[2Jit text.'
    const advise = () => [{ resource: 'notes', message }]
    expect(await linesOf(registryWith({ ready: () => undefined, advise }))).toEqual([
      ...start,
      'Advice on the storage:',
      '  notes: Declare \\u001b[2Jit text.',
      '',
    ])
  })

  test('prints a real mismatch of a database', async () => {
    const { db, drop } = await databaseOf<unknown>('sqlite')
    afterwards(drop)
    const registry = defineRegistry(api).adapters({ notes: kyselyAdapter(db, { table: 'notes' }) })
    const lines = await linesOf(registry)
    expect(lines.slice(start.length)).toEqual([
      'The storage does not fit the contract:',
      expect.stringMatching(/^ {2}notes: .*"notes"/),
      expect.stringMatching(/^ {4}create table "notes"/),
      '',
    ])
  })

  test('prints nothing about a storage that closes with it', async () => {
    const lines: string[] = []
    let fail = () => {}
    const ready = () =>
      new Promise<void>((_, reject) => {
        fail = () => reject(new Error('closed'))
      })
    const log = (line: string) => void lines.push(line)
    const { close } = await serve(registryWith({ ready }), { port: 0, log })
    await close()
    fail()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(lines.join('\n')).not.toContain('closed')
  })

  test('survives a log that fails', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const advise = () => [{ resource: 'notes', message: 'boom' }]
    const log = (line: string) => {
      if (line.includes('boom')) throw new Error('full')
    }
    await linesOf(registryWith({ ready: () => undefined, advise }), { log })
    const full = expect.objectContaining({ message: 'full' })
    expect(error.mock.calls).toEqual([['The log failed:', full]])
    error.mockRestore()
  })

  test.each([[true], ['yes'], [null]])('is refused for the log %j', async (log) => {
    const options = { port: 0, ...({ log } as object) }
    await expect(serve(registryWith({}), options)).rejects.toThrow('write a function, as in "log')
  })

  test('asks no storage without one', async () => {
    const ready = vi.fn()
    const registry = registryWith({ ready })
    const log = vi.spyOn(console, 'log').mockReturnValue()
    for (const options of [{}, { log: false }] as const) {
      const { close } = await serve(registry, { port: 0, ...options })
      await close()
    }
    expect(ready).not.toHaveBeenCalled()
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
  })
})

/** A program whose `read` waits until the server stops. */
const program = (options: string): string => `
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { serve } from 'nounful/node'
const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } }
const notes = defineResource('notes', { schema })
const read = ({ id }) => new Promise((resolve) => setTimeout(resolve, 700, { id }))
const api = defineApi({ v1: { '/notes': notes } })
const registry = defineRegistry(api).adapters({ notes: { read } })
const server = await serve(registry, { port: 0, stopOn: ['SIGTERM', 'SIGINT'], ${options} })
console.log('started ' + server.url)
`

/** Runs a program on a pseudo terminal of util-linux, or with a pipe. */
function run(source: string, place: 'terminal' | 'pipe') {
  const flags = ['--conditions=nounful:source', '--no-warnings', '--input-type=module']
  const env = { ...process.env, SOURCE: source, NODE: process.execPath }
  const command = `exec "$NODE" ${flags.join(' ')} -e "$SOURCE"`
  const child =
    place === 'pipe'
      ? spawn('sh', ['-c', command], { env })
      : spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env })
  afterwards(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (data) => {
    printed += data
  })
  const closed = once(child, 'close')
  const until = async (pattern: RegExp): Promise<string> => {
    for (let found = pattern.exec(printed); ; found = pattern.exec(printed)) {
      if (found) return found[1] ?? ''
      await Promise.race([once(child.stdout, 'data'), closed])
      if (child.exitCode !== null && !pattern.test(printed)) throw new Error(printed)
    }
  }
  return { child, until, closed, text: () => printed.replaceAll('\r', '') }
}

// Other systems have another `script`.
const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('on a terminal', { timeout: 30_000 }, () => {
  test('a server prints its start, and the open requests at its stop', async () => {
    const { child, until, closed, text } = run(program(''), 'terminal')
    const port = Number(await until(/started http:\/\/127\.0\.0\.1:(\d+)/))
    for (let count = 0; count < 2; count++) {
      const socket = connect(port, '127.0.0.1')
      afterwards(() => void socket.destroy())
      socket.write('GET /v1/notes/a HTTP/1.1\r\nhost: localhost\r\n\r\n')
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    // The terminal sends SIGINT for Ctrl+C.
    child.stdin.write('\u0003')
    const [code] = await closed
    expect(code).toBe(0)
    expect(text()).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\n\n {2}\/v1\/notes\n\nstarted/)
    expect(text()).toMatch(/Stopping \(SIGINT\): 2 requests open\n$/)
  })

  test('a server is quiet with "log: false"', async () => {
    const { child, until, closed, text } = run(program('log: false'), 'terminal')
    await until(/(started)/)
    child.stdin.write('\u0003')
    await closed
    expect(text()).toMatch(/^started http:\S+\n(?:\^C)?$/)
  })
})

describe('with a log of its own', { timeout: 30_000 }, () => {
  const log = 'log: (line) => console.log("> " + line)'
  test('a server counts each pipelined request', async () => {
    const { child, until, closed, text } = run(program(log), 'pipe')
    const port = Number(await until(/started http:\/\/127\.0\.0\.1:(\d+)/))
    const socket = connect(port, '127.0.0.1')
    afterwards(() => void socket.destroy())
    socket.write('GET /v1/notes/a HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(3))
    await new Promise((resolve) => setTimeout(resolve, 200))
    child.kill('SIGTERM')
    await closed
    expect(text()).toContain('> Stopping (SIGTERM): 3 requests open\n')
  })

  test.each([
    [0, '0 requests open'],
    [1, '1 request open'],
  ])('a server with %i open requests says so', async (count, words) => {
    const { child, until, closed, text } = run(program(log), 'pipe')
    const url = await until(/started (http:\S+)/)
    const asked = Array.from({ length: count }, () => fetch(`${url}/v1/notes/a`))
    await new Promise((resolve) => setTimeout(resolve, 200))
    child.kill('SIGTERM')
    await Promise.all([closed, ...asked])
    expect(text()).toContain(`> Stopping (SIGTERM): ${words}\n`)
  })

  test('a server prints nothing else on a pipe', async () => {
    const { child, until, closed, text } = run(program(''), 'pipe')
    await until(/(started)/)
    child.kill('SIGTERM')
    await closed
    expect(text()).toMatch(/^started http:\S+\n$/)
  })
})
