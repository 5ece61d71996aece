import type { Bound, Figure, Table } from './figures.ts'

/** Writes a table as text: medians with their intervals. */
export function textOf({ level, title, unit, cases, rows, undecided = [] }: Table): string {
  const head = [`${level}, ${title} (${unit})`, ...cases]
  const lines = rows.map(({ contender, figures }) => [
    contender,
    ...cases.map((name) => shown(figures[name])),
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  )
  const text = [head, ...lines]
    .map((line) => line.map((word, column) => pad(word, widths[column] ?? 0, column)).join('  '))
    .join('\n')
  return undecided.length === 0 ? text : `${text}\nundecided: ${undecided.join(', ')}`
}

/** Writes a bound as text. */
export function boundText({ says, found, verdict }: Bound): string {
  return `${verdict.toUpperCase()}: ${says}; found ${shown(found)}`
}

function shown(figure: Figure | undefined): string {
  if (figure === undefined) return '–'
  const { median, low, high } = figure
  return low === high ? number(median) : `${number(median)} (${number(low)}–${number(high)})`
}

function number(value: number): string {
  return value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}

function pad(word: string, width: number, column: number): string {
  return column === 0 ? word.padEnd(width) : word.padStart(width)
}
