import { createHash } from 'node:crypto'
import type { Json } from '../contract/schema/schema.ts'

/** The types of JSON values. A whole number is a `number` that is a multiple of 1. */
export const jsonTypes = ['object', 'string', 'number', 'boolean', 'array', 'null'] as const

/** A type of JSON values. */
export type JsonType = (typeof jsonTypes)[number]

/** The set of JSON values that meet every keyword: a JSON Schema, read. */
export interface ValueSet {
  /** Sets with equal keys have the same values. */
  readonly key: string
  /** Reads the keywords on first use, because a schema may hold itself. */
  readonly keywords: () => readonly Keyword[]
}

/** The members that some names of an object lead to. */
export interface Members {
  readonly properties: ReadonlyMap<string, ValueSet>
  readonly patterns: readonly (readonly [source: string, set: ValueSet])[]
  /** The set of every other member; `undefined` for any. */
  readonly additional: ValueSet | undefined
}

/** One condition of a set. A keyword of a type says nothing of values of another type. */
export type Keyword =
  | { readonly kind: 'types'; readonly types: readonly JsonType[] }
  | { readonly kind: 'values' | 'notValues'; readonly values: readonly Json[] }
  | { readonly kind: 'all' | 'any' | 'one'; readonly sets: readonly ValueSet[] }
  | { readonly kind: 'not'; readonly set: ValueSet }
  | {
      readonly kind: 'if'
      readonly condition: ValueSet
      readonly yes: ValueSet
      readonly no: ValueSet
    }
  /** A keyword that this library cannot judge. */
  | { readonly kind: 'opaque'; readonly because: string }
  | TypedKeyword

/** A keyword about values of one type. */
export type TypedKeyword = NumberKeyword | TextKeyword | ListKeyword | ObjectKeyword

/** A keyword about numbers. */
export type NumberKeyword =
  | {
      readonly kind: 'minimum' | 'maximum'
      readonly limit: number
      readonly isExclusive: boolean
    }
  | { readonly kind: 'multipleOf' | 'notMultipleOf'; readonly divisor: number }

/** A keyword about texts. Lengths count code points. */
export type TextKeyword =
  | { readonly kind: 'minLength' | 'maxLength'; readonly count: number }
  | { readonly kind: 'pattern' | 'notPattern'; readonly source: string }
  /** `hint` is the pattern of the validator beside a known format: for samples alone. */
  | { readonly kind: 'format' | 'notFormat'; readonly name: string; readonly hint?: string }

/** A keyword about lists. */
export type ListKeyword =
  | { readonly kind: 'minItems' | 'maxItems'; readonly count: number }
  | { readonly kind: 'unique' | 'repeated' }
  | {
      readonly kind: 'elements'
      readonly first: readonly ValueSet[]
      readonly additional: ValueSet | undefined
    }
  /** At least `min` and at most `max` elements are in the set. */
  | {
      readonly kind: 'contains'
      readonly set: ValueSet
      readonly min: number
      readonly max: number
    }
  /** Some element from an index to another is in the set. */
  | {
      readonly kind: 'someElement'
      readonly from: number
      readonly to: number
      readonly set: ValueSet
    }

/** A keyword about objects. */
export type ObjectKeyword =
  | { readonly kind: 'minProperties' | 'maxProperties'; readonly count: number }
  | { readonly kind: 'required' | 'absent'; readonly name: string }
  | { readonly kind: 'members'; readonly members: Members }
  | { readonly kind: 'names' | 'someName'; readonly set: ValueSet }
  /** If the object has the member, the whole object is in the set. */
  | { readonly kind: 'dependent'; readonly name: string; readonly set: ValueSet }
  /** The object has the member, and its value is in the set. */
  | { readonly kind: 'member'; readonly name: string; readonly set: ValueSet }
  /** Some member that a pattern names, or that `beside` does not name, is in the set. */
  | { readonly kind: 'someMember'; readonly names: string | Members; readonly set: ValueSet }

const typesOfKeywords: { readonly [K in TypedKeyword['kind']]: JsonType } = {
  minimum: 'number',
  maximum: 'number',
  multipleOf: 'number',
  notMultipleOf: 'number',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  notPattern: 'string',
  format: 'string',
  notFormat: 'string',
  minItems: 'array',
  maxItems: 'array',
  unique: 'array',
  repeated: 'array',
  elements: 'array',
  contains: 'array',
  someElement: 'array',
  minProperties: 'object',
  maxProperties: 'object',
  required: 'object',
  absent: 'object',
  members: 'object',
  names: 'object',
  someName: 'object',
  dependent: 'object',
  member: 'object',
  someMember: 'object',
}

