import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chosenFrom } from '../support/choice.ts'
import { open } from '../support/connection.ts'
import { type Child, start } from '../support/process.ts'
import { type Engine, engines, load, openers } from './stores.ts'

// How much memory the example's service takes while a client reads a list of a million slowly.
//   node --conditions=nounful:source bench/storage/memory.ts --engine sqlite --rows 1000000

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    rows: { type: 'string', default: '1000000' },
  },
})
const file = new URL('../../examples/companies/node.ts', import.meta.url)

for (const engine of chosenFrom(engines, options.engine))
  await measure(engine, Number(options.rows))

async function measure(engine: Engine, rows: number): Promise<void> {
  const store = await openers[engine]()
  if (store === undefined) return console.error(`${engine} is not installed.`)
  await load(store, rows)
  const variable = store.address.includes('://') ? 'DATABASE_URL' : 'DATABASE_FILE'
  // As `npm start` does.
  const flags = ['--max-semi-space-size=16']
  const service = start({ file, flags, env: { [variable]: store.address, PORT: '0' } })
  try {
    const url = await service.heard(/Listening on (\S+?),/)
    await fetch(`${url}/v1/employees?limit=1`)
    const before = memoryOf(service, 'VmRSS')
    const { items, bytes } = await readSlowly(url)
    const size = `${items} items, ${(bytes / 1e6).toFixed(0)} MB`
    const memory = `${before} MiB before, ${memoryOf(service, 'VmHWM')} MiB at most`
    console.log(`${engine}: ${size}; resident memory ${memory}`)
    if (items !== rows) throw new Error(`${rows} items were expected.`)
  } finally {
    await service.kill()
    await store.close()
  }
}

/** MiB, as the kernel counts them: now, or the most there has been. */
function memoryOf({ process: { pid } }: Child, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return Math.round(Number(kibibytes) / 1024)
}

// Nothing at all for a while, then a piece at a time.
async function readSlowly(url: string) {
  const socket = open(url)
  socket.write('GET /v1/employees HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  await pause(5000)
  let [items, bytes] = [0, 0]
  for await (const piece of socket as AsyncIterable<Buffer>) {
    bytes += piece.length
    for (const byte of piece) if (byte === 0x7b) items++
    await pause(4)
  }
  return { items, bytes }
}
