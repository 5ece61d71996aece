import { toExact } from '../model/format.ts'
import { toBase64 } from './bytes.ts'
import type { Column } from './engine.ts'
import type { FieldType } from './field.ts'

/** Makes a field of an item, from what the driver gave for its column. */
export type Decode = (value: unknown) => unknown

/**
 * What makes a field of a type of what is read of a column; `undefined` where that is the field. None throws: a value that is of no use
 * in one item would take the whole list away.
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

// No column of whole numbers holds it.
const wide = 2 ** 64

// Another whole number may have been rounded to a wide one when it was sent, so that it is taken as text only.
function toWhole(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : toText(value)
}

// A text in it is no number that was read as text.
function toLoose(value: unknown): unknown {
  if (typeof value === 'bigint') return toWhole(value)
  return typeof value === 'number' ? toNearest(value) : toText(value)
}

function toLooseWhole(value: unknown): unknown {
  if (Number.isSafeInteger(value)) return value
  const isWide = Number.isInteger(value) && Math.abs(Number(value)) < wide
  return isWide ? toWhole(BigInt(Number(value))) : toLoose(value)
}

// A number that is neither 0 nor 1 is given as it is, so that it is not lost when it is sent back.
function booleanDecoderOf(decode: Decode): Decode {
  return (value) => {
    if (typeof value === 'boolean') return value
    const number = decode(value)
    return number === 0 || number === 1 ? number === 1 : number
  }
}

// Drivers give wide numbers as text. To round one would make one id of two, and store another number when it is sent back.
function toNumber(value: unknown): unknown {
  return typeof value === 'number' ? toNearest(value) : toExact(toText(value))
}

function toNearest(value: unknown): unknown {
  const number = Number(value)
  return Number.isFinite(number) ? number : toText(value)
}

// The shortest number that is this one in 32 bits.
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
