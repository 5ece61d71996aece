import { holdAllow, seekForeign } from './bounds.ts'
import { contractOf } from './contract.ts'
import { deleteThings } from './deleting.ts'
import type { Fault } from './fault.ts'
import { type ContractRow, formatRow } from './features.ts'
import { putAbsent } from './putting.ts'
import { readThings } from './reading.ts'
import { refuseByRules } from './refusing.ts'
import { type Scene, scenesOf } from './script.ts'
import { callClient, checkService, compareWithItself, examineTables, proveOwners } from './tools.ts'
import { type Trial, tryContract } from './trial.ts'
import { changeThings, createThings, repeatCreate } from './writing.ts'

/** What a trial found. */
export interface Outcome {
  readonly faults: readonly Fault[]
  /** The requests to both stores, and those of `check`. */
  readonly sent: number
}

/** Runs a contract through every tool; the slow ones only where asked. */
export async function tryRow(row: ContractRow, tools: 'quick' | 'all'): Promise<Outcome> {
  const trial = await tryContract(contractOf(row))
  try {
    const scenes = await scenesOf(trial)
    for (const scene of scenes) await tryScene(scene)
    for (const scene of scenes) await callClient(scene)
    compareWithItself(trial)
    await examineTables(trial)
    const checked = tools === 'all' ? await trySlowly(trial) : 0
    return { faults: trial.faults, sent: trial.sent.count + checked }
  } finally {
    await trial.end()
  }
}

async function tryScene(scene: Scene): Promise<void> {
  await createThings(scene)
  const all = await readThings(scene)
  await changeThings(scene, all)
  await refuseByRules(scene, all)
  await putAbsent(scene)
  await seekForeign(scene)
  await holdAllow(scene, all)
  await repeatCreate(scene)
  await deleteThings(scene, await readThings(scene))
}

async function trySlowly(trial: Trial): Promise<number> {
  await proveOwners(trial)
  return checkService(trial)
}

/** Writes a contract and the laws that it breaks, each with its first request. */
export function formatFaults(row: ContractRow, { faults }: Outcome): string {
  const laws = [...new Set(faults.map(({ law }) => law))]
  const lines = laws.map((law) => {
    const [first, ...more] = faults.filter((fault) => fault.law === law)
    const count = more.length === 0 ? '' : ` (and ${more.length} more)`
    return `  ${law}${count}\n    ${first?.detail}`
  })
  return `The contract:\n${formatRow(row)}\nbreaks:\n${lines.join('\n')}`
}
