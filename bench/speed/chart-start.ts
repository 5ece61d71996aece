import { type Bar, barsOf } from './chart-bars.ts'
import { isOurs, type Theme, titleOf } from './chart-theme.ts'
import type { Run, Table } from './figures.ts'

/** The cost of a start: code to send, and time to import it. */
export function startChart(run: Run, theme: Theme): object | undefined {
  const tables = run.tables.filter(({ level }) => level === 'start')
  const sizes = tables.find(({ unit }) => unit === 'kB')
  const imports = tables.find(({ unit }) => unit === 'ms')
  if (sizes === undefined || imports === undefined) return undefined
  const [small, quick] = [sizeBars(sizes), importBars(imports)]
  return {
    title: titleOf(findingOf(small, quick), ['What a server loads'], run),
    spacing: 36,
    hconcat: [
      barsOf(small, { theme, width: 220, title: 'kB, minified and gzipped' }),
      barsOf(quick, {
        theme,
        width: 220,
        title: 'ms of CPU to import',
      }),
    ],
  }
}

function findingOf(...panels: readonly (readonly Bar[])[]): string {
  const [size, time] = panels.map((bars) => bars.find((bar) => bar.isOurs)?.label)
  return `${size} kB to send, ${time} ms to start`
}

function sizeBars({ rows }: Table): readonly Bar[] {
  return rows.flatMap(({ contender, figures }) => {
    const value = figures.gzipped?.median
    const isWhole = !/client$|memory doors$|core$/.test(contender)
    return value === undefined || !isWhole ? [] : [barOf(shortOf(contender), value)]
  })
}

function importBars({ rows }: Table): readonly Bar[] {
  return rows.flatMap(({ contender, figures }) => {
    const isPeer = !/^an empty|^kysely/.test(contender) && !isOurs(contender)
    if (!isPeer && contender !== 'nounful and nounful/node') return []
    return [barOf(shortOf(contender), Math.max(0, figures.CPU?.median ?? Number.NaN))]
  })
}

function shortOf(contender: string): string {
  return isOurs(contender) ? 'nounful' : contender
}

function barOf(name: string, value: number): Bar {
  return { name, value, label: value.toFixed(value < 10 ? 1 : 0), isOurs: isOurs(name) }
}
