import { sql } from 'kysely'
import { digitsOf } from '../convention/decimal.ts'
import { type FloatForm, floatDigits, scaled, whole } from './digits.ts'
import type { Column, Sql } from './engine.ts'

// A double holds all numbers of so many digits, and SQLite writes them without an exponent.
const mostDigits = 15
const bound = 10 ** mostDigits

/** Returns the text of a number in a column of digits, with the scale of its type. */
export function digitsIn({ name, scale = 0 }: Column): Sql {
  const value = sql.id(name)
  const isInteger = sql`typeof(${value}) = 'integer'`
  const isPlain = sql`typeof(${value}) = 'real' and abs(${value}) < ${sql.lit(bound)}`
  const rounded = sql`cast(${value} as integer)`
  const short = sql`printf('%!.15g', ${value})`
  const fixed = sql`printf(${sql.lit(`%.${scale}f`)}, ${value})`
  const withScale =
    scale > 0
      ? sql`when ${isInteger} then ${value} || ${sql.lit(`.${'0'.repeat(scale)}`)}
          when ${isPlain} and cast(${fixed} as real) = ${value} then ${fixed}`
      : sql``
  return sql`case ${withScale}
    when typeof(${value}) = 'blob' then 'X''' || hex(${value}) || ''''
    when typeof(${value}) <> 'real' then cast(${value} as text)
    when ${isPlain} and ${rounded} = ${value} then cast(${rounded} as text)
    when cast(${short} as real) = ${value} then ${short} else printf('%!.17g', ${value}) end`
}

const form: FloatForm = {
  plain: [-4, mostDigits],
  exponent: (power) => `${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`,
  point: '.0',
}

/**
 * Returns a text as {@link digitsIn} returns it from a column that stores it as a number, and
 * `undefined` for another text.
 */
export function looseDigits({ type, scale, most }: Column, text: string): string | undefined {
  const isInteger = whole.test(text)
  // SQLite keeps whole numbers of 64 bits, and the first 15 digits of other numbers.
  const isHeld = isInteger && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
  if (/int/i.test(type)) return isHeld ? text : undefined
  const number = Number(text)
  // A column of doubles stores whole numbers as doubles.
  const isNumeric = most < Number.MAX_VALUE
  if (isHeld && isNumeric) return scale === undefined ? text : scaled(text, scale)
  if (digitsOf(text).length > mostDigits) return undefined
  if (scale !== undefined) return Math.abs(number) < bound ? scaled(text, scale) : undefined
  // SQLite stores it as a whole number.
  if (isNumeric && Number.isInteger(number) && Math.abs(number) < 2 ** 63) return undefined
  const isSubnormal = number !== 0 && Math.abs(number) < leastNormal
  return isSubnormal ? undefined : floatDigits(text, `${number}`, form)
}

// Lesser doubles have fewer digits than SQLite writes.
const leastNormal = 1e-290
