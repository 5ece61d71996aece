/** The values of each feature: `{ ids: ['text', 'uuid'], total: ['always', 'never'] }`. */
export type Features = Readonly<Record<string, readonly string[]>>

/** A value of each feature. */
export type Row<F extends Features = Features> = { readonly [Name in keyof F]: F[Name][number] }

/** Two values that no row has together: `['ids', ['integer'], 'idempotent', ['yes']]`. */
export type Exclusion = readonly [
  feature: string,
  values: readonly string[],
  feature: string,
  values: readonly string[],
]

/** A covering array. */
export interface Covering<F extends Features> {
  readonly rows: readonly Row<F>[]
  /** The pairs of values that some row has. */
  readonly pairs: number
  /** The pairs of values that the exclusions allow in no row. */
  readonly impossible: readonly string[]
}

/** Returns a whole number below `limit`. */
export type Random = (limit: number) => number

/** Makes a generator of random numbers (mulberry32): the same seed gives the same numbers. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const candidates = 12

/**
 * Makes a covering array of strength two: each allowed pair of values of two features is in some
 * row. This is AETG (Cohen, Dalal, Fredman and Patton 1997): each row is the best of some greedy
 * candidates. A candidate begins with an uncovered pair. Forward checking keeps it within the
 * exclusions.
 */
export function coverPairs<F extends Features>(
  features: F,
  exclusions: readonly Exclusion[],
  random: Random,
): Covering<F> {
  const space = spaceOf(features, exclusions)
  const uncovered = new Set(pairsOf(space))
  const total = uncovered.size
  const impossible: string[] = []
  const rows: Row<F>[] = []
  while (uncovered.size > 0) {
    const best = bestCandidate({ space, uncovered, impossible, random })
    if (best === undefined) continue
    for (const pair of pairsIn(best)) uncovered.delete(pair)
    rows.push(Object.fromEntries(best.map((value) => space.words[value] as Word)) as Row<F>)
  }
  return { rows, pairs: total - impossible.length, impossible }
}

type Word = readonly [feature: string, value: string]

/** Values as numbers: of all features, one feature after the other. */
interface Space {
  readonly words: readonly Word[]
  /** The values of each feature. */
  readonly domains: readonly (readonly number[])[]
  /** By value: the values that exclude it. */
  readonly excluded: readonly ReadonlySet<number>[]
}

function spaceOf(features: Features, exclusions: readonly Exclusion[]): Space {
  const words: Word[] = []
  const domains = Object.entries(features).map(([feature, values]) =>
    values.map((value) => words.push([feature, value]) - 1),
  )
  const indexOf = (feature: string, value: string): number => {
    const index = words.findIndex((word) => word[0] === feature && word[1] === value)
    if (index < 0) throw new Error(`An exclusion names no value of a feature: ${feature} ${value}`)
    return index
  }
  const excluded = words.map(() => new Set<number>())
  for (const [feature, values, second, others] of exclusions) {
    for (const value of values.map((name) => indexOf(feature, name))) {
      for (const name of others) {
        const opposite = indexOf(second, name)
        excluded[value]?.add(opposite)
        excluded[opposite]?.add(value)
      }
    }
  }
  return { words, domains, excluded }
}

const size = 4096
const pairOf = (low: number, high: number): number =>
  low < high ? low * size + high : high * size + low

function pairsOf({ domains }: Space): readonly number[] {
  return domains.flatMap((values, index) =>
    domains
      .slice(index + 1)
      .flatMap((others) => values.flatMap((low) => others.map((high) => pairOf(low, high)))),
  )
}

function pairsIn(row: readonly number[]): readonly number[] {
  return row.flatMap((low, index) => row.slice(index + 1).map((high) => pairOf(low, high)))
}

interface Search {
  readonly space: Space
  readonly uncovered: Set<number>
  readonly impossible: string[]
  readonly random: Random
}

// Drops an uncovered pair that no row can have.
function bestCandidate(search: Search): readonly number[] | undefined {
  const { space, uncovered, impossible, random } = search
  const open = [...uncovered]
  let best: { readonly row: readonly number[]; readonly gain: number } | undefined
  for (let tries = 0; tries < candidates; tries++) {
    const pair = open[random(open.length)] as number
    const row = completed([Math.floor(pair / size), pair % size], search)
    if (row === undefined) {
      if (!uncovered.delete(pair)) continue
      const words = [Math.floor(pair / size), pair % size].map((value) => space.words[value])
      impossible.push(words.map((word) => word?.join(': ')).join(' × '))
      continue
    }
    const gain = pairsIn(row).filter((one) => uncovered.has(one)).length
    if (best === undefined || gain > best.gain) best = { row, gain }
  }
  return best?.row
}

type Domains = readonly (readonly number[])[]

// Greedy, with forward checking and backtracking. `undefined` where no row has these values.
function completed(start: readonly number[], search: Search): readonly number[] | undefined {
  let domains: Domains | undefined = search.space.domains
  for (const value of start) domains = domains && assigned(value, domains, search.space)
  return domains && filled(domains, [...start], search)
}

function filled(
  domains: Domains,
  row: readonly number[],
  search: Search,
): readonly number[] | undefined {
  const { space, uncovered, random } = search
  const open = domains.flatMap((values, index) =>
    row.some((value) => space.domains[index]?.includes(value)) ? [] : [values],
  )
  if (open.length === 0) return row
  const smallest = open.filter(({ length }) => length === 1)
  const among = smallest.length > 0 ? smallest : open
  const values = among[random(among.length)] as readonly number[]
  const gainOf = (value: number): number =>
    row.filter((chosen) => uncovered.has(pairOf(chosen, value))).length
  const ranked = values
    .map((value) => ({ value, gain: gainOf(value), tie: random(size) }))
    .sort((first, second) => second.gain - first.gain || first.tie - second.tie)
  for (const { value } of ranked) {
    const next = assigned(value, domains, space)
    const whole = next && filled(next, [...row, value], search)
    if (whole !== undefined) return whole
  }
  return undefined
}

// The domains once a value is chosen; `undefined` where a feature has no value left.
function assigned(value: number, domains: Domains, space: Space): Domains | undefined {
  const excluded = space.excluded[value]
  if (!domains.some((values) => values.includes(value))) return undefined
  const next = domains.map((values) =>
    values.includes(value) ? [value] : values.filter((one) => !excluded?.has(one)),
  )
  return next.some(({ length }) => length === 0) ? undefined : next
}
