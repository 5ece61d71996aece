import { type Figure, figureOf, meanOf, median, ratioOf, type Verdict } from '../support/figures.ts'
import { bulk, type Case, type Contender } from './contenders.ts'

/** The levels of the bench, from the inside out; each has a few tables. */
export type Level =
  | 'functions'
  | 'pipeline'
  | 'young'
  | 'steps'
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
  /** The connections of a server over loopback. */
  readonly connections: number
  /** The contenders, the yardstick and its control first. */
  readonly contenders: readonly Contender[]
  /** The measured cases. */
  readonly requests: readonly Case[]
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
  /** Their names; in a table of ratios the yardstick comes first, and its control second. */
  readonly contenders: readonly string[]
}

/** The goals of a table of ratios. */
interface Goals {
  /** The contenders that have goals. */
  readonly ours: readonly string[]
  readonly goals: readonly Goal[]
  /** Cases that are undecided in any event. */
  readonly idle?: readonly string[]
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

  /** Returns the median of each run. */
  medians(quantity: string, contender: string, name: string): readonly number[] {
    return this.#values(quantity, contender, name).map(median)
  }

  /** Returns the ratio of two cases of a contender, or of two contenders, in each run. */
  ratios(quantity: string, pair: readonly (readonly [contender: string, name: string])[]) {
    const [values, units] = pair.map(([contender, name]) => this.#values(quantity, contender, name))
    return this.#runs.map((_, run) => ratioOf(values?.[run], units?.[run]))
  }

  /** Makes the table of a quantity: the medians of the runs. */
  table({ quantity, contenders, ...about }: Subject, unit: string): Table {
    const rows = contenders.map((contender) =>
      rowOf(contender, about.cases, (name) => this.medians(quantity, contender, name)),
    )
    return { ...about, unit, rows }
  }

  /** Makes the table of a quantity in times of the yardstick's, with its goals. */
  beside(subject: Subject, { ours, goals, idle = [] }: Goals): Table {
    const { level, title, cases, contenders, notes } = subject
    const [yardstick = '', control] = contenders
    const rows = contenders.map((contender) =>
      rowOf(contender, cases, (name) => this.#besides(subject, [contender, yardstick], name)),
    )
    const figures = rows.find(({ contender }) => contender === control)?.figures ?? {}
    // A case is undecided where its control strays from 1 by more than 5 %.
    const undecided = cases.filter(
      (name) => !(Math.abs((figures[name]?.median ?? 0) - 1) <= 0.05) || idle.includes(name),
    )
    const pairs = ours.flatMap((contender) => goals.map((goal) => ({ contender, ...goal })))
    const bounds = pairs
      .filter(({ contender, other }) =>
        [contender, other].every((name) => contenders.includes(name)),
      )
      .flatMap(({ contender, other, hold, limits }) =>
        cases.flatMap((name): readonly Bound[] => {
          const limit = limits[name]
          if (limit === undefined) return []
          const figure = figureOf(this.#besides(subject, [contender, other], name))
          const bound = hold(`${contender}, ${name}, × ${other}`, limit, figure)
          return [undecided.includes(name) ? { ...bound, verdict: 'undecided' } : bound]
        }),
      )
    return { level, title, unit: `× ${yardstick}`, cases, rows, undecided, notes, bounds }
  }

  #values(quantity: string, contender: string, name: string): readonly (readonly number[])[] {
    const key = JSON.stringify([quantity, contender, name])
    return this.#runs.map((run) => run.get(key) ?? [])
  }

  // The ratio of two contenders in each run, of a case or of the mean.
  #besides(
    { quantity, cases }: Subject,
    [contender, other]: readonly [string, string],
    name: string,
  ): readonly number[] {
    const names = name === mean ? cases.filter((name) => name !== bulk && name !== mean) : [name]
    const ratios = names.map((name) =>
      this.ratios(quantity, [
        [contender, name],
        [other, name],
      ]),
    )
    return this.#runs.map((_, run) => meanOf(ratios.map((values) => values[run] ?? Number.NaN)))
  }
}
