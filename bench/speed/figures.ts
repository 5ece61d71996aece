/** What is measured, from the inside out; each is a table. */
export type Level =
  | 'functions'
  | 'pipeline'
  | 'parts'
  | 'loopback'
  | 'fetch'
  | 'growth'
  | 'start'
  | 'lists'

/** One figure, over rounds and fresh starts. */
export interface Figure {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** What one contender needs, a figure a case; a case that it cannot do is absent. */
export interface Row {
  readonly contender: string
  readonly figures: Readonly<Record<string, Figure>>
}

/** A bound that was looked at. */
export interface Bound {
  /** In words: `nounful, read: at most 1.1 × bare`. */
  readonly says: string
  readonly found: number
  readonly holds: boolean
}

/** What was found at one level. */
export interface Table {
  readonly level: Level
  /** What the rows are about where a level has several tables: `CPU a request`. Default: the level says it all. */
  readonly title?: string
  /** `ns`, `× bare`, `bytes`, … */
  readonly unit: string
  readonly cases: readonly string[]
  readonly rows: readonly Row[]
  /** The yardstick over a second copy of itself: what it is away from 1 is noise. */
  readonly control?: number
  /** The least share of the time that a server was at work, where it was to be all of it. */
  readonly busy?: number
  readonly notes: readonly string[]
  readonly bounds?: readonly Bound[]
}

/** What one run under one Node found. */
export interface Run {
  /** `2 × Some Processor`. */
  readonly machine: string
  /** `v24.21.0` */
  readonly node: string
  /** `2026-11-21` */
  readonly date: string
  /** Of the contenders, by name of their package. */
  readonly versions: Readonly<Record<string, string>>
  readonly tables: readonly Table[]
}
