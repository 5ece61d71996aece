import type { Json } from '../contract/schema/schema.ts'
import { accepts, commonMultiple, isMultiple, meetsKeyword, multipleAt } from './accepts.ts'
import { alternativesOf } from './alternatives.ts'
import { findList } from './find-list.ts'
import { findObject } from './find-object.ts'
import { findText } from './find-text.ts'
import {
  complementOf,
  every,
  type FindValue,
  type Found,
  firstFound,
  isComplement,
  type JsonType,
  jsonTypes,
  type Keyword,
  kindsIn,
  noneFound,
  tooDeep,
  typeOfValue,
  type ValueSet,
} from './value-set.ts'

// Enough for hundreds of members and alternatives; then a schema is too entangled to judge.
const mostSteps = 30_000
const keywordsInStep = 20
const mostPairs = 200

const tooLarge: Found = { is: 'unknown', because: 'the schemas are too large to compare' }

// Each level takes a dozen frames of the stack.
const mostLevels = 150

/**
 * Makes a function that finds a value in each of some sets, or proves that there is none.
 *
 * A search inside a search for the same sets finds nothing that the outer one would not find with
 * less, so it ends.
 */
export function createFind(): FindValue {
  const results = new Map<string, Found>()
  const ancestors = new Set<string>()
  let cut = new Set<string>()
  let steps = 0
  const isLate = (keywords: number) => {
    steps += 1 + keywords / keywordsInStep
    return steps > mostSteps
  }
  const find: FindValue = (sets) => {
    const unique = new Map(sets.map((set) => [set.key, set]))
    const goal = [...unique.keys()].sort().join('\n')
    const before = results.get(goal)
    if (before !== undefined) return before
    if (ancestors.has(goal)) {
      cut.add(goal)
      return noneFound
    }
    if (steps > mostSteps) return tooLarge
    if (ancestors.size >= mostLevels) return { is: 'unknown', because: tooDeep }
    ancestors.add(goal)
    const outer = cut
    cut = new Set()
    const result = search([...unique.values()], { find, isLate })
    ancestors.delete(goal)
    cut.delete(goal)
    // A result that a cut decided holds inside the outer search only.
    if (result.is === 'value' || cut.size === 0) results.set(goal, result)
    cut = new Set([...outer, ...cut])
    return result
  }
  return find
}

function search(sets: readonly ValueSet[], tools: Pick<Search, 'find' | 'isLate'>): Found {
  const start = { keywords: [{ kind: 'all', sets } as const], facts: [], choices: [], held: [] }
  return firstFound(jsonTypes, (type) => {
    const result = searchOf({ type, sets, ...tools }, start)
    return result.is === 'value' ? check(result.value, sets) : result
  })
}

function check(value: Json, sets: readonly ValueSet[]): Found {
  const truth = every(sets, (set) => accepts(set, value))
  if (truth === true) return { is: 'value', value }
  if (truth === undefined) return { is: 'unknown', because: 'a keyword is not known', guess: value }
  return { is: 'unknown', because: 'keywords depend on each other' }
}

interface Search {
  readonly type: JsonType
  readonly sets: readonly ValueSet[]
  readonly find: FindValue
  /** Counts a step with so many keywords, and tells whether the search has to end. */
  readonly isLate: (keywords: number) => boolean
}

interface State {
  /** To be looked at. */
  readonly keywords: readonly Keyword[]
  /** Keywords that stand for themselves. */
  readonly facts: readonly Keyword[]
  /** Ways to meet further keywords, of which one must hold. */
  readonly choices: readonly (readonly (readonly Keyword[])[])[]
  /** The keys of the sets that the value is in, complements too. */
  readonly held: Iterable<string>
}

function searchOf(context: Search, state: State): Found {
  const { keywords, facts: before, choices: open } = state
  if (context.isLate(keywords.length + before.length + open.length)) return tooLarge
  const settled = settle(state, context.type)
  if (settled === undefined) return noneFound
  const { facts, choices } = settled
  const listed = facts.find((fact) => fact.kind === 'values')
  if (listed?.kind === 'values') return pick(listed.values, context)
  const result = build(facts, context)
  if (choices.length === 0 || result.is === 'none') return result
  // A value of the facts alone often does.
  if (result.is === 'value' && check(result.value, context.sets).is === 'value') return result
  return branch(settled, context)
}

// Opens keywords until only facts and choices are left; `undefined` where one cannot be met.
function settle({ keywords, facts, choices, ...state }: State, type: JsonType): State | undefined {
  const held = new Set(state.held)
  const todo = [...keywords]
  const settledFacts = [...facts]
  const open = [...choices]
  // Grows while it is read.
  for (const keyword of todo) {
    const standing = hold(keyword, held)
    if (standing === 'never') return undefined
    if (standing === 'known') continue
    const ways = alternativesOf(keyword, type)
    if (ways === undefined) settledFacts.push(keyword)
    else if (ways.length === 0) return undefined
    else if (ways.some((way) => way.length === 0)) continue
    else if (ways.length === 1) todo.push(...(ways[0] ?? []))
    else open.push(ways)
  }
  return { keywords: [], facts: settledFacts, choices: open, held }
}

