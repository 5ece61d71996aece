import { isHeldExactly, isWhole } from '../convention/decimal.ts'
import type { Limits } from '../convention/limits.ts'
import { bulkTooLarge, type ProblemError, problem } from '../convention/problem.ts'

/** The characters that hold JSON together. */
export const [doubleQuote, colon]: readonly [number, number] = [0x22, 0x3a]
const comma = 0x2c
/** The brackets of objects. */
export const [openObject, closeObject]: readonly [number, number] = [0x7b, 0x7d]
/** The brackets of arrays. */
export const [openArray, closeArray]: readonly [number, number] = [0x5b, 0x5d]
const backslash = 0x5c

/**
 * Returns the index after a string literal; beyond the end of the text where the literal is open.
 */
export function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length + 1 : at + 1
}

// An escaped backslash escapes nothing.
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}

/**
 * Reads JSON value by value, where `JSON.parse` can mistake a key.
 *
 * @param text Valid JSON, not deeper than the stack allows, and without a key `__proto__`.
 */
export function readJson(text: string): unknown {
  return new Reader(text).read()
}

/**
 * Returns the paths of the whole numbers that a double does not hold exactly: `9007199254740993`
 * would be read as `9007199254740992`.
 *
 * @param text As {@link readJson}.
 */
export function wideNumbersIn(text: string): readonly (readonly PropertyKey[])[] {
  const reader = new Reader(text)
  reader.read()
  return reader.wide
}

