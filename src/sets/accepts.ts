import type { Json } from '../contract/schema/schema.ts'
import { fieldOf, isSame } from '../convention/value.ts'
import { hasFormat, isMatch } from './formats.ts'
import {
  counted,
  every,
  isTyped,
  type Keyword,
  type ListKeyword,
  type Members,
  type NumberKeyword,
  negate,
  type ObjectKeyword,
  some,
  type TextKeyword,
  type Truth,
  typeOfKeyword,
  typeOfValue,
  type ValueSet,
} from './value-set.ts'

// A set that is a part of itself, without a value in between, never ends.
const mostDepth = 300

// The parts of a value that was found are often those of another one, and may stand in it twice.
const truths = new WeakMap<object, Map<ValueSet, Truth>>()

/** Tells whether a value is in a set; `undefined` where a keyword cannot be judged. */
export function accepts(set: ValueSet, value: Json, depth = 0): Truth {
  if (depth > mostDepth) return undefined
  if (typeof value !== 'object' || value === null) return judge(set, value, depth)
  const cached = truths.get(value) ?? new Map<ValueSet, Truth>()
  truths.set(value, cached)
  const truth = cached.get(set) ?? judge(set, value, depth)
  if (truth !== undefined) cached.set(set, truth)
  return truth
}

function judge(set: ValueSet, value: Json, depth: number): Truth {
  return every(set.keywords(), (keyword) => meetsKeyword(keyword, value, depth + 1))
}

/** Tells whether a value meets a keyword. */
export function meetsKeyword(keyword: Keyword, value: Json, depth = 0): Truth {
  const isIn = (set: ValueSet): Truth => accepts(set, value, depth)
  if (isTyped(keyword)) return meetsTyped(keyword, value, depth)
  switch (keyword.kind) {
    case 'types':
      return keyword.types.includes(typeOfValue(value))
    case 'values':
      return hasValue(keyword.values, value)
    case 'notValues':
      return !hasValue(keyword.values, value)
    case 'all':
      return every(keyword.sets, isIn)
    case 'any':
      return some(keyword.sets, isIn)
    case 'one':
      return counted(keyword.sets, isIn, { min: 1, max: 1 })
    case 'not':
      return negate(isIn(keyword.set))
    case 'if': {
      const isYes = isIn(keyword.condition)
      if (isYes === undefined) return every([keyword.yes, keyword.no], isIn) === true || undefined
      return isIn(isYes ? keyword.yes : keyword.no)
    }
    case 'opaque':
      return undefined
  }
}

function meetsTyped(
  keyword: Exclude<Keyword, { kind: 'types' }> & Parameters<typeof typeOfKeyword>[0],
  value: Json,
  depth: number,
): Truth {
  if (typeOfKeyword(keyword) !== typeOfValue(value)) return true
  if (typeof value === 'number') return meetsNumber(keyword as NumberKeyword, value)
  if (typeof value === 'string') return meetsText(keyword as TextKeyword, value)
  if (Array.isArray(value)) return meetsList(keyword as ListKeyword, value, depth)
  return meetsObject(keyword as ObjectKeyword, Object(value), depth)
}

function meetsNumber(keyword: NumberKeyword, value: number): Truth {
  switch (keyword.kind) {
    case 'minimum':
      return keyword.isExclusive ? value > keyword.limit : value >= keyword.limit
    case 'maximum':
      return keyword.isExclusive ? value < keyword.limit : value <= keyword.limit
    case 'multipleOf':
      return isMultiple(value, keyword.divisor)
    case 'notMultipleOf':
      return !isMultiple(value, keyword.divisor)
  }
}

function meetsText(keyword: TextKeyword, value: string): Truth {
  switch (keyword.kind) {
    case 'minLength':
      return lengthOf(value) >= keyword.count
    case 'maxLength':
      return lengthOf(value) <= keyword.count
    case 'pattern':
      return isMatch(keyword.source, value)
    case 'notPattern':
      return negate(isMatch(keyword.source, value))
    case 'format':
      return hasFormat(keyword.name, value)
    case 'notFormat':
      return negate(hasFormat(keyword.name, value))
  }
}

