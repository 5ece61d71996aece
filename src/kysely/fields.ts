import type { Scalar } from '../contract/resource/operation.ts'
import { foldCase } from '../contract/values/order.ts'
import { isWide, toExact } from '../convention/decimal.ts'
import { isClock, isDay, isMoment, storedDate } from '../convention/format.ts'
import { fieldOf } from '../convention/value.ts'
import {
  type Column,
  type ColumnKind,
  type Engine,
  type NumberForm,
  numbersOf,
  type PresentScalar,
  scaleOf,
} from './engine/engine.ts'
import type { ColumnField, FieldType, ValueForm } from './options.ts'

/**
 * Returns a value in the form that its column stores: a date in a column of text has one form.
 * Returns `undefined` for a date without it.
 */
export function inStoredForm({ isDate, type, stored }: BoundField, value: unknown): unknown {
  const isText = type === 'text' && (stored.kind === 'text' || stored.kind === 'any')
  return isDate && isText && typeof value === 'string' ? storedDate(value) : value
}

/** Returns a column whose texts leave as they are, also those of SQLite's own clock. */
export function withoutClock(column: Column): Column {
  return column.loose?.isClock ? { ...column, loose: { ...column.loose, isClock: false } } : column
}

/**
 * Returns a column as its field uses it. A number in a text field compares and sorts as text, and a
 * list is the text of the database.
 */
export function asStored(column: Column, { type, isMoment }: ValueForm): Column {
  if (type === 'text' && column.kind === 'list') return { ...column, kind: 'other' }
  const number = column.kind === 'number' && column.hasNoText ? undefined : numbersOf(column)
  if (type === 'text' && number !== undefined && column.kind !== 'boolean') {
    // A rounded double of MySQL equals no text of its digits.
    const isRounded = scaleOf(column) !== undefined && number.precision === 'double'
    const isGuarded = number.precision === 'widened' || isRounded
    const equality = isGuarded ? 'guarded' : 'wide'
    return { ...column, number, equality, order: 'other', kind: 'digits' }
  }
  return isMoment ? column : withoutClock(column)
}

/** Encodes the value of a field for the driver. A missing value is `null`. */
export function encode(
  { type, stored, element }: StoredValue,
  value: unknown,
  engine: Engine,
): unknown {
  if (value === undefined || value === null) return null
  if (element !== undefined && Array.isArray(value)) {
    return engine.encode(
      stored,
      value.map((item) => encode(element, item, engine)),
    )
  }
  if (stored.kind === 'digits') return engine.digits(stored, `${value}`) ?? value
  if (type === 'number' && typeof value === 'string') return toWide(value, stored)
  if (stored.kind === 'binary') return toHex(`${value}`)
  if (typeof value === 'boolean' && stored.kind === 'number') return Number(value)
  return engine.encode(stored, type === 'json' ? JSON.stringify(value) : value)
}

// An item holds infinite numbers and numbers that JSON would round as text. A column of SQLite may
// keep a text as text.
function toWide(text: string, { loose }: Column): string | number | bigint {
  if (/^(?:NaN|-?Infinity)$/.test(text)) return Number(text)
  return loose?.affinity === 'none' && /^-?\d{1,18}$/.test(text) ? BigInt(text) : text
}

/**
 * Returns the decoder of a column for a field type, and `undefined` if the driver's value is the
 * field. No decoder throws: one useless value would fail the whole list.
 */
export function decoderOf(type: FieldType, column: Column): Decode | undefined {
  const { kind } = column
  if (type === 'number') return numberDecoderOf(column)
  if (type === 'boolean') return booleanDecoderOf(numberDecoderOf(column))
  if (type === 'json') return toJson
  if (kind === 'binary') return (value) => toBase64(toText(value))
  if (column.loose) return toLooseText
  if (kind === 'timestamp') return (value) => String(value).replace(/000Z$/, 'Z')
  return kind === 'text' ? undefined : toText
}

/** Returns the decoder of a column of lists, by the decoder of its elements. */
export function listDecoderOf(decode: Decode = (value) => value): Decode {
  return (value) => {
    const list = toJson(value)
    return Array.isArray(list) ? list.map((item) => (item === null ? null : decode(item))) : list
  }
}

function numberDecoderOf(column: Column): Decode {
  if (column.loose) return column.loose.affinity === 'numeric' ? toLooseWhole : toLoose
  return decoders[numbersOf(column)?.precision ?? 'exact']
}

// No column of whole numbers holds this number.
const wide = 2 ** 64

