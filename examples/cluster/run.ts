import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOpen, startBalancer } from './balancer.ts'
import { Book } from './book.ts'
import { type Child, find } from './child.ts'
import { findGalera, type Node, restart, startCluster, untilTogether } from './cluster.ts'
import { Figures } from './figures.ts'
import { startLoad } from './load.ts'
import { numbers, ports } from './places.ts'
import { startProcesses } from './service.ts'
import { verify } from './verify.ts'

const missing = [
  ...['mariadbd', 'mariadb-install-db', 'haproxy', 'rsync'].filter((program) => !find(program)),
  ...(findGalera() ? [] : ['galera']),
]
if (missing.length > 0) {
  console.error(`Not installed: ${missing.join(', ')}. On Debian and Ubuntu:

  apt-get install --no-install-recommends mariadb-server galera-4 haproxy rsync`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'nounful-cluster-'))
// The databases are run by another user.
chmodSync(folder, 0o755)
process.once('exit', () => {
  // The processes in it have ended by now.
  if (process.env.CLUSTER_KEEP === undefined)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130))
}

try {
  process.exit(await story())
} catch (error) {
  console.error(error)
  process.exit(1)
}

async function story(): Promise<number> {
  await checkPorts()
  tell('Three nodes of the database are started.')
  const nodes = await startCluster(folder)
  tell('The balancer, and three processes of the service.')
  await startBalancer(folder)
  const processes = await startProcesses(folder)

  const book = new Book()
  const figures = new Figures(book)
  const load = await startLoad(book)
  for (const { name, seconds, act } of eventsOf(nodes, processes)) {
    tell(`${name}.`)
    figures.begin(name)
    await act()
    await pause(seconds * 1000)
  }
  figures.end()
  await load.stop()

  for (const child of processes.slice(1)) {
    if (child.hasEnded()) book.fault(`${child.name} ended by itself: ${child.outcome}`)
  }
  tell('Everything is compared, when all nodes have caught up.')
  await untilTogether(nodes)
  const findings = await verify(book, [2, 3], nodes)
  console.log(`\n${figures.report(findings)}`)
  return book.faults.length === 0 ? 0 : 1
}

interface Event {
  readonly name: string
  /** How long nothing else happens after it. */
  readonly seconds: number
  act(): Promise<void> | void
}

function eventsOf(nodes: readonly Node[], [process]: readonly Child[]): readonly Event[] {
  const [, second, third] = nodes
  if (!process || !second || !third) throw new Error('There are three of each.')
  const comeBack = () => {
    restart(folder, second)
    return untilTogether(nodes)
  }
  return [
    { name: 'Nothing happens', seconds: 10, act: () => undefined },
    { name: 'Process 1 is killed', seconds: 10, act: () => process.signal('SIGKILL') },
    { name: 'Node 2 is killed', seconds: 12, act: () => second.child.signal('SIGKILL') },
    { name: 'Node 2 comes back', seconds: 5, act: comeBack },
    { name: 'Node 3 does not answer', seconds: 12, act: () => third.child.signal('SIGSTOP') },
    { name: 'Node 3 goes on', seconds: 20, act: () => third.child.signal('SIGCONT') },
  ]
}

async function checkPorts(): Promise<void> {
  const all = numbers.flatMap((number) => [
    ports.process(number),
    ports.database(number),
    ports.node(number),
    ports.group(number),
    ports.missed(number),
    ports.everything(number),
  ])
  for (const port of [ports.service, ...all]) {
    if (await isOpen(port)) {
      throw new Error(`Port ${port} is taken: name others by CLUSTER_PORT, the first of 64.`)
    }
  }
}

function tell(what: string): void {
  console.log(`${performance.now().toFixed(0).padStart(7)} ms  ${what}`)
}
