import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contender } from './contenders.ts'
import { contest } from './contest.ts'
import type { Effort } from './effort.ts'
import type { Figure } from './figures.ts'
import { buildCommit, buildTree } from './prepare.ts'
import type { Runs } from './rounds.ts'

/** A change of so much of the CPU a request counts, where the control strays less. */
const least = 0.03
/** A control that strays so much says nothing. */
const stray = 0.05

/**
 * Measures whether the working tree costs more than a commit: CPU a request in the pipeline, in
 * paired turns. A second copy of the commit is the control.
 *
 * @returns Whether no case is slower beyond the noise.
 */
export async function quick(effort: Effort, commit: string): Promise<boolean> {
  const begin = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'nounful-quick-'))
  try {
    const before = buildCommit(join(folder, 'before'), commit)
    const after = buildTree(join(folder, 'after'))
    const contenders = [
      contender('before', before),
      contender('control', before),
      contender('after', after),
    ]
    const runs = await contest({ file: 'pipeline', contenders }, { ...effort, contenders })
    const lines = effort.cases.map((name) => lineOf(runs, name))
    console.log(`The working tree beside ${commit}, CPU a request, median of ${runs.count} runs:`)
    for (const { text } of lines) console.log(text)
    console.log(`${Math.round((performance.now() - begin) / 1000)} s`)
    return lines.every(({ verdict }) => verdict !== 'SLOWER')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function contender(name: string, library: string): Contender {
  return { name, file: 'nounful', doors: ['pipeline'], packages: [], library }
}

interface Line {
  readonly verdict: string
  readonly text: string
}

function lineOf(runs: Runs, name: string): Line {
  const ratio = (one: string): Figure =>
    runs.ratio({ quantity: 'cpu', contender: one, name }, 'before')
  const [found, control] = [ratio('after'), ratio('control')]
  const verdict = verdictOf(found, control)
  const words = `${name}: ${shown(found)}, control ${shown(control)}`
  return { verdict, text: `${verdict.padEnd(10)} ${words}` }
}

// The interval of a change has to lie beyond what the control strays.
function verdictOf(found: Figure, control: Figure): string {
  const noise = Math.abs(control.median - 1)
  if (noise > stray) return 'undecided'
  const margin = Math.max(least, noise)
  if (found.low > 1 + margin) return 'SLOWER'
  if (found.high < 1 - margin) return 'faster'
  return found.high <= 1 + margin ? 'as fast' : 'undecided'
}

function shown({ median, low, high }: Figure): string {
  return `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`
}
