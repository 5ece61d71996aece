// JavaScript writes 2^60 as 1152921504606847000, which no double holds.
function isExact(part: unknown): boolean {
  const isWide = typeof part === 'number' && /^-?\d{16,}$/.test(`${part}`)
  return !isWide || BigInt(`${part}`) === BigInt(part)
}

/** Tells whether the server reads each number of a value as `JSON.stringify` writes it. */
export function isHeld(value: unknown): boolean {
  const parts: unknown[] = []
  JSON.stringify(value, (_, part) => {
    parts.push(part)
    return part
  })
  return parts.every(isExact)
}
