import type { Table } from './figures.ts'
import { meanOf } from './rounds.ts'

/** Writes a table as text: medians, and their geometric mean where they are ratios. */
export function textOf({ level, title = '', unit, cases, rows, control }: Table): string {
  const isRatio = unit.startsWith('×')
  const head = [`${level}, ${title} (${unit})`, ...cases, ...(isRatio ? ['mean'] : [])]
  const lines = rows.map(({ contender, figures }) => {
    const medians = cases.map((name) => figures[name]?.median)
    const known = medians.filter((median) => median !== undefined)
    const means = isRatio ? [meanOf(known)] : []
    return [contender, ...[...medians, ...means].map((figure) => shown(figure, isRatio))]
  })
  const widths = head.map((_, place) =>
    Math.max(...[head, ...lines].map((line) => line[place]?.length ?? 0)),
  )
  const text = [head, ...lines]
    .map((line) => line.map((word, place) => pad(word, widths[place] ?? 0, place)).join('  '))
    .join('\n')
  return control === undefined ? text : `${text}\ncontrol ${control.toFixed(3)}`
}

function shown(figure: number | undefined, isRatio: boolean): string {
  if (figure === undefined) return '–'
  return isRatio ? figure.toFixed(figure < 10 ? 3 : 1) : Math.round(figure).toLocaleString('en')
}

function pad(word: string, width: number, place: number): string {
  return place === 0 ? word.padEnd(width) : word.padStart(width)
}
