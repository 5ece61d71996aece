import { cpus, loadavg } from 'node:os'

/** The median of several values, and the interval around it. */
export interface Figure {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** The verdict on a goal. */
export type Verdict = 'met' | 'not met' | 'undecided'

/** Returns the middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Returns the value below which a share of the values lies. */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * Returns the median and an interval that holds the true one in about nine cases of ten, for every
 * distribution: of seven values, from the second least to the second most.
 */
export function figureOf(values: readonly number[]): Figure {
  const sorted = Float64Array.from(values).sort()
  const outside = Math.floor((sorted.length - 1.645 * Math.sqrt(sorted.length)) / 2)
  const low = sorted.at(Math.max(0, outside)) ?? Number.NaN
  const high = sorted.at(-1 - Math.max(0, outside)) ?? Number.NaN
  return { median: median(values), low, high }
}

/** Returns the median of the ratios within each round. */
export function ratioOf(values: readonly number[] = [], units: readonly number[] = []): number {
  return median(values.map((value, round) => value / (units[round] ?? Number.NaN)))
}

/** Returns the geometric mean. */
export function meanOf(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** Returns how much `y` grows by a unit of `x`: the slope of the line with the least squares. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const rise = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return rise / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

/** Takes turns: A B C, B C A, …, so that other work of the machine delays all alike. */
export function inTurn<Item>(items: readonly Item[], round: number): Item[] {
  const first = round % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

/** Describes the machine: `2 × Some Processor`. */
export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim()}`
}

/** Describes the machine of now: with the Node and the load. */
export function machineNow(): string {
  return `${machine()}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`
}

/** Returns numbers from 0 to below 2^32, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
