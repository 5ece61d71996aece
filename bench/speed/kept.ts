import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from './figures.ts'

const folder = join(import.meta.dirname, 'results')

/**
 * Keeps the findings, a file for each Node. Levels that this run left out keep the earlier ones.
 */
export function keep(run: Run): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${run.node.split('.')[0]}.json`)
  const measured = new Set(run.tables.map(({ level }) => level))
  const earlier = existsSync(path) ? read(path).tables : []
  const tables = [...earlier.filter(({ level }) => !measured.has(level)), ...run.tables]
  writeFileSync(path, `${JSON.stringify({ ...run, tables }, null, 2)}\n`)
}

/** Tells whether anything was ever kept. */
export function isAnythingKept(): boolean {
  return existsSync(folder)
}

function read(path: string): Run {
  return JSON.parse(readFileSync(path, 'utf8'))
}