function meetsList(keyword: ListKeyword, list: readonly Json[], depth: number): Truth {
  const isIn = (set: ValueSet) => (value: Json) => accepts(set, value, depth)
  switch (keyword.kind) {
    case 'minItems':
      return list.length >= keyword.count
    case 'maxItems':
      return list.length <= keyword.count
    case 'unique':
      return !hasRepeated(list)
    case 'repeated':
      return hasRepeated(list)
    case 'elements':
      return every(list.entries(), ([index, value]) => {
        const set = keyword.first[index] ?? keyword.additional
        return set === undefined || isIn(set)(value)
      })
    case 'contains':
      return counted(list, isIn(keyword.set), keyword)
    case 'someElement':
      return some(list.slice(keyword.from, keyword.to + 1), isIn(keyword.set))
  }
}

function hasRepeated(list: readonly Json[]): boolean {
  return list.some((value, index) => list.slice(0, index).some((earlier) => isSame(value, earlier)))
}

function meetsObject(keyword: ObjectKeyword, object: object, depth: number): Truth {
  const has = (name: string) => Object.hasOwn(object, name)
  const names = () => Object.keys(object)
  const isIn = (set: ValueSet, name: string) => accepts(set, fieldOf(object, name) as Json, depth)
  switch (keyword.kind) {
    case 'minProperties':
      return names().length >= keyword.count
    case 'maxProperties':
      return names().length <= keyword.count
    case 'required':
      return has(keyword.name)
    case 'absent':
      return !has(keyword.name)
    case 'members':
      return every(names(), (name) =>
        every(setsFor(name, keyword.members), (set) => isIn(set, name)),
      )
    case 'names':
      return every(names(), (name) => accepts(keyword.set, name, depth))
    case 'someName':
      return some(names(), (name) => accepts(keyword.set, name, depth))
    case 'dependent':
      return !has(keyword.name) || accepts(keyword.set, object as Json, depth)
    case 'member':
      return has(keyword.name) && isIn(keyword.set, keyword.name)
    case 'someMember':
      return some(names(), (name) =>
        every([() => isNamed(keyword.names, name), () => isIn(keyword.set, name)], (judge) =>
          judge(),
        ),
      )
  }
}

/** Returns the sets that the member of a name must be in. */
export function setsFor(
  name: string,
  { properties, patterns, additional }: Members,
): readonly ValueSet[] {
  const property = properties.get(name)
  const matched = patterns.filter(([source]) => isMatch(source, name) === true)
  const named = [...(property ? [property] : []), ...matched.map(([, set]) => set)]
  return named.length === 0 && additional !== undefined ? [additional] : named
}

/** Tells whether a pattern matches a name, or whether members name it nowhere. */
export function isNamed(names: string | Members, name: string): Truth {
  if (typeof names === 'string') return isMatch(names, name)
  if (names.properties.has(name)) return false
  return negate(some(names.patterns, ([source]) => isMatch(source, name)))
}

/** Returns the length of a text in code points, as JSON Schema counts it. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

const scalars = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

/** Tells whether a list has a value. It looks through a long list of scalars once. */
export function hasValue(values: readonly unknown[], value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return values.some((candidate) => isSame(candidate, value))
  const scalarSet = scalars.get(values) ?? new Set(values)
  scalars.set(values, scalarSet)
  return scalarSet.has(value)
}

/** Tells whether a number is a multiple of another, as their decimal digits say: `0.3` of `0.1`. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value / divisor) && Number.isInteger(divisor)) return true
  const places = Math.max(placesOf(value), placesOf(divisor))
  return scaled(value, places) % scaled(divisor, places) === 0n
}

/** Returns the least number that is a multiple of all divisors. */
export function commonMultiple(divisors: readonly number[]): number {
  const places = Math.max(0, ...divisors.map(placesOf))
  const integers = divisors
    .map((divisor) => scaled(divisor, places))
    .reduce((multiple, divisor) => (multiple / greatestCommon(multiple, divisor)) * divisor)
  return toNumber(integers, places)
}

/** Returns a multiple of a divisor without the error of floating point: `3` of `0.1` → `0.3`. */
export function multipleAt(factor: number, divisor: number): number {
  const places = placesOf(divisor)
  return toNumber(BigInt(factor) * scaled(divisor, places), places)
}

function greatestCommon(number: bigint, divisor: bigint): bigint {
  return divisor === 0n ? number : greatestCommon(divisor, number % divisor)
}

// The digits after the point: `1.5e-7` has 8.
function placesOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

function scaled(value: number, places: number): bigint {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [integer = '', fraction = ''] = digits.split('.')
  const zeros = places + Number(exponent) - fraction.length
  return BigInt(integer + fraction + '0'.repeat(Math.max(0, zeros)))
}

function toNumber(integer: bigint, places: number): number {
  return Number(`${integer}e-${places}`)
}
