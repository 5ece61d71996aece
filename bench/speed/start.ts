import { execFileSync } from 'node:child_process'
import type { Effort } from './effort.ts'
import type { Row, Table } from './figures.ts'
import { sizes } from './sizes.ts'
import { figureOf, median, ratiosOf } from './times.ts'

const library = (door: string): string => new URL(`../../dist/${door}.js`, import.meta.url).href
const empty = 'an empty process'

/** What is imported, by what the table calls it. */
const imports: Readonly<Record<string, readonly string[]>> = {
  [empty]: [],
  [`${empty} again`]: [],
  nounful: [library('index')],
  'nounful/node': [library('node')],
  'nounful and nounful/node': [library('index'), library('node')],
  hono: ['hono', '@hono/node-server'],
  h3: ['h3'],
  polka: ['polka'],
  koa: ['koa', '@koa/router'],
  express: ['express'],
  fastify: ['fastify'],
}
const ours = Object.keys(imports).filter((name) => name.startsWith('nounful'))
const mostTimes = 1.1

const [wall, cpu] = ['wall clock', 'CPU'] as const
const about = 'a process that does nothing else'

/** Measures what it costs to start, and what goes over the wire where code does. */
export async function start(effort: Effort): Promise<readonly Table[]> {
  return [...importTables(effort), await sizes(effort)]
}

function importTables(effort: Effort): readonly Table[] {
  const found = {
    [wall]: Object.fromEntries(Object.keys(imports).map((name): [string, number[]] => [name, []])),
    [cpu]: Object.fromEntries(Object.keys(imports).map((name): [string, number[]] => [name, []])),
  }
  const names = Object.keys(imports)
  const rounds = effort.form === 'short' ? 10 : 40
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(place + round) % names.length] ?? empty
      const times = runOnce(imports[name] ?? [], effort)
      found[wall][name]?.push(times.wall)
      found[cpu][name]?.push(times.cpu)
    }
  }
  const rows = (
    figures: (name: string, what: typeof wall | typeof cpu) => readonly number[],
  ): Row[] =>
    names.map((name) => ({
      contender: name,
      figures: { [wall]: figureOf(figures(name, wall)), [cpu]: figureOf(figures(name, cpu)) },
    }))
  const ratios = rows((name, what) => ratiosOf(found[what], name, empty))
  return [
    {
      level: 'start',
      title: 'to import, of',
      unit: 'ms',
      cases: [wall, cpu],
      rows: rows((name, what) => found[what][name] ?? []),
      notes: [`From start to end of ${about}, each time a fresh one. Ours is what is built.`],
    },
    {
      level: 'start',
      title: 'to import, beside an empty process',
      unit: '× empty',
      cases: [wall, cpu],
      rows: ratios,
      control: median(ratiosOf(found[cpu], `${empty} again`, empty)),
      notes: [],
      bounds: ours.map((name) => {
        const times = median(ratiosOf(found[cpu], name, empty))
        return {
          says: `import of ${name}, CPU: at most ${mostTimes} × ${empty}`,
          found: times,
          holds: times <= mostTimes,
        }
      }),
    },
  ]
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
