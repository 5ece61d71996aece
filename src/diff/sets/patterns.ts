import { type Automaton, automatonOf, intersectionOf, remainderOf, textsOf } from './automaton.ts'
import type { Truth } from './truth.ts'
import { type Found, noneFound } from './value-set.ts'

const compiled = new Map<string, RegExp | undefined>()

/** Tells whether a pattern of JSON Schema matches a text somewhere; `undefined` for no pattern. */
export function isMatch(source: string, text: string): Truth {
  if (!compiled.has(source)) compiled.set(source, compile(source))
  return compiled.get(source)?.test(text)
}

// JSON Schema demands the flag "u", but some patterns are older.
function compile(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // The next flags may do.
    }
  }
  return undefined
}

/** The patterns of a text, and its length in code points. */
export interface Matching {
  readonly patterns: readonly string[]
  readonly notPatterns: readonly string[]
  readonly least: number
  readonly most: number
}

// Words of an automaton that `fits` may refuse, and lengths that an automaton can count.
const mostWords = 500
const mostCount = 2_000

/** Finds a text that matches some patterns and does not match others. */
export function findMatch(matching: Matching, fits: (text: string) => boolean): Found {
  const unknown: Found = {
    is: 'unknown',
    because: `no text was found for ${describe(matching)}`,
  }
  try {
    const automaton = automatonFor(matching)
    if (automaton.isEmpty) return noneFound
    // Texts that people can read come first.
    const readable = intersectionOf(automaton, automatonOf('^[ -~]*$'))
    for (const one of [readable, automaton]) {
      const { text, isAll } = firstFitting(one, fits)
      if (text !== undefined) return { is: 'value', value: text }
      if (isAll && one === automaton && isCounted(matching)) return noneFound
    }
  } catch {
    // Too large, or with a part that no automaton can tell.
  }
  const guess = guesses.find(fits)
  return guess === undefined ? unknown : { is: 'value', value: guess }
}

const guesses = ['', 'a', 'A', '0', '1', 'ab', 'AB', 'ABC', 'abc', '123', '1234', 'a1', 'A1', 'a-b']

function describe({ patterns, notPatterns }: Matching): string {
  const all = [...patterns, ...notPatterns.map((source) => `not ${source}`)]
  return `the pattern ${all.join(' and ')}`
}

function automatonFor(matching: Matching): Automaton {
  const { patterns, notPatterns, least, most } = matching
  const length = isCounted(matching)
    ? [automatonOf(`^[^]{${least},${most === Infinity ? '' : most}}$`)]
    : []
  const all = [
    ...patterns.map(automatonOf),
    ...notPatterns.map((source) => remainderOf(automatonOf(source))),
    ...length,
  ]
  return all.reduce(intersectionOf)
}

function isCounted({ least, most }: Matching): boolean {
  return least <= mostCount && (most <= mostCount || most === Infinity)
}

function firstFitting(
  automaton: Automaton,
  fits: (text: string) => boolean,
): { readonly text?: string; readonly isAll: boolean } {
  let tried = 0
  for (const text of textsOf(automaton)) {
    if (text === undefined) return { isAll: false }
    if (fits(text)) return { text, isAll: false }
    if (++tried === mostWords) return { isAll: false }
  }
  return { isAll: true }
}
