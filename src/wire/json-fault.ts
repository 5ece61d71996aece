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
