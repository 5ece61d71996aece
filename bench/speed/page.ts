import type { Bound, Figure, Level, Run, Table } from './figures.ts'
import { meanOf } from './rounds.ts'

const about: Readonly<Record<Level, string>> = {
  functions:
    'What reading a request and answering it costs by itself, before anything of Node’s. It says nothing about a server: there, Node’s own work is many times as much.',
  pipeline:
    'What an answer costs between Node’s parser and its response, without a socket and the system’s part. It is the finest comparison of servers there is here, and leaves out what is the same for all. “A tick kept” is the same by hand with one line more, which nounful has too: see above.',
  parts:
    'What the time of the pipeline goes into. What is more than by hand is in our rooms, and in what they ask of Node and V8: timers, promises, memory.',
  loopback:
    'What an answer costs with everything, from socket to socket on one machine. CPU is the figure to trust: how many answers a second there are depends on what else the machine does.',
  fetch:
    'What the door of fetch costs: `Request` in, `Response` out, its body read. Nearly all of it is the runtime’s own objects.',
  growth: 'What it costs to have many resources: to find one, to hold them, to define them.',
  start: 'What it costs to begin: to import, and to send code to where it runs.',
  lists:
    'What a long list does to others who wait: a stall is the time in which nobody else is answered.',
}

const introduction = `# Speed, measured

\`npm run bench\` measures this anew; \`npm run bench -- --redraw\` writes this page and draws the charts of what is kept in \`results\`. Contenders do the same work and give the same answers, which are compared before anything
is timed. They take turns in rounds, in several fresh processes; a figure is the median of them, with the least and the most. A ratio is taken within each round.
The control is the yardstick beside a second copy of itself: what it is away from 1 is noise.

Servers have rested before they are asked: garbage was collected while they had nothing to do, as happens to servers sooner or later: docs/node.md tells which were seen. V8 forgets then
what the objects of \`process.nextTick\` look like, because there are none, and from then on both Node 20 and 24 make them by a slow way: a tick takes 0.5 to 0.7 µs,
not 0.1, and a request has many. One such object that is kept is enough against it. nounful keeps one; what by hand does the same is among the contenders. With
\`--fresh\` servers are asked as they are when they have just started, at whichever of the two speeds chance has put them.`

/** The page that tells what was found. */
export function pageOf(runs: readonly Run[]): string {
  return `${[introduction, ...runs.map(sectionOf)].join('\n\n')}\n`
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
  const held = bounds.filter(({ holds }) => holds).length
  const lines = bounds.map(({ says, found, holds }) => [
    says,
    shown(found),
    holds ? 'met' : '**not met**',
  ])
  return `### Goals\n\nWhat we would have. ${held} of ${bounds.length} are met.\n\n${gridOf(['', 'found', ''], lines)}`
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

function tableOf({ title, unit, cases, rows, control }: Table): string {
  const isRatio = unit === '× bare'
  const head = [
    [title, unit].filter((word) => word !== undefined).join(', '),
    ...cases.filter((name) => name !== title),
    ...(cases.length === 1 && cases[0] === title ? [unit] : []),
    ...(isRatio ? ['geometric mean'] : []),
  ]
  const lines = rows.map(({ contender, figures }) => {
    const found = cases.map((name) => figures[name])
    const mean = isRatio ? [shown(meanOf(found.flatMap((figure) => figure?.median ?? [])))] : []
    return [contender, ...found.map(cellOf), ...mean]
  })
  const noise = control === undefined ? '' : `\n\nControl: ${shown(control)}.`
  return `${gridOf(head, lines)}${noise}`
}

function cellOf(figure: Figure | undefined): string {
  if (figure === undefined) return ''
  const { median, min, max } = figure
  return min === max ? shown(median) : `**${shown(median)}** (${shown(min)}–${shown(max)})`
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
