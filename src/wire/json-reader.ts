import { isHeldExactly, isWhole } from '../convention/decimal.ts'

/** The characters that hold JSON together. */
export const [doubleQuote, comma, colon]: readonly [number, number, number] = [0x22, 0x2c, 0x3a]
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
