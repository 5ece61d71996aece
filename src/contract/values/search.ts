import { isWide } from '../../convention/decimal.ts'
import type { Comparison, Condition, FilterType } from '../../convention/filter-operators.ts'
import { momentKey } from '../../convention/format.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import type { Scalar } from '../resource/operation.ts'
import { filterPathOf } from '../schema/filter.ts'
import { compareValues, foldCase, foldedKey, scalarOf } from './order.ts'

/** Splits a search at white space: `' Ann  lee '` → `['Ann', 'lee']`. */
export function wordsOf(q: string): string[] {
  return q.split(/\s+/u).filter((word) => word !== '')
}

/** Returns the text of some fields of an item, with its case folded. */
export type TextOf = (item: object, fields: readonly string[]) => string

/** Makes a test for items that have every word in some of the fields, ignoring case. */
export function matching(
  words: readonly string[],
  fields: readonly string[],
  textOf: TextOf = foldedText,
): (item: object) => boolean {
  const foldedWords = withoutFragments(words.map(foldCase))
  return (item) => {
    if (foldedWords.length === 0) return true
    const text = textOf(item, fields)
    return foldedWords.every((word) => text.includes(word))
  }
}

// A word includes its fragments, and a repeated word costs twice.
function withoutFragments(words: readonly string[]): readonly string[] {
  const distinctWords = [...new Set(words)]
  return distinctWords.filter(
    (word) => !distinctWords.some((longer) => longer !== word && longer.includes(word)),
  )
}

/** Works as {@link TextOf}. One text for all fields takes half the time of one for each. */
export function foldedText(item: object, fields: readonly string[]): string {
  let text = ''
  for (const field of fields) {
    const value = fieldOf(item, field)
    // No word holds white space, so none matches across two fields.
    if (typeof value === 'string') text += `\n${value}`
  }
  return foldCase(text)
}

type Test = (value: Scalar) => boolean

/** Makes a test for items: every condition holds. */
export function meeting(where: readonly Condition[]): (item: object) => boolean {
  const tests = where.map((condition) => {
    const { field, is } = condition
    const test = testOf(condition)
    if (is === 'has') return (item: object) => elementsIn(item, field).some(test)
    const read = valueReaderOf(field)
    return (item: object) => test(read(item))
  })
  const [only] = tests
  if (only === undefined) return () => true
  return tests.length === 1 ? only : (item) => tests.every((test) => test(item))
}

/** Makes the function that reads a field, or a member of its object: `address.city`. */
export function valueReaderOf(name: string): (item: object) => Scalar {
  const { field, member } = filterPathOf(name)
  if (member === undefined) return (item) => scalarOf(item, field)
  return (item) => memberOf(fieldOf(item, field), member)
}

// A missing object has no members.
function memberOf(object: unknown, member: string): Scalar {
  return isRecord(object) ? scalarOf(object, member) : null
}

/** Returns the elements of a list in a field, without `null`; none for another value. */
export function elementsIn(item: object, field: string): readonly Scalar[] {
  const list = fieldOf(item, field)
  return Array.isArray(list) ? list.filter((element) => element !== null) : []
}

function testOf({ is, values, type, folded }: Condition): Test {
  const key = folded ? foldedOf : keyFor(type, is)
  if (key === undefined) return tests[is](values)
  const test = tests[is](values.map(key))
  return (value) => test(key(value))
}

type Key = (value: Scalar) => Scalar

function keyFor(type: FilterType, is: Comparison): Key | undefined {
  // A fragment of a text is no moment.
  const isFragment = is === 'contains' || is === 'startsWith' || is === 'endsWith'
  if (type === 'date-time' || type === 'date') return isFragment ? undefined : momentOf
  const isNumber = type === 'number' || type === 'integer'
  return isNumber && /^[gl]te?$/.test(is) ? numberOf : undefined
}

function foldedOf(value: Scalar): Scalar {
  return typeof value === 'string' ? foldedKey(value) : value
}

function momentOf(value: Scalar): Scalar {
  return typeof value === 'string' ? momentKey(value) : value
}

// A database's number of many digits is text here. PostgreSQL sorts NaN after all numbers.
function numberOf(value: Scalar): Scalar {
  if (typeof value !== 'string' || !isWide(value)) return value
  return value === 'NaN' ? Number.POSITIVE_INFINITY : Number(value)
}

const isOneOf = (values: readonly Scalar[]): Test => {
  const set = new Set(values)
  return (value) => set.has(value)
}

const tests: { readonly [Is in Comparison]: (values: readonly Scalar[]) => Test } = {
  in: isOneOf,
  has: isOneOf,
  notIn: (values) => {
    const set = new Set(values)
    return (value) => !set.has(value)
  },
  inOrMissing: (values) => {
    const set = new Set<Scalar>([null, ...values])
    return (value) => set.has(value)
  },
  missing: () => (value) => value === null,
  present: () => (value) => value !== null,
  gt:
    ([bound]) =>
    (value) =>
      isComparable(value, bound) && compareValues(value, bound) > 0,
  gte:
    ([bound]) =>
    (value) =>
      isComparable(value, bound) && compareValues(value, bound) >= 0,
  lt:
    ([bound]) =>
    (value) =>
      isComparable(value, bound) && compareValues(value, bound) < 0,
  lte:
    ([bound]) =>
    (value) =>
      isComparable(value, bound) && compareValues(value, bound) <= 0,
  contains: ([fragment]) => textTest(fragment, (text, folded) => text.includes(folded)),
  startsWith: ([fragment]) => textTest(fragment, (text, folded) => text.startsWith(folded)),
  endsWith: ([fragment]) => textTest(fragment, (text, folded) => text.endsWith(folded)),
}

// A database can hold a value of another type: a number of many digits is text.
function isComparable(value: Scalar, bound: Scalar | undefined): boolean {
  return typeof value === typeof bound && value !== null
}

function textTest(
  fragment: Scalar | undefined,
  has: (text: string, fragment: string) => boolean,
): Test {
  const folded = foldCase(String(fragment))
  return (value) => typeof value === 'string' && has(foldCase(value), folded)
}