const decoders: Readonly<Record<NumberForm['precision'], Decode>> = {
  whole: toWhole,
  exact: toNumber,
  double: toNearest,
  single: toNearest,
  widened: toShort,
}

// Rounding on the way in may have made this wide number, so the field takes it as text only.
function toWhole(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : toText(value)
}

// A text in this column was not read as a number.
function toLoose(value: unknown): unknown {
  if (typeof value === 'bigint') return toWhole(value)
  return typeof value === 'number' ? toNearest(value) : toLooseText(value)
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

/** Returns the shortest decimal number that has these 32 bits. */
export function toShort(value: unknown): number {
  const number = Number(value)
  const short = [6, 7, 8].map((digits) => Number(number.toPrecision(digits)))
  return (
    short.find((candidate) => Math.fround(candidate) === number) ?? Number(number.toPrecision(9))
  )
}

function toJson(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return toLoose(value)
  if (typeof value !== 'string' && !ArrayBuffer.isView(value)) return value
  const text = toText(value)
  try {
    const parsed: unknown = JSON.parse(text)
    // No response can hold such a number.
    return mayBeEndless.test(text) && !isFiniteThroughout(parsed) ? text : parsed
  } catch {
    return text
  }
}

/** Tells whether a number or bytes of SQLite leave as a text: `5`, `X'00FF'`. */
export function isTextOfOther(text: string): boolean {
  return bytesOfLiteral(text) !== undefined || !Number.isNaN(Number(text))
}

// A double ends before 1e309. Fewer digits suffice to look closer, and keep the expression small.
const mayBeEndless = /\d{20}|[eE]\+?\d{3}/

function isFiniteThroughout(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return (
    typeof value !== 'object' || value === null || Object.values(value).every(isFiniteThroughout)
  )
}

const utf8 = new TextDecoder()

function toText(value: unknown): string {
  return ArrayBuffer.isView(value) ? utf8.decode(value) : String(value)
}

// A text column of SQLite may hold bytes, which sort after all texts. They leave as SQLite writes
// them, so that a cursor tells them from a text.
function toLooseText(value: unknown): string {
  if (typeof value === 'string') return value
  const bytes = blobOf(value)
  if (bytes === undefined) return String(value)
  return `X'${[...bytes]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}'`
}

// The bytes as the drivers of SQLite return them.
function blobOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  }
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return Array.isArray(value) ? Uint8Array.from(value) : undefined
}

const literal = /^X'((?:[\dA-F]{2})*)'$/

