import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from './figures.ts'
import { pageOf } from './page.ts'

const folder = join(import.meta.dirname, 'results')

/** Stores a run in the file of its Node. A level that the run lacks stays as it was measured. */
export function store(run: Run): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${run.node.split('.')[0]}.json`)
  const measured = new Set(run.tables.map(({ level }) => level))
  const earlier = existsSync(path) ? read(path).tables : []
  const tables = [...earlier.filter(({ level }) => !measured.has(level)), ...run.tables]
  writeFileSync(path, `${JSON.stringify({ ...run, tables }, null, 2)}\n`)
}

/** Reads the stored runs, one for each Node; the newest Node first. */
export function readResults(): readonly Run[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const runs = names.map((name) => read(join(folder, name)))
  return runs.toSorted((left, right) =>
    right.node.localeCompare(left.node, 'en', { numeric: true }),
  )
}

/** Writes the page of the results. */
export function writePage(): void {
  writeFileSync(join(import.meta.dirname, 'RESULTS.md'), pageOf(readResults()))
}

function read(path: string): Run {
  return JSON.parse(readFileSync(path, 'utf8'))
}
