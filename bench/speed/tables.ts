import { bulk } from './cases.ts'
import { bare, bareAgain, type Contender } from './contenders.ts'
import type { Figure, Level, Row, Table } from './figures.ts'
import type { Runs } from './rounds.ts'

/** The subject of a table. */
export interface About {
  readonly level: Level
  readonly title: string
  readonly quantity: string
  readonly unit: string
  readonly contenders: readonly Contender[]
  readonly cases: readonly string[]
  readonly notes: readonly string[]
}

/** The column of the geometric mean: of all cases but the bulk. */
export const mean = 'geometric mean'

/** How far a control may stray from 1. */
const stray = 0.05

/** Makes the table of a quantity as it was measured. */
export function absoluteTable(runs: Runs, about: About): Table {
  const { quantity } = about
  return tableOf(about, (contender, name) => runs.figure({ quantity, contender, name }))
}

/** Makes the table of a quantity in times of bare's, with the mean. */
export function ratioTable(runs: Runs, about: About): Table {
  const cases = [...about.cases, mean]
  const table = tableOf({ ...about, cases }, (contender, name) =>
    ratioIn(runs, about, { contender, name, other: bare.name }),
  )
  return { ...table, undecided: strayingCases(table, bareAgain.name) }
}

/** Gives the cases whose control strays by more than 5 %. */
export function strayingCases({ rows, cases }: Table, control: string): readonly string[] {
  const figures = rows.find(({ contender }) => contender === control)?.figures ?? {}
  return cases.filter((name) => Math.abs((figures[name]?.median ?? Number.NaN) - 1) > stray)
}

/** A contender beside another. */
interface Pair {
  readonly contender: string
  readonly other: string
  /** A case, or {@link mean}. */
  readonly name: string
}

/** Gives the ratio of two contenders. */
export function ratioIn(
  runs: Runs,
  { quantity, cases }: Pick<About, 'quantity' | 'cases'>,
  { contender, other, name }: Pair,
): Figure {
  if (name !== mean) return runs.ratio({ quantity, contender, name }, other)
  return runs.mean(
    { quantity, contender },
    other,
    cases.filter((one) => one !== bulk),
  )
}

function tableOf(
  { level, title, unit, contenders, cases, notes }: About,
  figure: (contender: string, name: string) => Figure,
): Table {
  const rows = contenders.map(
    ({ name: contender }): Row => ({
      contender,
      figures: Object.fromEntries(cases.map((name) => [name, figure(contender, name)])),
    }),
  )
  return { level, title, unit, cases, rows, notes }
}
