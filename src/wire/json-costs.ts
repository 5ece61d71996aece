import type { Limits } from '../model/convention.ts'
import { bulkTooLarge, type ProblemError, problem } from '../model/problem.ts'
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

/** The limits on what a body holds. */
export type BodyLimits = Pick<Limits, 'bulk' | 'depth' | 'keys' | 'values'>

// More than any number has that a double can hold.
const maxDigits = 1000

/**
 * Refuses what takes longer to parse than its bytes are worth: many different keys, many values, one number of a million
 * digits. The text may be anything yet.
 *
 * @throws {ProblemError} `body_too_large`, `bulk_too_large` where it is the items of an array that are too many, `json_invalid`.
 */
export function refuseCostly(text: string, limits: BodyLimits): void {
  const { keys, values } = limits
  // The shortest key takes four characters, the shortest value two.
  if (text.length <= Math.min(4 * keys, 2 * values)) return
  const costs = new Costs(text)
  for (let at = 0; at < text.length; ) {
    at = costs.add(at)
    // That is a fault of its own.
    if (costs.depth > limits.depth) return
    if (costs.digits > maxDigits) {
      throw problem('json_invalid', `The body has a number of more than ${maxDigits} digits`)
    }
    if (costs.keys.size > keys) throw tooMany(`${keys} different keys`)
    if (costs.values > values)
      throw costs.items > limits.bulk ? bulkTooLarge(limits.bulk) : tooMany(`${values} values`)
  }
}

/** What has been seen of a text so far. */
class Costs {
  readonly keys: Set<string> = new Set()
  values = 1
  /** Of the outermost array, where the text is one. */
  items: number
  depth = 0
  /** Of the number that is being read. */
  digits = 0
  readonly #text: string
  #last = ''

  constructor(text: string) {
    this.#text = text
    this.items = /^\s*\[/.test(text) ? 1 : Number.NEGATIVE_INFINITY
  }

  /** Takes in what is at a place, and gives the next one. */
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
  return problem('body_too_large', `The body has more than ${what}`)
}
