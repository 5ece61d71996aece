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
  if (isDouble || isSingle) return double.test(text) && isDoubleText(text)
  const parts = decimal.exec(text)
  if (parts === null || (parts[1] ?? '').length > scale) return false
  return isLoose !== true || isLooseText(column, text)
}

function isDoubleText(text: string): boolean {
  return digitsOf(text) === digitsOf(`${Number(text)}`)
}

// SQLite keeps whole numbers of 64 bits, and the first 15 digits of other numbers.
function isLooseText({ most }: Column, text: string): boolean {
  const isInteger = whole.test(text) && most < Number.MAX_VALUE
  return isInteger ? isLong(BigInt(text)) : digitsOf(text).length < 16
}

function isLong(number: bigint): boolean {
  return number >= -(2n ** 63n) && number < 2n ** 63n
}
