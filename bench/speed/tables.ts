import { type Figure, figureOf, meanOf, ratioOf, type Verdict } from '../support/figures.ts'
import { bare, bareAgain, bulk, type Contender, ours } from './contenders.ts'

/** The levels of the bench, from the inside out; each has a few tables. */
export type Level =
  | 'functions'
  | 'pipeline'
  | 'young'
  | 'loopback'
  | 'fetch'
  | 'growth'
  | 'lists'
  | 'start'

/** The thoroughness of a bench, and its subjects. */
export interface Effort {
  /** For the gate: a minute, generous bounds. Else for a quiet machine: the goals. */
  readonly isShort: boolean
  /** The processor of the measured process. */
  readonly core: number
  /** How often everything starts anew, in fresh processes. */
  readonly runs: number
  /** How often each contender has its turn in a run, for each case. */
  readonly slices: number
  /** How long a turn takes, about, in milliseconds. */
  readonly batch: number
  /** The contenders, the yardstick and its control first. */
  readonly contenders: readonly Contender[]
  /** The names of the measured cases. */
  readonly cases: readonly string[]
}

/** The figures of one contender, by case. */
export interface Row {
  readonly contender: string
  readonly figures: Readonly<Record<string, Figure>>
}

/** A goal and its measurement. */
export interface Bound {
  /** In words: `nounful, read: at most 1.1 × bare`. */
  readonly says: string
  readonly found: Figure
  readonly verdict: Verdict
}

/** The figures of one kind at one level. */
export interface Table {
  readonly level: Level
  /** The kind of the figures, where a level has several tables: `CPU a request`. */
  readonly title: string
  /** `ns`, `× bare`, `bytes`, … */
  readonly unit: string
  readonly cases: readonly string[]
  readonly rows: readonly Row[]
  /** The cases whose control strays too far. Absent where a table has no control. */
  readonly undecided?: readonly string[]
  readonly notes: readonly string[]
  readonly bounds?: readonly Bound[]
}

/** The figures under one Node. */
export interface Run {
  /** `2 × Some Processor`. */
  readonly machine: string
  /** `v24.21.0` */
  readonly node: string
  /** `2026-11-21` */
  readonly date: string
  /** The versions of the peers, by package. */
  readonly versions: Readonly<Record<string, string>>
  readonly tables: readonly Table[]
}

/** Makes the row of a contender; a case without values has no figure. */
export function rowOf(
  contender: string,
  cases: readonly string[],
  valuesOf: (name: string) => readonly number[],
): Row {
  const figures = cases.map((name): [string, Figure] => [name, figureOf(valuesOf(name))])
  const present = figures.filter(([, { median }]) => !Number.isNaN(median))
  return { contender, figures: Object.fromEntries(present) }
}

/** Lists the cases whose control strays from 1 by more than 5 %. */
export function strayingCases(table: Pick<Table, 'rows' | 'cases'>, control: string): string[] {
  const figures = table.rows.find(({ contender }) => contender === control)?.figures ?? {}
  return table.cases.filter((name) => !(Math.abs((figures[name]?.median ?? 0) - 1) <= 0.05))
}

/** So far beyond a limit still counts as the limit. */
const slack = 1.03

/** Holds a figure against the most it may be. */
export function atMost(what: string, limit: number, found: Figure): Bound {
  return { says: `${what}: at most ${limit}`, found, verdict: verdictOf(found, limit * slack) }
}

/** Holds a figure against the least it may be. */
export function atLeast(what: string, limit: number, found: Figure): Bound {
  const negative = { median: -found.median, low: -found.high, high: -found.low }
  return { says: `${what}: at least ${limit}`, found, verdict: verdictOf(negative, -limit / slack) }
}

// It decides only where the whole interval lies on one side.
function verdictOf({ low, high }: Figure, most: number): Verdict {
  if (high <= most) return 'met'
  return low > most ? 'not met' : 'undecided'
}

/** Takes the verdict back where the control of the case strays. */
export function decided(bound: Bound, name: string, undecided: readonly string[]): Bound {
  return undecided.includes(name) ? { ...bound, verdict: 'undecided' } : bound
}

/** The values of one turn, by quantity: `{ cpu: 5400 }`. */
export type Values = Readonly<Record<string, number>>

/** Limits of ours beside another contender, by case. */
export interface Goal {
  readonly other: string
  readonly hold: typeof atMost
  readonly limits: Readonly<Record<string, number>>
}

/** The subject of a table. */
export interface Subject extends Pick<Table, 'level' | 'title' | 'cases' | 'notes'> {
  readonly quantity: string
  readonly contenders: readonly Contender[]
}

/** The column of the geometric mean: of all cases but the bulk. */
export const mean = 'geometric mean'

/** The values of all runs: of each quantity, contender and case a value a round. */
export class Runs {
  readonly #runs: Map<string, number[]>[] = []

  begin(): void {
    this.#runs.push(new Map())
  }

  add(contender: string, name: string, values: Values): void {
    for (const [quantity, value] of Object.entries(values)) {
      const key = JSON.stringify([quantity, contender, name])
      const run = this.#runs.at(-1)
      run?.set(key, [...(run.get(key) ?? []), value])
    }
  }

  /** Returns the values of each run. */
  values(quantity: string, contender: string, name: string): readonly (readonly number[])[] {
    const key = JSON.stringify([quantity, contender, name])
    return this.#runs.map((run) => run.get(key) ?? [])
  }

  /** Returns the ratio of two contenders in each run, of a case or of the mean. */
  ratios(
    { quantity, cases }: Pick<Subject, 'quantity' | 'cases'>,
    pair: readonly [contender: string, other: string],
    name: string,
  ): readonly number[] {
    const names = name === mean ? cases.filter((one) => one !== bulk) : [name]
    const [values, units] = pair.map((contender) =>
      names.map((one) => this.values(quantity, contender, one)),
    )
    return this.#runs.map((_, run) =>
      meanOf(names.map((_, place) => ratioOf(values?.[place]?.[run], units?.[place]?.[run]))),
    )
  }

  /** Makes the table of a quantity in times of bare's, with the mean and its goals. */
  besideBare(subject: Subject, goals: readonly Goal[], idle: readonly string[] = []): Table {
    const { level, title, contenders, notes } = subject
    const cases = [...subject.cases, mean]
    const rows = contenders.map(({ name: contender }) =>
      rowOf(contender, cases, (name) => this.ratios(subject, [contender, bare], name)),
    )
    const undecided = [...new Set([...strayingCases({ rows, cases }, bareAgain), ...idle])]
    const names = contenders.map(({ name }) => name)
    const bounds = ours.flatMap((contender) =>
      goals.flatMap(({ other, hold, limits }) => {
        if (!names.includes(contender) || !names.includes(other)) return []
        return cases.flatMap((name): readonly Bound[] => {
          const limit = limits[name]
          if (limit === undefined) return []
          const figure = figureOf(this.ratios(subject, [contender, other], name))
          const bound = hold(`${contender}, ${name}, × ${other}`, limit, figure)
          return [decided(bound, name, undecided)]
        })
      }),
    )
    return { level, title, unit: '× bare', cases, rows, undecided, notes, bounds }
  }
}
