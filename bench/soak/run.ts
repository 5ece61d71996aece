import { inspect, parseArgs } from 'node:util'
import { machineNow } from '../support/figures.ts'
import { connections } from './connections.ts'
import { loop } from './loop.ts'
import type { Scenario } from './report.ts'
import { sustained } from './sustained.ts'

const scenarios: Readonly<Record<string, Scenario>> = { connections, sustained, loop }

const usage = `node --conditions=nounful:source bench/soak/run.ts [--short | --long] [name…]
  --short    minutes, as in the gate; the default
  --long     20 minutes
  name       of ${Object.keys(scenarios).join(', ')}; all of them unless you name some
`

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, long: { type: 'boolean' }, help: { type: 'boolean' } },
})

async function main(): Promise<void> {
  const isUnknown = names.some((name) => !Object.hasOwn(scenarios, name))
  if (isUnknown || (options.short && options.long)) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  if (options.help) return console.log(usage)
  console.log(machineNow())
  const faults: string[] = []
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (names.length === 0 || names.includes(name)) faults.push(...(await run(name, scenario)))
  }
  // Repeated for readers who see only the end of the output.
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}

async function run(name: string, scenario: Scenario): Promise<string[]> {
  const begin = performance.now()
  const faults: string[] = []
  try {
    const { figures, broken } = await scenario(options.long ? 'long' : 'short')
    const seconds = Math.round((performance.now() - begin) / 1000)
    console.log(`${name.padEnd(12)} ${figures.join(' · ')} · ${seconds} s`)
    faults.push(...broken.map((bound) => `${name.padEnd(12)} BROKEN: ${bound}`))
  } catch (error) {
    faults.push(`${name.padEnd(12)} FAILED: ${inspect(error)}`)
  }
  for (const fault of faults) console.error(fault)
  return faults
}

await main()
// Processes that a failed scenario left running end with this process.
process.exit()
