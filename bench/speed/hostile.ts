import { boundOf } from './bounds.ts'
import { start } from './child.ts'
import type { Effort } from './effort.ts'
import type { Bound, Figure, Table } from './figures.ts'
import { figureOf } from './times.ts'

interface Found {
  /** The repeated text. */
  readonly shape: string
  /** `default`, or `open`, where the target may be as long as it is. */
  readonly limits: 'default' | 'open'
  /** Nanoseconds by length. */
  readonly times: Readonly<Record<string, number>>
}

const lengths = [2048, 4096, 8192]
const cases = [...lengths.map(caseOf), 'refused']
// As we would have it, and what the gate lets pass.
const mostMicroseconds = { long: 50, short: 300 } as const
// Four times as long, and what a clock and a cache may add.
const mostGrowth = 6

/** Measures what targets cost that are written to cost much. */
export async function hostile(effort: Effort): Promise<Table> {
  const child = start({ ...effort, file: 'inside/hostile.mjs', about: [] })
  try {
    const found: readonly Found[] = await child.ask('hostile', { lengths, rounds: 60 })
    return tableOf(found, mostMicroseconds[effort.form])
  } finally {
    await child.end()
  }
}

function tableOf(found: readonly Found[], most: number): Table {
  const open = found.filter(({ limits }) => limits === 'open')
  const longest = Math.max(...lengths)
  const timeOf = ({ times }: Found, length: number): number => (times[length] ?? Number.NaN) / 1000
  const limited = new Map(
    found.flatMap((one) => (one.limits === 'default' ? [[one.shape, timeOf(one, longest)]] : [])),
  )
  const growth = Math.max(...open.map((one) => timeOf(one, longest) / timeOf(one, 2048)))
  return {
    level: 'functions',
    title: 'hostile targets',
    unit: 'µs',
    cases,
    rows: open.map((one) => ({
      contender: one.shape,
      figures: {
        ...Object.fromEntries(lengths.map((length) => [caseOf(length), only(timeOf(one, length))])),
        refused: only(limited.get(one.shape) ?? Number.NaN),
      },
    })),
    notes: [
      '`handle`, from the target to the value of the response, with targets that repeat one ' +
        'text: 2, 4 and 8 kB within the limit, and 8 kB over the default limit of 4 kB. The ' +
        'least of 60 rounds: other work of the machine does not count.',
    ],
    bounds: [
      atMost('any of 8 kB as limits are by default, µs', Math.max(...limited.values()), most),
      ...[4096, 8192].map((length) =>
        atMost(
          `any of ${caseOf(length)} that is read whole, µs`,
          Math.max(...open.map((one) => timeOf(one, length))),
          most,
        ),
      ),
      atMost('8 kB over 2 kB, where all of it is read: linear is 4', growth, mostGrowth),
    ],
  }
}

function caseOf(length: number): string {
  return `${length / 1024} kB`
}

function only(value: number): Figure {
  return figureOf([value])
}

function atMost(what: string, found: number, limit: number): Bound {
  return boundOf(what, only(found), { sense: 'at most', limit })
}
