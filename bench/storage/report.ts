import { median, ratio, type Times } from './rounds.ts'

/** The measurements of a task. */
export interface Measured {
  readonly task: string
  readonly times: Times
  readonly beside: string | undefined
}

/** Contenders by what the table calls them. */
export const names = {
  nounful: 'nounful',
  builder: 'Kysely',
  again: 'Kysely again',
  same: 'same SQL',
  driver: 'driver',
  requests: 'handle',
} as const

const { nounful, builder, again, same, driver, requests } = names

const ratios = [
  [nounful, same],
  [nounful, builder],
  [nounful, driver],
  [again, builder],
  [requests, nounful],
] as const

/** A table in Markdown. */
export function tableOf(measured: readonly Measured[]): string {
  const times = [nounful, same, builder, driver, requests]
  const head = ['', ...times, ...ratios.map(([one, other]) => `${one} / ${other}`), 'rounds']
  const lines = measured.map(({ task, times: taken }) => [
    task,
    ...times.map((name) => spread(taken.get(name))),
    ...ratios.map(([one, other]) => shown(ratio(taken, one, other))),
    String(taken.get(nounful)?.length ?? 0),
  ])
  const rule = ['---', ...head.slice(1).map(() => '--:')]
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Compares the cost of a page far down with the first page, in words. */
export function pageNoteOf(measured: readonly Measured[], offset: number): string {
  const page = measured.find(({ beside }) => beside !== undefined)
  if (page?.beside === undefined) return ''
  const times = shown(ratio(page.times, nounful, page.beside))
  const typical = median(page.times.get(nounful) ?? [])
  const timesOfOffset = Math.round(offset / typical)
  return [
    `The ${page.task} takes ${times} times as long as the first page (at most 1.5).`,
    `With OFFSET, by hand, it takes ${duration(offset)}: ${timesOfOffset} times as long.`,
  ].join(' ')
}

function spread(values: readonly number[] | undefined): string {
  if (values === undefined) return ''
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return `**${duration(median(values))}** (${duration(least)}–${duration(most)})`
}

/** Microseconds, as they are read best. */
function duration(microseconds: number): string {
  if (microseconds < 1000) return `${microseconds.toPrecision(3)} µs`
  if (microseconds < 1e6) return `${(microseconds / 1000).toPrecision(3)} ms`
  return `${(microseconds / 1e6).toPrecision(3)} s`
}

function shown(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(2)
}
