/**
 * Returns a message about the first integer in a text that loses digits as a JSON number;
 * `undefined` for none.
 */
export function precisionLossIn(text: string): string | undefined {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[\d.]+(?:e[+-]?\d+)?/gi) ?? []
  const rounded = tokens.find((token) => /^\d+$/.test(token) && !isExact(token))
  return rounded === undefined
    ? undefined
    : `cannot hold ${rounded}: as a number that becomes ${Number(rounded)}`
}

// A text that JavaScript writes for the same number loses nothing.
function isExact(digits: string): boolean {
  const number = Number(digits)
  if (Number.isSafeInteger(number) || String(number) === digits) return true
  return Number.isFinite(number) && BigInt(number) === BigInt(digits)
}
