/**
 * Says why some database could not store a value: NUL, a lone surrogate, a number beyond a double.
 * Returns `undefined` for a good value.
 */
export function faultOfValue(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'must be a number within the range of a double'
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'must not hold NUL'
  return value.isWellFormed() ? undefined : 'must not hold a lone surrogate'
}