/** Returns the bytes that SQLite writes as a literal: `X'00FF'`. `undefined` for another value. */
export function bytesOfLiteral(value: unknown): Uint8Array | undefined {
  const [, digits] = literal.exec(String(value)) ?? []
  if (digits === undefined) return undefined
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

// `AP8=` → `00ff`
function toHex(base64: string): string {
  const bytes = Array.from(atob(base64), (byte) => byte.charCodeAt(0))
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

// Digits of any case → base64 (RFC 4648 §4).
function toBase64(hex: string): string {
  const bytes = hex.match(/../g) ?? []
  return btoa(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''))
}

/** Returns the number of bytes of a canonical base64 text, and `undefined` for other texts. */
function bytesIn(base64: string): number | undefined {
  try {
    const bytes = atob(base64)
    return btoa(bytes) === base64 ? bytes.length : undefined
  } catch {
    return undefined
  }
}

/** Makes the value of a field from the driver's value of its column. */
export type Decode = (value: unknown) => unknown

/** The values of a column, or the elements of a column of lists. */
export interface BoundValue extends ValueForm {
  readonly type: FieldType
  readonly stored: Column
  /** Makes the value from the driver's value, or `undefined` if the value is that value. */
  readonly decode: Decode | undefined
}

/** A field and its column. */
export interface BoundField extends ColumnField, BoundValue {
  readonly type: FieldType
  /** The name of the field in a result. */
  readonly alias: string
  /** The elements of a column of lists. Default: the column holds no list. */
  readonly element: BoundValue | undefined
  /** The column holds the fold of this field. Default: the field itself. */
  readonly foldOf?: string
}

/** Returns the value that a column holds of an item. */
export function valueIn({ name, foldOf }: BoundField, item: object): unknown {
  if (foldOf === undefined) return fieldOf(item, name)
  const value = fieldOf(item, foldOf)
  return typeof value === 'string' ? foldCase(value) : value
}

/** The column of a value, and of the elements where it holds a list. */
export type StoredValue = Pick<BoundValue, 'type' | 'stored'> & {
  readonly element?: BoundField['element']
}

/**
 * Tells whether a column can hold a value and return it unchanged. A database may change a value
 * silently (round a number, drop an offset) or reject even a search for it.
 */
export function fits(
  { type, stored, element }: StoredValue,
  value: unknown,
  engine: Engine,
): boolean {
  if (value === null || value === undefined) return true
  if (element !== undefined) {
    const isList = Array.isArray(value) && value.every((item) => fits(element, item, engine))
    return isList && engine.canHold(stored, value)
  }
  // SQLite stores it as a number, not as JSON.
  const isNumber = typeof value === 'number' && stored.loose?.affinity === 'numeric'
  if (type === 'json') return !isNumber || !Number.isInteger(value) || Number.isSafeInteger(value)
  if (isOdd(type, value)) return engine.mayGive(stored, value)
  if (typeof value !== types[type]) return false
  if (typeof value === 'number' && !isWithinLimits(stored, value)) return false
  if (stored.kind === 'binary' && !isBytes(stored.size, `${value}`)) return false
  return hasForm(stored, value, engine) && engine.canHold(stored, value)
}

function isBytes(size: number | undefined, base64: string): boolean {
  const bytes = bytesIn(base64)
  return bytes !== undefined && (size === undefined || bytes === size)
}

function hasForm(stored: Column, value: unknown, engine: Engine): boolean {
  const isForm = forms[stored.kind]
  if (typeof value !== 'string' || isForm === undefined) return true
  return isForm(value) || engine.hasOwnForm(stored, value)
}

function isWithinLimits(column: Column, value: number): boolean {
  if (column.loose) return isWithinLoose(column.loose, value)
  const form = numbersOf(column)
  if (form?.precision !== 'whole') return true
  // The least number is one further from 0 than the greatest.
  if (value === -form.most - 1) return Number.isSafeInteger(value)
  return Number.isInteger(value) && Math.abs(value) <= form.most
}

// SQLite stores whole numbers as such, except in columns of doubles, and not all can be read
// again. It has no whole numbers of 64 bits and more.
function isWithinLoose({ affinity }: NonNullable<Column['loose']>, value: number): boolean {
  if (affinity === 'real' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true
  return affinity === 'numeric' && Math.abs(value) >= wide
}

/** Tells whether a column returns a text in this spelling, if it holds it. */
export function isCanonical(stored: Column, text: string, engine: Engine): boolean {
  if (stored.kind === 'digits') return engine.digits(stored, text) === text
  // MariaDB's own type compares as text.
  const isUuid = stored.kind === 'uuid' || (stored.kind === 'other' && stored.type === 'uuid')
  return !isUuid || text === text.toLowerCase()
}

/** Tells whether a column may hold a value in exactly this spelling. */
export function isFindable(field: BoundField, value: unknown, engine: Engine): boolean {
  return isCanonical(field.stored, `${value}`, engine) && fits(field, value, engine)
}

/**
 * Tells whether a column may have returned a value of a position. The database would reject another
 * value or interpret it: `now`, `infinity`. It accepts more than {@link fits}, since other programs
 * write to the table too.
 */
export function mayStand({ type, stored }: BoundField, value: Scalar, engine: Engine): boolean {
  // A list and an object of JSON have no place of their own in an order.
  if (value === null) return stored.isNullable || type === 'json'
  if (type === 'json') return engine.mayGive(stored, value)
  const isOther = stored.loose ? mayLeaveAs(type, value) : isOdd(type, value)
  const isTyped = typeof value === types[type] || isOther
  return isTyped && hasForm(stored, value, engine) && engine.mayGive(stored, value)
}

// A column of SQLite holds texts and bytes in place of numbers. A text field has texts only.
function mayLeaveAs(type: FieldType, value: Scalar): boolean {
  return typeof value === 'string' || (type === 'boolean' && typeof value === 'number')
}

// A number that JSON cannot hold, as text, or a number besides 0 and 1 instead of a boolean.
function isOdd(type: FieldType, value: unknown): value is PresentScalar {
  if (type === 'boolean') return typeof value === 'number' && value !== 0 && value !== 1
  return type === 'number' && typeof value === 'string' && isWide(value)
}

const types: Readonly<Record<Exclude<FieldType, 'json'>, string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
}

// RFC 3339 §5.6. Each database accepts other forms of its own.
const forms: { readonly [Of in ColumnKind]?: (text: string) => boolean } = {
  date: isDay,
  time: isClock,
  timestamp: (text) => isMoment(text) && !isBeyondMicroseconds(text),
}

/** Tells whether a moment has digits that no timestamp holds. A database would cut or round it. */
export function isBeyondMicroseconds(moment: string): boolean {
  return /\.\d{6}0*[1-9]/.test(moment)
}