// Notes the sets that a keyword puts the value in. A set that holds itself is opened once.
function hold(keyword: Keyword, held: Set<string>): 'new' | 'known' | 'never' {
  if (keyword.kind !== 'all' && keyword.kind !== 'not') return 'new'
  const isInside = keyword.kind === 'all'
  const sets = 'sets' in keyword ? keyword.sets : [keyword.set]
  let standing: 'new' | 'known' = 'known'
  for (const member of sets) {
    const [set, opposite] = isInside
      ? [member, complementOf(member)]
      : [complementOf(member), member]
    if (held.has(opposite.key)) return 'never'
    if (held.has(set.key)) continue
    standing = 'new'
    // A complement opens as the keyword "not" of its set, which comes here again.
    if (!isComplement(member)) held.add(set.key)
  }
  return standing
}

// Takes the choice with the fewest ways that can be met beside the facts.
function branch({ facts, choices, held }: State, context: Search): Found {
  let best: { ways: State['choices'][number]; index: number } | undefined
  const pairs = choices.reduce((count, ways) => count + ways.length, 0)
  for (const [index, all] of choices.entries()) {
    const ways =
      choices.length > 1 && pairs <= mostPairs ? possible(all, { facts, held }, context) : all
    if (ways.length === 0) return noneFound
    if (best === undefined || ways.length < best.ways.length) best = { ways, index }
    if (ways.length === 1) break
  }
  const laterChoices = choices.filter((_, index) => index !== best?.index)
  return firstFound(best?.ways ?? [], (keywords) =>
    searchOf(context, { keywords, facts, choices: laterChoices, held }),
  )
}

function possible(
  ways: State['choices'][number],
  around: Pick<State, 'facts' | 'held'>,
  context: Search,
): State['choices'][number] {
  return ways.filter((keywords) => {
    if (context.isLate(keywords.length + around.facts.length)) return true
    const settled = settle({ ...around, keywords, choices: [] }, context.type)
    if (settled === undefined) return false
    const listed = settled.facts.find((fact) => fact.kind === 'values')
    if (listed?.kind === 'values') return pick(listed.values, context).is !== 'none'
    return build(settled.facts, context).is !== 'none'
  })
}

function pick(values: readonly Json[], { type, sets }: Search): Found {
  return firstFound(values, (value) => {
    const truth = typeOfValue(value) === type && every(sets, (set) => accepts(set, value))
    if (truth === false) return noneFound
    if (truth === true) return { is: 'value', value }
    return { is: 'unknown', because: 'a keyword is not known', guess: value }
  })
}

function build(facts: readonly Keyword[], { type, find }: Search): Found {
  switch (type) {
    case 'number':
      return findNumber(facts)
    case 'string':
      return findText(facts)
    case 'array':
      return findList(facts, find)
    case 'object':
      return findObject(facts, find)
    default: {
      const values = type === 'null' ? [null] : [true, false]
      const value = values.find((candidate) =>
        facts.every((fact) => meetsKeyword(fact, candidate) !== false),
      )
      return value === undefined ? noneFound : { is: 'value', value }
    }
  }
}

interface Range {
  readonly low: number
  readonly high: number
}

// Enough for a period of several small divisors and for some excluded values.
const mostTries = 2_000

/** Finds a number that meets all keywords. */
function findNumber(keywords: readonly Keyword[]): Found {
  const of = kindsIn(keywords)
  const limits = (kind: 'minimum' | 'maximum') => of(kind).map(({ limit }) => limit)
  const range = {
    low: Math.max(Number.NEGATIVE_INFINITY, ...limits('minimum')),
    high: Math.min(Number.POSITIVE_INFINITY, ...limits('maximum')),
  }
  if (range.low > range.high) return noneFound
  const fits = (value: number) =>
    keywords.every((keyword) => meetsKeyword(keyword, value) !== false)
  const [first, ...divisors] = of('multipleOf').map(({ divisor }) => divisor)
  if (first === undefined) return findBetween(range, fits)
  const step = commonMultiple([first, ...divisors])
  const isExcluded = of('notMultipleOf').some(({ divisor }) => isMultiple(step, divisor))
  return isExcluded ? noneFound : findMultiple(step, range, fits)
}

// Zero first, then the multiples beside it and beside each bound.
function findMultiple(step: number, { low, high }: Range, fits: (value: number) => boolean): Found {
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
    (fraction) => start + width * fraction,
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
