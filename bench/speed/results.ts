import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from './figures.ts'
import { pageOf } from './page.ts'

const folder = join(import.meta.dirname, 'results')

/** The last kept findings, a run a Node; the newest Node first. */
export function readResults(): readonly Run[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const runs = names.map((name): Run => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  return runs.toSorted((one, other) => other.node.localeCompare(one.node, 'en', { numeric: true }))
}

/** Writes the page of the results. */
export function writePage(): void {
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), pageOf(readResults()))
}
