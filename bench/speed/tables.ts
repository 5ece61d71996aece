import { bare, bareAgain, type Contender } from './contenders.ts'
import type { Figure, Level, Row, Table } from './figures.ts'
import { meanOf, type Rounds } from './rounds.ts'

/** What a table is about. */
export interface About {
  readonly level: Level
  readonly title: string
  readonly quantity: string
  readonly unit: string
  readonly contenders: readonly Contender[]
  readonly cases: readonly string[]
  readonly notes: readonly string[]
}

/** The table of a quantity as it was measured. */
export function absoluteTable(rounds: Rounds, about: About): Table {
  const { quantity } = about
  return tableOf(about, (contender, name) => rounds.figure({ quantity, contender, name }))
}

/** The table of a quantity in times of that of the server by hand. */
export function ratioTable(rounds: Rounds, about: About): Table {
  const { quantity } = about
  const table = tableOf(about, (contender, name) =>
    rounds.ratio({ quantity, contender, name }, bare.name),
  )
  return { ...table, control: meanOf(mediansOf(table, bareAgain.name)) }
}

function tableOf(
  { level, title, unit, contenders, cases, notes }: About,
  figure: (contender: string, name: string) => Figure | undefined,
): Table {
  const rows = contenders.map(({ name: contender }): Row => {
    const figures = cases.flatMap((name): [string, Figure][] => {
      const found = figure(contender, name)
      return found ? [[name, found]] : []
    })
    return { contender, figures: Object.fromEntries(figures) }
  })
  return { level, title, unit, cases, rows, notes }
}

function mediansOf({ rows }: Table, name: string): readonly number[] {
  const row = rows.find(({ contender }) => contender === name)
  return Object.values(row?.figures ?? {}).map(({ median }) => median)
}