class Reader {
  readonly wide: (readonly PropertyKey[])[] = []
  readonly #text: string
  readonly #path: PropertyKey[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): unknown {
    const start = this.#peek()
    if (start === openArray) return this.#array()
    return start === openObject ? this.#object() : this.#scalar()
  }

  #array(): unknown[] {
    const elements: unknown[] = []
    this.#at++
    while (this.#peek() !== closeArray) elements.push(this.#readAt(elements.length))
    this.#at++
    return elements
  }

  #object(): object {
    const members: Record<string, unknown> = {}
    this.#at++
    while (this.#peek() !== closeObject) {
      const key = String(this.#scalar())
      members[key] = this.#readAt(key)
    }
    this.#at++
    return members
  }

  #readAt(step: PropertyKey): unknown {
    this.#path.push(step)
    const value = this.read()
    this.#path.pop()
    return value
  }

  #scalar(): unknown {
    const text = this.#text
    const start = this.#at
    if (text.charCodeAt(start) === doubleQuote) {
      this.#at = endOfString(text, start)
      const literal = text.slice(start, this.#at)
      return literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
    }
    while (this.#at < text.length && !isBetween(text.charCodeAt(this.#at))) this.#at++
    const word = text.slice(start, this.#at)
    if (words.has(word)) return words.get(word)
    if (isWhole(word) && Number.isFinite(Number(word)) && !isHeldExactly(word))
      this.wide.push([...this.#path])
    return Number(word)
  }

  // Skips the separators: the text is valid JSON.
  #peek(): number {
    while (isSeparator(this.#text.charCodeAt(this.#at))) this.#at++
    return this.#text.charCodeAt(this.#at)
  }
}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function isSeparator(code: number): boolean {
  return code <= 0x20 || code === comma || code === colon
}

function isBetween(code: number): boolean {
  return isSeparator(code) || code === closeArray || code === closeObject
}

/** The limits on the content of a body. */
export type BodyLimits = Pick<Limits, 'bulk' | 'depth' | 'keys' | 'values'>

// No number that a double holds needs more.
const maxDigits = 1000

/**
 * Refuses a text that takes long to parse for its length: many different keys, many values, a
 * number of a million digits. The text need not be JSON.
 *
 * @throws {ProblemError} `body_too_large`, `bulk_too_large` for too many items of an array,
 *   `json_invalid`.
 */
export function refuseCostly(text: string, limits: BodyLimits): void {
  const { keys, values } = limits
  const costs = new Costs(text)
  for (let at = 0; at < text.length; ) {
    at = costs.add(at)
    // `parseJson` refuses the depth.
    if (costs.depth > limits.depth) return
    if (costs.digits > maxDigits) {
      throw problem('json_invalid', `The body has a number of more than ${maxDigits} digits.`)
    }
    if (costs.keys.size > keys) throw tooMany(`${keys} different keys`)
    if (costs.values > values)
      throw costs.items > limits.bulk ? bulkTooLarge(limits.bulk) : tooMany(`${values} values`)
  }
}

/** The costs of a text, up to an index. */
class Costs {
  readonly keys: Set<string> = new Set()
  values = 1
  /** Items of the outermost array; negative where the text is no array. */
  items: number
  depth = 0
  /** Digits of the current number. */
  digits = 0
  readonly #text: string
  #last = ''

  constructor(text: string) {
    this.#text = text
    this.items = /^\s*\[/.test(text) ? 1 : Number.NEGATIVE_INFINITY
  }

  /** Adds the token at an index, and returns the index after it. */
  add(at: number): number {
    const code = this.#text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) {
      this.digits++
      return at + 1
    }
    this.digits = 0
    if (code === doubleQuote) {
      const end = endOfString(this.#text, at)
      this.#last = this.#text.slice(at, end)
      return end
    }
    if (code === colon) this.keys.add(this.#last)
    else if (code === comma) {
      this.values++
      if (this.depth === 1) this.items++
    } else if (code === openObject || code === openArray) {
      this.depth++
      if (!isEmptyAt(this.#text, at)) this.values++
    } else if (code === closeObject || code === closeArray) this.depth--
    return at + 1
  }
}

function isEmptyAt(text: string, open: number): boolean {
  let at = open + 1
  while (text.charCodeAt(at) <= 0x20) at++
  const code = text.charCodeAt(at)
  return code === closeObject || code === closeArray
}

function tooMany(what: string): ProblemError {
  return problem('body_too_large', `The body has more than ${what}.`)
}

/** The first fault of a text that is no JSON. */
interface JsonFault {
  readonly line: number
  /** Counts from 1, in UTF-16 units. */
  readonly column: number
  /** What JSON has there, for a message: `a key in quotes`. */
  readonly expected: string
}

const space = /[\t\n\r ]*/y
const string = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

/**
 * Finds the first fault of a text that `JSON.parse` refuses. It reads with a stack of its own: a
 * client may open a million brackets.
 */
export function findJsonFault(text: string): JsonFault {
  return new Scanner(text).find()
}

class Scanner {
  readonly #text: string
  readonly #open: string[] = []
  #at = 0
  /** The innermost bracket holds nothing yet. */
  #isFresh = false

  constructor(text: string) {
    this.#text = text
  }

  find(): JsonFault {
    let expected = this.#value('a value')
    while (expected === undefined && this.#open.length > 0) expected = this.#next()
    this.#take(space)
    return this.#fault(expected ?? 'the end of the body')
  }

  // Returns the part that is missing; `undefined` where a value or a bracket is complete.
  #value(expected: string): string | undefined {
    this.#take(space)
    const start = this.#text[this.#at]
    if (start === '{' || start === '[') {
      this.#open.push(start)
      this.#at++
      this.#isFresh = true
      return undefined
    }
    this.#isFresh = false
    if (this.#take(string) || this.#take(scalar)) return undefined
    return start === '"' ? 'a string that ends, with escapes for control characters' : expected
  }

  // Reads what stands inside the innermost bracket.
  #next(): string | undefined {
    this.#take(space)
    const isObject = this.#open.at(-1) === '{'
    const end = isObject ? '}' : ']'
    const sign = this.#text[this.#at]
    const isFresh = this.#isFresh
    if (sign === end) {
      this.#open.pop()
      this.#at++
      this.#isFresh = false
      return undefined
    }
    if (!isFresh && sign !== ',') return `"," or "${end}"`
    if (!isFresh) this.#at++
    if (isObject) return this.#member()
    return this.#value(isFresh ? 'a value or "]"' : 'a value')
  }

  #member(): string | undefined {
    this.#take(space)
    if (!this.#take(string)) return 'a key in quotes'
    this.#take(space)
    if (this.#text[this.#at] !== ':') return '":" after the key'
    this.#at++
    return this.#value('a value')
  }

  #take(syntax: RegExp): boolean {
    syntax.lastIndex = this.#at
    if (!syntax.test(this.#text)) return false
    this.#at = syntax.lastIndex
    return true
  }

  #fault(expected: string): JsonFault {
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    return { line, column: this.#at - before.lastIndexOf('\n'), expected }
  }
}
