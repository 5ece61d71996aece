import { execFileSync } from 'node:child_process'
import { boundOf } from './bounds.ts'
import type { Effort } from './effort.ts'
import type { Figure, Table } from './figures.ts'
import { sizes } from './sizes.ts'
import { figureOf } from './times.ts'

const library = (door: string): string => new URL(`../../dist/${door}.js`, import.meta.url).href
const empty = 'an empty process'
const again = `${empty} again`
const withMemory = 'nounful and nounful/memory'

/** The imported modules, by their name in the table. */
const imports: Readonly<Record<string, readonly string[]>> = {
  [empty]: [],
  [again]: [],
  nounful: [library('index')],
  'nounful and nounful/node': [library('index'), library('node')],
  [withMemory]: [library('index'), library('memory')],
  'nounful and nounful/kysely': [library('index'), library('kysely')],
  kysely: ['kysely'],
  'nounful/client': [library('client')],
  hono: ['hono', '@hono/node-server'],
  h3: ['h3'],
  polka: ['polka'],
  express: ['express'],
  fastify: ['fastify'],
}
const mostMilliseconds = 15

const [wall, cpu] = ['wall clock', 'CPU'] as const
type Clock = typeof wall | typeof cpu
type Values = Readonly<Record<Clock, number[]>>

/** Measures the times of imports and the sizes of bundles. */
export async function start(effort: Effort): Promise<readonly Table[]> {
  return [importTable(effort), await sizes(effort)]
}

function importTable(effort: Effort): Table {
  const names = Object.keys(imports)
  const found = new Map(names.map((name): [string, Values] => [name, { [wall]: [], [cpu]: [] }]))
  const rounds = effort.form === 'short' ? 7 : 25
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length] ?? empty
      const times = runOnce(imports[name] ?? [], effort)
      found.get(name)?.[wall].push(times.wall)
      found.get(name)?.[cpu].push(times.cpu)
    }
  }
  const beyond = (name: string, clock: Clock): Figure => {
    const empties = found.get(empty)?.[clock] ?? []
    const values = found.get(name)?.[clock] ?? []
    return figureOf(values.map((value, round) => value - (empties[round] ?? Number.NaN)))
  }
  return {
    level: 'start',
    title: 'to import',
    unit: 'ms',
    cases: [wall, cpu],
    rows: names
      .filter((name) => name !== empty)
      .map((name) => ({
        contender: name,
        figures: { [wall]: beyond(name, wall), [cpu]: beyond(name, cpu) },
      })),
    notes: [
      'From start to end of a fresh process, less a process that imports nothing. nounful is ' +
        'built.',
    ],
    bounds: [
      boundOf(`import of ${withMemory}, ms`, beyond(withMemory, wall), {
        sense: 'at most',
        limit: mostMilliseconds,
      }),
    ],
  }
}

/** Milliseconds that a process takes that imports something and ends. */
function runOnce(
  modules: readonly string[],
  { node, core }: Effort,
): { wall: number; cpu: number } {
  const script = `import { writeSync } from 'node:fs'
${modules.map((name) => `import '${name}'`).join('\n')}
const { user, system } = process.cpuUsage()
writeSync(1, String(user + system))`
  const begun = performance.now()
  const said = execFileSync(
    'taskset',
    ['-c', `${core}`, node, '--input-type=module', '-e', script],
    {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    },
  )
  return { wall: performance.now() - begun, cpu: Number(said) / 1000 }
}
