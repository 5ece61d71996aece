import type { Figure } from '../support/figures.ts'
import { fold, tableOf } from '../support/markdown.ts'
import type { Bound, Level, Run, Table } from './tables.ts'

const about: Readonly<Record<Level, string>> = {
  functions:
    'The cost of parsing and answering a request alone. Node’s own work in a server costs ' +
    'many times as much.',
  pipeline:
    'The cost of a response between Node’s parser and Node’s response, without a socket. This ' +
    'is the finest comparison of servers here.',
  young: 'The cost of a response while the process is young, as after each deployment.',
  steps: 'Where the CPU of a response goes, and the promise that needs it.',
  loopback:
    'The cost of a response with everything, from socket to socket on one machine. Requests a ' +
    'second swing with the rest of the machine: trust CPU a request more.',
  fetch:
    'The cost behind the fetch door: `Request` in, `Response` out, body read. Nearly all of ' +
    'it is the runtime’s own objects.',
  growth: 'The cost of many resources: to find one, and to define them.',
  lists: 'The cost of a long list over loopback, to the server and to other requests.',
  start: 'The cost of a start: to import the code, and to send it.',
}

/** Formats the page of the results anew: all but its introduction, which is written by hand. */
export function pageOf(page: string, runs: readonly Run[]): string {
  const [introduction = ''] = page.split(/\n+(?=## )/, 1)
  return fold(`${[introduction, ...runs.map(sectionOf)].join('\n\n')}\n`)
}

function sectionOf({ machine, node, date, versions, tables }: Run): string {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const bounds = tables.flatMap((table) => table.bounds ?? [])
  const met = bounds.filter(({ verdict }) => verdict === 'met').length
  const goals = bounds.map(({ says, found, verdict }) => {
    return [says, cellOf(found), verdict === 'met' ? verdict : `**${verdict}**`]
  })
  const levels = [...new Set(tables.map(({ level }) => level))]
  return [
    `## Node ${node}`,
    `${[machine, date, ...packages].join(', ')}.`,
    '### Goals',
    `${met} of ${bounds.length} are met.`,
    tableOf(['', 'found', ''], goals),
    ...levels.flatMap((level) => {
      const parts = tables.filter((table) => table.level === level)
      return [`### ${level[0]?.toUpperCase()}${level.slice(1)}`, about[level], ...partsOf(parts)]
    }),
  ].join('\n\n')
}

// Each note once.
function partsOf(tables: readonly Table[]): readonly string[] {
  return [...new Set(tables.flatMap((table) => [...table.notes, textOf(table)]))]
}

/** Formats a table: medians, and the interval of each ratio. Results hold all intervals. */
export function textOf({ title, unit, cases, rows, undecided }: Table): string {
  // A column that repeats the title has the unit for its head.
  const heads = cases.map((name) => (name === title ? unit : name))
  const format = unit.startsWith('×') ? cellOf : medianOf
  const lines = rows.map(({ contender, figures }) => [
    contender,
    ...cases.map((name) => format(figures[name])),
  ])
  const table = tableOf([`${title}, ${unit}`, ...heads], lines)
  if (undecided === undefined) return table
  if (undecided.length === 0) return `${table}\n\nNo control strays.`
  const names = undecided.join(', ')
  return `${table}\n\nUndecided, since the control strays or a server waited: ${names}.`
}

function cellOf(figure: Figure | undefined): string {
  if (figure === undefined) return ''
  const [median, low, high] = [figure.median, figure.low, figure.high].map(numberOf)
  return figure.low === figure.high ? `${median}` : `${median} (${low}–${high})`
}

function medianOf(figure: Figure | undefined): string {
  return figure === undefined ? '' : numberOf(figure.median)
}

/** As many places as say something. */
function numberOf(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** Formats a bound. */
export function boundText({ says, found, verdict }: Bound): string {
  return `${verdict.toUpperCase()}: ${says}; found ${cellOf(found)}`
}
