import { isSame } from '../../convention/value.ts'

const scalars = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

/** Tells whether a list has a value. It looks through a long list of scalars once. */
export function hasValue(values: readonly unknown[], value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return values.some((one) => isSame(one, value))
  const known = scalars.get(values) ?? new Set(values)
  scalars.set(values, known)
  return known.has(value)
}
