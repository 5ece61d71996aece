import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { type Engine, engines, load, openers } from './stores.ts'

// How much memory the example's service takes while a client reads a list of a million slowly.

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    rows: { type: 'string', default: '1000000' },
  },
})

const root = join(import.meta.dirname, '../..')
const port = 18_461
const stall = 5000
const pauseBetweenReads = 4
const openBrace = '{'.charCodeAt(0)
const megabyte = 1024

for (const engine of engines) {
  if (options.engine?.includes(engine) ?? true) await measure(engine, Number(options.rows))
}

async function measure(engine: Engine, rows: number): Promise<void> {
  const store = await openers[engine]()
  if (store === undefined) return console.error(`${engine} is not installed.`)
  await load(store, rows)
  const service = await startService(store.address)
  try {
    const before = memoryOf(service)
    const start = performance.now()
    const { items, bytes } = await readSlowly()
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    const { highest } = memoryOf(service)
    const size = `${items} items, ${(bytes / 1e6).toFixed(0)} MB`
    const memory = `resident memory ${before.now} MiB before, ${highest} MiB at most`
    console.log(`${engine}: ${size} in ${seconds} s; ${memory}`)
    if (items !== rows) throw new Error(`${rows} items were expected.`)
  } finally {
    service.kill()
    await store.close()
  }
}

async function startService(address: string): Promise<ChildProcess> {
  const variable = address.includes('://') ? 'DATABASE_URL' : 'DATABASE_FILE'
  // As `npm start` starts it.
  const [command = ''] = manifest.scripts.start.split(' || ')
  const [, , ...args] = command.split(' ')
  const service = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, [variable]: address, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => service.kill())
  await once(service.stdout, 'data')
  for (;;) {
    const { ok } = await fetch(`http://127.0.0.1:${port}/v1/employees?limit=1`)
    if (ok) return service
    await sleep(200)
  }
}

/** MiB, as the kernel counts them: now, and the most there has been. */
function memoryOf({ pid }: ChildProcess): { readonly now: number; readonly highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mebibytes = (name: string) => {
    const [, value] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
    return Math.round(Number(value) / megabyte)
  }
  return { now: mebibytes('VmRSS'), highest: mebibytes('VmHWM') }
}

// Nothing at all for a while, then a piece at a time.
async function readSlowly(): Promise<{ readonly items: number; readonly bytes: number }> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /v1/employees HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  await sleep(stall)
  let [items, bytes] = [0, 0]
  for await (const piece of socket as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    for (const byte of piece) if (byte === openBrace) items++
    await sleep(pauseBetweenReads)
  }
  return { items, bytes }
}