/** Tells whether a keyword is about values of one type. */
export function isTyped(keyword: Keyword): keyword is TypedKeyword {
  return Object.hasOwn(typesOfKeywords, keyword.kind)
}

/** Returns the type of the values that a keyword is about. */
export function typeOfKeyword({ kind }: TypedKeyword): JsonType {
  return typesOfKeywords[kind]
}

/** Returns the type of a JSON value. */
export function typeOfValue(value: Json): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

/** The set of all values. */
export const anyValue: ValueSet = { key: 'true', keywords: () => [] }

/** The set of no value. */
export const noValue: ValueSet = complementOf(anyValue)

/** Returns the set of all other values. */
export function complementOf(set: ValueSet): ValueSet {
  const [keyword] = isComplement(set) ? set.keywords() : []
  // The complement of a complement is the set itself, and has its key.
  if (keyword?.kind === 'not') return keyword.set
  return { key: `!${set.key}`, keywords: () => [{ kind: 'not', set }] }
}

/** Tells whether a set is the complement of another. */
export function isComplement({ key }: ValueSet): boolean {
  return key.startsWith('!')
}

/** Returns a set of keywords that no schema has as such. */
export function setOf(...keywords: readonly Keyword[]): ValueSet {
  return { key: shortKey(JSON.stringify(keywords, writeSet)), keywords: () => keywords }
}

// A set inside a keyword is written as its key.
function writeSet(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...value]
  return typeof value === 'object' && value !== null && 'keywords' in value
    ? shortKey(String(Reflect.get(value, 'key')))
    : value
}

// A hash is longer than many keys.
const mostLength = 64

/** Shortens a key to a hash: a key that holds keys would else grow with each level. */
export function shortKey(key: string): string {
  return key.length > mostLength ? createHash('sha256').update(key).digest('base64') : key
}

/** A keyword of a kind. */
export type KeywordOf<Kind extends Keyword['kind']> = Keyword & { readonly kind: Kind }

/** Makes the function that returns the keywords of a kind. */
export function kindsIn(
  keywords: readonly Keyword[],
): <Kind extends Keyword['kind']>(kind: Kind) => readonly KeywordOf<Kind>[] {
  return <Kind extends Keyword['kind']>(kind: Kind) =>
    keywords.filter((keyword): keyword is KeywordOf<Kind> => keyword.kind === kind)
}

/** The result of a search for a value in every one of some sets. */
export type Found =
  | { readonly is: 'value'; readonly value: Json }
  | { readonly is: 'none' }
  /** `guess` may be in the sets: a keyword cannot be judged. */
  | { readonly is: 'unknown'; readonly because: string; readonly guess?: Json }

/** The result where there is no value. */
export const noneFound: Found = { is: 'none' }

/**
 * Returns the first value that a search finds; none where each search proves so.
 *
 * @param start The result where no search is made. Default: none.
 */
export function firstFound<Choice>(
  choices: Iterable<Choice>,
  search: (choice: Choice) => Found,
  start: Found = noneFound,
): Found {
  let unknown = start
  for (const choice of choices) {
    const result = search(choice)
    if (result.is === 'value') return result
    const hasGuess = unknown.is === 'unknown' && unknown.guess !== undefined
    if (result.is === 'unknown' && !hasGuess) unknown = result
  }
  return unknown
}

/** Finds a value that is in each of some sets. */
export type FindValue = (sets: readonly ValueSet[]) => Found

/** True, false, or undefined where nothing tells. */
export type Truth = boolean | undefined

/** Returns whether all hold: one false decides. */
export function every<Element>(
  elements: Iterable<Element>,
  judge: (element: Element) => Truth,
): Truth {
  let truth: Truth = true
  for (const element of elements) {
    const verdict = judge(element)
    if (verdict === false) return false
    if (verdict === undefined) truth = undefined
  }
  return truth
}

/** Returns whether one holds: one true decides. */
export function some<Element>(
  elements: Iterable<Element>,
  judge: (element: Element) => Truth,
): Truth {
  return negate(every(elements, (element) => negate(judge(element))))
}

/** Returns the opposite. */
export function negate(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth
}

/** Returns whether a number of elements that hold is within bounds. */
export function counted<Element>(
  elements: readonly Element[],
  judge: (element: Element) => Truth,
  { min, max }: { readonly min: number; readonly max: number },
): Truth {
  const truths = elements.map(judge)
  const least = truths.filter((truth) => truth === true).length
  const most = least + truths.filter((truth) => truth === undefined).length
  if (least > max || most < min) return false
  return least >= min && most <= max ? true : undefined
}

/** Says why a search ends where schemas stand in each other at too many levels. */
export const tooDeep = 'the schemas nest too deeply to compare'
