import type { ListKeyword } from './value-set.ts'

/** A number of elements in a set. */
export type Contains = ListKeyword & { readonly kind: 'contains' }

// Ways to say how many elements are in each set.
const mostCounts = 256

/** Returns one keyword for each set. */
export function mergedOf(all: readonly Contains[]): readonly Contains[] {
  const merged = new Map<string, Contains>()
  for (const one of all) {
    const other = merged.get(one.set.key) ?? one
    const bounds = { min: Math.max(one.min, other.min), max: Math.min(one.max, other.max) }
    merged.set(one.set.key, { ...other, ...bounds })
  }
  return [...merged.values()]
}

/**
 * Returns every choice of how many elements are in each set, for lists that need some number of
 * other elements. Ends with `undefined` where the choices are too many.
 */
export function* countsOf(
  contains: readonly Contains[],
  others: number,
): Iterable<readonly number[] | undefined> {
  const longest = contains.reduce((sum, { min }) => sum + min, others)
  const ranges = contains.map(({ min, max }) => ({
    min,
    // Without a most, more elements may be in the set.
    max: max === Infinity ? min : Math.min(max, longest),
  }))
  let left = mostCounts
  for (const numbers of productOf(ranges)) {
    if (left-- === 0) return yield undefined
    yield numbers
  }
}

function* productOf([range, ...others]: readonly Pick<Contains, 'min' | 'max'>[]): Iterable<
  readonly number[]
> {
  if (range === undefined) return yield []
  for (let number = range.min; number <= range.max; number++) {
    for (const more of productOf(others)) yield [number, ...more]
  }
}
