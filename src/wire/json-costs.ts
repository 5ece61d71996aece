import type { Limits } from '../convention/limits.ts'
import { bulkTooLarge, type ProblemError, problem } from '../convention/problem.ts'
import {
  closeArray,
  closeObject,
  colon,
  comma,
  doubleQuote,
  endOfString,
  openArray,
  openObject,
} from './json-reader.ts'

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
