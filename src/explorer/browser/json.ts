/** The value of a JSON text; `undefined` where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * What to say of the first integer in a text, of JSON or of a number, that a number of JSON does not hold as it is written;
 * `undefined` for none.
 */
export function roundedIn(text: string): string | undefined {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[\d.]+(?:e[+-]?\d+)?/gi) ?? []
  const rounded = tokens.find((token) => /^\d+$/.test(token) && !isExact(token))
  return rounded === undefined
    ? undefined
    : `cannot hold ${rounded}: as a number that becomes ${Number(rounded)}`
}

// Digits that a double itself is written with are no loss, though they may not be all that it has.
function isExact(digits: string): boolean {
  const number = Number(digits)
  if (Number.isSafeInteger(number) || String(number) === digits) return true
  return Number.isFinite(number) && BigInt(number) === BigInt(digits)
}
