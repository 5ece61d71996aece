/** Why a value is one that not every store could give back as it was: NUL and lone surrogates in text, numbers beyond a double; `undefined` where it is not. */
export function faultOfValue(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'is a number beyond the range of a double'
  if (typeof value !== 'string') return undefined
  if (value.includes('\0')) return 'holds NUL'
  return value.isWellFormed() ? undefined : 'holds a lone surrogate'
}
