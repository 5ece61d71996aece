const lacking: ReadonlyMap<string | undefined, RegExp> = new Map([
  ['ascii', /[^\0-\x7f]/],
  ['latin1', /[^\0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/],
  ['utf8', /[\u{10000}-\u{10ffff}]/u],
  ['utf8mb3', /[\u{10000}-\u{10ffff}]/u],
])

/** The characters that the character set of a collation of MySQL does not have; `undefined` for none. It compares no column of it with them. */
export function lackedBy(collation: string | null): RegExp | undefined {
  return lacking.get(collation?.split('_')[0])
}
