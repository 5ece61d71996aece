const lacking: ReadonlyMap<string | undefined, RegExp> = new Map([
  ['ascii', /[^\0-\x7f]/],
  ['latin1', /[^\0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/],
  ['utf8', /[\u{10000}-\u{10ffff}]/u],
  ['utf8mb3', /[\u{10000}-\u{10ffff}]/u],
])

/**
 * Returns the characters that the character set of a MySQL collation lacks, or `undefined`. MySQL
 * compares no column of the set with these characters.
 */
export function lackedBy(collation: string | null): RegExp | undefined {
  return lacking.get(collation?.split('_')[0])
}
