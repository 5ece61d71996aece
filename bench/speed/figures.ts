/** The levels of the bench, from the inside out; each has a few tables. */
export type Level = 'functions' | 'pipeline' | 'loopback' | 'fetch' | 'growth' | 'start'

/** The median of the runs, and the interval around it. */
export interface Figure {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** The figures of one contender, by case. */
export interface Row {
  readonly contender: string
  readonly figures: Readonly<Record<string, Figure>>
}

/** The verdict on a goal. */
export type Verdict = 'met' | 'not met' | 'undecided'

/** A goal and its measurement. */
export interface Bound {
  /** In words: `nounful, read: at most 1.1 × bare`. */
  readonly says: string
  readonly found: Figure
  readonly verdict: Verdict
}

/** The findings of one kind at one level. */
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

/** The findings under one Node. */
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
