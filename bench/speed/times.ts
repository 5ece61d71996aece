import type { Figure } from './figures.ts'

/** The times of one process, by name, a value a round: the values of a round belong together. */
export type Times = Readonly<Record<string, readonly number[]>>

/** Gives the middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Returns the median and an interval that holds the true one in about nine cases of ten, for every
 * distribution: of seven values, from the second least to the second most.
 */
export function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((one, other) => one - other)
  const left = Math.floor((sorted.length - 1.645 * Math.sqrt(sorted.length)) / 2)
  const outside = Math.max(0, left)
  return {
    median: median(values),
    low: sorted[outside] ?? Number.NaN,
    high: sorted.at(-1 - outside) ?? Number.NaN,
  }
}

/** Gives how many times as long one took as another: the median of a process's rounds. */
export function ratioOf(times: Times, one: string, other: string): number {
  const others = times[other] ?? []
  return median((times[one] ?? []).map((value, round) => value / (others[round] ?? Number.NaN)))
}

/** Gives the geometric mean. */
export function meanOf(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}
