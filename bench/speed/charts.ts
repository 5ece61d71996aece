import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { costChart } from './chart-cost.ts'
import { growthChart } from './chart-growth.ts'
import { startChart } from './chart-start.ts'
import { configOf, type Theme, themes } from './chart-theme.ts'
import { type Child, start } from './child.ts'
import type { Run } from './figures.ts'
import { readResults } from './results.ts'

/** Makes a chart of a run, a Vega-Lite specification; `undefined` where it did not measure that. */
type Chart = (run: Run, theme: Theme) => object | undefined

const drawn: Readonly<Record<string, Chart>> = {
  cost: costChart,
  growth: growthChart,
  start: startChart,
}
const folder = join(import.meta.dirname, '../../docs/charts')

/** Draws what the newest Node's run found, for light and for dark pages. */
export async function charts(): Promise<void> {
  const [run] = readResults()
  if (run === undefined) throw new Error('Nothing was measured yet.')
  mkdirSync(folder, { recursive: true })
  const file = 'inside/draw.mjs'
  const child = start({ file, about: [], node: process.execPath, flags: [], core: 0 })
  try {
    for (const [name, chart] of Object.entries(drawn)) {
      for (const theme of themes) await write(child, { name, theme, chart: chart(run, theme) })
    }
  } finally {
    await child.end()
  }
}

interface Drawing {
  readonly name: string
  readonly theme: Theme
  readonly chart: object | undefined
}

async function write(child: Child, { name, theme, chart }: Drawing): Promise<void> {
  if (chart === undefined) return
  const svg = await child.ask<string>('draw', { ...chart, config: configOf(theme) })
  writeFileSync(join(folder, `${name}-${theme.name}.svg`), `${svg}\n`)
}
