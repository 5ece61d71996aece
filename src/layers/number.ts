interface Range {
  readonly least: number
  /** Default: no limit. */
  readonly most?: number
  readonly what: string
}

/** Throws a `TypeError` for an option that is no whole number between `least` and `most`. */
export function checkNumber(
  place: string,
  value: unknown,
  { least, most = Number.MAX_SAFE_INTEGER, what }: Range,
): void {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
    return
  throw new TypeError(
    `${place} cannot be ${String(value)}: write ${what}, a whole number from ${least}.`,
  )
}
