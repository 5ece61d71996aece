/** A source of choices that repeats itself from the same seed. */
export interface Random {
  /** Returns a whole number from 0 to `end - 1`. */
  below(end: number): number
  /** Returns true with the probability of `percent`. */
  chance(percent: number): boolean
  pick<T>(values: readonly T[]): T
}

/** Makes a source of choices (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const below = (end: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }
  const pick = <T>(values: readonly T[]): T => {
    const [value] = values.slice(below(values.length))
    if (value === undefined) throw new RangeError('There is no value to pick.')
    return value
  }
  return { below, chance: (percent) => below(100) < percent, pick }
}
