/**
 * Says why some database could not store a value: NUL, a lone surrogate, a number beyond a double.
 * Returns `undefined` for a good value.
 */
export function faultOfValue(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'is a number beyond the range of a double'
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'holds NUL'
  return value.isWellFormed() ? undefined : 'holds a lone surrogate'
}
