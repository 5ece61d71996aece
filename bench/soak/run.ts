import { cpus, loadavg } from 'node:os'
import { inspect, parseArgs } from 'node:util'
import { connections } from './connections.ts'
import { flags } from './flags.ts'
import { hostile } from './hostile.ts'
import { loop } from './loop.ts'
import type { Form, Scenario } from './report.ts'
import { sigterm } from './sigterm.ts'
import { slow } from './slow.ts'

const scenarios: Readonly<Record<string, Scenario>> = {
  connections,
  slow,
  hostile,
  sigterm,
  loop,
  flags,
}

const usage = `node --conditions=nounful:source bench/soak/run.ts [--short | --long] [name…]
  --short    as the gate does it, in minutes; the default
  --long     as one does it by night
  name       of ${Object.keys(scenarios).join(', ')}; all of them unless some are named
`

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<void> {
  const unknown = chosen.filter((name) => !Object.hasOwn(scenarios, name))
  if (unknown.length > 0 || (options.short && options.long)) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  if (options.help) return console.log(usage)
  console.log(machine())
  const faults: string[] = []
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const found = await run(name, scenario)
    for (const fault of found) console.error(fault)
    faults.push(...found)
  }
  // Repeated for readers who see only the end of the output.
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}

async function run(name: string, scenario: Scenario): Promise<string[]> {
  const form: Form = options.long ? 'long' : 'short'
  const begin = performance.now()
  try {
    const { figures, broken } = await scenario(form)
    const seconds = Math.round((performance.now() - begin) / 1000)
    console.log(`${name.padEnd(12)} ${figures.join(' · ')} · ${seconds} s`)
    return broken.map((bound) => `${name.padEnd(12)} BROKEN: ${bound}`)
  } catch (error) {
    return [`${name.padEnd(12)} FAILED: ${inspect(error)}`]
  }
}

function machine(): string {
  const [cpu] = cpus()
  const load = loadavg()[0]?.toFixed(1)
  return `${cpus().length} × ${cpu?.model.trim()}, Node ${process.version}, load ${load}`
}

// Processes that the run started end with this process.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
await main()
// Processes that a failed scenario left running end with this process.
process.exit()
