const wholeSyntax = /^-?\d+$/
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Tells whether a text is a number that a database holds, but JSON does not: of many digits, or
 * infinite.
 */
export function isWide(text: string): boolean {
  if (!decimal.test(text)) return /^(?:NaN|-?Infinity)$/.test(text)
  return toExact(text) === text || Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER
}

/**
 * Returns the number in a text: `1.50` → `1.5`; the text itself for another text, or where a double
 * would lose digits.
 */
export function toExact(text: string): number | string {
  const number = Number(text)
  const isHeld = text.length < 16 || digitsOf(text) === digitsOf(String(number))
  return isHeld && decimal.test(text) ? number : text
}

/** Tells whether a text is a whole number, without a fraction and an exponent. */
export function isWhole(text: string): boolean {
  return wholeSyntax.test(text)
}

/**
 * Tells whether a double holds a whole number exactly, which is not beyond its range. The digits in
 * which JavaScript writes a double pass as well: it writes 2^55 as `36028797018963970`.
 */
export function isHeldExactly(integer: string): boolean {
  if (integer.length < 16) return true
  const number = Number(integer)
  return integer === String(number) || BigInt(integer) === BigInt(number)
}

/** Returns the digits of a number without outer zeros: `-0.150E7` → `15`. */
export function digitsOf(number: string): string {
  const digits = number.replace(/e.*|\D/gi, '').replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
