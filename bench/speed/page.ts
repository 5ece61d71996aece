import { fold } from '../fold.ts'
import type { Bound, Figure, Level, Run, Table } from './figures.ts'

const about: Readonly<Record<Level, string>> = {
  functions:
    'The cost of parsing and answering a request alone. Node’s own work in a server costs ' +
    'many times as much.',
  pipeline:
    'The cost of a response between Node’s parser and Node’s response, without a socket. This ' +
    'is the finest comparison of servers here.',
  loopback:
    'The cost of a response with everything, from socket to socket on one machine. Requests a ' +
    'second swing with the rest of the machine: trust CPU a request more.',
  fetch:
    'The cost behind the fetch door: `Request` in, `Response` out, body read. Nearly all of ' +
    'it is the runtime’s own objects.',
  growth: 'The cost of many resources: to find one.',
  start: 'The cost of a start: to import the code, and to send it.',
}

const introduction = `# Speed, measured

\`npm run bench\` measures this anew. \`npm run bench -- --redraw\`
writes this page and draws the charts from \`results\`.

All contenders do the same work and send the same responses: the bench compares them first.
Every run starts every server anew, warms it up, and then gives all of them short turns in order.
The bench forces no garbage collection. Each ratio is taken between turns of the same round.
A figure is the median of seven runs, followed by the second least and the second most of them.
This interval holds the true median in about nine cases of ten.

“bare again” is the control, a second copy of the yardstick. A case is undecided where its control
strays from 1 by more than 5 %. A goal is met where the whole interval is within 3 % of the limit or
better, and not met where all of it is beyond. Every other goal is undecided; a goal that stays
undecided in three runs of the bench counts as not met.
The geometric mean is that of all cases but the bulk.`

/** Writes the page of the results. */
export function pageOf(runs: readonly Run[]): string {
  return fold(`${[introduction, ...runs.map(sectionOf)].join('\n\n')}\n`)
}

function sectionOf({ machine, node, date, versions, tables }: Run): string {
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const bounds = tables.flatMap((table) => table.bounds ?? [])
  const levels = [...new Set(tables.map(({ level }) => level))]
  return [
    `## Node ${node}`,
    `${[machine, date, ...used].join(', ')}.`,
    ...(bounds.length > 0 ? [boundsOf(bounds)] : []),
    ...levels.map((level) =>
      levelOf(
        level,
        tables.filter((table) => table.level === level),
      ),
    ),
  ].join('\n\n')
}

function boundsOf(bounds: readonly Bound[]): string {
  const met = bounds.filter(({ verdict }) => verdict === 'met').length
  const lines = bounds.map(({ says, found, verdict }) => [
    says,
    cellOf(found),
    verdict === 'met' ? verdict : `**${verdict}**`,
  ])
  return `### Goals\n\n${met} of ${bounds.length} are met.\n\n${gridOf(['', 'found', ''], lines)}`
}

function levelOf(level: Level, tables: readonly Table[]): string {
  const said = new Set<string>()
  const parts = tables.flatMap((table) => {
    const notes = table.notes.filter((note) => !said.has(note))
    for (const note of notes) said.add(note)
    return [...notes, tableOf(table)]
  })
  return [`### ${level[0]?.toUpperCase()}${level.slice(1)}`, about[level], ...parts].join('\n\n')
}

function tableOf({ title, unit, cases, rows, undecided }: Table): string {
  // One column that says the title again says its unit instead.
  const heads = cases.map((name) => (name === title ? unit : name))
  const lines = rows.map(({ contender, figures }) => [
    contender,
    ...cases.map((name) => cellOf(figures[name])),
  ])
  return `${gridOf([`${title}, ${unit}`, ...heads], lines)}${controlOf(undecided)}`
}

function controlOf(undecided: readonly string[] | undefined): string {
  if (undecided === undefined) return ''
  if (undecided.length === 0) return '\n\nNo control strays.'
  return `\n\nUndecided, since the control strays or a server waited: ${undecided.join(', ')}.`
}

function cellOf(figure: Figure | undefined): string {
  if (figure === undefined) return ''
  const { median, low, high } = figure
  return low === high ? shown(median) : `**${shown(median)}** (${shown(low)}–${shown(high)})`
}

function gridOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rule = head.map((_, place) => (place === 0 ? '---' : '--:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** As many places as say something. */
function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** Writes a table as text: medians with their intervals. */
export function textOf({ level, title, unit, cases, rows, undecided = [] }: Table): string {
  const head = [`${level}, ${title} (${unit})`, ...cases]
  const lines = rows.map(({ contender, figures }) => [
    contender,
    ...cases.map((name) => plain(cellOf(figures[name]))),
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  )
  const padded = (word: string, column: number) =>
    column === 0 ? word.padEnd(widths[0] ?? 0) : word.padStart(widths[column] ?? 0)
  const text = [head, ...lines].map((line) => line.map(padded).join('  ')).join('\n')
  return undecided.length === 0 ? text : `${text}\nundecided: ${undecided.join(', ')}`
}

/** Writes a bound as text. */
export function boundText({ says, found, verdict }: Bound): string {
  return `${verdict.toUpperCase()}: ${says}; found ${plain(cellOf(found))}`
}

function plain(cell: string): string {
  return cell.replaceAll('**', '')
}
