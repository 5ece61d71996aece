import type { Json } from '../contract/schema/schema.ts'
import { fieldOf } from '../convention/value.ts'
import { isJsonObject } from './canonical.ts'

/** Returns the fault of a JSON value, as text; `undefined` for none. */
export type ShapeCheck = (value: Json | undefined, at: string) => string | undefined

function isOne(word: string, test: (value: Json | undefined) => boolean): ShapeCheck {
  return (value, at) => (test(value) ? undefined : `${at} is not ${word}`)
}

/** Checks for text. */
export const isText = isOne('text', (value) => typeof value === 'string')

/** Checks for a date, or a moment of RFC 3339. */
export const isDate = isOne(
  'a date',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)

/** Checks for a number. */
export const isNumber = isOne('a number', (value) => typeof value === 'number')

/** Checks for true or false. */
export const isFlag = isOne('true or false', (value) => typeof value === 'boolean')

/** Checks for an object with any members. */
export const isAnyObject = isOne('an object', (value) => value !== undefined && isJsonObject(value))

/** Checks for any JSON value. */
export const isPresent = isOne('there', (value) => value !== undefined)

/** Checks for one of some values. */
export function isAmongValues(values: readonly Json[]): ShapeCheck {
  const list = values.map((value) => JSON.stringify(value)).join(', ')
  return isOne(`one of ${list}`, (value) => values.some((one) => one === value))
}

/** Checks for a value that one of the checks takes. */
export function isEither(one: ShapeCheck, other: ShapeCheck): ShapeCheck {
  return (value, at) => one(value, at) && other(value, at)
}

/** Checks for `null`, or a value that a check takes. */
export function orNull(check: ShapeCheck): ShapeCheck {
  return (value, at) => (value === null ? undefined : check(value, at))
}

/** Checks for a value that a check takes, or for none. */
export function orAbsent(check: ShapeCheck): ShapeCheck {
  return (value, at) => (value === undefined ? undefined : check(value, at))
}

/** Checks for a list of values that a check takes. */
export function isListOf(check: ShapeCheck): ShapeCheck {
  return (value, at) =>
    Array.isArray(value)
      ? firstOf(value.map((element, index) => () => check(element, `${at}/${index}`)))
      : `${at} is not a list`
}

/** Checks for an object of values that a check takes, by any names. */
export function isRecordOf(check: ShapeCheck): ShapeCheck {
  return (value, at) =>
    value !== undefined && isJsonObject(value)
      ? firstOf(
          Object.entries(value).map(
            ([name, one]) =>
              () =>
                check(one, `${at}/${name}`),
          ),
        )
      : `${at} is not an object`
}

/** Checks for an object with some members. It may have others. */
export function hasMembers(members: Readonly<Record<string, ShapeCheck>>): ShapeCheck {
  return (value, at) =>
    value !== undefined && isJsonObject(value)
      ? firstOf(
          Object.entries(members).map(
            ([name, check]) =>
              () =>
                check(fieldOf(value, name) as Json | undefined, `${at}/${name}`),
          ),
        )
      : `${at} is not an object`
}

function firstOf(faults: readonly (() => string | undefined)[]): string | undefined {
  for (const fault of faults) {
    const text = fault()
    if (text !== undefined) return text
  }
  return undefined
}
