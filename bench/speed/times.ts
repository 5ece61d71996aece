import type { Figure } from './figures.ts'

/** What was timed in turn, by name, a value a round: those of a round belong together. */
export type Times = Readonly<Record<string, readonly number[]>>

/** What was timed in several starts, one after another. */
export function together(starts: readonly Times[]): Times {
  const all: Record<string, number[]> = {}
  for (const times of starts) {
    for (const [name, values] of Object.entries(times)) {
      all[name] = [...(all[name] ?? []), ...values]
    }
  }
  return all
}

/** The middle value; half way between two where there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Median, least and most. */
export function figureOf(values: readonly number[]): Figure {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** How many times as long one took as another, round by round; none where either was not timed. */
export function ratiosOf(times: Times, one: string, other: string): readonly number[] {
  const others = times[other]
  if (others === undefined) return []
  return (times[one] ?? []).map((value, round) => value / (others[round] ?? Number.NaN))
}
