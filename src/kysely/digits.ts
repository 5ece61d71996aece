import { digitsOf } from '../model/format.ts'
import type { Column } from './engine.ts'

const whole = /^(?:0|-?[1-9]\d*)$/
const decimal = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/
const double = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/

/**
 * Tells whether a text is a number that a column holds with all its digits. A column of two
 * decimals holds `1.50`, not `1.505`.
 */
export function holdsDigits(column: Column, text: string): boolean {
  const { isWhole, isLoose, isDouble, isSingle, scale = Number.POSITIVE_INFINITY } = column
  if ((isWhole || scale === 0) && !whole.test(text)) return false
  if (isWhole) return true
  if (isDouble || isSingle)
    return double.test(text) && digitsOf(text) === digitsOf(`${Number(text)}`)
  const parts = decimal.exec(text)
  if (parts === null || (parts[1] ?? '').length > scale) return false
  if (!isLoose) return true
  // SQLite keeps whole numbers of 64 bits, and the first 15 digits of other numbers.
  const isInteger = whole.test(text) && column.most < Number.MAX_VALUE
  return isInteger ? BigInt.asIntN(64, BigInt(text)) === BigInt(text) : digitsOf(text).length < 16
}

/** Tells whether a text has at most so many characters (code points, as databases count). */
export function isWithin(text: string, length: number): boolean {
  return text.length <= length || (text.length <= 2 * length && [...text].length <= length)
}
