/** Tells whether a number is a multiple of another, as their decimal digits say: `0.3` of `0.1`. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value / divisor) && Number.isInteger(divisor)) return true
  const places = Math.max(placesOf(value), placesOf(divisor))
  return scaled(value, places) % scaled(divisor, places) === 0n
}

/** Returns the least number that is a multiple of all divisors. */
export function commonMultiple(divisors: readonly number[]): number {
  const places = Math.max(0, ...divisors.map(placesOf))
  const whole = divisors
    .map((divisor) => scaled(divisor, places))
    .reduce((one, other) => (one / greatestCommon(one, other)) * other)
  return toNumber(whole, places)
}

/** Returns a multiple of a divisor without the error of floating point: `3` of `0.1` → `0.3`. */
export function multipleAt(factor: number, divisor: number): number {
  const places = placesOf(divisor)
  return toNumber(BigInt(factor) * scaled(divisor, places), places)
}

function greatestCommon(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestCommon(other, one % other)
}

// The digits after the point: `1.5e-7` has 8.
function placesOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

function scaled(value: number, places: number): bigint {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  const zeros = places + Number(exponent) - fraction.length
  return BigInt(whole + fraction + '0'.repeat(Math.max(0, zeros)))
}

function toNumber(whole: bigint, places: number): number {
  return Number(`${whole}e-${places}`)
}
