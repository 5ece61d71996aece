import type { Json } from '../../contract/schema/schema.ts'
import { meetsKeyword } from './accepts.ts'
import { commonMultiple, isMultiple, multipleAt } from './multiples.ts'
import { type Found, type Keyword, type NumberKeyword, noneFound } from './value-set.ts'

interface Range {
  readonly low: number
  readonly high: number
}

// Enough for a period of several small divisors and for some excluded values.
const mostTries = 2_000

/** Finds a number that meets all keywords. */
export function findNumber(keywords: readonly Keyword[]): Found {
  const divisors = divisorsOf(keywords, 'multipleOf')
  const range = rangeOf(keywords)
  if (range.low > range.high) return noneFound
  const fits = (value: number) =>
    keywords.every((keyword) => meetsKeyword(keyword, value) !== false)
  return divisors.length > 0
    ? findMultiple(commonMultiple(divisors), { keywords, range, fits })
    : findBetween(range, fits)
}

interface Search {
  readonly keywords: readonly Keyword[]
  readonly range: Range
  readonly fits: (value: number) => boolean
}

function divisorsOf(
  keywords: readonly Keyword[],
  kind: 'multipleOf' | 'notMultipleOf',
): readonly number[] {
  return keywords.flatMap((keyword) => (keyword.kind === kind ? [keyword.divisor] : []))
}

function rangeOf(keywords: readonly Keyword[]): Range {
  const bounds = (kind: 'minimum' | 'maximum'): readonly NumberKeyword[] =>
    keywords.filter((keyword): keyword is NumberKeyword => keyword.kind === kind)
  const limits = (kind: 'minimum' | 'maximum') =>
    bounds(kind).map((bound) => ('limit' in bound ? bound.limit : 0))
  const low = Math.max(Number.NEGATIVE_INFINITY, ...limits('minimum'))
  const high = Math.min(Number.POSITIVE_INFINITY, ...limits('maximum'))
  return { low, high }
}

// Zero first, then the multiples beside it and beside each bound.
function findMultiple(step: number, { keywords, range, fits }: Search): Found {
  const { low, high } = range
  if (divisorsOf(keywords, 'notMultipleOf').some((divisor) => isMultiple(step, divisor)))
    return noneFound
  const first = Number.isFinite(low) ? Math.ceil(low / step) - 1 : undefined
  const last = Number.isFinite(high) ? Math.floor(high / step) + 1 : undefined
  const size = first === undefined || last === undefined ? undefined : last - first
  const isWhole =
    size !== undefined && size <= mostTries && [first, last].every(Number.isSafeInteger)
  const start = first ?? (last === undefined ? 0 : last - mostTries)
  const factors = Array.from(
    { length: isWhole ? size + 1 : mostTries },
    (_, index) => start + index,
  )
  // A number close to zero is easier to read.
  const near = isWhole || first !== undefined ? [0, 1, ...factors] : [0, 1, ...factors.reverse()]
  for (const factor of near) {
    if (!Number.isSafeInteger(factor)) continue
    const value = multipleAt(factor, step)
    if (fits(value)) return { is: 'value', value }
  }
  if (isWhole) return noneFound
  return { is: 'unknown', because: `no multiple of ${step} was found` }
}

function findBetween({ low, high }: Range, fits: (value: number) => boolean): Found {
  const isBounded = Number.isFinite(low) && Number.isFinite(high)
  const start = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 100 : 0
  const width = isBounded ? high - low : 100
  const wholes = Array.from({ length: 20 }, (_, index) => Math.ceil(start) + index)
  const parts = [0.005, 0.5, 0.25, 0.75, 0.1, 0.3, 0.7, 1 / 3, 0.123, 0.777].map(
    (part) => start + width * part,
  )
  const candidates: readonly Json[] = [0, 1, low, high, ...wholes, ...parts, start - 1, start + 101]
  for (const value of candidates) {
    if (typeof value === 'number' && Number.isFinite(value) && fits(value))
      return { is: 'value', value }
  }
  // A single number, or an interval without its ends.
  if (isBounded && width === 0) return noneFound
  return { is: 'unknown', because: 'no number was found' }
}
