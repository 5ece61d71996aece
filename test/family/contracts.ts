import { afterAll, describe, test } from 'vitest'
import { type ContractRow, contractRows } from './features.ts'
import { formatFaults, tryRow } from './try.ts'

// `RUNS=2000 SEED=7 npx vitest run test/family` tries so many contracts, each by every tool.
const seed = Number(process.env.SEED ?? 1)
const runs = Number(process.env.RUNS ?? 0)

/** The covering array of the gate. */
export const covering = contractRows(seed)

/** Tries half of the contracts: one file for each core. */
export function testContracts(half: 0 | 1): void {
  const rows: ContractRow[] = [...covering.rows]
  for (let next = seed + 1; rows.length < runs; next++) rows.push(...contractRows(next).rows)
  const mine = [...rows.entries()].filter(([index]) => index % 2 === half)
  // The slow tools try each sixteenth contract of the gate.
  const isThorough = (index: number): boolean => runs > 0 || Math.floor(index / 2) % 8 === seed % 8
  let sent = 0
  const begin = performance.now()
  afterAll(() => {
    const seconds = Math.round((performance.now() - begin) / 1000)
    const counts = `${mine.length} contracts, ${covering.pairs} pairs, ${sent} requests`
    if (runs > 0) console.log(`${counts}, ${seconds} s, seed ${seed}`)
  })
  describe(`a contract of seed ${seed}`, () => {
    test.each(mine)('%i holds in every tool', { timeout: 300_000 }, async (index, row) => {
      const outcome = await tryRow(row, isThorough(index) ? 'all' : 'quick')
      sent += outcome.sent
      if (outcome.faults.length > 0) throw new Error(formatFaults(row, outcome))
    })
  })
}
