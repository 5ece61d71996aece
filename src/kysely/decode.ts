import { toExact } from '../model/format.ts'
import { toBase64 } from './bytes.ts'
import type { Column } from './engine.ts'
import type { FieldType } from './field.ts'

/** Makes the value of a field from the driver's value of its column. */
export type Decode = (value: unknown) => unknown

/**
 * Returns the decoder of a column for a field type, and `undefined` if the driver's value is the
 * field. No decoder throws: one useless value would fail the whole list.
 */
export function decoderOf(type: FieldType, column: Column): Decode | undefined {
  const { family, isNumeric } = column
  if (type === 'number') return numberDecoderOf(column)
  if (type === 'boolean') return booleanDecoderOf(numberDecoderOf(column))
  if (type === 'json') return toJson
  if (family === 'binary') return (value) => toBase64(toText(value))
  if (family === 'timestamp') return (value) => String(value).replace(/000Z$/, 'Z')
  return family === 'text' && isNumeric !== true ? undefined : toText
}

function numberDecoderOf({
  isLoose,
  isNumeric,
  isSingle,
  isDouble,
  isWhole,
  most,
}: Column): Decode {
  if (isLoose) return isNumeric && most < wide ? toLooseWhole : toLoose
  if (isSingle) return toShort
  if (isDouble) return toNearest
  return isWhole ? toWhole : toNumber
}

// No column of whole numbers holds this number.
const wide = 2 ** 64

// Rounding on the way in may have made this wide number, so the field takes it as text only.
function toWhole(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : toText(value)
}

// A text in this column was not read as a number.
function toLoose(value: unknown): unknown {
  if (typeof value === 'bigint') return toWhole(value)
  return typeof value === 'number' ? toNearest(value) : toText(value)
}

function toLooseWhole(value: unknown): unknown {
  if (Number.isSafeInteger(value)) return value
  const isWide = Number.isInteger(value) && Math.abs(Number(value)) < wide
  return isWide ? toWhole(BigInt(Number(value))) : toLoose(value)
}

// A number besides 0 and 1 stays a number, so that a client does not lose it on the way back.
function booleanDecoderOf(decode: Decode): Decode {
  return (value) => {
    if (typeof value === 'boolean') return value
    const number = decode(value)
    return number === 0 || number === 1 ? number === 1 : number
  }
}

// Drivers return wide numbers as text. Rounding would make one id of two, and store another number
// later.
function toNumber(value: unknown): unknown {
  return typeof value === 'number' ? toNearest(value) : toExact(toText(value))
}

function toNearest(value: unknown): unknown {
  const number = Number(value)
  return Number.isFinite(number) ? number : toText(value)
}

// The shortest decimal number that has these 32 bits.
function toShort(value: unknown): unknown {
  const number = Number(value)
  const short = [6, 7, 8].map((digits) => Number(number.toPrecision(digits)))
  return short.find((other) => Math.fround(other) === number) ?? Number(number.toPrecision(9))
}

function toJson(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return toLoose(value)
  if (typeof value !== 'string' && !ArrayBuffer.isView(value)) return value
  const text = toText(value)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const utf8 = new TextDecoder()

function toText(value: unknown): string {
  return ArrayBuffer.isView(value) ? utf8.decode(value) : String(value)
}
