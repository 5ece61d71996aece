import { type Bar, barsOf } from './chart-bars.ts'
import { isOurs, type Theme, titleOf } from './chart-theme.ts'
import type { Run, Table } from './figures.ts'
import { mean } from './tables.ts'

/** Draws the CPU of a request beside bare: the geometric mean of all cases but the bulk. */
export function costChart(run: Run, theme: Theme): object | undefined {
  const table = run.tables.find(({ level, unit }) => level === 'pipeline' && unit === '× bare')
  if (table === undefined) return undefined
  const bars = barsFrom(table)
  const about = 'CPU a request, beside that of the same answers written by hand'
  return {
    title: titleOf(findingOf(bars), [about], run),
    ...barsOf(bars, { theme, width: 480, yardstick: 1 }),
  }
}

function barsFrom({ rows }: Table): readonly Bar[] {
  return rows.flatMap(({ contender, figures }) => {
    if (contender.endsWith('again')) return []
    const value = figures[mean]?.median ?? Number.NaN
    const name = contender === 'bare' ? 'node:http by hand' : contender
    return [{ name, value, label: `${value.toFixed(2)} ×`, isOurs: isOurs(contender) }]
  })
}

function findingOf(bars: readonly Bar[]): string {
  const ours = bars.find(({ name }) => name === 'nounful')?.value ?? Number.NaN
  const percent = Math.round((ours - 1) * 100)
  return percent <= 0
    ? `A request costs ${-percent} % less than by hand on node:http`
    : `The convention costs ${percent} % beside bare node:http`
}
