interface Range {
  readonly least: number
  /** Default: no limit. */
  readonly most?: number
  readonly what: string
}

/** Throws a `TypeError` for an option that is no whole number between `least` and `most`. */
export function checkNumber(
  place: string,
  given: unknown,
  { least, most = Number.MAX_SAFE_INTEGER, what }: Range,
): void {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= least && given <= most)
    return
  throw new TypeError(
    `${place} cannot be ${String(given)}: write ${what}, a whole number from ${least}.`,
  )
}
