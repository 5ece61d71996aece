import { digitsOf } from '../../convention/decimal.ts'
import { type Column, numbersOf } from './engine.ts'

/** The text of a whole number, without zeros before it. */
export const wholeNumber = /^(?:0|-?[1-9]\d*)$/
const decimal = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/
const double = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/

/**
 * Returns a text as a column of exact numbers holds and returns it, and `undefined` for a text
 * that the column cannot hold. A type with a scale holds numbers by value: `10.1` → `10.10`.
 */
export function exactDigits(column: Column, text: string): string | undefined {
  const form = numbersOf(column)
  if (form?.precision === 'whole') return wholeNumber.test(text) ? text : undefined
  if (form?.scale === undefined) return decimal.test(text) && !isMinusZero(text) ? text : undefined
  const held = scaled(text, form.scale)
  const most = form.precision === 'exact' ? form.integers : undefined
  const isHeld = held !== undefined && integersIn(held) <= (most ?? Number.POSITIVE_INFINITY)
  return isHeld ? held : undefined
}

function integersIn(held: string): number {
  return held.replace(/\..*|-/g, '').replace(/^0$/, '').length
}

// `-0` comes back as `0`.
function isMinusZero(text: string): boolean {
  return text.startsWith('-') && digitsOf(text) === ''
}

/**
 * Returns a number with so many digits after the point: `10.1` → `10.10`. Returns `undefined` for
 * another text, and for a number with more digits.
 *
 * @param scale A negative one rounds before the point.
 */
export function scaled(text: string, scale: number): string | undefined {
  const parts = decimal.exec(text)
  if (parts === null) return undefined
  const [, sign = '', integer = '', fraction = ''] = parts
  const digits = fraction.slice(0, Math.max(0, scale)).padEnd(Math.max(0, scale), '0')
  const lost = fraction.slice(Math.max(0, scale)) + (scale < 0 ? integer.slice(scale) : '')
  if (digitsOf(lost) !== '') return undefined
  const value = digits === '' ? integer : `${integer}.${digits}`
  return digitsOf(value) === '' ? value : `${sign}${value}`
}

/** The text of a floating-point number as an engine writes it. */
export interface FloatForm {
  /** The least and the greatest exponent without `e`. */
  readonly plain: readonly [least: number, greatest: number]
  /** Writes the exponent. */
  exponent(exponent: number): string
  /** Follows a single digit before the exponent. Default: nothing. */
  readonly point?: string
}

/**
 * Returns a text if a column of floating-point numbers returns it unchanged.
 *
 * @param short The shortest digits of the number that the column stores, as JavaScript writes it.
 */
export function floatDigits(text: string, short: string, form: FloatForm): string | undefined {
  return double.test(text) && printed(short, form) === text ? text : undefined
}

function printed(short: string, { plain, exponent, point = '' }: FloatForm): string {
  const digits = digitsOf(short)
  if (digits === '') return '0'
  const sign = short.startsWith('-') ? '-' : ''
  const power = powerOf(short, digits.length)
  const [least, greatest] = plain
  if (power >= least && power < greatest) return sign + placed(digits, power)
  const [first = '', tail = ''] = [digits.slice(0, 1), digits.slice(1)]
  const after = tail === '' ? point : `.${tail}`
  return `${sign}${first}${after}e${exponent(power)}`
}

// The power of ten of the first digit.
function powerOf(short: string, length: number): number {
  return Number(
    Number(short)
      .toExponential(length - 1)
      .replace(/^.*e/, ''),
  )
}

// `15`, 2 → `150`; `15`, -1 → `0.15`
function placed(digits: string, power: number): string {
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${digits}`
  const integer = digits.slice(0, power + 1).padEnd(power + 1, '0')
  const fraction = digits.slice(power + 1)
  return fraction === '' ? integer : `${integer}.${fraction}`
}

/** Tells whether digits lie exactly halfway between a double that they mean and the next one. */
export function isHalfway(digits: string, number: number): boolean {
  const [bits = 0n] = new BigInt64Array(Float64Array.of(Math.abs(number)).buffer)
  const exponent = Number(bits >> fractionBits)
  const fraction = bits & (implicitBit - 1n)
  // The double is `mantissa` times 2 to the power `exponent - 1075`. Twice more digits show halves.
  const mantissa = 4n * (exponent === 0 ? fraction : fraction + implicitBit)
  const power = Math.max(1, exponent) - 1077
  const [, integer = '', decimals = '', ten = '0'] = floating.exec(digits) ?? []
  const shift = Number(ten) - decimals.length
  const value = BigInt(integer + decimals) * 10n ** BigInt(Math.max(0, shift))
  const scale = 10n ** BigInt(Math.max(0, -shift))
  const distance =
    value * 2n ** BigInt(Math.max(0, -power)) - mantissa * 2n ** BigInt(Math.max(0, power)) * scale
  const half = 2n * 2n ** BigInt(Math.max(0, power)) * scale
  // The next lesser double of a power of two is half as far.
  const isPower = fraction === 0n && exponent > 1
  return distance === half || -distance === (isPower ? half / 2n : half)
}

const fractionBits = 52n
const implicitBit = 2n ** fractionBits
const floating = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/

/**
 * Returns the shortest digits of a double as PostgreSQL writes them: none halfway to the next one.
 * JavaScript takes such digits: 1e23, here 9.999999999999999e+22.
 */
export function shortest(number: number): string {
  const short = `${number}`
  if (!isHalfway(short, number)) return short
  const means = (digits: string): boolean => Number(digits) === number && !isHalfway(digits, number)
  const longer = [15, 16, 17].map((digits) => number.toPrecision(digits))
  return longer.find(means) ?? short
}

/**
 * Returns a number of 32 bits with the shortest digits, as PostgreSQL writes it. The least numbers
 * have one digit. Between two of equal distance, it is the even one.
 */
export function shortestSingle(single: number): number {
  const rounded = (digits: number): number => Number(toEven(single, digits))
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].find((some) => isWithinHalf(rounded(some), single))
  return rounded(digits ?? 9)
}

// PostgreSQL takes no digits halfway to the next number, though they are read as this one.
function isWithinHalf(number: number, single: number): boolean {
  const mirrored = 2 * number - single
  return Math.fround(number) === single && (number === single || Math.fround(mirrored) !== mirrored)
}

// JavaScript rounds a tie away from zero: 471982.125 → 4.7198213e+5, and here 4.7198212e+5.
function toEven(single: number, digits: number): string {
  const [exact = '', exponent = ''] = single.toExponential(digits).split('e')
  const isTie = exact.endsWith('5') && Number(`${exact}e${exponent}`) === single
  const isEven = /[02468]\.?5$/.test(exact)
  return isTie && isEven ? `${exact.slice(0, -1)}e${exponent}` : single.toPrecision(digits)
}

/** Tells whether a text has at most so many characters (code points, as databases count). */
export function isWithin(text: string, length: number): boolean {
  return text.length <= length || (text.length <= 2 * length && [...text].length <= length)
}
