/** Says which values are allowed: `must be one of open, paid`. */
export function mustBeOneOf(values: Iterable<unknown>): string {
  const texts = [...new Set(values)].filter((value) => value !== null).map(String)
  return texts.length === 1 ? `must be ${texts[0]}` : `must be one of ${texts.join(', ')}`
}
